import { href } from '../../contract/href.ts';
import type { Language } from '../../contract/portal-config.ts';
import { after } from '../base/clock.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import type { Tx } from '../database/open-store.ts';
import { portalPages } from '../base/portal-pages.ts';

/** Whom an activation mail goes to. */
export interface Addressee {
  /** Null: nobody's, for a mail that is taken back. */
  readonly id: string | null;
  readonly name: string;
  readonly email: string;
}

/** Issues an activation link and puts its mail into the outbox, in the command's transaction. */
export async function sendActivationMail(
  tx: Tx,
  { config, templates, clock }: Parts,
  { id, name, email }: Addressee,
  language: Language,
): Promise<void> {
  const now = clock.now();
  const lifeS = config.activationLifeH * 60 * 60;
  const token = await issueToken(tx, { purpose: 'activation', citizenId: id, subject: email, now, lifeS });
  const mail = templates.render('activation', language, {
    product: config.brand.product,
    name,
    link: href(portalPages.activateAccount, { uuid: token }, config.baseUrl),
    expires: readableTime(after(now, lifeS), language),
  });
  await enqueueMail(tx, { email, citizenId: id }, mail, now);
}
