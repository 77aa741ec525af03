import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { closureAnswer } from './close-account.ts';

export function getClosure({ store }: { store: Store }): Handler<'getClosure'> {
  return async ({ caller, origin }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    return { body: closureAnswer(citizen.closing_at, origin.language) };
  };
}
