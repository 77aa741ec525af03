import type { Json, JsonObject } from './json.ts';

/** A JSON-logic rule in the classic dialect, or a plain value. */
export type Logic = Json;

/** JSON whose JSON-logic parts are replaced by their results; other objects and arrays are kept as structure. */
export type Template = Json;

/** One paragraph of a screen; `{name}` is filled from the flow's context. */
export interface Paragraph {
  readonly text: string;
  readonly visible?: Logic;
  /** What can be done about what it says, right behind it; a heading has none. */
  readonly link?: LinkText;
}

/** A button. `event` is looked up in the flow state's `on`; `back` follows the state's declared way back. */
export interface Action {
  readonly event: string;
  readonly text: string;
  readonly primary?: boolean;
  /** What it does cannot be undone, or makes less safe. */
  readonly danger?: boolean;
  readonly visible?: Logic;
}

/** A link to a route of the portal or to another address (a `{name}` alone is a fact that holds one), or with `event` a link that raises an event of the state. */
export interface LinkText {
  readonly to?: string;
  readonly event?: string;
  readonly text: string;
  /** Opens a new tab, and says so. */
  readonly newTab?: true;
  readonly visible?: Logic;
}

/** A message above the form that a branch of the flow raises by its name. */
export interface Notice {
  readonly intent: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** The field that it refuses: its text stands there and in the summary, as a refusal of the server does, and not in a box of its own. */
  readonly field?: string;
  readonly link?: LinkText;
  /** A second way out. */
  readonly other?: LinkText;
}

/** What stands beside a screen under a heading of its own: other ways to the same end. */
export interface Aside {
  readonly title: string;
  readonly parts: readonly AsidePart[];
}

/** One of them. */
export interface AsidePart {
  readonly title: string;
  readonly text?: string;
  readonly links?: readonly LinkText[];
  readonly visible?: Logic;
}

/** The uiSchema of one field, in rjsf's words; `ui:links` are links below its control, which open a new tab so that what was typed stays. */
export type FieldUi = JsonObject;

/** Fields that belong together, under a title or a question of their own; a hidden section hides its fields. */
export interface Section {
  readonly title: string;
  /** A hint on how to answer. */
  readonly text?: string;
  /** In the order in which they are drawn. */
  readonly fields: readonly string[];
  readonly visible?: Logic;
}

/** ui.json: what is seen of a screen. */
export interface Ui {
  /** One heading, or several of which the first that is visible stands. */
  readonly title: string | readonly Paragraph[];
  readonly intro?: string | readonly Paragraph[];
  /** `success` and `error` draw their sign above the title. */
  readonly tone?: 'plain' | 'success' | 'error';
  readonly showErrors?: 'blur' | 'change';
  readonly fields?: { readonly 'ui:order'?: readonly string[] } & {
    readonly [name: string]: FieldUi | readonly string[] | undefined;
  };
  readonly sections?: readonly Section[];
  readonly visible?: Readonly<Record<string, Logic>>;
  readonly messages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly actions?: readonly Action[];
  readonly links?: readonly LinkText[];
  readonly aside?: Aside;
  readonly notices?: Readonly<Record<string, Notice>>;
  /** What the bar of a way calls the step that this screen is; absent: its title. */
  readonly step?: string;
  /** What a screen reader hears while an operation runs. */
  readonly busy?: string;
}

/**
 * A variable of a flow. `query` variables are read from the address and leave it at once, `path` ones are the `:name` steps of a path, the
 * `result` ones are assigned by branches; only `persist` ones reach storage, or with `entry` the history entry of the tab alone: what is shown survives a reload there.
 */
export interface ContextVariable {
  readonly from: 'path' | 'query' | 'result';
  readonly persist?: boolean | 'entry';
  /** Saved with the forms of the way. */
  readonly saved?: true;
  readonly default?: Json;
}

/** One outcome: the first branch whose guard holds is taken; its parts run in the order of this list. */
export interface Branch {
  readonly guard?: Logic;
  readonly assign?: Readonly<Record<string, Template>>;
  /** Pointers of form values to empty, e.g. `/password`. */
  readonly clear?: readonly string[];
  /** Name of a notice in the ui.json of the screen that is shown next. */
  readonly notice?: string;
  /** Puts the errors of the server's answer on their fields: of the next state where there is one, else of the step that asks for them. */
  readonly field?: true;
  readonly target?: string;
  /** A wire challenge name, looked up in the flow's `steps`. */
  readonly challenge?: Logic;
  /** An address outside the flow, through the one redirect check. */
  readonly leave?: Template;
}

/** A named operation of the contract and what follows. Without `input` the body is the screen's form. */
export interface Effect {
  /** Name of the operation. */
  readonly src: string;
  readonly params?: Readonly<Record<string, Template>>;
  /** The body begins with the forms of all steps of the way up to this one. */
  readonly progress?: true;
  readonly input?: Template;
  readonly onDone: readonly Branch[];
  readonly onError: readonly Branch[];
}

/** What a block shows: the answer of a GET operation, which the page brings along where everyone may read it. */
export interface StateSource {
  readonly operation: string;
  readonly params?: Readonly<Record<string, Template>>;
}

/** An event that a point of time raises, e.g. to tell that something ends soon. */
export interface Delay {
  /** The time in ISO 8601, e.g. a variable of the flow that an operation answered; anything else: nothing is raised. */
  readonly at: Logic;
  /** Seconds before that time; a state that is entered later raises it at once, and none once the time is over. */
  readonly secondsBefore?: number;
  readonly event: string;
}

/** What an event does. */
export type Transition = Effect | Branch | readonly Branch[];

/** Who may open a state: `anyone`, or a word of the portal's own, which `DefinitionsOptions` lists. */
export type Access = string;

/** A word for who may open a state, as far as the engine must understand it. */
export interface AccessWord {
  /** The word for those of whom these are some; absent: `anyone`. */
  readonly within?: Access;
  /** Who opens it is known, so that permissions can be asked of them. */
  readonly known?: true;
}

/** The words for who may open a state, beside `anyone`. */
export type AccessWords = Readonly<Record<Access, AccessWord>>;

/** A state of a flow: a screen, a block, a block with the texts and notices of a screen, or neither (it then only decides by `always` or `invoke`). */
export interface State {
  /** May hold parameters, e.g. `/ayuda/:slug`; each is a variable `from` the path. */
  readonly path?: string;
  readonly screen?: string;
  readonly block?: string;
  readonly source?: StateSource;
  readonly type?: 'final';
  readonly access?: Access;
  /** (resource, action) pairs, of which a citizen needs one; others are sent to the overview of the account. */
  readonly permissions?: readonly (readonly [resource: string, action: string])[];
  /** Whether header and footer surround the state: `full`, `none`, or a rule that answers one of them. */
  readonly chrome?: Logic;
  /** Drawn as a dialog over the view before it; Escape is the event `back`. */
  readonly modal?: true;
  readonly load?: 'document';
  /** What must hold on the way in, and the state that is entered where it does not. */
  readonly requires?: { readonly guard: Logic; readonly else: string };
  readonly always?: readonly Branch[];
  readonly invoke?: Effect;
  /** Initial values of the form, by field. */
  readonly prefill?: Readonly<Record<string, Template>>;
  /** What of the form other flows of the tab may fill in, all of it or nothing: in memory alone, never a secret. */
  readonly carry?: Readonly<Record<string, Template>>;
  readonly on?: Readonly<Record<string, Transition>>;
  readonly after?: Delay;
  /** A state, `history` (the default) or `none`. */
  readonly back?: string;
  /** Pointers of form values to empty on the way back. */
  readonly clear?: readonly string[];
}

/** A step of a way: a state, as the bar above the screen names it. */
export interface Step {
  readonly state: string;
  /** By language, as its screen says it. */
  readonly titles: Readonly<Record<string, string>>;
  /** Where it does not hold the journey goes without this step. It reads facts, and as `form` what earlier steps were answered. */
  readonly guard?: Logic;
  /** It counts as a step, but its own screen stands without the bar. */
  readonly bar?: false;
}

/** How the ways of a flow are saved for who is signed in, to go on with on another day or device. */
export interface Save {
  /** How long after the latest step. */
  readonly days: number;
  /** The notice that tells of a way that goes on; its link with the event `restart` begins anew. */
  readonly resumed: string;
  /** The one that tells of values which are to be given again as well: `{dropped}` names their fields. */
  readonly refused: string;
  /** Pointers of fields that are not saved, beside secrets. */
  readonly without?: readonly string[];
}

/** A flow as it runs: flows/<id>.json with its names resolved. */
export interface Flow {
  readonly id: string;
  readonly initial: string;
  readonly context?: Readonly<Record<string, ContextVariable>>;
  /** The closed map from the wire's challenge names to states; `*` is the state of an unknown one. */
  readonly challenges?: Readonly<Record<string, string>>;
  /** The ways through the flow whose steps are counted and shown, each in its order. */
  readonly progress?: readonly (readonly Step[])[];
  /** Absent: nothing of it is saved. */
  readonly save?: Save;
  readonly states: Readonly<Record<string, State>>;
}

/** What a flow says of itself to whoever works on it; the flow that runs holds none of it. */
export interface FlowDescriptions {
  readonly flow?: string;
  /** By the name of the state; of one that stands in another, its own or that one's. */
  readonly states: Readonly<Record<string, string>>;
  /** Guards that have a description, as they run. */
  readonly guards: readonly { readonly guard: Logic; readonly description: string }[];
}
