import { isObject, type ValuesByName } from '../engine/core/json.ts';

interface StoredPortalState {
  readonly token: string | null;
  readonly flows: Readonly<Record<string, ValuesByName>>;
  /** Whether an expired token was removed before the broker confirmed that the session continues. Until then, every tab requests a token. */
  readonly isRenewalPending: boolean;
}

export type StateStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Claims of the bearer token that the portal reads (section 3 of the specification). */
export interface TokenClaims {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly cid: string;
  /** Identity provider. Empty for accounts of the portal. */
  readonly idp: string;
  readonly role?: 'agent';
  /** Absolute end of the session, in seconds since 1970. Activity does not extend it. */
  readonly end?: number;
}

const storageKey = 'portal';
const emptyState: StoredPortalState = { token: null, flows: {}, isRenewalPending: false };

/** Ignores invalid entries. Not in the module of the store, because the shell needs it before the store has loaded. */
export function readStoredState(storage: StateStorage): StoredPortalState {
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey) ?? 'null');
    if (!isObject(stored)) return emptyState;
    const flows = isObject(stored.flows)
      ? Object.entries(stored.flows).filter((entry): entry is [string, ValuesByName] => isObject(entry[1]))
      : [];
    const token = typeof stored.token === 'string' ? stored.token : null;
    return {
      token,
      flows: Object.fromEntries(flows),
      isRenewalPending: token === null && stored.isRenewalPending === true,
    };
  } catch {
    return emptyState;
  }
}

/** If the browser refuses storage (private mode, quota), the session does not survive a reload. */
export function writeStoredState(storage: StateStorage, { token, flows, isRenewalPending }: StoredPortalState): void {
  const asks = token === null && isRenewalPending;
  try {
    if (token === null && !asks && Object.keys(flows).length === 0) storage.removeItem(storageKey);
    else storage.setItem(storageKey, JSON.stringify({ token, flows, ...(asks && { isRenewalPending }) }));
  } catch {
    // the browser refuses storage: the session continues in memory
  }
}

/** Removes unknown entries. If the token is malformed or has expired, keeps only `isRenewalPending`. */
export function pruneStoredState(storage: StateStorage, now: Date): void {
  const stored = readStoredState(storage);
  const isRenewalPending = stored.token !== null && readTokenClaims(stored.token, now) === null;
  writeStoredState(storage, isRenewalPending ? { ...emptyState, isRenewalPending } : stored);
}

export function clearStoredState(storage: StateStorage): void {
  writeStoredState(storage, emptyState);
}

/** Returns `null` for a malformed or expired token. Only the server can verify the signature. */
export function readTokenClaims(token: string | null, now: Date): TokenClaims | null {
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

/** Returns the citizen id of a token, even if the token has expired. Returns `null` if the token is missing or malformed. */
export function readTokenCitizenId(token: string | null): string | null {
  return readTokenClaims(token, new Date(0))?.cid ?? null;
}
