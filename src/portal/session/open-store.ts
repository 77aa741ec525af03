import { onSnapshot } from 'mobx-state-tree';
import { createClient } from '../../contract/client.ts';
import { constants } from '../../contract/constants.ts';
import type { Page } from '../../contract/page-data.ts';
import {
  createStore,
  toSessionEndReason,
  type SessionEndReason,
  type PortalStore,
  type RefreshResult,
} from '../../domain/root-store.ts';
import { readStoredState, type StateStorage, readCitizenId, readToken } from '../../domain/stored-state.ts';
import { now } from './clock.ts';
import type { ObservableValue } from '../../engine/core/observable-value.ts';
import type { IdleWatch } from './idle-watch.ts';
import { safeStorage } from './safe-storage.ts';
import { notifySessionChange } from './session-hint.ts';
import type { TFunction } from '../texts.ts';
import { findSignatureObstacle, type Device } from '../../domain/signature.ts';
import { isObject } from '../../engine/core/json.ts';

interface RefreshableSession {
  readonly token: () => string | null;
  readonly adopt: (token: string) => void;
  readonly refresh: () => Promise<RefreshResult>;
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
    readOtherTabs(); // another tab may have refreshed the token while this tab waited for the lock
    if (session.token() === null || !isRefreshDue()) return;
    const result = await session.refresh();
    readOtherTabs();
    if (result === 'other') session.leave();
    else if (result === 'refused' && session.token() !== null) session.lose();
    else if (result === 'unreachable') session.setBrokerUnreachable(readToken(session.token(), clock()) === null); // the next tick retries
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
        await refresh(); // browsers that block site data reject Web Locks
      }
    },
    handleStorageEvent(): void {
      const { token: stored, isRenewalPending } = readStoredState(storage);
      const own = session.token();
      // A missing token is not a logout if another tab has removed the expired token and is requesting a new one.
      const isOtherCitizen = stored === null ? !isRenewalPending : readCitizenId(stored) !== readCitizenId(own);
      if (own !== null && isOtherCitizen) session.leave();
      else readOtherTabs();
    },
  };
}

function isSameCitizen(stored: string, own: string | null, now: Date): boolean {
  const next = readToken(stored, now);
  return next !== null && (own === null || readCitizenId(own) === next.cid);
}

/** Interval of checks of the token's age, in milliseconds. It is the maximum delay of a token refresh. */
const tickMs = 5_000;

const idleTickMs = 1_000;

export interface StoreEvents {
  readonly onSessionLost: (ended: SessionEndReason) => void;
  /**
   * Called on each change of the citizen's record. `user` is the record as a plain object, `obstacle` the reason why
   * the citizen cannot sign on this device.
   */
  readonly onUser: (user: unknown, obstacle: ReturnType<typeof findObstacle>) => void;
}

export function openStore(
  portal: { readonly page: Page; readonly t: TFunction },
  idle: IdleWatch,
  isBrokerUnreachable: ObservableValue<boolean>,
  { onSessionLost, onUser }: StoreEvents,
): PortalStore {
  const lose = (code?: string) => {
    store.forget();
    onSessionLost(toSessionEndReason(code));
  };
  const client = createClient({
    hosts: portal.page.config.hosts,
    get language() {
      return portal.page.language;
    },
    token: () => store.session.token,
    get texts() {
      return { offline: portal.t('offline'), failed: portal.t('failed'), signedOut: portal.t('signedOut') };
    },
    onSessionLost: (code) => {
      if (store.session.token !== null && !store.resuming) lose(code);
    },
  });
  const store = createStore({ client, clock: now, storage: safeStorage });
  onSnapshot(store.session, notifySessionChange);
  onSnapshot(store, ({ user }) => onUser(user, findObstacle(user, navigator)));
  const fresh = createTokenRefresher(
    {
      token: () => store.session.token,
      adopt: (token) => store.session.start(token),
      refresh: () => store.refresh(idle.isActive(2 * constants.tokenRefreshMs)), // includes activity since the last refresh, with a margin for late timers
      setBrokerUnreachable: (isOut) => isBrokerUnreachable.set(isOut),
      lose,
      leave: () => {
        // Clears the session of this tab, but never a token that another tab has stored. The reload then hides the
        // previous citizen's data.
        if (readStoredState(safeStorage).token === null) store.forget();
        window.location.reload();
      },
    },
    {
      storage: safeStorage,
      locks: navigator.locks as LockManager | undefined,
      clock: now,
      everyMs: constants.tokenRefreshMs,
    },
  ); // `locks` is undefined on plain HTTP
  onSnapshot(store.session, () => {
    fresh.note();
    idle.tick(); // clears the recorded activity if the session has ended
  });
  window.addEventListener('storage', () => fresh.handleStorageEvent());
  const tick = (): void => void fresh.tick();
  window.setInterval(tick, tickMs);
  for (const wakes of ['pageshow', 'online']) window.addEventListener(wakes, tick);
  for (const wakes of ['visibilitychange', 'resume']) document.addEventListener(wakes, tick);
  watchActivity(idle);
  return store;
}

const activities = ['keydown', 'pointerdown', 'pointermove', 'scroll'] as const;

/** Records the citizen's activity. Opening the page and returning to it count as activity. */
function watchActivity(idle: IdleWatch): void {
  const note = (): void => idle.recordActivity();
  for (const name of activities) window.addEventListener(name, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    idle.tick(); // before `recordActivity`, because the session may have ended while the tab was asleep
    if (document.visibilityState === 'visible') note();
  });
  window.addEventListener('storage', () => idle.handleStorageEvent());
  window.setInterval(() => idle.tick(), idleTickMs);
  idle.tick();
  note();
}

type DeviceHints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/**
 * Detects the kind of device. Phones and tablets identify themselves in the user agent, except iPads, which identify as
 * a Macintosh but have a touch screen.
 */
export function detectDevice({ userAgent, maxTouchPoints }: DeviceHints): Device {
  const posing = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return posing || /Android|iPhone|iPad|iPod|Mobi/i.test(userAgent) ? 'mobile' : 'computer';
}

export function findObstacle(user: unknown, hints: DeviceHints): ReturnType<typeof findSignatureObstacle> {
  if (!isObject(user)) return null;
  return findSignatureObstacle(
    { cuenta_activa: user.cuenta_activa === true, email_validado: user.email_validado === true },
    detectDevice(hints),
  );
}
