import type { Access, Branch, Delay, Invocation, Flow, Logic, State, Step, Template } from '../../core/definition.ts';
import { type Json, isObject } from '../../core/json.ts';
import { isLogic } from '../../core/logic.ts';

/** Pattern of the name of a value, which contains a dot, e.g. `context.token`. */
export const valueName = /^[a-z]\w*(\.\w+)+$/i;

/** Expands names of values in a template. `"context.token"` becomes `{ "var": "context.token" }`. */
export function expandTemplate(written: Template): Template {
  if (typeof written === 'string') return valueName.test(written) ? { var: written } : written;
  if (isLogic(written)) return written;
  if (Array.isArray(written)) return written.map((part: Json) => expandTemplate(part));
  return isObject(written) ? expandTemplates(written as Readonly<Record<string, Template>>) : written;
}

export function expandTemplates(written: Readonly<Record<string, Template>>): Record<string, Template> {
  return Object.fromEntries(Object.entries(written).map(([name, template]) => [name, expandTemplate(template)]));
}

/** Operators whose operands are conditions. */
const connectives = new Set(['and', 'or', '!', '!!']);

/**
 * Expands a guard to JSON-logic. The name of a value becomes `var`. `{ "error.code": "in_use" }` becomes a comparison, or a list test if the value is
 * a list. Several keys are joined with `and`. Operands of `and`, `or` and `!` are expanded too. `ofText` expands all other texts, because a literal
 * text is always true.
 */
export function expandCondition(written: Logic, at: string, ofText: (text: string, at: string) => Logic): Logic {
  if (typeof written === 'string') return valueName.test(written) ? { var: written } : ofText(written, at);
  if (!isObject(written)) return written;
  const parts = Object.entries(written as Readonly<Record<string, Json>>);
  const [[operator, operand] = ['', null]] = parts;
  if (parts.length === 1 && connectives.has(operator)) {
    const within = `${at}/${operator}`;
    return {
      [operator]: Array.isArray(operand)
        ? operand.map((one: Json, index) => expandCondition(one, `${within}/${index}`, ofText))
        : expandCondition(operand, within, ofText),
    };
  }
  if (parts.length === 0 || !parts.every(([name]) => valueName.test(name))) return written;
  const [first, ...more] = parts.map(([name, value]): Logic => ({
    [Array.isArray(value) ? 'in' : '==']: [{ var: name }, value],
  }));
  return more.length === 0 ? (first ?? written) : { and: [first ?? written, ...more] };
}

/** A definition, or its name at the top of the flow. */
type OrName<Thing> = string | Thing;

type AssignTemplates = NonNullable<Branch['assign']>;
type Parameters = NonNullable<Invocation['params']>;

/** A branch as written in a flow file. Guard and assignments may be names. Several assignments are merged in order. */
export interface WrittenBranch extends Omit<Branch, 'assign'> {
  readonly description?: string;
  readonly assign?: OrName<AssignTemplates> | readonly OrName<AssignTemplates>[];
}

/** A group of branches, allowed in place of a branch. The members besides `branches` are defaults for each branch. */
export interface BranchGroup extends Omit<WrittenBranch, 'guard'> {
  readonly branches: string | readonly WrittenBranchEntry[];
}

type WrittenBranchEntry = string | WrittenBranch | BranchGroup;

type OneOrMany<Thing> = Thing | readonly Thing[];

/** A state name, a branch, or a list of these. */
export type WrittenBranches = OneOrMany<WrittenBranchEntry>;

/** An operation call as written in a flow file. Merged with the flow's `operations`. */
export interface WrittenEffect extends OperationParts {
  readonly src: string;
  /** Whether an error with `next` redirects to the URL in `next`. If false, `onError` handles such an error like any other. */
  readonly followNext?: false;
}

interface OperationParts {
  readonly description?: string;
  readonly params?: OrName<Parameters>;
  /** Parts of the input, merged in order. The text "progress" stands for the forms of the journey up to this state. */
  readonly input?: Template;
  readonly onDone?: WrittenBranches;
  readonly onError?: WrittenBranches;
}

export type WrittenTransition = WrittenEffect | WrittenBranches;

type Transitions = Readonly<Record<string, WrittenTransition>>;

/** A state as written in a flow file. A state with nested states cannot be entered, but the nested states inherit its members. */
export interface WrittenState extends Omit<State, 'always' | 'invoke' | 'on' | 'after'> {
  readonly description?: string;
  readonly always?: WrittenBranches;
  readonly invoke?: WrittenEffect;
  readonly on?: Transitions;
  /** Transitions after a named delay. There is at most one delay. */
  readonly after?: Transitions;
  readonly states?: Readonly<Record<string, WrittenState>>;
}

export type StepSource = string | WrittenStepOptions;

interface WrittenStepOptions extends Omit<Step, 'titles'> {
  readonly description?: string;
}

/** Definitions at the top of a flow, by kind. */
export interface NamedDefinitions {
  readonly guards: Logic;
  readonly params: Parameters;
  readonly inputs: Template;
  readonly assigns: AssignTemplates;
  readonly branches: WrittenBranches;
  /** Defaults of operations, by name. */
  readonly operations: OperationParts;
  readonly delays: Omit<Delay, 'event'> & { readonly description?: string };
}

/** Variables by origin and storage. Variables that branches assign need no entry. */
export interface WrittenContext {
  readonly query?: readonly string[];
  readonly path?: readonly string[];
  readonly history?: readonly string[];
  readonly storage?: readonly string[];
  readonly saved?: readonly string[];
  readonly defaults?: Readonly<Record<string, Json>>;
}

export type WrittenFlow = Omit<Flow, 'context' | 'states' | 'progress'> & {
  readonly [Kind in keyof NamedDefinitions]?: Readonly<Record<string, NamedDefinitions[Kind]>>;
} & {
  readonly $schema?: string;
  readonly area?: string;
  readonly description?: string;
  readonly context?: WrittenContext;
  /** Default access of states with a path. */
  readonly access?: Access;
  /** Branches for errors that the branches of an operation do not handle. */
  readonly onError?: WrittenBranches;
  /** Steps of the only journey, or of several journeys by name. */
  readonly progress?: readonly StepSource[] | Readonly<Record<string, readonly StepSource[]>>;
  readonly states: Readonly<Record<string, WrittenState>>;
};

export function isWrittenEffect(transition: WrittenTransition): transition is WrittenEffect {
  return typeof transition === 'object' && 'src' in transition;
}

export function toList<Thing>(things: OneOrMany<Thing>): readonly Thing[] {
  return isList(things) ? things : [things];
}

function isList<Thing>(things: OneOrMany<Thing>): things is readonly Thing[] {
  return Array.isArray(things);
}

export function isUnconditional({ guard }: Branch): boolean {
  return guard === undefined || guard === true;
}

export interface OperationDefaults {
  readonly params?: Readonly<Record<string, Template>>;
  readonly input?: Template;
}
