import type {
  AccessLevelName,
  TransitionBranch,
  DelayedEvent,
  OperationInvocation,
  Flow,
  JsonLogic,
  StateDefinition,
  JourneyStep,
  LogicTemplate,
} from '../../core/flow-and-screen-types.ts';
import { type Json, isObject, mapValues } from '../../core/json.ts';
import { isJsonLogicOperation } from '../../core/json-logic.ts';

/** Pattern of the path of a variable, which contains a dot, e.g. `context.token`. */
export const variablePathPattern = /^[a-z]\w*(\.\w+)+$/i;

/** Expands paths of variables in a template. `"context.token"` becomes `{ "var": "context.token" }`. */
export function expandVariablePaths(written: LogicTemplate): LogicTemplate {
  if (typeof written === 'string') return variablePathPattern.test(written) ? { var: written } : written;
  if (isJsonLogicOperation(written)) return written;
  if (Array.isArray(written)) return written.map((part: Json) => expandVariablePaths(part));
  return isObject(written) ? mapValues(written, expandVariablePaths) : written;
}

const connectives = new Set(['and', 'or', '!', '!!']);

/** Expands `"context.x"` to `var`, and `{ "error.code": "in_use" }` to a comparison or, for a list, `in`. `ofText` expands other texts. */
export function expandGuardCondition(
  written: JsonLogic,
  at: string,
  ofText: (text: string, at: string) => JsonLogic,
): JsonLogic {
  if (typeof written === 'string') return variablePathPattern.test(written) ? { var: written } : ofText(written, at);
  if (!isObject(written)) return written;
  const parts = Object.entries(written as Readonly<Record<string, Json>>);
  const [[operator, operand] = ['', null]] = parts;
  if (parts.length === 1 && connectives.has(operator)) {
    const within = `${at}/${operator}`;
    return {
      [operator]: Array.isArray(operand)
        ? operand.map((one: Json, index) => expandGuardCondition(one, `${within}/${index}`, ofText))
        : expandGuardCondition(operand, within, ofText),
    };
  }
  if (parts.length === 0 || !parts.every(([name]) => variablePathPattern.test(name))) return written;
  const [first, ...more] = parts.map(([name, value]): JsonLogic => ({
    [Array.isArray(value) ? 'in' : '==']: [{ var: name }, value],
  }));
  return more.length === 0 ? (first ?? written) : { and: [first ?? written, ...more] };
}

type OrName<Thing> = string | Thing;

type AssignTemplates = NonNullable<TransitionBranch['assign']>;
type Parameters = NonNullable<OperationInvocation['params']>;

/** A branch as written in a flow file. Guard and assignments may be names. Several assignments are merged in order. */
export interface UnexpandedBranch extends Omit<TransitionBranch, 'assign'> {
  readonly description?: string;
  readonly assign?: OrName<AssignTemplates> | readonly OrName<AssignTemplates>[];
}

/** A group of branches, allowed in place of a branch. The members besides `branches` are defaults for each branch. */
export interface UnexpandedBranchGroup extends Omit<UnexpandedBranch, 'guard'> {
  readonly branches: string | readonly UnexpandedBranchEntry[];
}

type UnexpandedBranchEntry = string | UnexpandedBranch | UnexpandedBranchGroup;

export type UnexpandedBranchList = UnexpandedBranchEntry | readonly UnexpandedBranchEntry[];

export interface UnexpandedInvocation extends OperationParts {
  readonly src: string;
  /** Whether an error with `next` redirects to the URL in `next`. If false, `onError` handles such an error like any other. */
  readonly followNext?: false;
}

interface OperationParts {
  readonly description?: string;
  readonly params?: OrName<Parameters>;
  /** Parts of the input, merged in order. The text "progress" stands for the forms of the journey up to this state. */
  readonly input?: LogicTemplate;
  readonly onDone?: UnexpandedBranchList;
  readonly onError?: UnexpandedBranchList;
}

export type UnexpandedTransition = UnexpandedInvocation | UnexpandedBranchList;

type Transitions = Readonly<Record<string, UnexpandedTransition>>;

/** A state as written in a flow file. A state with nested states cannot be entered, but the nested states inherit its members. */
export interface UnexpandedStateDefinition extends Omit<StateDefinition, 'always' | 'invoke' | 'on' | 'after'> {
  readonly description?: string;
  readonly always?: UnexpandedBranchList;
  readonly invoke?: UnexpandedInvocation;
  readonly on?: Transitions;
  /** Transitions after a named delay. There is at most one delay. */
  readonly after?: Transitions;
  readonly states?: Readonly<Record<string, UnexpandedStateDefinition>>;
}

export type UnexpandedStep = string | UnexpandedStepObject;

interface UnexpandedStepObject extends Omit<JourneyStep, 'titles'> {
  readonly description?: string;
}

export interface NamedFlowDefinitions {
  readonly guards: JsonLogic;
  readonly params: Parameters;
  readonly inputs: LogicTemplate;
  readonly assigns: AssignTemplates;
  readonly branches: UnexpandedBranchList;
  readonly operations: OperationParts;
  readonly delays: Omit<DelayedEvent, 'event'> & { readonly description?: string };
}

/** Variables by origin and storage. Variables that branches assign need no entry. */
export interface UnexpandedContext {
  readonly query?: readonly string[];
  readonly path?: readonly string[];
  readonly history?: readonly string[];
  readonly storage?: readonly string[];
  readonly saved?: readonly string[];
  readonly defaults?: Readonly<Record<string, Json>>;
}

export type UnexpandedFlow = Omit<Flow, 'context' | 'states' | 'progress'> & {
  readonly [Kind in keyof NamedFlowDefinitions]?: Readonly<Record<string, NamedFlowDefinitions[Kind]>>;
} & {
  readonly $schema?: string;
  readonly area?: string;
  readonly title?: string;
  readonly description?: string;
  readonly context?: UnexpandedContext;
  readonly access?: AccessLevelName;
  readonly onError?: UnexpandedBranchList;
  /** Steps of the only journey, or of several journeys by name. */
  readonly progress?: readonly UnexpandedStep[] | Readonly<Record<string, readonly UnexpandedStep[]>>;
  readonly states: Readonly<Record<string, UnexpandedStateDefinition>>;
};

export function isUnexpandedInvocation(transition: UnexpandedTransition): transition is UnexpandedInvocation {
  return typeof transition === 'object' && 'src' in transition;
}

export function isUnconditionalBranch({ guard }: TransitionBranch): boolean {
  return guard === undefined || guard === true;
}

export interface OperationInputDefaults {
  readonly params?: Readonly<Record<string, LogicTemplate>>;
  readonly input?: LogicTemplate;
}
