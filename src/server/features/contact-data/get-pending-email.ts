import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { emailToValidate } from './email-to-validate.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';

export function getPendingEmail({ store }: { store: Store }): Handler<'getPendingEmail'> {
  return async ({ caller }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    return { body: { email: await emailToValidate(store.db, citizen) } };
  };
}
