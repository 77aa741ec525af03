import { constants } from '../../../contract/constants.ts';
import { after } from '../../platform/base/clock.ts';
import { codeLifeS, storeCode, type CodeBinding } from '../credentials/mailed-codes.ts';
import type { Citizen } from '../identity/citizens.ts';
import { randomDigits } from '../../platform/keys/codes.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Command } from './commands.ts';
import { mails } from './mails/mails.ts';

/** Makes a code for one purpose and owner and mails it. Without a recipient it is made and stored, and nobody gets it. */
export async function mailCode(
  { tx, now, mail, when }: Command,
  vault: Vault,
  { citizen, recipient, ...binding }: CodeBinding & { citizen: Citizen; recipient: string | null },
): Promise<void> {
  // the form that sets a second factor up takes digits alone
  const code = randomDigits(constants.codeLength);
  await storeCode(tx, vault, { ...binding, citizenId: citizen.id, code, now });
  if (recipient === null) return;
  const to = { email: recipient, citizenId: citizen.id };
  await mail(to, mails.code, { name: citizen.first_name, code, expires: when(after(now, codeLifeS)) });
}
