import { constants } from '../../../contract/constants.ts';
import { after } from '../../platform/base/clock.ts';
import { codeLifeS, storeCode, type CodeBinding } from '../credentials/mailed-codes.ts';
import type { MailCause } from '../abuse/mail-allowance.ts';
import type { Citizen } from '../identity/citizens.ts';
import { randomDigits } from '../../platform/keys/codes.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Command } from './commands.ts';
import { mails } from './mails/mails.ts';

/**
 * Makes a code for one purpose and owner and mails it. If the mailbox has had too many, the code before it stays. Without a recipient the code is made
 * and stored, and nobody gets it.
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
  // the form that sets a second factor up takes digits alone
  const code = randomDigits(constants.codeLength);
  const expires = when(after(now, codeLifeS));
  const values = { name: citizen.first_name, code, expires };
  const isMade =
    recipient === null || (await mail({ email: recipient, citizenId: citizen.id, cause }, mails.code, values));
  if (isMade) await storeCode(tx, vault, { ...binding, citizenId: citizen.id, code, now });
}
