/** Who calls: section 6 of the specification. */
export type Role = 'anonymous' | 'citizen' | 'agent' | 'foreign';

/** What a citizen may do with a resource, as `permisos` lists it. */
export type Permission = readonly [resource: string, action: string];

/** One call between the portal and its two hosts. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `:name` parameters, as in section 7 of the specification. */
  readonly path: string;
  readonly host: 'backend' | 'broker';
  /** The screen whose schema checks the body; of an operation at the end of a way all the screens of its steps that have fields. */
  readonly screen?: string | readonly string[];
  /** The fields of them that its handler reads, which analysts may not rename or drop. */
  readonly reads?: Readonly<Record<string, 'string' | 'number' | 'boolean'>>;
  /** Fields of those screens that the wizard asks for and the operation does not: checked where they are sent, not missed where they are not. */
  readonly optional?: readonly string[];
  /** Other names of fields, of which a body may use either. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields that travel in an object of that name (section 3 of the specification). */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /**
   * Analysts may ask more: what the screens of its steps have beyond `reads` is checked by the same validators and kept with what the operation
   * makes, as the screens title it. Steps that a flow adds before the one that sends it count as its screens.
   */
  readonly extra?: true;
  /** Keeps the form whole, whatever its screen asks for. */
  readonly whole?: true;
  /** The screens that validate a part of a body that is no screen's form, each with the fields that the handler reads of it. */
  readonly validators?: Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'boolean'>>>>;
  /** Name of the schema of a body that is no screen's form, of `bodies`. */
  readonly body?: string;
  /** Query parameters that the operation reads. */
  readonly query?: readonly string[];
  /** Name of the schema of what is answered, of `answers`. */
  readonly answer: string;
  readonly roles: readonly Role[];
  /** The path parameter that must be the caller's own id; another one is answered with 404. */
  readonly own?: string;
  /** Belongs to the desk: to whoever may not make it, it does not exist. `ofDesk` writes it, with its permission. */
  readonly auth?: 'agent';
  /** (resource, action) pairs: the caller's permisos must hold one of them. */
  readonly permissions?: readonly Permission[];
  /** Changes credentials or the level of the account: restricted citizens are refused (section 6). */
  readonly unrestricted?: true;
  /**
   * Asks for a proof of identity that is at most ten minutes old: the current password or, for what a sign-in sets up as well, the
   * sign-in itself. `passkey`: asks for an assertion by a passkey of the agent that was made for this very request (header `passkey-assertion`).
   */
  readonly proof?: 'password' | 'sign-in' | 'passkey';
  /** Asks for an answer to a captcha, in the field `captcha_response`; or of those alone who are not signed in. */
  readonly captcha?: true | 'anonymous';
  /** The limit that its tries are counted under, which a topic of the server owns: by address, and by who calls or what `counts` names. */
  readonly limit?: string;
  /** The fields of the body that its tries are counted under, as far as they are sent; a document in the place of the caller's. */
  readonly counts?: {
    readonly document?: readonly [country: string, type: string, number: string];
    readonly email?: string;
  };
  /** The browser makes it by itself: it is no sign that the citizen is there. */
  readonly passive?: true;
  /** The answer is the same for everybody who speaks a language: it may be kept, and is asked for again by its tag. */
  readonly shared?: true;
  /** Largest body in kilobytes, where it is another one than every operation's. */
  readonly limitKb?: number;
  /** Manages the own account: users of foreign providers only where the flag idp_autogestion lets them (section 2.2). */
  readonly manages?: true;
  /**
   * Open while the level of the account demands a second factor that is not set up: the set-up itself, what leads out of it, and what an
   * application that shows no set-up needs. `restricted`: also if the citizen is restricted, and cannot set one up.
   */
  readonly beforeFactor?: true | 'restricted';
  /** Answers events one after the other, each of them such an answer, until it ends or the reader leaves. */
  readonly streams?: true;
  /** One English sentence for the OpenAPI description. */
  readonly summary: string;
}

/** Codes of errors by the operation of a topic that raises them. */
export type ErrorsOf<Operations> = Readonly<Partial<Record<keyof Operations, readonly string[]>>>;

export const everyone = ['anonymous', 'citizen', 'agent', 'foreign'] as const satisfies readonly Role[];
export const signedIn = ['citizen', 'agent', 'foreign'] as const satisfies readonly Role[];
