import type { Access, Branch, Delay, Effect, Flow, Logic, State, Step, Template } from '../../core/definition.ts';
import type { Json } from '../../core/json.ts';

/** The name of something that a flow defines once at its top, or the thing itself. */
type OrName<Thing> = string | Thing;

type Assigned = NonNullable<Branch['assign']>;
type Parameters = NonNullable<Effect['params']>;

/** A branch as written: guard and assignments may be names; several assignments follow each other. */
export interface WrittenBranch extends Omit<Branch, 'assign'> {
  readonly description?: string;
  readonly assign?: OrName<Assigned> | readonly OrName<Assigned>[];
}

/** In the place of a branch: several, here or under a name, with what holds in each of them that says nothing else. */
export interface BranchGroup extends Omit<WrittenBranch, 'guard'> {
  readonly branches: string | readonly WrittenOne[];
}

type WrittenOne = string | WrittenBranch | BranchGroup;

type OneOrMany<Thing> = Thing | readonly Thing[];

/** What may follow: a state by its name, a branch, or several of which the first is taken whose guard holds. */
export type WrittenBranches = OneOrMany<WrittenOne>;

/** An operation as written: what the flow's `operations` say of it holds as well. */
export interface WrittenEffect extends OperationParts {
  readonly src: string;
  /** False: an error whose answer names the next address is decided by `onError` as any other. */
  readonly followNext?: false;
}

/** What is sent, and what follows. */
interface OperationParts {
  readonly description?: string;
  readonly params?: OrName<Parameters>;
  /** Objects that are put together, in order, where there are several; "progress": the forms of the way up to here. */
  readonly input?: Template;
  readonly onDone?: WrittenBranches;
  readonly onError?: WrittenBranches;
}

/** What an event does, as written. */
export type WrittenTransition = WrittenEffect | WrittenBranches;

type Transitions = Readonly<Record<string, WrittenTransition>>;

/** A state as written; one that others stand in is not entered itself: what it says holds in each of them. */
export interface WrittenState extends Omit<State, 'always' | 'invoke' | 'on' | 'after'> {
  readonly description?: string;
  readonly always?: WrittenBranches;
  readonly invoke?: WrittenEffect;
  readonly on?: Transitions;
  /** What happens after a delay of the flow, by its name: at most one. */
  readonly after?: Transitions;
  readonly states?: Readonly<Record<string, WrittenState>>;
}

/** A step of a way as written: a state by its name, or with what else is to be said of it. */
export type WrittenStep = string | WrittenStepParts;

interface WrittenStepParts extends Omit<Step, 'titles'> {
  readonly description?: string;
}

/** What a flow defines once at its top, by the kind of thing. */
export interface Named {
  readonly guards: Logic;
  readonly params: Parameters;
  readonly inputs: Template;
  readonly assigns: Assigned;
  readonly branches: WrittenBranches;
  /** By the operation's own name: what holds wherever the flow calls it. */
  readonly operations: OperationParts;
  readonly delays: Omit<Delay, 'event'> & { readonly description?: string };
}

/** Variables by where they come from and where they are kept; such as a branch assigns need not stand here. */
export interface WrittenContext {
  readonly query?: readonly string[];
  readonly path?: readonly string[];
  readonly history?: readonly string[];
  readonly storage?: readonly string[];
  readonly saved?: readonly string[];
  readonly defaults?: Readonly<Record<string, Json>>;
}

/** flows/<id>.json as an analyst writes it. */
export type WrittenFlow = Omit<Flow, 'context' | 'states' | 'progress'> & {
  readonly [Kind in keyof Named]?: Readonly<Record<string, Named[Kind]>>;
} & {
  readonly $schema?: string;
  readonly description?: string;
  readonly context?: WrittenContext;
  /** Who may open the states with an address that do not say it themselves. */
  readonly access?: Access;
  /** What follows an error that an effect's own branches leave open. */
  readonly onError?: WrittenBranches;
  /** The steps of the flow's one way, or of several, each under a name. */
  readonly progress?: readonly WrittenStep[] | Readonly<Record<string, readonly WrittenStep[]>>;
  readonly states: Readonly<Record<string, WrittenState>>;
};

/** Whether an event calls. */
export function isWrittenEffect(transition: WrittenTransition): transition is WrittenEffect {
  return typeof transition === 'object' && 'src' in transition;
}

/** A list, also of one. */
export function listOf<Thing>(things: OneOrMany<Thing>): readonly Thing[] {
  return isList(things) ? things : [things];
}

function isList<Thing>(things: OneOrMany<Thing>): things is readonly Thing[] {
  return Array.isArray(things);
}

/** Whether a branch is taken whatever happens. */
export function isUnconditional({ guard }: Branch): boolean {
  return guard === undefined || guard === true;
}
