import { AsyncLocalStorage } from 'node:async_hooks';

/** Who did something to an account: its citizen in a session, an agent, the system by itself, or a visitor whom nobody knows. */
export type Actor = 'citizen' | 'agent' | 'system' | 'unidentified';

/** The request that is being answered, as far as the audit log tells of it. */
export interface Acting {
  /** Who is signed in; null: nobody. */
  readonly citizenId: string | null;
  /** As `readUserAgent` cuts it; empty: not told. */
  readonly userAgent: string;
}

const requests = new AsyncLocalStorage<Acting>();

/** Runs the answer of a request; what it does to accounts is told to be its doing. */
export function actingFor<Result>(acting: Acting, work: () => Result): Result {
  return requests.run(acting, work);
}

/** Who does something to a citizen's account just now, and by which device; outside of requests it is the system. */
export function whoActs(citizenId: string | null): { readonly actor: Actor; readonly userAgent: string } {
  const acting = requests.getStore();
  if (acting === undefined) return { actor: 'system', userAgent: '' };
  return {
    actor: acting.citizenId !== null && acting.citizenId === citizenId ? 'citizen' : 'unidentified',
    userAgent: acting.userAgent,
  };
}
