import type { Answer, Body, OperationName, Role } from '../../../contract/contract.ts';
import type { Origin } from './origin.ts';

/** Who stands behind a valid bearer token, from the server's own records. */
export interface Caller {
  readonly citizenId: string;
  /** Id of the citizen's document, as `documentId` writes it. */
  readonly document: string;
  readonly sessionId: string;
  readonly role: Exclude<Role, 'anonymous'>;
  readonly permisos: Readonly<Record<string, readonly string[]>>;
  /** Level of the session, 0 to 3. */
  readonly nid: number;
  /** Features off, or the lowest level. */
  readonly restricted: boolean;
  /** The level demands a second factor that is not set up yet. */
  readonly factorDue: boolean;
  /** Whether the desk waits for a sign-in with a passkey. */
  readonly passkeyDue?: boolean;
}

/**
 * Cookies of the server: the broker session, the browser's binding of a running sign-in challenge, the secrets of a known browser, and the right to correct the
 * address of a new registration.
 */
export type CookieName = 'session' | 'challenge' | 'device' | 'registration' | 'saml';

/** A field that analysts ask for and no row of the contract names, as its screen titled it when it was sent. */
export interface ExtraField {
  readonly campo: string;
  readonly titulo: string;
  readonly valor: string;
}

/** An operation that passed the contract: authorized, its body checked by the screen's validator. */
export interface OperationRequest<Name extends OperationName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Body<Name>;
  /** What the form holds beyond the fields that the row names, where the row keeps it. */
  readonly extra?: readonly ExtraField[];
  readonly caller: Caller | null;
  readonly cookies: Readonly<Partial<Record<CookieName, string>>>;
  readonly origin: Origin;
  /** The WebAuthn assertion that confirms this very request, as JSON text. */
  readonly assertion?: string;
}

/** Tells events until there are no more, or nobody reads them: then `signal` is aborted. */
export type Events<Event> = (emit: (event: Event) => void, signal: AbortSignal) => Promise<void>;

/** Who reads a stream: a page by its own name, within a group such as a video call. */
export interface StreamReader {
  readonly group: string;
  readonly name: string;
}

/** What a handler answers; an error is thrown as a CallError. */
export interface Reply<Name extends OperationName> {
  readonly body: Answer<Name>;
  /** What follows it, where the row of the operation says that it streams. */
  readonly events?: Events<Answer<Name>>;
  /** Whose stream it is: the newest of a reader ends its others, and a group has few. */
  readonly reader?: StreamReader;
  readonly status?: number;
  /** Where a browser that navigates goes, with a status of 303. */
  readonly location?: string;
  /** Cookies to set (life in seconds) or, with null, to clear. */
  readonly cookies?: Readonly<Partial<Record<CookieName, { readonly value: string; readonly maxAge: number } | null>>>;
  /** Runs after the answer was sent: what must not show in its time. */
  readonly after?: () => Promise<void>;
}

export type Handler<Name extends OperationName> = (request: OperationRequest<Name>) => Promise<Reply<Name>>;

/** One handler for each operation of the contract: a missing one does not compile. */
export type Handlers = { readonly [Name in OperationName]: Handler<Name> };
