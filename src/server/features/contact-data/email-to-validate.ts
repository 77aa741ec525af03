import type { Citizen } from '../../trust/identity/citizens.ts';
import { pendingEmail } from '../../trust/credentials/email-changes.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** Returns the address to validate: that of a requested change, or else the citizen's own. Returns `null` if there is none. */
export async function emailToValidate(
  db: Store['db'] | Tx,
  citizen: Pick<Citizen, 'id' | 'email' | 'email_verified_at'>,
): Promise<string | null> {
  return addressToValidate(citizen, await pendingEmail(db, citizen.id));
}

/** Like `emailToValidate`, for a known address of a requested change (`null` if none was requested). */
export function addressToValidate(
  { email, email_verified_at: verifiedAt }: Pick<Citizen, 'email' | 'email_verified_at'>,
  requested: string | null,
): string | null {
  return requested ?? (verifiedAt === null ? email : null);
}
