import type { Citizen } from '../../trust/identity/citizens.ts';
import { pendingEmail } from '../../trust/credentials/email-changes.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** The address that waits for its validation: the one of a requested change, else the citizen's own while it is not validated; or null. */
export async function emailToValidate(
  db: Store['db'] | Tx,
  citizen: Pick<Citizen, 'id' | 'email' | 'email_verified_at'>,
): Promise<string | null> {
  return addressToValidate(citizen, await pendingEmail(db, citizen.id));
}

/** The same, where the address of a requested change is known; null: none was requested. */
export function addressToValidate(
  { email, email_verified_at: verifiedAt }: Pick<Citizen, 'email' | 'email_verified_at'>,
  requested: string | null,
): string | null {
  return requested ?? (verifiedAt === null ? email : null);
}
