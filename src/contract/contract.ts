import type { AnswerName, AnswerOf, BodyName, BodyOf } from './payloads.ts';
import type { Operation as Row } from './operation.ts';
import { collectExports } from './topics/collect-exports.ts';
import { topics } from './topics/topics.ts';

export type { Role } from './operation.ts';

/** A row of the table. `body` and `answer` must name existing schemas. */
export interface Operation extends Row {
  readonly body?: BodyName;
  readonly answer?: AnswerName;
}

/**
 * The table of operations. The browser's client, the server's router, authorization, tests and the OpenAPI description are derived from it. The paths
 * of operations that the specification does not define (registration) are our choice.
 */
export const contract = collectExports('operations', topics) satisfies Readonly<Record<string, Operation>>;

export type Contract = typeof contract;
export type OperationName = keyof Contract;
export const operationNames = Object.keys(contract) as readonly OperationName[]; // the keys of a constant table

/** Pages at the broker's addresses (section 7.2). Most redirect to a page of the portal. */
export const brokerPages = {
  login: '/auth/login',
  cardLogin: '/auth/login-con-ci',
  /** Receives the certificate of an identity card. Only a listener or a proxy that requests one serves it. */
  card: '/auth/tarjeta',
  /** Called by wallets to fetch the request and to send the response. */
  walletRequest: '/auth/billetera/pedido',
  walletResponse: '/auth/billetera/respuesta',
  cancelLogin: '/auth/cancel-login',
  providerLogin: '/auth/idp-login',
  logout: '/auth/logout',
  consent: '/oidc/v1/consent',
  /** Passes a SAML response to its service provider (section 2.1). */
  samlResponse: '/sending-saml-response',
} as const;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(contract, name);
}

export type Answer<Name extends OperationName> = AnswerOf<
  Contract[Name] extends { readonly answer: infer Own extends AnswerName } ? Own : 'empty'
>;

/** The body of an operation: the schema that its row names, or the screen fields that its handler reads. Hidden fields are absent. */
export type Body<Name extends OperationName> = Contract[Name] extends { readonly body: infer B extends BodyName }
  ? BodyOf<B>
  : Contract[Name] extends { readonly reads: infer Fields }
    ? FieldsOf<Fields> & CaptchaOf<Contract[Name]>
    : Readonly<Record<string, never>>;

type OperationRow = Contract[OperationName];
export type LimitName = OperationRow extends infer Row
  ? Row extends { readonly limit: infer Name }
    ? Name
    : never
  : never;

export function getLimitName(name: OperationName): LimitName | undefined {
  const row = contract[name];
  return 'limit' in row ? row.limit : undefined;
}

export function getAnswerName(name: OperationName): AnswerName {
  const { answer = 'empty' }: Operation = contract[name];
  return answer;
}

type ValidatorsOf<Row> = Row extends { readonly validators: infer Screens } ? Screens : never;
/** A screen that validates a part of an operation's body. */
export type ValidatingScreen =
  ValidatorsOf<OperationRow> extends infer Screens ? (Screens extends unknown ? keyof Screens : never) : never;
/** The fields that a handler reads from the part that a screen validates. Hidden fields are absent. */
export type ValidatedForm<Screen extends ValidatingScreen> =
  Extract<ValidatorsOf<OperationRow>, Readonly<Record<Screen, unknown>>> extends Readonly<Record<Screen, infer Fields>>
    ? FieldsOf<Fields>
    : never;

type FieldsOf<Fields> = { readonly [Field in keyof Fields]?: ValueOf<Fields[Field]> };
type CaptchaOf<Row> = Row extends { readonly captcha: true | 'anonymous' }
  ? { readonly captcha_response?: string }
  : unknown;
type ValueOf<Type> = Type extends 'string' ? string : Type extends 'number' ? number : boolean;

/** The body of every error. `field` and `error` repeat the first entry of `errors`. */
export interface ErrorBody {
  readonly error: string;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  /** Machine-readable name of the error, e.g. `ya_registrado`. */
  readonly code?: string;
  /** The page that the browser must open instead. Subject to the redirect check. */
  readonly next?: string;
  /** Like `next`, under the name that the broker uses. */
  readonly location?: string;
  /** Request options of the WebAuthn assertion that the operation requires. */
  readonly publicKey?: Readonly<Record<string, unknown>>;
  /** Whether the operation's link is unknown, used or expired. */
  readonly invalid_token?: true;
}
