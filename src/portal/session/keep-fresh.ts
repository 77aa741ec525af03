import { type StateStorage, readHolder, readStored, readToken } from '../../domain/stored-state.ts';
import type { RefreshResult } from '../../domain/root-store.ts';

export interface FreshSession {
  readonly token: () => string | null;
  readonly adopt: (token: string) => void;
  readonly refresh: () => Promise<RefreshResult>;
  /** Whether the token has expired while the broker is unreachable. The session may still exist. */
  readonly setOutOfReach: (isOut: boolean) => void;
  readonly lose: () => void;
  /** Leaves the page after a logout, or the sign-in of another citizen, in another tab. */
  readonly leave: () => void;
}

export interface FreshParts {
  readonly storage: StateStorage;
  /** Undefined on plain HTTP. Without locks every tab refreshes its own token. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly clock: () => Date;
  readonly everyMs: number;
}

const lockName = 'portal-token';

/**
 * Keeps the token of a session fresh. Only a refusal of the broker ends the session, however long a tab has slept. One tab, which holds a Web Lock,
 * requests the token, and the others read it from storage. Call `note` after a change of the session, `tick` at short intervals and when the tab
 * wakes, and `hear` on the storage event.
 */
export function keepFresh(session: FreshSession, { storage, locks, clock, everyMs }: FreshParts) {
  let seen = session.token();
  let since = clock().getTime();

  const note = (): void => {
    if (session.token() === seen) return;
    seen = session.token();
    since = clock().getTime();
    session.setOutOfReach(false);
  };

  const look = (): void => {
    const stored = readStored(storage).token;
    const own = session.token();
    if (stored !== null && stored !== own && sameCitizen(stored, own, clock())) session.adopt(stored);
    note();
  };

  // Tolerates timers that fire slightly early.
  const due = (): boolean => clock().getTime() - since >= everyMs * 0.9;

  const refresh = async (): Promise<void> => {
    look(); // another tab may have refreshed before this one got the lock
    if (session.token() === null || !due()) return;
    const result = await session.refresh();
    look();
    if (result === 'other') session.leave();
    else if (result === 'refused' && session.token() !== null) session.lose();
    else if (result === 'unreachable') session.setOutOfReach(readToken(session.token(), clock()) === null); // retried at the next tick
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
        await refresh(); // browsers that block site data reject locks
      }
    },
    hear(): void {
      const { token: stored, lapsed } = readStored(storage);
      const own = session.token();
      // Another tab may have removed the expired token and be asking the broker. That is not a logout.
      const gone = stored === null ? !lapsed : readHolder(stored) !== readHolder(own);
      if (own !== null && gone) session.leave();
      else look();
    },
  };
}

function sameCitizen(stored: string, own: string | null, now: Date): boolean {
  const next = readToken(stored, now);
  return next !== null && (own === null || readHolder(own) === next.cid);
}
