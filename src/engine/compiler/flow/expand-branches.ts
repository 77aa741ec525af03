import type { Branch, Step, Template } from '../../core/definition.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { isLogic } from '../../core/logic.ts';
import type { Report } from '../sources/report.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { FlowNames, GuardExpander } from './expand-guards.ts';
import { expandTemplate, expandTemplates } from './short-forms.ts';
import { toList, type BranchGroup, type WrittenBranch, type WrittenBranches } from './written-flow.ts';
import { explain } from '../sources/say.ts';

/** Alternative targets of a branch. A target of the branch itself replaces that of its group, even if it is of another kind. */
const targetKeys = ['target', 'challenge', 'leave'] as const;

/** Expands branches as written, and records the location of each. */
export class BranchExpander {
  readonly pointers = new Map<Branch | Step, string>();
  readonly #names: FlowNames;
  readonly #guards: GuardExpander;
  readonly #report: Report;
  /** Named branches being expanded, to detect recursion. */
  readonly #open = new Set<string>();

  constructor(names: FlowNames, guards: GuardExpander, report: Report) {
    this.#names = names;
    this.#guards = guards;
    this.#report = report;
  }

  branches(own: WrittenBranches, at: string): readonly Branch[] {
    return Array.isArray(own)
      ? toList(own).flatMap((item, index) => this.#one(item, `${at}/${index}`))
      : toList(own).flatMap((item) => this.#one(item, at));
  }

  /** Merges named and literal objects. Later ones take precedence. Each part is a value with its location. */
  merged(kind: 'assigns' | 'inputs', parts: readonly (readonly [part: Template, at: string])[]): Template {
    const whole = parts.map(([part, at]) => {
      const own = (typeof part === 'string' ? this.#names.take(kind, part, at) : part) ?? {};
      return kind === 'assigns' && isObject(own) ? expandTemplates(own as JsonObject) : expandTemplate(own);
    });
    const [only = {}, ...more] = whole;
    if (kind === 'inputs' && more.length > 0)
      for (const [index, part] of whole.entries())
        if (isLogic(part))
          this.#report(parts[index]?.[1] ?? '')(explain`
            A rule cannot be put together with what else is sent: it may come to anything.
            Write an object of names here, each with its value or rule, e.g. { "email": "form.email" }.`);
    return more.length === 0 ? only : (Object.assign({}, ...whole.filter(isObject)) as JsonObject); // Object.assign returns any
  }

  #one(own: string | WrittenBranch | BranchGroup, at: string): readonly Branch[] {
    if (typeof own === 'string') return [this.#branch({ target: own }, at)];
    return isGroup(own) ? this.#group(own, at) : [this.#branch(own, at)];
  }

  #branch({ description: _, guard, assign, leave, challenge, ...own }: WrittenBranch, at: string): Branch {
    const made: Branch = {
      ...own,
      ...(guard === undefined ? {} : { guard: this.#guards.guard(guard, `${at}/guard`) }),
      ...(assign === undefined
        ? {}
        : { assign: this.merged('assigns', partsAt(assign, `${at}/assign`)) as Branch['assign'] }),
      ...(challenge === undefined ? {} : { challenge: expandTemplate(challenge) }),
      ...(leave === undefined ? {} : { leave: expandTemplate(leave) }),
    };
    this.pointers.set(made, at);
    return made;
  }

  #group({ branches, ...own }: BranchGroup, at: string): readonly Branch[] {
    const within =
      typeof branches === 'string'
        ? this.#named(branches, `${at}/branches`)
        : this.branches(branches, `${at}/branches`);
    const shared = this.#branch(own, at);
    this.pointers.delete(shared);
    return within.map((branch) => {
      const made = { ...(leads(branch) ? withoutTarget(shared) : shared), ...branch, ...assigned(shared, branch) };
      this.pointers.set(made, this.pointers.get(branch) ?? at);
      return made;
    });
  }

  #named(name: string, at: string): readonly Branch[] {
    const shared = this.#names.take('branches', name, at);
    if (shared === undefined) return [];
    if (this.#open.has(name)) {
      this.#report(at)(explain`The branches "${name}" stand in themselves.
        Name others, or write them out.`);
      return [];
    }
    this.#open.add(name);
    const made = this.branches(shared, `/branches/${escapePointer(name)}`);
    this.#open.delete(name);
    return made;
  }
}

export function partsAt(
  parts: Template | readonly Template[],
  at: string,
): readonly (readonly [part: Template, at: string])[] {
  return Array.isArray(parts)
    ? parts.map((part: Template, index) => [part, `${at}/${index}`] as const)
    : [[parts as Template, at]];
}

export function namedTemplates(
  names: FlowNames,
  params: string | Readonly<Record<string, Template>>,
  at: string,
): Record<string, Template> {
  return expandTemplates(typeof params === 'string' ? (names.take('params', params, at) ?? {}) : params);
}

function leads(branch: Branch): boolean {
  return targetKeys.some((way) => branch[way] !== undefined);
}

function withoutTarget({ target: _target, challenge: _challenge, leave: _leave, ...rest }: Branch): Branch {
  return rest;
}

function assigned(shared: Branch, own: Branch): Pick<Branch, 'assign'> {
  return shared.assign || own.assign ? { assign: { ...shared.assign, ...own.assign } } : {};
}

function isGroup(own: WrittenBranch | BranchGroup): own is BranchGroup {
  return 'branches' in own;
}
