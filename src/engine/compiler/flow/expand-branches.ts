import type {
  TransitionBranch,
  JsonLogic,
  JourneyStep,
  LogicTemplate,
  FlowVariable,
} from '../../core/flow-and-screen-types.ts';
import { isObject, mapValues } from '../../core/json.ts';
import { isJsonLogicOperation } from '../../core/json-logic.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { escapePointer, splitPointer } from '../../core/json-pointer.ts';
import type { NamedDefinitionLookup } from './expand-guards.ts';
import {
  expandVariablePaths,
  type UnexpandedBranchGroup,
  type UnexpandedBranch,
  type UnexpandedBranchList,
  type UnexpandedContext,
} from './unexpanded-flow-types.ts';
import { explain, localize } from '../sources/localized-text.ts';

type Variables = Readonly<Record<string, FlowVariable>>;

export function buildFlowVariables(written: UnexpandedContext = {}, branches: Iterable<TransitionBranch>): Variables {
  const { query = [], path = [], history = [], storage = [], saved = [], defaults = {} } = written;
  const assigned = [...branches].flatMap(({ assign = {} }) => Object.keys(assign));
  const names = new Set([...query, ...path, ...history, ...storage, ...saved, ...Object.keys(defaults), ...assigned]);
  return Object.fromEntries(
    [...names].map((name): [string, FlowVariable] => [
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

const exclusiveLists = [
  ['query', 'path', localize`has a single source`],
  ['history', 'storage', localize`is stored in one place`],
  ['query', 'saved', localize`from an address may be the secret of a link, and is not saved`],
  ['path', 'saved', localize`from an address may be the secret of a link, and is not saved`],
] as const;

export function checkConflictingVariableLists(written: UnexpandedContext = {}, report: ProblemReporter): void {
  for (const [one, other, rule] of exclusiveLists)
    for (const [index, name] of (written[other] ?? []).entries())
      if (written[one]?.includes(name))
        report(`/context/${other}/${index}`)(explain`"${name}" is also in "${one}".
          A variable ${rule}: remove one of them.`);
}

/** Returns the location of a variable in the file: its entry in `context`, or else its assignment. */
export function locateFlowVariable(
  pointer: string,
  written: UnexpandedContext = {},
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

/** Keys that determine the target of a branch, which has at most one of them. A branch's own key replaces that of its group. */
const targetKeys = ['target', 'challenge', 'leave'] as const;

interface BranchExpander {
  readonly pointers: Map<TransitionBranch | JourneyStep, string>;
  /** Pointers of the parts that a branch inherits from its group, by key. */
  readonly inheritedParts: Map<TransitionBranch, Readonly<Record<string, string>>>;
  readonly expand: (own: UnexpandedBranchList, at: string) => readonly TransitionBranch[];
  /** Merges objects, each given by name or literally, with its location. Later objects take precedence. */
  readonly merge: (
    kind: 'assigns' | 'inputs',
    parts: readonly (readonly [part: LogicTemplate, at: string])[],
  ) => LogicTemplate;
}

export function createBranchExpander(
  names: NamedDefinitionLookup,
  expandGuard: (written: JsonLogic, at: string) => JsonLogic,
  report: ProblemReporter,
): BranchExpander {
  const pointers = new Map<TransitionBranch | JourneyStep, string>();
  const inheritedParts: BranchExpander['inheritedParts'] = new Map();
  const open = new Set<string>(); // named branches being expanded, to detect recursion

  const expand: BranchExpander['expand'] = (own, at) =>
    [own].flat().flatMap((item, index) => expandOne(item, Array.isArray(own) ? `${at}/${index}` : at));

  const merge: BranchExpander['merge'] = (kind, parts) => {
    const expandedParts = parts.map(([part, at]) => {
      const own = (typeof part === 'string' ? names.take(kind, part, at) : part) ?? {};
      return kind === 'assigns' && isObject(own) ? mapValues(own, expandVariablePaths) : expandVariablePaths(own);
    });
    const [only = {}, ...more] = expandedParts;
    for (const [index, part] of kind === 'inputs' && more.length > 0 ? expandedParts.entries() : [])
      if (isJsonLogicOperation(part))
        report(parts[index]?.[1] ?? '')(explain`
          A rule cannot be merged with the other inputs: its result can have any type.
          Write an object here that gives each name its value or rule, e.g. { "email": "form.email" }.`);
    return more.length === 0 ? only : Object.assign({}, ...expandedParts.filter(isObject));
  };

  const expandOne = (
    own: string | UnexpandedBranch | UnexpandedBranchGroup,
    at: string,
  ): readonly TransitionBranch[] => {
    if (typeof own === 'string') return [expandBranch({ target: own }, at)];
    return isGroup(own) ? expandGroup(own, at) : [expandBranch(own, at)];
  };

  const expandBranch = ({ description: _, guard, assign, leave, challenge, ...own }: UnexpandedBranch, at: string) => {
    const expanded: TransitionBranch = {
      ...own,
      ...(guard !== undefined && { guard: expandGuard(guard, `${at}/guard`) }),
      ...(assign !== undefined && {
        assign: merge('assigns', listLocatedTemplates(assign, `${at}/assign`)) as TransitionBranch['assign'],
      }),
      ...(challenge !== undefined && { challenge: expandVariablePaths(challenge) }),
      ...(leave !== undefined && { leave: expandVariablePaths(leave) }),
    };
    pointers.set(expanded, at);
    return expanded;
  };

  const expandGroup = ({ branches, ...own }: UnexpandedBranchGroup, at: string): readonly TransitionBranch[] => {
    const place = `${at}/branches`;
    const within = typeof branches === 'string' ? expandNamed(branches, place) : expand(branches, place);
    const shared = expandBranch(own, at);
    pointers.delete(shared);
    return within.map((branch) => {
      const merged = {
        ...(targetKeys.some((key) => branch[key] !== undefined) ? withoutTarget(shared) : shared),
        ...branch,
        ...mergeAssignments(shared, branch),
      };
      pointers.set(merged, pointers.get(branch) ?? at);
      const inherited = Object.keys(shared).filter((key) => !Object.hasOwn(branch, key));
      const ofGroup = Object.fromEntries(inherited.map((key) => [key, `${at}/${key}`]));
      inheritedParts.set(merged, { ...ofGroup, ...inheritedParts.get(branch) });
      return merged;
    });
  };

  const expandNamed = (name: string, at: string): readonly TransitionBranch[] => {
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

  return { pointers, inheritedParts, expand, merge };
}

export function listLocatedTemplates(
  parts: LogicTemplate | readonly LogicTemplate[],
  at: string,
): readonly (readonly [part: LogicTemplate, at: string])[] {
  return Array.isArray(parts)
    ? parts.map((part: LogicTemplate, index) => [part, `${at}/${index}`] as const)
    : [[parts as LogicTemplate, at]];
}

function withoutTarget({
  target: _target,
  challenge: _challenge,
  leave: _leave,
  ...rest
}: TransitionBranch): TransitionBranch {
  return rest;
}

function mergeAssignments(shared: TransitionBranch, own: TransitionBranch): Pick<TransitionBranch, 'assign'> {
  return shared.assign || own.assign ? { assign: { ...shared.assign, ...own.assign } } : {};
}

function isGroup(own: UnexpandedBranch | UnexpandedBranchGroup): own is UnexpandedBranchGroup {
  return 'branches' in own;
}
