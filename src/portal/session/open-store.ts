import { onSnapshot } from 'mobx-state-tree';
import { createClient } from '../../contract/client.ts';
import { constants } from '../../contract/constants.ts';
import type { Page } from '../../contract/page.ts';
import { createStore, endedBy, type EndedSession, type Store } from '../../domain/root-store.ts';
import { readStored } from '../../domain/stored-state.ts';
import { now } from './clock.ts';
import { obstacleOf } from './device.ts';
import type { BrokerReach } from './broker-reach.ts';
import type { IdleWatch } from './idle.ts';
import { keepFresh } from './keep-fresh.ts';
import { safeStorage } from './safe-storage.ts';
import { tellSession } from './session-hint.ts';
import type { TFunction } from '../texts.ts';

/** How often the age of the token is looked at: it is renewed within this time of its due date. */
const tickMs = 5_000;

/** How often the end of the session is looked at. */
const idleTickMs = 1_000;

/** What the portal hears of the store. */
export interface StoreEvents {
  readonly onSessionLost: (ended: EndedSession) => void;
  /** The citizen's record as a plain value, and what keeps that citizen from signing here; at each change. */
  readonly onUser: (user: unknown, obstacle: ReturnType<typeof obstacleOf>) => void;
}

/** Opens the domain store over the contract's client, keeps its token fresh while there is one, and watches whether the citizen is there. */
export function openStore(
  portal: { readonly page: Page; readonly t: TFunction },
  idle: IdleWatch,
  reach: BrokerReach,
  { onSessionLost, onUser }: StoreEvents,
): Store {
  const lose = (code?: string) => {
    store.forget();
    onSessionLost(endedBy(code));
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
  onSnapshot(store.session, tellSession);
  onSnapshot(store, ({ user }) => onUser(user, obstacleOf(user, navigator)));
  const fresh = keepFresh(
    {
      token: () => store.session.token,
      adopt: (token) => store.session.start(token),
      refresh: () => store.refresh(idle.isActive(2 * constants.tokenRefreshMs)), // what was done since the refresh before, with room for a late timer
      setOutOfReach: (isOut) => reach.setOut(isOut),
      lose,
      leave: () => {
        // What another tab stored stays; this page must neither show the citizen any longer nor write the token back.
        if (readStored(safeStorage).token === null) store.forget();
        window.location.reload();
      },
    },
    {
      storage: safeStorage,
      locks: navigator.locks as LockManager | undefined,
      clock: now,
      everyMs: constants.tokenRefreshMs,
    },
  ); // no locks on plain http
  onSnapshot(store.session, () => {
    fresh.note();
    idle.tick(); // what is remembered of the citizen's activity goes with the session
  });
  window.addEventListener('storage', () => fresh.hear());
  const tick = (): void => void fresh.tick();
  window.setInterval(tick, tickMs);
  for (const wakes of ['pageshow', 'online']) window.addEventListener(wakes, tick);
  for (const wakes of ['visibilitychange', 'resume']) document.addEventListener(wakes, tick);
  watchActivity(idle);
  return store;
}

const activities = ['keydown', 'pointerdown', 'pointermove', 'scroll'] as const;

/** Tells the watch what the citizen does: opening or coming back to a page counts as well. */
function watchActivity(idle: IdleWatch): void {
  const note = (): void => idle.noteActivity();
  for (const name of activities) window.addEventListener(name, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    idle.tick(); // a tab that slept decides first
    if (document.visibilityState === 'visible') note();
  });
  window.addEventListener('storage', () => idle.hear());
  window.setInterval(() => idle.tick(), idleTickMs);
  idle.tick();
  note();
}
