import type {
  ResponseSchemaName,
  ResponseSchemaType,
  RequestBodySchemaName,
  RequestBodySchemaType,
} from './payload-schemas.ts';
import type { OperationDeclaration as Row } from './operation.ts';
import { mergeModuleExports } from './operations/merge-module-exports.ts';
import { operationModules } from './operations/operation-modules.ts';

export type { CallerRole as Role } from './operation.ts';

export interface ApiOperation extends Row {
  readonly body?: RequestBodySchemaName;
  readonly answer?: ResponseSchemaName;
}

export const apiContract = mergeModuleExports('operations', operationModules) satisfies Readonly<
  Record<string, ApiOperation>
>;

export type ApiContract = typeof apiContract;
export type OperationName = keyof ApiContract;
export const operationNames = Object.keys(apiContract) as readonly OperationName[]; // `Object.keys` returns `string[]`

/** Paths of the broker (section 7.2 of the specification). Most redirect to a page of the portal. */
export const identityBrokerPaths = {
  login: '/auth/login',
  cardLogin: '/auth/login-con-ci',
  /** Endpoint that reads the TLS client certificate of an identity card. Served only by the listener that requests certificates. */
  card: '/auth/tarjeta',
  /** Where a wallet fetches the presentation request (OpenID4VP). It posts its response to `walletResponse`. */
  walletRequest: '/auth/billetera/pedido',
  walletResponse: '/auth/billetera/respuesta',
  cancelLogin: '/auth/cancel-login',
  providerLogin: '/auth/idp-login',
  logout: '/auth/logout',
  consent: '/oidc/v1/consent',
  /** Page that forwards a SAML response to its service provider (section 2.1 of the specification). */
  samlResponse: '/sending-saml-response',
} as const;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(apiContract, name);
}

export type OperationResponse<Name extends OperationName> = ResponseSchemaType<
  ApiContract[Name] extends { readonly answer: infer Own extends ResponseSchemaName } ? Own : 'empty'
>;

/** Fields in `reads` are optional, because the screen may hide them. */
export type OperationBody<Name extends OperationName> = ApiContract[Name] extends {
  readonly body: infer B extends RequestBodySchemaName;
}
  ? RequestBodySchemaType<B>
  : ApiContract[Name] extends { readonly reads: infer Fields }
    ? FieldsOf<Fields> & CaptchaOf<ApiContract[Name]>
    : Readonly<Record<string, never>>;

type OperationRow = ApiContract[OperationName];
export type RateLimitName = OperationRow extends infer Row
  ? Row extends { readonly limit: infer Name }
    ? Name
    : never
  : never;

export function getRateLimitName(name: OperationName): RateLimitName | undefined {
  const row = apiContract[name];
  return 'limit' in row ? row.limit : undefined;
}

export function getResponseSchemaName(name: OperationName): ResponseSchemaName {
  const { answer = 'empty' }: ApiOperation = apiContract[name];
  return answer;
}

type ValidatorsOf<Row> = Row extends { readonly validators: infer Screens } ? Screens : never;
export type ValidatingScreenName =
  ValidatorsOf<OperationRow> extends infer Screens ? (Screens extends unknown ? keyof Screens : never) : never;
/** Type of the fields that `validators` lists for a screen. The fields are optional, because the screen may hide them. */
export type ValidatedForm<Screen extends ValidatingScreenName> =
  Extract<ValidatorsOf<OperationRow>, Readonly<Record<Screen, unknown>>> extends Readonly<Record<Screen, infer Fields>>
    ? FieldsOf<Fields>
    : never;

type FieldsOf<Fields> = { readonly [Field in keyof Fields]?: ValueOf<Fields[Field]> };
type CaptchaOf<Row> = Row extends { readonly captcha: true | 'anonymous' }
  ? { readonly captcha_response?: string }
  : unknown;
type ValueOf<Type> = Type extends 'string' ? string : Type extends 'number' ? number : boolean;

/** Body of every error response. `field` and `error` repeat the first entry of `errors`. */
export interface ErrorBody {
  readonly error: string;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  readonly code?: string;
  /** URL that the browser must open instead. The browser opens it only if `sanitizeRedirect` accepts it. */
  readonly next?: string;
  /** The same URL as `next`, under the name that broker operations use. */
  readonly location?: string;
  readonly publicKey?: Readonly<Record<string, unknown>>;
  /** Whether the request failed because its mailed link is unknown, used or expired. */
  readonly invalid_token?: true;
}
