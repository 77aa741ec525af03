import type { Handlers } from '../base/call.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../database/open-store.ts';
import { getDesk } from './get-desk.ts';

/** What the desk works with. */
interface Needs {
  readonly store: Store;
  readonly config: Config;
}

/** The calls of the agents' desk. */
export function deskHandlers(needs: Needs) {
  return {
    getDesk: getDesk(needs),
  } satisfies Partial<Handlers>;
}
