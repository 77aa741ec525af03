import type { Store, Tx } from './open-store.ts';

/**
 * Runs a transaction and keeps it only where `work` answers true; otherwise it is taken back, at the same cost. So a request for an account
 * that does not exist can do, and cost, what one for a real account does.
 */
export async function keepIf(store: Store, work: (tx: Tx) => Promise<boolean>): Promise<void> {
  try {
    await store.transaction(async (tx) => {
      if (!(await work(tx))) throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}

class TakenBack extends Error {}
