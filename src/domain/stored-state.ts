import { isObject, type Values } from '../engine/core/json.ts';

/** Everything of the application state that reaches local storage; nothing else ever does. */
export interface StoredState {
  /** The bearer token, of five minutes at most. */
  readonly token: string | null;
  /** Variables that a flow keeps in storage, by flow. */
  readonly flows: Readonly<Record<string, Values>>;
  /** The token had ended and went; the broker, which may still know its session, has not answered yet. Every page of the browser asks until it has. */
  readonly lapsed: boolean;
}

/** The part of Storage that is used. */
export type StateStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Claims of the bearer token that the portal reads (section 3 of the specification). */
export interface TokenClaims {
  /** Seconds since 1970. */
  readonly exp: number;
  /** The citizen's id. */
  readonly cid: string;
  /** The identity provider, empty for accounts of the portal. */
  readonly idp: string;
  /** The session is an agent's; absent: a citizen's. */
  readonly role?: 'agent';
  /** When the session ends whatever the citizen does, in seconds since 1970. */
  readonly end?: number;
}

const key = 'portal';
const nothing: StoredState = { token: null, flows: {}, lapsed: false };

/** Reads the stored state; anything that is not in order counts as nothing. It needs no store, so that the shell can ask at once. */
export function readStored(storage: StateStorage): StoredState {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    if (!isObject(stored)) return nothing;
    const flows = isObject(stored.flows)
      ? Object.entries(stored.flows).filter((entry): entry is [string, Values] => isObject(entry[1]))
      : [];
    const token = typeof stored.token === 'string' ? stored.token : null;
    return { token, flows: Object.fromEntries(flows), lapsed: token === null && stored.lapsed === true };
  } catch {
    return nothing;
  }
}

/** Stores the state, nothing where there is nothing; a browser that refuses (private mode, full) loses only the resumption. */
export function writeStored(storage: StateStorage, { token, flows, lapsed }: StoredState): void {
  const asks = token === null && lapsed;
  try {
    if (token === null && !asks && Object.keys(flows).length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify({ token, flows, ...(asks && { lapsed }) }));
  } catch {
    // nothing to do: the session lives on in memory
  }
}

/** Cleans what an earlier page left: all of it with a token that has ended or is none, of which only that stays known; else what nobody allows. */
export function cleanStored(storage: StateStorage, now: Date): void {
  const stored = readStored(storage);
  const lapsed = stored.token !== null && readToken(stored.token, now) === null;
  writeStored(storage, lapsed ? { ...nothing, lapsed } : stored);
}

/** Forgets all that is stored. */
export function clearStored(storage: StateStorage): void {
  writeStored(storage, nothing);
}

/** The claims of a token, unverified (the server verifies them); null when it is no token or has expired at `now`. */
export function readToken(token: string | null, now: Date): TokenClaims | null {
  try {
    const payload = (token ?? '').split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    if (!isObject(claims) || typeof claims.exp !== 'number' || typeof claims.cid !== 'string') return null;
    if (claims.exp * 1000 <= now.getTime()) return null;
    return {
      exp: claims.exp,
      cid: claims.cid,
      idp: typeof claims.idp === 'string' ? claims.idp : '',
      ...(claims.role === 'agent' && { role: 'agent' }),
      ...(typeof claims.end === 'number' && { end: claims.end }),
    };
  } catch {
    return null;
  }
}

/** The citizen of a token, whether it has expired or not; null when it is no token. */
export function holderOf(token: string | null): string | null {
  return readToken(token, new Date(0))?.cid ?? null;
}
