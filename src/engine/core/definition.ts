import type { Json, JsonObject } from './json.ts';

/** A JSON-logic rule in the classic dialect, or a plain value. */
export type Logic = Json;

/** JSON whose JSON-logic parts are replaced by their results; other objects and arrays are kept as structure. */
export type Template = Json;

/** One paragraph of a screen; `{name}` is filled from the flow's context. */
export interface Paragraph {
  readonly text: string;
  readonly visible?: Logic;
}

/** A button. `event` is looked up in the flow state's `on`; `back` follows the state's declared way back. */
export interface Action {
  readonly event: string;
  readonly text: string;
  readonly primary?: boolean;
  readonly visible?: Logic;
}

/** A link to a route of the portal, or with `event` a link that raises an event of the state. */
export interface LinkText {
  readonly to?: string;
  readonly event?: string;
  readonly text: string;
  readonly visible?: Logic;
}

/** A message above the form that a branch of the flow raises by its name. */
export interface Notice {
  readonly intent: 'info' | 'success' | 'warning' | 'error';
  readonly text: string;
  readonly link?: LinkText;
}

/** The uiSchema of one field, in rjsf's words. */
export type FieldUi = JsonObject;

/** ui.json: what is seen of a screen. */
export interface Ui {
  /** One heading, or several of which the first that is visible stands. */
  readonly title: string | readonly Paragraph[];
  readonly intro?: string | readonly Paragraph[];
  /** `success` and `error` draw their sign above the title. */
  readonly tone?: 'plain' | 'success' | 'error';
  readonly showErrors?: 'blur' | 'change';
  readonly fields?: { readonly 'ui:order'?: readonly string[] } & { readonly [name: string]: FieldUi | readonly string[] | undefined };
  readonly visible?: Readonly<Record<string, Logic>>;
  readonly messages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly actions?: readonly Action[];
  readonly links?: readonly LinkText[];
  readonly notices?: Readonly<Record<string, Notice>>;
  /** What a screen reader hears while a call runs. */
  readonly busy?: string;
}

/** A variable of a flow. `query` variables are read from the address and leave it at once; only `persist` ones reach storage. */
export interface ContextVariable {
  readonly from: 'form' | 'query' | 'result';
  readonly persist?: boolean;
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
  /** Puts the errors of the server's answer on their fields. */
  readonly field?: true;
  readonly target?: string;
  /** A wire challenge name, looked up in the flow's `steps`. */
  readonly step?: Logic;
  /** An address outside the flow, through the one redirect check. */
  readonly leave?: Template;
}

/** A named call of the contract and what follows. Without `input` the body is the screen's form. */
export interface Effect {
  readonly invoke: string;
  readonly params?: Readonly<Record<string, Template>>;
  readonly input?: Template;
  readonly onDone: readonly Branch[];
  readonly onError: readonly Branch[];
}

/** What an event does. */
export type Transition = Effect | Branch | readonly Branch[];

/** A state of a flow: a screen, a block, or neither (it then only decides by `always` or `invoke`). */
export interface State {
  readonly path?: string;
  readonly screen?: string;
  readonly block?: string;
  readonly type?: 'final';
  readonly access?: 'anyone' | 'citizen' | 'guest';
  /** Whether header and footer surround the state: `full`, `none`, or a rule that answers one of them. */
  readonly chrome?: Logic;
  /** Drawn as a dialog over the view before it; Escape is the event `back`. */
  readonly modal?: true;
  readonly load?: 'document';
  readonly entry?: { readonly guard: Logic; readonly else: string };
  readonly always?: readonly Branch[];
  readonly invoke?: Effect;
  /** Initial values of the form, by field. */
  readonly prefill?: Readonly<Record<string, Template>>;
  readonly on?: Readonly<Record<string, Transition>>;
  /** A state, `history` (the default) or `none`. */
  readonly back?: string;
  /** Pointers of form values to empty on the way back. */
  readonly clear?: readonly string[];
}

/** flows/<id>.json. */
export interface Flow {
  readonly id: string;
  readonly initial: string;
  readonly context?: Readonly<Record<string, ContextVariable>>;
  /** The closed map from the wire's challenge names to states; `*` is the state of an unknown one. */
  readonly steps?: Readonly<Record<string, string>>;
  /** What follows an error that an effect's own branches leave open. */
  readonly onError?: readonly Branch[];
  readonly states: Readonly<Record<string, State>>;
}
