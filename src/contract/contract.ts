import type { AnswerName, AnswerOf, BodyName, BodyOf } from './payloads.ts';
import type { Operation as Row } from './operation.ts';
import { collectPart } from './topics/collect.ts';
import { topics } from './topics/topics.ts';

export type { Role } from './operation.ts';

/** A row of the table: the schemas that it names are those of `bodies` and `answers`. */
export interface Operation extends Row {
  readonly body?: BodyName;
  readonly answer: AnswerName;
}

/**
 * The table of operations: browser client, server router, authorization, tests and OpenAPI description all come from it.
 * Paths that the specification does not show (registration) are chosen there.
 */
export const contract = collectPart('operations', topics) satisfies Readonly<Record<string, Operation>>;

export type Contract = typeof contract;
export type OperationName = keyof Contract;
export const operationNames = Object.keys(contract) as readonly OperationName[]; // keys of a const table are its names

/** Pages of the broker at addresses beside the operations (section 7.2 of the specification): each leads on to a page of the portal. */
export const brokerPages = {
  login: '/auth/login',
  cardLogin: '/auth/login-con-ci',
  /** Where a card is shown: on the listener that asks for one, or behind a proxy that does. */
  card: '/auth/tarjeta',
  /** What wallets call: for the request, and with their answer. */
  walletRequest: '/auth/billetera/pedido',
  walletResponse: '/auth/billetera/respuesta',
  cancelLogin: '/auth/cancel-login',
  providerLogin: '/auth/idp-login',
  logout: '/auth/logout',
  consent: '/oidc/v1/consent',
  /** Hands a response of SAML over to its service provider (section 2.1). */
  samlResponse: '/sending-saml-response',
} as const;

/** Whether a name is an operation of the contract. */
export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(contract, name);
}

/** What an operation answers with a 2xx. */
export type Answer<Name extends OperationName> = AnswerOf<Contract[Name]['answer']>;

/** The body of an operation: of the schema that the row names, or the fields of a screen that it reads. A hidden field is absent. */
export type Body<Name extends OperationName> = Contract[Name] extends { readonly body: infer B extends BodyName }
  ? BodyOf<B>
  : Contract[Name] extends { readonly reads: infer Fields }
    ? FieldsOf<Fields> & CaptchaOf<Contract[Name]>
    : Readonly<Record<string, never>>;

type Rows = Contract[OperationName];
/** The name of a limit that rows of the table have. */
export type LimitName = Rows extends infer Row ? (Row extends { readonly limit: infer Name } ? Name : never) : never;

/** The limit of an operation; `undefined` if its tries are not counted. */
export function limitOf(name: OperationName): LimitName | undefined {
  const row = contract[name];
  return 'limit' in row ? row.limit : undefined;
}

type ValidatorsOf<Row> = Row extends { readonly validators: infer Screens } ? Screens : never;
/** A screen that checks a part of an operation's body. */
export type ValidatingScreen =
  ValidatorsOf<Rows> extends infer Screens ? (Screens extends unknown ? keyof Screens : never) : never;
/** What a handler reads of a part that such a screen let through. A hidden field is absent. */
export type ValidatedForm<Screen extends ValidatingScreen> =
  Extract<ValidatorsOf<Rows>, Readonly<Record<Screen, unknown>>> extends Readonly<Record<Screen, infer Fields>>
    ? FieldsOf<Fields>
    : never;

type FieldsOf<Fields> = { readonly [Field in keyof Fields]?: ValueOf<Fields[Field]> };
type CaptchaOf<Row> = Row extends { readonly captcha: true | 'anonymous' }
  ? { readonly captcha_response?: string }
  : unknown;
type ValueOf<Type> = Type extends 'string' ? string : Type extends 'number' ? number : boolean;

/** The one shape of an error on the wire: `field` and `error` repeat the first pair of `errors`. */
export interface ErrorBody {
  readonly error: string;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  /** Machine-readable name, e.g. `ya_registrado`. */
  readonly code?: string;
  /** Where the browser must go instead (through the redirect check). */
  readonly next?: string;
  /** The same from the broker. */
  readonly location?: string;
  /** Options of the WebAuthn assertion that the operation waits for. */
  readonly publicKey?: Readonly<Record<string, unknown>>;
  /** The link behind the operation is unknown, used or expired. */
  readonly invalid_token?: true;
}
