/** Role of a caller (section 6). */
export type Role = 'anonymous' | 'citizen' | 'agent' | 'foreign';

/** A permitted action on a resource, as in `permisos`. */
export type Permission = readonly [resource: string, action: string];

/** An operation that the portal invokes on one of its two hosts. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `:name` parameters (section 7). */
  readonly path: string;
  /** Host of the operation. Absent for the backend. */
  readonly host?: 'broker';
  /** The screen whose schema validates the body. For an operation at the end of a wizard, all screens with fields. */
  readonly screen?: string | readonly string[];
  /** The fields that the handler reads. Analysts may not rename or remove them. */
  readonly reads?: Readonly<Record<string, 'string' | 'number' | 'boolean'>>;
  /** Fields that the screens require and the operation does not. They are validated if present. */
  readonly optional?: readonly string[];
  /** Alternative names of fields. A body may use either. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields that are sent in an object of this name (section 3). */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /**
   * Analysts may add fields. Fields of the screens beyond `reads` are validated too, and stored with the operation's result under their titles. Steps
   * that a flow adds before the step that sends the operation count as its screens.
   */
  readonly extra?: true;
  /** Stores the complete form, whatever fields its screen has. */
  readonly whole?: true;
  /** The screens that validate a part of a body that is not a form, each with the fields that the handler reads from it. */
  readonly validators?: Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'boolean'>>>>;
  /** Name in `bodies` of the body's schema, if the body is not a form. */
  readonly body?: string;
  readonly query?: readonly string[];
  /** The query contains personal data. The client sends it as the JSON body of a POST instead, so that no log contains it in a URL. */
  readonly queryByPost?: true;
  /** Name of the schema in `answers`. Absent if the answer has no content. */
  readonly answer?: string;
  readonly roles: readonly Role[];
  /** The path parameter that must be the caller's id. Any other id gets a 404. */
  readonly own?: string;
  /** Whether the operation belongs to the desk. Callers without its permission get a 404. Set by `requireDeskPermission`. */
  readonly auth?: 'agent';
  /** (resource, action) pairs, of which the caller must have at least one. */
  readonly permissions?: readonly Permission[];
  /** Changes credentials or the level of the account. Refused for restricted citizens (section 6). */
  readonly unrestricted?: true;
  /**
   * Requires a proof of identity that is at most ten minutes old: the current password or, with `sign-in`, also the sign-in itself. `passkey`
   * requires a WebAuthn assertion of the agent that was made for this request (header `passkey-assertion`).
   */
  readonly proof?: 'password' | 'sign-in' | 'passkey';
  /** Requires a captcha solution in the field `captcha_response`. `anonymous`: only from callers who are not signed in. */
  readonly captcha?: true | 'anonymous';
  /** Name of a rate limit, which a topic of the server defines. Attempts are counted per address, and per caller or field of `counts`. */
  readonly limit?: string;
  /** Body fields by whose values attempts are counted too. A document in the body replaces that of the caller. */
  readonly counts?: {
    readonly document?: readonly [country: string, type: string, number: string];
    readonly email?: string;
  };
  /** The browser invokes the operation without an action of the citizen, so it does not count as activity. */
  readonly passive?: true;
  /** The answer is the same for everybody with the same language. Clients may cache it and revalidate it by its ETag. */
  readonly shared?: true;
  /** Maximum body size in kilobytes, if it differs from the default. */
  readonly limitKb?: number;
  /** Manages the caller's own account. Users of foreign providers may invoke it only if the flag idp_autogestion is on (section 2.2). */
  readonly manages?: true;
  /**
   * Available even if the level requires a second factor that is not set up: the operations of the set-up, the closure of the account, saved
   * progress, and consent requests, which do not show the set-up. `restricted`: also available to restricted citizens, who cannot set one up.
   */
  readonly beforeFactor?: true | 'restricted';
  /** Sends a stream of events, each with the schema of `answer`. */
  readonly streams?: true;
  /** One English sentence for the OpenAPI description. */
  readonly summary: string;
}

/** Properties of a row besides method and path. An unknown one is a compile error. */
type RowOptions<Own> = Own & Readonly<Record<Exclude<keyof Own, keyof Operation>, never>>;
type Common = Omit<Operation, 'method' | 'path'>;

/* @__NO_SIDE_EFFECTS__ */
export function get<const Path extends string, const Own extends Common>(path: Path, row: RowOptions<Own>) {
  return { method: 'GET', path, ...row } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function post<const Path extends string, const Own extends Common>(path: Path, row: RowOptions<Own>) {
  return { method: 'POST', path, ...row } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function remove<const Path extends string, const Own extends Common>(path: Path, row: RowOptions<Own>) {
  return { method: 'DELETE', path, ...row } as const;
}

export type ErrorsOf<Operations> = Readonly<Partial<Record<keyof Operations, readonly string[]>>>;

export const allRoles = ['anonymous', 'citizen', 'agent', 'foreign'] as const satisfies readonly Role[];
export const signedInRoles = ['citizen', 'agent', 'foreign'] as const satisfies readonly Role[];

/** Roles and owner of an operation on the account that the path names. */
export const ownAccountAccess = { roles: signedInRoles, own: 'id' } as const;
/** Like `ownAccountAccess`, for an operation that manages the account, see `Operation.manages`. */
export const managedAccountAccess = { ...ownAccountAccess, manages: true } as const;
/** Access to an operation that changes how the caller signs in. */
export const signInChangeAccess = { roles: signedInRoles, manages: true, unrestricted: true } as const;
