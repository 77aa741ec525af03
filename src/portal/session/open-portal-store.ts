import { onSnapshot } from 'mobx-state-tree';
import { createOperationClient } from '../../contract/client.ts';
import { portalConstants } from '../../contract/constants.ts';
import type { EmbeddedPageData } from '../../contract/page-data.ts';
import {
  createPortalStore,
  toSessionEndReason,
  type SessionEndReason,
  type PortalStore,
  type TokenRefreshResult,
} from '../../domain/root-store.ts';
import { readStoredState, type StateStorage, readTokenCitizenId, readTokenClaims } from '../../domain/stored-state.ts';
import { getServerTime } from './server-clock.ts';
import type { ObservableValue } from '../../engine/core/observable-value.ts';
import type { IdleWatch } from './idle-watch.ts';
import { safeStorage } from './safe-storage.ts';
import { notifySessionChange } from './session-hint.ts';
import type { TranslateFunction } from '../portal-texts.ts';
import { findSignatureObstacle } from './signature-obstacle.ts';

interface RefreshableSession {
  readonly token: () => string | null;
  readonly adopt: (token: string) => void;
  readonly refresh: () => Promise<TokenRefreshResult>;
  /** Called with `true` if the token has expired while the broker is unreachable. The session may still exist. */
  readonly setBrokerUnreachable: (isOut: boolean) => void;
  readonly lose: () => void;
  /** Leaves the page after another tab has signed out or signed in another citizen. */
  readonly leave: () => void;
}

interface RefreshOptions {
  readonly storage: StateStorage;
  /** Web Locks. Undefined on plain HTTP, where every tab refreshes its own token. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly clock: () => Date;
  readonly everyMs: number;
}

const lockName = 'portal-token';

/**
 * Renews the token of a session before it expires. The session ends only if the broker refuses, however long a tab was
 * asleep. The tab with the Web Lock requests the token, and the other tabs read it from storage. Call `note` after a
 * change of the session, `tick` at short intervals and on wake-up, and `handleStorageEvent` on the storage event.
 */
export function createTokenRefresher(session: RefreshableSession, { storage, locks, clock, everyMs }: RefreshOptions) {
  let lastToken = session.token();
  let since = clock().getTime();

  const note = (): void => {
    if (session.token() === lastToken) return;
    lastToken = session.token();
    since = clock().getTime();
    session.setBrokerUnreachable(false);
  };

  const readOtherTabs = (): void => {
    const stored = readStoredState(storage).token;
    const own = session.token();
    if (stored !== null && stored !== own && isSameCitizen(stored, own, clock())) session.adopt(stored);
    note();
  };

  // Tolerates timers that fire slightly early.
  const isRefreshDue = (): boolean => clock().getTime() - since >= everyMs * 0.9;

  const refresh = async (): Promise<void> => {
    readOtherTabs(); // reads a token that another tab may have refreshed while this tab waited for the lock
    if (session.token() === null || !isRefreshDue()) return;
    const result = await session.refresh();
    readOtherTabs();
    if (result === 'other') session.leave();
    else if (result === 'refused' && session.token() !== null) session.lose();
    else if (result === 'unreachable') session.setBrokerUnreachable(readTokenClaims(session.token(), clock()) === null); // tries again at the next tick; until then, reports whether the token has expired
  };

  return {
    note,
    async tick(): Promise<void> {
      readOtherTabs();
      if (session.token() === null) return;
      if (!isRefreshDue()) return;
      if (!locks) return refresh();
      let isRequestStarted = false;
      try {
        await locks.request(lockName, { ifAvailable: true }, async (lock) => {
          isRequestStarted = true;
          if (lock) await refresh();
        });
      } catch (error) {
        if (isRequestStarted) throw error;
        await refresh(); // refreshes without a lock, because browsers that block site data reject Web Locks
      }
    },
    handleStorageEvent(): void {
      const { token: stored, isRenewalPending } = readStoredState(storage);
      const own = session.token();
      // A missing token is not a logout if another tab has removed the expired token and is requesting a new one.
      const isOtherCitizen =
        stored === null ? !isRenewalPending : readTokenCitizenId(stored) !== readTokenCitizenId(own);
      if (own !== null && isOtherCitizen) session.leave();
      else readOtherTabs();
    },
  };
}

function isSameCitizen(stored: string, own: string | null, now: Date): boolean {
  const next = readTokenClaims(stored, now);
  return next !== null && (own === null || readTokenCitizenId(own) === next.cid);
}

/** Interval of checks of the token's age, in milliseconds. It is the maximum delay of a token refresh. */
const tickMs = 5_000;

const idleTickMs = 1_000;

export interface PortalStoreEvents {
  readonly onSessionLost: (ended: SessionEndReason) => void;
  /** Called on each change of the citizen's record, as a plain object. `obstacle`: why the citizen cannot sign on this device. */
  readonly onUser: (user: unknown, obstacle: ReturnType<typeof findSignatureObstacle>) => void;
}

export function openPortalStore(
  portal: { readonly page: EmbeddedPageData; readonly t: TranslateFunction },
  idle: IdleWatch,
  isBrokerUnreachable: ObservableValue<boolean>,
  { onSessionLost, onUser }: PortalStoreEvents,
): PortalStore {
  const lose = (code?: string) => {
    store.resetStore();
    onSessionLost(toSessionEndReason(code));
  };
  const client = createOperationClient({
    hosts: portal.page.config.hosts,
    get language() {
      return portal.page.language;
    },
    token: () => store.session.token,
    get texts() {
      return { offline: portal.t('offline'), failed: portal.t('failed'), signedOut: portal.t('signedOut') };
    },
    onSessionLost: (code) => {
      if (store.session.token !== null && !store.isTokenRequestPending) lose(code);
    },
  });
  const store = createPortalStore({ client, clock: getServerTime, storage: safeStorage });
  onSnapshot(store.session, notifySessionChange);
  onSnapshot(store, ({ user }) => onUser(user, findSignatureObstacle(user, navigator)));
  const fresh = createTokenRefresher(
    {
      token: () => store.session.token,
      adopt: (token) => store.session.start(token),
      refresh: () => store.renewTokenSerially(idle.isActive(2 * portalConstants.tokenRefreshMs)), // counts the citizen as active after any activity since the last refresh, with a margin for late timers
      setBrokerUnreachable: (isOut) => isBrokerUnreachable.set(isOut),
      lose,
      leave: () => {
        // Clears the session of this tab, but never a token that another tab has stored. The reload then hides the
        // previous citizen's data.
        if (readStoredState(safeStorage).token === null) store.resetStore();
        window.location.reload();
      },
    },
    {
      storage: safeStorage,
      locks: navigator.locks as LockManager | undefined,
      clock: getServerTime,
      everyMs: portalConstants.tokenRefreshMs,
    },
  ); // `locks` is undefined on plain HTTP
  onSnapshot(store.session, () => {
    fresh.note();
    idle.checkExpiry(); // clears the recorded activity if the session has ended
  });
  window.addEventListener('storage', () => fresh.handleStorageEvent());
  const tick = (): void => void fresh.tick();
  window.setInterval(tick, tickMs);
  for (const wakes of ['pageshow', 'online']) window.addEventListener(wakes, tick);
  for (const wakes of ['visibilitychange', 'resume']) document.addEventListener(wakes, tick);
  watchActivity(idle);
  return store;
}

const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'scroll'] as const;

/** Records the citizen's activity. Opening the page and returning to it count as activity. */
function watchActivity(idle: IdleWatch): void {
  const note = (): void => idle.recordActivity();
  for (const name of activityEvents) window.addEventListener(name, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    idle.checkExpiry(); // before `recordActivity`, because the session may have ended while the tab was asleep
    if (document.visibilityState === 'visible') note();
  });
  window.addEventListener('storage', () => idle.handleStorageEvent());
  window.setInterval(() => idle.checkExpiry(), idleTickMs);
  idle.checkExpiry();
  note();
}
