import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { emailToValidate } from './email-to-validate.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';

export function getEmail({ store }: { store: Store }): Handler<'getEmail'> {
  return async ({ caller }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    const { email, email_verified_at: verifiedAt } = citizen;
    return {
      body: { email, email_validado: verifiedAt !== null, email_por_validar: await emailToValidate(store.db, citizen) },
    };
  };
}
