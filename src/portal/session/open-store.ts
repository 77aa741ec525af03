import { onSnapshot } from 'mobx-state-tree';
import { createClient } from '../../contract/client.ts';
import { constants } from '../../contract/constants.ts';
import type { Page } from '../../contract/page.ts';
import { createStore, endedBy, type EndedSession, type Store } from '../../domain/root-store.ts';
import { readStored } from '../../domain/stored-state.ts';
import { now } from './clock.ts';
import type { BrokerReach } from './broker-reach.ts';
import type { IdleWatch } from './idle.ts';
import { keepFresh } from './keep-fresh.ts';
import { safeStorage } from './safe-storage.ts';
import { tellSession } from './session-hint.ts';
import type { TFunction } from '../texts.ts';
import { signatureObstacle, type Device } from '../../domain/signature.ts';
import { isObject } from '../../engine/core/json.ts';

/** Interval at which the age of the token is checked, in milliseconds. A renewal is late by this time at most. */
const tickMs = 5_000;

const idleTickMs = 1_000;

export interface StoreEvents {
  readonly onSessionLost: (ended: EndedSession) => void;
  /** Called on each change with the citizen's record as a plain object, and the reason why the citizen cannot sign on this device. */
  readonly onUser: (user: unknown, obstacle: ReturnType<typeof findObstacle>) => void;
}

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
  onSnapshot(store, ({ user }) => onUser(user, findObstacle(user, navigator)));
  const fresh = keepFresh(
    {
      token: () => store.session.token,
      adopt: (token) => store.session.start(token),
      refresh: () => store.refresh(idle.isActive(2 * constants.tokenRefreshMs)), // activity since the last refresh, with a margin for late timers
      setOutOfReach: (isOut) => reach.setOut(isOut),
      lose,
      leave: () => {
        // Keep the token of another tab. This page must not show the previous citizen any more, nor store the old token again.
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
  ); // no locks on plain HTTP
  onSnapshot(store.session, () => {
    fresh.note();
    idle.tick(); // the recorded activity ends with the session
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

/** Records activity. Opening a page and returning to it count as well. */
function watchActivity(idle: IdleWatch): void {
  const note = (): void => idle.noteActivity();
  for (const name of activities) window.addEventListener(name, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    idle.tick(); // check before recording: the tab may have slept beyond the end
    if (document.visibilityState === 'visible') note();
  });
  window.addEventListener('storage', () => idle.hear());
  window.setInterval(() => idle.tick(), idleTickMs);
  idle.tick();
  note();
}

type DeviceHints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** Detects the kind of device. Phones and tablets identify themselves, except iPads, which identify as a Macintosh but have a touch screen. */
export function detectDevice({ userAgent, maxTouchPoints }: DeviceHints): Device {
  const posing = userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return posing || /Android|iPhone|iPad|iPod|Mobi/i.test(userAgent) ? 'mobile' : 'computer';
}

export function findObstacle(user: unknown, hints: DeviceHints): ReturnType<typeof signatureObstacle> {
  if (!isObject(user)) return null;
  return signatureObstacle(
    { cuenta_activa: user.cuenta_activa === true, email_validado: user.email_validado === true },
    detectDevice(hints),
  );
}
