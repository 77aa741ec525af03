import type { Answer, Body, OperationName, Role } from '../../../contract/contract.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Origin } from './origin.ts';

/** The caller that a valid bearer token identifies, from the server's own records. */
export interface Caller {
  readonly citizenId: string;
  /** Output of `documentId`. */
  readonly document: string;
  readonly sessionId: string;
  readonly role: Exclude<Role, 'anonymous'>;
  readonly permisos: Readonly<Record<string, readonly string[]>>;
  /** Assurance level of the session, 0 to 3. */
  readonly nid: number;
  /** Whether the session is restricted to restoring the second factor or identifying the person. */
  readonly restricted: boolean;
  /** Whether the assurance level requires a second factor that is not set up yet. */
  readonly factorDue: boolean;
  /** Whether the desk requires a sign-in with a passkey. */
  readonly passkeyDue?: boolean;
}

/**
 * Cookies of the server: the session at the broker, the browser that started a sign-in, the secrets of a known browser, and the right to correct the
 * address of a new registration.
 */
export type CookieName = 'session' | 'challenge' | 'device' | 'registration' | 'saml';

/** A form field that is not in the contract, with the title that its screen showed when it was sent. */
export interface ExtraField {
  readonly campo: string;
  readonly titulo: string;
  readonly valor: string;
}

/** A request that passed the contract: it is authorized, and its body is valid for the screen. */
export interface OpenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  /** Fields of the form beyond the contract, if the operation stores them. */
  readonly extra?: readonly ExtraField[];
  readonly caller: Caller | null;
  readonly cookies: Readonly<Partial<Record<CookieName, string>>>;
  readonly origin: Origin;
  /** The WebAuthn assertion bound to this request, as JSON text. */
  readonly assertion?: string;
}

export interface OperationRequest<Name extends OperationName> extends OpenRequest {
  readonly body: Body<Name>;
}

/** Emits events until there are no more. `signal` is aborted when the reader is gone. */
export type Events<Event> = (emit: (event: Event) => void, signal: AbortSignal) => Promise<void>;

/** Reader of a stream: the name of a page within a group such as a video call. */
export interface StreamReader {
  readonly group: string;
  readonly name: string;
}

/** Result of a handler. Errors are thrown as OperationError. */
interface OpenReply {
  readonly body: unknown;
  /** Events sent after the body, if the operation is a stream. */
  readonly events?: Events<unknown>;
  /** Reader of the stream. A new stream ends the reader's previous one, and a group has a limited number. */
  readonly reader?: StreamReader;
  readonly status?: number;
  /** Target of the redirect, with status 303, for a browser that navigates. */
  readonly location?: string;
  /** Cookies to set, with their lifetime in seconds. `null` clears a cookie. */
  readonly cookies?: Readonly<Partial<Record<CookieName, { readonly value: string; readonly maxAge: number } | null>>>;
  /** Runs after the answer is sent, so that the response time does not reveal whether there was such work. */
  readonly after?: () => Promise<void>;
}

export interface Reply<Name extends OperationName> extends OpenReply {
  readonly body: Answer<Name>;
  readonly events?: Events<Answer<Name>>;
}

export type Handler<Name extends OperationName, Parts> = (
  parts: Parts,
  request: OperationRequest<Name>,
) => Promise<Reply<Name>>;

/** Body of a reply. It may be absent if the answer has no content. */
// oxlint-disable-next-line typescript/no-invalid-void-type
export type BareAnswer<Name extends OperationName> = Answer<Name> | (object extends Answer<Name> ? void : never);

export type Result<Name extends OperationName> = BareAnswer<Name> | Reply<Name>;

/** Only a reply has a field `body`. */
export function toReply(result: unknown): OpenReply {
  return isObject(result) && 'body' in result ? { ...result, body: result['body'] } : { body: result ?? {} };
}

/** A handler with its parts. The schemas of body and answer check them at run time. */
export type BoundHandler = (request: OpenRequest) => Promise<OpenReply>;

export type BoundHandlers = Readonly<Record<OperationName, BoundHandler>>;

export function writeExtra(fields: readonly ExtraField[] = []): string {
  return JSON.stringify(fields);
}

export function readExtra(column: string): ExtraField[] {
  return JSON.parse(column) as ExtraField[]; // only writeExtra writes the column
}
