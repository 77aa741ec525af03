import type { StateStorage } from '../../domain/stored-state.ts';
import { holderOf, readStored, readToken } from '../../domain/stored-state.ts';
import type { RefreshResult } from '../../domain/root-store.ts';

/** The session of this page, as far as it is kept fresh. */
export interface FreshSession {
  readonly token: () => string | null;
  /** Takes the token that another tab got. */
  readonly adopt: (token: string) => void;
  /** Gets a fresh token from the broker. */
  readonly refresh: () => Promise<RefreshResult>;
  /** Whether the token has ended while the broker cannot be reached: the session may go on, but nobody knows. */
  readonly setOutOfReach: (isOut: boolean) => void;
  /** The session has ended: everything of the citizen is forgotten. */
  readonly lose: () => void;
  /** Another tab has signed out, or somebody else in: the page must not go on with this citizen. */
  readonly leave: () => void;
}

/** What keeping fresh needs of the browser. */
export interface FreshParts {
  readonly storage: StateStorage;
  /** Absent where the browser has none: then every tab refreshes for itself, as it does where they are refused. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly clock: () => Date;
  readonly everyMs: number;
}

/** Name of the lock that lets one tab of the browser refresh at a time. */
const lockName = 'portal-token';

/**
 * Keeps the token of a session fresh. However long a tab has slept, only the broker's refusal ends the session. One tab asks the broker on
 * behalf of all, under a lock of the browser, and the others take its answer from storage. Returns `note`, for a change of the session,
 * `tick`, to be called at short intervals and when a tab wakes, and `hear`, for the storage event.
 */
export function keepFresh(session: FreshSession, { storage, locks, clock, everyMs }: FreshParts) {
  let seen = session.token();
  let since = clock().getTime();

  /** Notes when this tab came to another token: its time starts then. */
  const note = (): void => {
    if (session.token() === seen) return;
    seen = session.token();
    since = clock().getTime();
    session.setOutOfReach(false);
  };

  /** Takes a token that another tab stored. */
  const look = (): void => {
    const stored = readStored(storage).token;
    const own = session.token();
    if (stored !== null && stored !== own && sameCitizen(stored, own, clock())) session.adopt(stored);
    note();
  };

  // Timers run a little early or late: a tick that comes just before its time counts.
  const due = (): boolean => clock().getTime() - since >= everyMs * 0.9;

  const refresh = async (): Promise<void> => {
    look(); // a tab that held the lock before may have been faster
    if (session.token() === null || !due()) return;
    const result = await session.refresh();
    look();
    if (result === 'other') session.leave();
    else if (result === 'refused' && session.token() !== null) session.lose();
    else if (result === 'unreachable') session.setOutOfReach(readToken(session.token(), clock()) === null); // asked again at the next tick
  };

  return {
    note,
    async tick(): Promise<void> {
      look();
      if (session.token() === null) return;
      if (!due()) return;
      if (!locks) return refresh();
      let asked = false;
      try {
        await locks.request(lockName, { ifAvailable: true }, async (lock) => {
          asked = true;
          if (lock) await refresh();
        });
      } catch (error) {
        if (asked) throw error;
        await refresh(); // a browser that blocks site data refuses locks as well
      }
    },
    hear(): void {
      const { token: stored, lapsed } = readStored(storage);
      const own = session.token();
      // A tab that found this one's token ended while it slept is still asking the broker: nobody has signed out.
      const gone = stored === null ? !lapsed : holderOf(stored) !== holderOf(own);
      if (own !== null && gone) session.leave();
      else look();
    },
  };
}

/** Whether a stored token may take the place of the page's own: of the same citizen, or of the first who signed in. */
function sameCitizen(stored: string, own: string | null, now: Date): boolean {
  const next = readToken(stored, now);
  return next !== null && (own === null || holderOf(own) === next.cid);
}
