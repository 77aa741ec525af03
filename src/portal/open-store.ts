import { onSnapshot } from 'mobx-state-tree';
import { createClient } from '../api/client.ts';
import { constants } from '../api/constants.ts';
import type { Page } from '../api/page.ts';
import { createStore, type Store } from '../domain/root-store.ts';
import { tellSession } from './session-hint.ts';
import type { Say } from './texts.ts';

/** What the portal hears of the store. */
export interface StoreEvents {
  readonly onSessionLost: () => void;
  /** The citizen's record as a plain value, at each change. */
  readonly onUser: (user: unknown) => void;
}

/** Opens the domain store over the contract's client, and keeps its token fresh while there is one. */
export function openStore({ config, language }: Page, say: Say, { onSessionLost, onUser }: StoreEvents): Store {
  const lose = () => {
    store.forget();
    onSessionLost();
  };
  const client = createClient({
    hosts: config.hosts,
    language,
    token: () => store.session.token,
    texts: { offline: say('offline'), failed: say('failed') },
    onSessionLost: () => {
      if (store.session.token !== null) lose();
    },
  });
  const store = createStore({ client, clock: () => new Date(), storage: localStorage });
  onSnapshot(store.session, tellSession);
  onSnapshot(store, ({ user }) => onUser(user));
  window.setInterval(() => {
    if (store.session.token === null) return;
    if (!store.session.authenticated) return lose();
    void store.refresh().then((fresh) => fresh || store.session.token === null || lose());
  }, constants.tokenRefreshMs);
  return store;
}
