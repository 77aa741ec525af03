import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import { closureAnswer } from './close-account.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** When the account of who is signed in is deleted. */
export function getClosure({ store }: Parts): Handler<'getClosure'> {
  return async ({ caller, language }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    return { body: closureAnswer(citizen.closing_at, language) };
  };
}
