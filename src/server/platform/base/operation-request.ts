import type { OperationResponse, OperationBody, OperationName, Role } from '../../../contract/contract.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { ChangeOrigin } from './change-origin.ts';

/** The account and the session of a valid bearer token, as the database has them. */
export interface Caller {
  readonly citizenId: string;
  readonly document: string;
  readonly sessionId: string;
  readonly role: Exclude<Role, 'anonymous'>;
  readonly permisos: Readonly<Record<string, readonly string[]>>;
  /** Assurance level of the session, 0 to 3. */
  readonly nid: number;
  /** Whether the session may only be used to restore the second factor or to identify the person. */
  readonly restricted: boolean;
  /** Whether the assurance level requires a second factor that the citizen has not set up yet. */
  readonly factorDue: boolean;
  /** Whether the caller must sign in with a passkey before using the desk. */
  readonly needsPasskey?: boolean;
  /** `jti` of the bearer token. */
  readonly tokenId?: string;
}

/**
 * Cookies of the server. `session`: the broker's session. `challenge` and `saml`: the browser that started a sign-in or
 * a SAML exchange. `device`: the secrets of a known browser. `registration`: the token that permits correcting the
 * address of a new registration.
 */
export type PortalCookieName = 'session' | 'challenge' | 'device' | 'registration' | 'saml';

/** A form field that the contract does not declare, with its title on the screen. */
export interface ExtraField {
  readonly campo: string;
  readonly titulo: string;
  readonly valor: string;
}

/** An authorized request with a valid body. */
export interface UntypedOperationRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly extra?: readonly ExtraField[];
  readonly caller: Caller | null;
  readonly cookies: Readonly<Partial<Record<PortalCookieName, string>>>;
  readonly origin: ChangeOrigin;
  /** WebAuthn assertion that is bound to this request, as JSON text. */
  readonly assertion?: string;
}

export interface OperationRequest<Name extends OperationName> extends UntypedOperationRequest {
  readonly body: OperationBody<Name>;
}

/** Emits events until there are no more. `signal` is aborted when the client disconnects. */
export type EventStreamProducer<Event> = (emit: (event: Event) => void, signal: AbortSignal) => Promise<void>;

/** Client of a stream: the id of a page, within a group such as a video call. */
export interface EventStreamClientKey {
  readonly group: string;
  readonly name: string;
}

interface UntypedOperationReply {
  readonly body: unknown;
  /** Events to send after the body, if the operation is a stream. */
  readonly events?: EventStreamProducer<unknown>;
  /** Client of the stream. A new stream of the same client ends the previous one. The number of streams in a group is limited. */
  readonly reader?: EventStreamClientKey;
  readonly status?: number;
  /** Redirects a navigation with status 303. */
  readonly location?: string;
  /** Cookies to set, with their lifetime in seconds. `null` clears a cookie. */
  readonly cookies?: Readonly<
    Partial<Record<PortalCookieName, { readonly value: string; readonly maxAge: number } | null>>
  >;
  /** Work to do after the response is sent, so that the response time does not reveal whether there is any. */
  readonly after?: () => Promise<void>;
}

export interface OperationReply<Name extends OperationName> extends UntypedOperationReply {
  readonly body: OperationResponse<Name>;
  readonly events?: EventStreamProducer<OperationResponse<Name>>;
}

export type OperationHandler<Name extends OperationName, Parts> = (
  parts: Parts,
  request: OperationRequest<Name>,
) => Promise<OperationReply<Name>>;

/** Body of a reply. A handler may omit it if the response has no content. */
export type ReplyBody<Name extends OperationName> =
  // oxlint-disable-next-line typescript/no-invalid-void-type
  OperationResponse<Name> | (object extends OperationResponse<Name> ? void : never);

export type OperationHandlerResult<Name extends OperationName> = ReplyBody<Name> | OperationReply<Name>;

/** Wraps a response body in a reply. Returns a value with a property `body` unchanged, because it is already a reply. */
export function toOperationReply(result: unknown): UntypedOperationReply {
  return isObject(result) && 'body' in result ? { ...result, body: result['body'] } : { body: result ?? {} };
}

/** A handler with its dependencies bound. Its types are erased, because the schemas check body and response at run time. */
export type BoundOperationHandler = (request: UntypedOperationRequest) => Promise<UntypedOperationReply>;

export type BoundOperationHandlers = Readonly<Record<OperationName, BoundOperationHandler>>;

export function serializeExtraFields(fields: readonly ExtraField[] = []): string {
  return JSON.stringify(fields);
}

export function parseExtraFields(column: string): ExtraField[] {
  return JSON.parse(column) as ExtraField[]; // the cast is safe: only `serializeExtraFields` writes the column
}
