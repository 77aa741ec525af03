import { constants } from '../../../contract/constants.ts';
import { after } from '../../platform/base/clock.ts';
import { codeLifeS, storeCode, type CodeBinding } from '../credentials/mailed-codes.ts';
import type { MailCause } from '../abuse/mail-allowance.ts';
import type { Citizen } from '../identity/citizens.ts';
import { randomDigits } from '../../platform/keys/codes.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Command } from './commands.ts';

/**
 * Creates a code for one purpose and owner and mails it. If the mail allowance is used up, the previous code stays valid. Without a recipient, the
 * code is stored and not mailed.
 */
export async function mailCode(
  { tx, now, mail, when }: Command,
  vault: Vault,
  {
    citizen,
    recipient,
    cause,
    ...binding
  }: CodeBinding & { citizen: Citizen; recipient: string | null; cause: MailCause },
): Promise<void> {
  // digits only, because the set-up form of a second factor accepts nothing else
  const code = randomDigits(constants.codeLength);
  const expires = when(after(now, codeLifeS));
  const values = { name: citizen.first_name, code, expires };
  const isMade = recipient === null || (await mail({ email: recipient, citizenId: citizen.id, cause }, 'code', values));
  if (isMade) await storeCode(tx, vault, { ...binding, citizenId: citizen.id, code, now });
}
