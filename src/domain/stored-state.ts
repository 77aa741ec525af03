import { isObject, type Values } from '../engine/core/json.ts';

/** Everything of the application state that reaches local storage; nothing else ever does. */
export interface StoredState {
  /** The bearer token, of five minutes at most. */
  readonly token: string | null;
  /** Variables that a flow declares `persist`, by flow. */
  readonly flows: Readonly<Record<string, Values>>;
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
  /** When the session ends whatever the citizen does, in seconds since 1970. */
  readonly end?: number;
}

const key = 'portal';
const nothing: StoredState = { token: null, flows: {} };

/** Reads the stored state; anything that is not in order counts as nothing. It needs no store, so that the shell can ask at once. */
export function readStored(storage: StateStorage): StoredState {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    if (!isObject(stored)) return nothing;
    const flows = isObject(stored.flows)
      ? Object.entries(stored.flows).filter((entry): entry is [string, Values] => isObject(entry[1]))
      : [];
    return { token: typeof stored.token === 'string' ? stored.token : null, flows: Object.fromEntries(flows) };
  } catch {
    return nothing;
  }
}

/** Stores the state, nothing where there is nothing; a browser that refuses (private mode, full) loses only the resumption. */
export function writeStored(storage: StateStorage, { token, flows }: StoredState): void {
  try {
    if (token === null && Object.keys(flows).length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify({ token, flows }));
  } catch {
    // nothing to do: the session lives on in memory
  }
}

/** Cleans what an earlier page left: all of it with a token that has ended or is none, else what nobody allows. Answers whether it left such a token. */
export function cleanStored(storage: StateStorage, now: Date): boolean {
  const stored = readStored(storage);
  const lapsed = stored.token !== null && readToken(stored.token, now) === null;
  writeStored(storage, lapsed ? nothing : stored);
  return lapsed;
}

/** The claims of a token, unverified (the server judges); null when it is no token or has expired at `now`. */
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
      ...(typeof claims.end === 'number' && { end: claims.end }),
    };
  } catch {
    return null;
  }
}
