import type { Branch, Logic, Step, Template, ContextVariable } from '../../core/definition.ts';
import { isObject } from '../../core/json.ts';
import { isLogic } from '../../core/logic.ts';
import type { Report } from '../sources/source-file.ts';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import type { FlowNames } from './expand-guards.ts';
import {
  expandTemplate,
  expandTemplates,
  toList,
  type BranchGroup,
  type WrittenBranch,
  type WrittenBranches,
  type WrittenContext,
} from './flow-source.ts';
import { explain, say } from '../sources/say.ts';

type Variables = Readonly<Record<string, ContextVariable>>;

/** Returns the variables of a flow: the names in `context` and the names that branches assign. */
export function buildVariables(written: WrittenContext = {}, branches: Iterable<Branch>): Variables {
  const { query = [], path = [], history = [], storage = [], saved = [], defaults = {} } = written;
  const assigned = [...branches].flatMap(({ assign = {} }) => Object.keys(assign));
  const names = new Set([...query, ...path, ...history, ...storage, ...saved, ...Object.keys(defaults), ...assigned]);
  return Object.fromEntries(
    [...names].map((name): [string, ContextVariable] => [
      name,
      {
        from: path.includes(name) ? 'path' : query.includes(name) ? 'query' : 'result',
        ...(storage.includes(name) ? { persist: true } : history.includes(name) ? { persist: 'entry' } : {}),
        ...(saved.includes(name) ? { saved: true } : {}),
        ...(Object.hasOwn(defaults, name) ? { default: defaults[name] } : {}),
      },
    ]),
  );
}

/** Pairs of lists in `context` that must not both contain a variable, with the reason. */
const exclusiveLists = [
  ['query', 'path', say`has a single source`],
  ['history', 'storage', say`is stored in one place`],
  ['query', 'saved', say`from an address may be the secret of a link, and is not saved`],
  ['path', 'saved', say`from an address may be the secret of a link, and is not saved`],
] as const;

export function checkExclusiveLists(written: WrittenContext = {}, report: Report): void {
  for (const [one, other, rule] of exclusiveLists)
    for (const [index, name] of (written[other] ?? []).entries())
      if (written[one]?.includes(name))
        report(`/context/${other}/${index}`)(explain`"${name}" is also in "${one}".
          A variable ${rule}: remove one of them.`);
}

/** Returns the location of a variable in the file: its entry in `context`, or else its assignment. */
export function locateVariable(
  pointer: string,
  written: WrittenContext = {},
  branches: ReadonlyMap<object, string>,
): string {
  const [, name = ''] = splitPointer(pointer);
  for (const [source, names] of Object.entries(written)) {
    const index = Array.isArray(names) ? names.indexOf(name) : -1;
    if (index >= 0) return `/context/${source}/${index}`;
    if (!Array.isArray(names) && Object.hasOwn(names as object, name))
      return `/context/${source}/${escapePointer(name)}`;
  }
  for (const [branch, at] of branches)
    if ('assign' in branch && Object.hasOwn(branch.assign as object, name))
      return `${at}/assign/${escapePointer(name)}`;
  return pointer;
}

/**
 * Keys of a branch that determine its target. A branch has at most one of these keys. If a branch of a group has one, the key of the group does not
 * apply.
 */
const targetKeys = ['target', 'challenge', 'leave'] as const;

interface BranchExpander {
  /** Locations of the expanded branches in the file. */
  readonly pointers: Map<Branch | Step, string>;
  readonly expand: (own: WrittenBranches, at: string) => readonly Branch[];
  /** Merges objects, each given by name or literally, with its location. Later objects take precedence. */
  readonly merge: (kind: 'assigns' | 'inputs', parts: readonly (readonly [part: Template, at: string])[]) => Template;
}

/** Creates an expander of the short forms of branches, which also records where each branch is in the file. */
export function createBranchExpander(
  names: FlowNames,
  expandGuard: (written: Logic, at: string) => Logic,
  report: Report,
): BranchExpander {
  const pointers = new Map<Branch | Step, string>();
  const open = new Set<string>(); // named branches being expanded, to detect recursion

  const expand: BranchExpander['expand'] = (own, at) =>
    toList(own).flatMap((item, index) => expandOne(item, Array.isArray(own) ? `${at}/${index}` : at));

  const merge: BranchExpander['merge'] = (kind, parts) => {
    const expandedParts = parts.map(([part, at]) => {
      const own = (typeof part === 'string' ? names.take(kind, part, at) : part) ?? {};
      return kind === 'assigns' && isObject(own) ? expandTemplates(own) : expandTemplate(own);
    });
    const [only = {}, ...more] = expandedParts;
    for (const [index, part] of kind === 'inputs' && more.length > 0 ? expandedParts.entries() : [])
      if (isLogic(part))
        report(parts[index]?.[1] ?? '')(explain`
          A rule cannot be merged with the other inputs: its result can have any type.
          Write an object here that gives each name its value or rule, e.g. { "email": "form.email" }.`);
    return more.length === 0 ? only : Object.assign({}, ...expandedParts.filter(isObject));
  };

  const expandOne = (own: string | WrittenBranch | BranchGroup, at: string): readonly Branch[] => {
    if (typeof own === 'string') return [expandBranch({ target: own }, at)];
    return isGroup(own) ? expandGroup(own, at) : [expandBranch(own, at)];
  };

  const expandBranch = ({ description: _, guard, assign, leave, challenge, ...own }: WrittenBranch, at: string) => {
    const expanded: Branch = {
      ...own,
      ...(guard !== undefined && { guard: expandGuard(guard, `${at}/guard`) }),
      ...(assign !== undefined && { assign: merge('assigns', listParts(assign, `${at}/assign`)) as Branch['assign'] }),
      ...(challenge !== undefined && { challenge: expandTemplate(challenge) }),
      ...(leave !== undefined && { leave: expandTemplate(leave) }),
    };
    pointers.set(expanded, at);
    return expanded;
  };

  const expandGroup = ({ branches, ...own }: BranchGroup, at: string): readonly Branch[] => {
    const place = `${at}/branches`;
    const within = typeof branches === 'string' ? expandNamed(branches, place) : expand(branches, place);
    const shared = expandBranch(own, at);
    pointers.delete(shared);
    return within.map((branch) => {
      const merged = {
        ...(hasTarget(branch) ? withoutTarget(shared) : shared),
        ...branch,
        ...mergeAssignments(shared, branch),
      };
      pointers.set(merged, pointers.get(branch) ?? at);
      return merged;
    });
  };

  const expandNamed = (name: string, at: string): readonly Branch[] => {
    const shared = names.take('branches', name, at);
    if (shared === undefined) return [];
    if (open.has(name)) {
      report(at)(explain`The branches "${name}" contain themselves.
        Use other branches, or write them out.`);
      return [];
    }
    open.add(name);
    const expanded = expand(shared, `/branches/${escapePointer(name)}`);
    open.delete(name);
    return expanded;
  };

  return { pointers, expand, merge };
}

export function listParts(
  parts: Template | readonly Template[],
  at: string,
): readonly (readonly [part: Template, at: string])[] {
  return Array.isArray(parts)
    ? parts.map((part: Template, index) => [part, `${at}/${index}`] as const)
    : [[parts as Template, at]];
}

export function resolveNamedTemplates(
  names: FlowNames,
  params: string | Readonly<Record<string, Template>>,
  at: string,
): Record<string, Template> {
  return expandTemplates(typeof params === 'string' ? (names.take('params', params, at) ?? {}) : params);
}

function hasTarget(branch: Branch): boolean {
  return targetKeys.some((way) => branch[way] !== undefined);
}

function withoutTarget({ target: _target, challenge: _challenge, leave: _leave, ...rest }: Branch): Branch {
  return rest;
}

function mergeAssignments(shared: Branch, own: Branch): Pick<Branch, 'assign'> {
  return shared.assign || own.assign ? { assign: { ...shared.assign, ...own.assign } } : {};
}

function isGroup(own: WrittenBranch | BranchGroup): own is BranchGroup {
  return 'branches' in own;
}
