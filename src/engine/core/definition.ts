import type { Json, JsonObject } from './json.ts';

/** A JSON-logic rule in the classic dialect, or a plain value. */
export type Logic = Json;

/** JSON whose JSON-logic parts are replaced by their results. Other objects and arrays keep their structure. */
export type Template = Json;

/** Paragraph of a screen. `{name}` is filled from the flow's context. */
export interface Paragraph {
  readonly text: string;
  readonly visible?: Logic;
  readonly link?: LinkText;
}

export interface Heading extends Omit<Paragraph, 'link'> {
  /** Tone of the screen with this heading. Replaces that of the screen. */
  readonly tone?: Tone;
}

/** Tone of a screen. `success`, `waiting` and `error` have an icon above the title. `waiting` means that something is left to do elsewhere. */
type Tone = 'plain' | 'success' | 'waiting' | 'error';

/** A button. `event` is looked up in the flow state's `on`. The event `back` follows the state's `back`. */
export interface Action {
  readonly event: string;
  readonly text: string;
  readonly primary?: boolean;
  /** Marks an action that cannot be undone or that lowers security. */
  readonly danger?: boolean;
  /** Whether the button is drawn as a link: an alternative that must not compete with the primary action. */
  readonly quiet?: boolean;
  readonly visible?: Logic;
}

/** Link to an address or, with `event`, a link that raises an event. A `to` of a single `{name}` is a fact that contains the address. */
export interface LinkText {
  readonly to?: string;
  readonly event?: string;
  readonly text: string;
  /** Whether the link opens a new tab, which its text mentions. */
  readonly newTab?: true;
  /** Query parameter of `to`. A search field that sends it replaces the link. */
  readonly search?: string;
  readonly visible?: Logic;
}

/** Message above the form. A branch of the flow raises it by its name. */
export interface Notice {
  readonly intent: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** Field that the notice is about. The text then appears like an error of the server, at the field and in the error summary. */
  readonly field?: string;
  readonly link?: LinkText;
  readonly other?: LinkText;
}

/** Box beside a screen with its own heading, for alternatives to the screen's task. */
export interface Aside {
  readonly title: string;
  /** Whether the box is below the buttons, and closed until its title is pressed. */
  readonly folded?: boolean;
  readonly parts: readonly AsidePart[];
}

interface AsidePart {
  readonly title?: string;
  readonly text?: string;
  readonly links?: readonly LinkText[];
  readonly visible?: Logic;
}

/** The uiSchema of one field, in rjsf's keywords. `ui:links` are links below its control. They open a new tab, so that the input is not lost. */
export type FieldUi = JsonObject;

/** Group of fields with a title or question of its own. Hiding a section hides its fields. */
export interface Section {
  readonly title: string;
  /** Hint on how to answer the question. */
  readonly text?: string;
  /** In display order. */
  readonly fields: readonly string[];
  readonly visible?: Logic;
}

/** ui.json: the visible part of a screen. */
export interface Ui {
  /** One heading, or several, of which the first visible one is shown. */
  readonly title: string | readonly Heading[];
  readonly intro?: string | readonly Paragraph[];
  readonly tone?: Tone;
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
  /** Name of this screen in the progress bar. Defaults to the title. */
  readonly step?: string;
  /** Text that screen readers announce while an operation runs. */
  readonly busy?: string;
}

/**
 * A variable of a flow. `query` variables are read from the address and removed from it at once. `path` variables are the `:name` segments of a path.
 * Branches assign `result` variables. Only `persist` variables are stored. With `entry` they are stored only in the history entry of the tab, so that
 * the shown values survive a reload.
 */
export interface ContextVariable {
  readonly from: 'path' | 'query' | 'result';
  readonly persist?: boolean | 'entry';
  /** Whether the variable is saved together with the forms of the journey. */
  readonly saved?: true;
  readonly default?: Json;
}

/** One outcome of a transition. The first branch whose guard is true is taken. Its properties take effect in the order of this list. */
export interface Branch {
  readonly guard?: Logic;
  readonly assign?: Readonly<Record<string, Template>>;
  /** JSON pointers of form values to empty, e.g. `/password`. */
  readonly clear?: readonly string[];
  /** Name of a notice in the ui.json of the next screen. */
  readonly notice?: string;
  /** Whether to show the server's validation errors: on the fields of the next state if there is one, else on the step that contains them. */
  readonly field?: true;
  readonly target?: string;
  /** Challenge name as the server sends it, looked up in the flow's `challenges`. */
  readonly challenge?: Logic;
  /** Address outside the flow. It has to pass the redirect check. */
  readonly leave?: Template;
}

/** Call of an operation, and the branches that follow. Without `input` the body is the screen's form. */
export interface Effect {
  readonly src: string;
  readonly params?: Readonly<Record<string, Template>>;
  /** Whether the body starts with the forms of all steps of the journey up to this one. */
  readonly progress?: true;
  readonly input?: Template;
  readonly onDone: readonly Branch[];
  readonly onError: readonly Branch[];
}

/** Source of a block: the response of a GET operation. The page includes it if everyone may read it. */
interface StateSource {
  readonly operation: string;
  readonly params?: Readonly<Record<string, Template>>;
}

/** Event raised at a certain time, e.g. to warn that a session ends soon. */
export interface Delay {
  /** Time in ISO 8601, e.g. from a variable that an operation filled. With any other value the event is not raised. */
  readonly at: Logic;
  /** Seconds before `at` at which the event is raised. A state entered later raises it at once. Nothing is raised after `at`. */
  readonly secondsBefore?: number;
  readonly event: string;
}

export type Transition = Effect | Branch | readonly Branch[];

/** Visitors who may open a state: `anyone`, or one of the portal's values listed in `DefinitionsOptions`. */
export type Access = string;

/** Properties of an access value that the engine evaluates. */
interface AccessWord {
  /** The access value that this one is a subset of. Defaults to `anyone`. */
  readonly within?: Access;
  /** Whether the visitor is identified, so that permissions can be checked. */
  readonly known?: true;
}

/** Access values besides `anyone`. */
export type AccessWords = Readonly<Record<Access, AccessWord>>;

/**
 * A state of a flow. It shows a screen, a block, or a block with the texts of a screen. A state with none of these only chooses the next state,
 * with `always` or `invoke`.
 */
export interface State {
  /** Path of the state. May have parameters, e.g. `/ayuda/:slug`. Each parameter is a variable `from` the path. */
  readonly path?: string;
  readonly screen?: string;
  readonly block?: string;
  readonly source?: StateSource;
  readonly type?: 'final';
  readonly access?: Access;
  /** Pairs of resource and action, of which the user needs one. A user without any of them is redirected to the account overview. */
  readonly permissions?: readonly (readonly [resource: string, action: string])[];
  /** Whether the state has a header and a footer: `full`, `none`, or a rule that returns one of them. */
  readonly chrome?: Logic;
  /** Whether the state is a dialog over the previous view. Escape raises the event `back`. */
  readonly modal?: true;
  readonly load?: 'document';
  /** Condition for entering the state, and the state that is entered instead if it is false. */
  readonly requires?: { readonly guard: Logic; readonly else: string };
  readonly always?: readonly Branch[];
  readonly invoke?: Effect;
  readonly prefill?: Readonly<Record<string, Template>>;
  /** Form values with which other flows in the tab may prefill their forms, if none is missing. Kept in memory, never with secrets. */
  readonly carry?: Readonly<Record<string, Template>>;
  readonly on?: Readonly<Record<string, Transition>>;
  readonly after?: Delay;
  /** Target of going back: a state, `history` (the default) or `none`. */
  readonly back?: string;
  /** JSON pointers of form values to empty when the user goes back. */
  readonly clear?: readonly string[];
}

/** A step of a journey: a state, and its name in the progress bar. */
export interface Step {
  readonly state: string;
  /** Name of the step by language, from its screen. */
  readonly titles: Readonly<Record<string, string>>;
  /** If false, the journey skips this step. The guard reads facts, and the answers of earlier steps as `form`. */
  readonly guard?: Logic;
  /** If false, the step is counted, but its own screen has no progress bar. */
  readonly bar?: false;
}

/** How journeys are saved, so that signed-in users can continue on another day or device. */
export interface Save {
  /** Days for which a journey is kept after its latest step. */
  readonly days: number;
  /** Notice shown when a journey is resumed. Its link with the event `restart` starts over. */
  readonly resumed: string;
  /** Notice shown if a journey is resumed and some values have to be entered again. `{dropped}` lists their fields. */
  readonly refused: string;
  /** JSON pointers of fields that are not saved. Secrets never are. */
  readonly without?: readonly string[];
}

/** A flow as it runs: flows/<id>.json with its names resolved. */
export interface Flow {
  readonly id: string;
  readonly initial: string;
  readonly context?: Readonly<Record<string, ContextVariable>>;
  /** Map from challenge names of the server to states. `*` is the state for unknown names. */
  readonly challenges?: Readonly<Record<string, string>>;
  /** The journeys through the flow, each as its steps in order. Steps are counted and shown in the progress bar. */
  readonly progress?: readonly (readonly Step[])[];
  /** Absent if nothing is saved. */
  readonly save?: Save;
  readonly states: Readonly<Record<string, State>>;
}

/** Descriptions of a flow for its authors. The running flow does not include them. */
export interface FlowDescriptions {
  /** Part of the portal to which the flow belongs. */
  readonly area?: string;
  readonly flow?: string;
  /** Descriptions by state name. A nested state without a description has that of its parent. */
  readonly states: Readonly<Record<string, string>>;
  /** Expanded guards that have a description. */
  readonly guards: readonly { readonly guard: Logic; readonly description: string }[];
}
