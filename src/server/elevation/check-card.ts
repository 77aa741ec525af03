import type { Handler } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import { CallError } from '../base/errors.ts';
import type { Store } from '../database/open-store.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Registry } from '../identity/registry/registry.ts';
import { checkMayElevate } from './eligible.ts';
import { checkCitizenCard } from './identity-card.ts';

interface Needs {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
}

/** Whether the card of who is signed in is the one of the registry. Another document than the own one is answered as none. */
export function checkCard({ store, registry, clock }: Needs): Handler<'checkCard'> {
  return async ({ query, caller }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    checkMayElevate(citizen);
    const { cedula = citizen.number, numero_serie: serial = '' } = query;
    if (cedula !== citizen.number) throw new CallError(404, 'no_encontrado');
    return { body: await checkCitizenCard(registry, citizen, { serial, now: clock.now() }) };
  };
}
