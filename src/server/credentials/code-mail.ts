import { constants } from '../../contract/constants.ts';
import type { Language } from '../../contract/portal-config.ts';
import { after } from '../base/clock.ts';
import { randomCode, randomDigits } from '../keys/codes.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import type { Citizen } from '../identity/citizens.ts';
import { codeLifeS, storeCode, type CodeBinding } from './mailed-codes.ts';
import type { Tx } from '../database/open-store.ts';

/** Makes a code for one purpose and owner and puts its mail into the outbox, in the command's transaction. */
export async function mailCode(
  tx: Tx,
  { config, templates, clock, vault }: Parts,
  {
    citizen,
    recipient,
    language,
    ...binding
  }: CodeBinding & { citizen: Citizen; recipient: string; language: Language },
): Promise<void> {
  const now = clock.now();
  // the form that sets a second factor up takes digits alone
  const code = binding.purpose === 'set-up' ? randomDigits(constants.codeLength) : randomCode(constants.codeLength);
  await storeCode(tx, vault, { ...binding, citizenId: citizen.id, code, now });
  const mail = templates.render('code', language, {
    product: config.brand.product,
    name: citizen.first_name,
    code,
    expires: readableTime(after(now, codeLifeS), language),
  });
  await enqueueMail(tx, { email: recipient, citizenId: citizen.id }, mail, now);
}
