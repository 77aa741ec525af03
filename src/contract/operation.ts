export type CallerRole = 'anonymous' | 'citizen' | 'agent' | 'foreign';

export type Permission = readonly [resource: string, action: string];

export interface OperationDeclaration {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `:name` parameters (section 7 of the specification). */
  readonly path: string;
  /** Host that serves the operation. Absent if it is the backend. */
  readonly host?: 'broker';
  /** Screens whose schemas validate the body: a single screen, or every screen of a wizard that has fields. */
  readonly screen?: string | readonly string[];
  /** The fields that the handler reads. Analysts may not rename or remove them. */
  readonly reads?: Readonly<Record<string, 'string' | 'number' | 'boolean'>>;
  /** Fields that the operation does not require, even if the screens do. They are validated if present. */
  readonly optional?: readonly string[];
  /** Other names under which clients may send fields. Maps each alias to the name of its field. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Groups of fields that the request body nests in an object, by the name of the object (section 3 of the specification). */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Whether analysts may add fields, including in earlier steps of the flow. The operation stores the added fields with their titles. */
  readonly allowsExtraFields?: true;
  /** Whether the operation stores all fields of the form, not only those of `reads`. */
  readonly storesAllFields?: true;
  /** Screens that validate a part of a body that is not a form, each with the fields that the handler reads from this part. */
  readonly validators?: Readonly<Record<string, Readonly<Record<string, 'string' | 'number' | 'boolean'>>>>;
  /** Name of the body's schema in `requestBodySchemas`, if the body is not a form. */
  readonly body?: string;
  readonly query?: readonly string[];
  /** Whether the query contains personal data. If so, the client sends it as the JSON body of a POST, so that URLs in logs do not contain it. */
  readonly queryByPost?: true;
  /** Name of the schema in `responseSchemas`. Absent if the response has no content. */
  readonly answer?: string;
  readonly roles: readonly CallerRole[];
  /** Path parameter that must be the caller's id. Another id gets a 404. */
  readonly callerIdParameter?: string;
  /** Marks an operation of the desk. Callers without its permission get a 404. Set by `buildDeskOperationAccess`. */
  readonly auth?: 'agent';
  /** (resource, action) pairs. The caller needs one of them. */
  readonly permissions?: readonly Permission[];
  /** Whether the operation is refused for restricted citizens, because it changes credentials or the level (section 6 of the specification). */
  readonly rejectsRestricted?: true;
  /**
   * Required proof of identity, at most ten minutes old. `password`: the current password. `sign-in`: the password or the sign-in itself. `passkey`:
   * an agent's WebAuthn assertion for this request (header `passkey-assertion`).
   */
  readonly proof?: 'password' | 'sign-in' | 'passkey';
  /** Whether a captcha solution in `captcha_response` is required. `anonymous`: only from anonymous callers. */
  readonly captcha?: true | 'anonymous';
  /** Name of a rate limit of the server. Attempts are counted per IP address, and per caller or per field of `counts`. */
  readonly limit?: string;
  /** Body fields whose values count towards the rate limit. A document in the body is counted instead of the caller's own document. */
  readonly counts?: {
    readonly document?: readonly [country: string, type: string, number: string];
    readonly email?: string;
  };
  /** Whether the browser invokes the operation without the citizen's action, so that it does not restart the idle timeout. */
  readonly passive?: true;
  /** Whether the answer depends only on the language. Clients may cache it and revalidate it with its ETag. */
  readonly shared?: true;
  /** Maximum body size in kilobytes, if it differs from the default. */
  readonly limitKb?: number;
  /** Whether the operation manages the account: users of foreign providers need the flag idp_autogestion (section 2.2 of the specification). */
  readonly manages?: true;
  /** Whether the operation is available while a required second factor is not set up. `restricted`: also for restricted citizens. */
  readonly allowedBeforeFactor?: true | 'restricted';
  /** Whether the answer is a stream of events with the schema of `answer`. */
  readonly streams?: true;
  /** One English sentence for the OpenAPI description. */
  readonly summary: string;
}

/** Properties of an operation besides method and path. Unknown properties are compile errors. */
type RowOptions<Own> = Own & Readonly<Record<Exclude<keyof Own, keyof OperationDeclaration>, never>>;
type Common = Omit<OperationDeclaration, 'method' | 'path'>;

/* @__NO_SIDE_EFFECTS__ */
export function defineGetOperation<const Path extends string, const Own extends Common>(
  path: Path,
  row: RowOptions<Own>,
) {
  return { method: 'GET', path, ...row } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function definePostOperation<const Path extends string, const Own extends Common>(
  path: Path,
  row: RowOptions<Own>,
) {
  return { method: 'POST', path, ...row } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineDeleteOperation<const Path extends string, const Own extends Common>(
  path: Path,
  row: RowOptions<Own>,
) {
  return { method: 'DELETE', path, ...row } as const;
}

export type ErrorCodesByOperation<Operations> = Readonly<Partial<Record<keyof Operations, readonly string[]>>>;

export const allRoles = ['anonymous', 'citizen', 'agent', 'foreign'] as const satisfies readonly CallerRole[];
export const signedInRoles = ['citizen', 'agent', 'foreign'] as const satisfies readonly CallerRole[];

export const ownAccountAccess = { roles: signedInRoles, callerIdParameter: 'id' } as const;
export const accountManagementAccess = { ...ownAccountAccess, manages: true } as const;
export const signInChangeAccess = { roles: signedInRoles, manages: true, rejectsRestricted: true } as const;
