import type { Json, JsonObject } from './json.ts';

/** JSON-logic rule in the classic dialect, or a plain value. */
export type JsonLogic = Json;

/** JSON with JSON-logic rules, which are replaced by their results. Other objects and arrays keep their structure. */
export type LogicTemplate = Json;

/** Paragraph of a screen. `{name}` is filled from the flow's context. */
export interface Paragraph {
  readonly text: string;
  /** Kind of notice as which the paragraph is rendered. If absent, the paragraph is plain text. */
  readonly intent?: ScreenNotice['intent'];
  readonly visible?: JsonLogic;
  readonly link?: ScreenLinkUi;
}

export interface ScreenHeading extends Omit<Paragraph, 'link' | 'intent'> {
  /** Tone of the screen while it has this heading. Overrides the `tone` of the screen. */
  readonly tone?: Tone;
}

/** Tone of a screen. All tones but `plain` have an icon above the title. `waiting` means that the user has something left to do elsewhere. */
type Tone = 'plain' | 'success' | 'waiting' | 'error';

/** A button. `event` is a key of `on` in the flow state. The event `back` follows the state's `back`. */
export interface ScreenAction {
  readonly event: string;
  readonly text: string;
  readonly primary?: boolean;
  /** Whether the action cannot be undone or lowers security. */
  readonly danger?: boolean;
  /** Whether the button looks like a link, for an alternative that is less important than the primary action. */
  readonly quiet?: boolean;
  readonly visible?: JsonLogic;
}

/** Link to a URL or, with `event`, a link that raises an event. If `to` is a single `{name}`, the URL is the value of that fact. */
export interface ScreenLinkUi {
  readonly to?: string;
  readonly event?: string;
  readonly text: string;
  /** Whether the link opens a new tab, which a hidden text announces. */
  readonly newTab?: true;
  readonly visible?: JsonLogic;
}

/** Message above the form. Branches of the flow refer to it by name. */
export interface ScreenNotice {
  readonly intent: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  /** Field that shows the text, like a validation error of the server. The error summary lists it too. Absent for a notice above the form. */
  readonly field?: string;
  readonly link?: ScreenLinkUi;
  readonly other?: ScreenLinkUi;
}

/** Box beside a screen with its own heading, for alternatives to the screen's task. */
export interface ScreenAsideUi {
  readonly title: string;
  /** Whether the box is below the buttons and initially collapsed. */
  readonly folded?: boolean;
  readonly parts: readonly ScreenAsidePartUi[];
}

interface ScreenAsidePartUi {
  readonly title?: string;
  readonly text?: string;
  readonly links?: readonly ScreenLinkUi[];
  readonly visible?: JsonLogic;
}

/** The uiSchema of a field, with rjsf's keywords. `ui:links` are links below its control that open a new tab, so that the input is not lost. */
export type FieldUi = JsonObject;

/** Group of fields with a title or question. Hiding a section hides its fields. */
export interface ScreenSection {
  readonly title: string;
  readonly text?: string;
  /** Names of the fields, in display order. */
  readonly fields: readonly string[];
  readonly visible?: JsonLogic;
}

export interface AnswerReviewOptions {
  /** JSON pointers of fields that the review omits. Secrets are always omitted. */
  readonly without?: readonly string[];
}

export interface ScreenUi {
  /** A heading, or several headings, of which the first visible one is shown. */
  readonly title: string | readonly ScreenHeading[];
  readonly intro?: string | readonly Paragraph[];
  readonly tone?: Tone;
  readonly review?: AnswerReviewOptions;
  readonly showErrors?: 'blur' | 'change';
  readonly fields?: { readonly 'ui:order'?: readonly string[] } & {
    readonly [name: string]: FieldUi | readonly string[] | undefined;
  };
  readonly sections?: readonly ScreenSection[];
  readonly visible?: Readonly<Record<string, JsonLogic>>;
  readonly messages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly actions?: readonly ScreenAction[];
  readonly links?: readonly ScreenLinkUi[];
  readonly aside?: ScreenAsideUi;
  readonly notices?: Readonly<Record<string, ScreenNotice>>;
  /** Name of the screen in the progress bar. Defaults to the title. */
  readonly step?: string;
  /** Text that screen readers announce while an operation runs. */
  readonly busy?: string;
}

/**
 * A variable of a flow. `query` variables are read from the URL and immediately removed from it. `path` variables are the `:name` segments of a path.
 * Branches assign `result` variables. Only variables with `persist` survive a reload. Variables with `persist: "entry"` are stored only in the
 * history entry of the tab.
 */
export interface FlowVariable {
  readonly from: 'path' | 'query' | 'result';
  readonly persist?: boolean | 'entry';
  readonly saved?: true;
  readonly default?: Json;
}

/** The first branch whose guard is true is taken. Its properties take effect in the order of their declaration. */
export interface TransitionBranch {
  readonly guard?: JsonLogic;
  readonly assign?: Readonly<Record<string, LogicTemplate>>;
  /** JSON pointers of form values to clear, e.g. `/password`. */
  readonly clear?: readonly string[];
  readonly notice?: string;
  /** Whether to show the server's validation errors at their fields: in the next state if there is one, otherwise in the steps with these fields. */
  readonly field?: true;
  readonly target?: string;
  /** Challenge name from the server, which the flow's `challenges` maps to the next state. */
  readonly challenge?: JsonLogic;
  /** Redirect target outside the flow. Subject to the redirect check. */
  readonly leave?: LogicTemplate;
}

/** Invocation of an operation, with the branches for its result. Without `input`, the body is the screen's form. */
export interface OperationInvocation {
  readonly src: string;
  readonly params?: Readonly<Record<string, LogicTemplate>>;
  /** Whether the body also contains the forms of the earlier steps of the journey. */
  readonly progress?: true;
  readonly input?: LogicTemplate;
  readonly onDone: readonly TransitionBranch[];
  readonly onError: readonly TransitionBranch[];
}

/** Source of a block: the response of a GET operation. The server includes it in the page if it is public. */
interface StateSource {
  readonly operation: string;
  readonly params?: Readonly<Record<string, LogicTemplate>>;
}

/** Event raised at a certain time, e.g. to warn that a session is about to end. */
export interface DelayedEvent {
  /** Time in ISO 8601, e.g. from a variable that an operation has set. Any other value disables the event. */
  readonly at: JsonLogic;
  /** Seconds before `at` at which the event is raised. If the state is entered later, the event is raised immediately, but never after `at`. */
  readonly secondsBefore?: number;
  readonly event: string;
}

export type Transition = OperationInvocation | TransitionBranch | readonly TransitionBranch[];

/** Visitors who may open a state: `anyone`, or an access level of the portal from `LoadDefinitionsOptions`. */
export type AccessLevelName = string;

interface AccessProperties {
  /** Wider access level: all visitors with this level also have that one, e.g. every agent is also an account. Defaults to `anyone`. */
  readonly within?: AccessLevelName;
  /** Whether the visitor is identified, so that permissions can be checked. */
  readonly isIdentified?: true;
}

export type AccessLevels = Readonly<Record<AccessLevelName, AccessProperties>>;

/** Renders a screen, a block, or a block with the texts of a screen. Without either, it selects the next state with `always` or `invoke`. */
export interface StateDefinition {
  /** Path of the state, e.g. `/ayuda/:slug`. Each parameter is a variable `from` the path. */
  readonly path?: string;
  readonly screen?: string;
  readonly block?: string;
  readonly source?: StateSource;
  readonly type?: 'final';
  readonly access?: AccessLevelName;
  /** (resource, action) pairs. The user needs one of these permissions. A user without any is redirected to the account overview. */
  readonly permissions?: readonly (readonly [resource: string, action: string])[];
  /** Whether the page has a header and a footer: `full`, `none`, or a rule that returns one of them. */
  readonly chrome?: JsonLogic;
  /** Whether the state is a dialog over the previous view. Escape raises the event `back`. */
  readonly modal?: true;
  readonly load?: 'document';
  /** Entry guard. If it is false, the state `else` is entered instead. */
  readonly requires?: { readonly guard: JsonLogic; readonly else: string };
  readonly always?: readonly TransitionBranch[];
  readonly invoke?: OperationInvocation;
  readonly prefill?: Readonly<Record<string, LogicTemplate>>;
  /** Values that may prefill fields of other flows in the tab, if none is missing. Kept in memory, without secrets. */
  readonly carry?: Readonly<Record<string, LogicTemplate>>;
  readonly on?: Readonly<Record<string, Transition>>;
  readonly after?: DelayedEvent;
  /** Target of the event `back`: a state, `history` (the default) or `none`. */
  readonly back?: string;
  /** JSON pointers of form values to clear when the user goes back. */
  readonly clear?: readonly string[];
}

export interface JourneyStep {
  readonly state: string;
  readonly titles: Readonly<Record<string, string>>;
  /** Guard of the step, on facts and on the answers of earlier steps as `form`. If it is false, the journey skips the step. */
  readonly guard?: JsonLogic;
  /** If false, the progress bar includes the step, but the step's own screen has no progress bar. */
  readonly bar?: false;
}

/** How journeys are saved, so that signed-in users can continue later or on another device. */
export interface JourneySaveOptions {
  readonly days: number;
  /** Notice shown when a journey is resumed. Its link with the event `restart` starts the journey from the beginning. */
  readonly resumed: string;
  /** Notice shown when a journey is resumed and some saved values are invalid. `{dropped}` in its text lists the labels of their fields. */
  readonly refused: string;
  /** JSON pointers of fields that are not saved. Secrets are never saved. */
  readonly without?: readonly string[];
}

/** A flow at run time: flows/<id>.json with resolved names. */
export interface Flow {
  readonly id: string;
  readonly initial: string;
  readonly context?: Readonly<Record<string, FlowVariable>>;
  /** States by challenge name of the server. `*` is the state for unknown challenges. */
  readonly challenges?: Readonly<Record<string, string>>;
  /** Journeys through the flow, each with its steps in order. The progress bar shows them. */
  readonly progress?: readonly (readonly JourneyStep[])[];
  readonly save?: JourneySaveOptions;
  readonly states: Readonly<Record<string, StateDefinition>>;
}

/** Descriptions of a flow for its authors. The running flow does not include them. */
export interface FlowDescriptions {
  readonly area?: string;
  /** Title of the flow. If absent, the title of its initial screen. */
  readonly title?: string;
  readonly flow?: string;
  /** Descriptions by state name. A nested state without a description has the description of its parent. */
  readonly states: Readonly<Record<string, string>>;
  /** Named guards with their description, expanded as in the running flow. */
  readonly guards: readonly { readonly guard: JsonLogic; readonly description: string }[];
}
