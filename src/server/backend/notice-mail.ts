import type { Language } from '../../api/portal-config.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime, type NoticeName } from '../mail/templates.ts';
import type { Parts } from '../parts.ts';
import type { Citizen } from '../store/citizens.ts';
import type { Tx } from '../store/open-store.ts';

/** Tells a citizen by mail of a change of the account, in the transaction of the change; without an address there is no mail. */
export async function sendNotice(tx: Tx, { config, templates, clock }: Parts, name: NoticeName, citizen: Citizen, language: Language): Promise<void> {
  if (citizen.email === null) return;
  const now = clock.now();
  await enqueueMail(tx, citizen.email, templates.render(name, language, {
    product: config.brand.product, name: citizen.first_name, when: readableTime(now, language), support: config.supportMailbox,
  }), now);
}
