import { href } from '../../contract/href.ts';
import type { Language } from '../../contract/portal-config.ts';
import { after } from '../base/clock.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import type { Citizen } from '../identity/citizens.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import type { Tx } from '../database/open-store.ts';
import { portalPages } from '../base/portal-pages.ts';

/**
 * Mails the link that confirms a new address to that very address, in the command's transaction. The address in the link is for the
 * reader's eyes; what the link confirms stands behind its token.
 */
export async function sendEmailChangeMail(
  tx: Tx,
  { config, templates, clock }: Parts,
  { citizen, email, language }: { citizen: Citizen; email: string; language: Language },
): Promise<void> {
  const now = clock.now();
  const lifeS = config.activationLifeH * 60 * 60;
  const uuid = await issueToken(tx, { purpose: 'email-change', citizenId: citizen.id, subject: email, now, lifeS });
  const shown = Buffer.from(email).toString('base64url');
  await enqueueMail(
    tx,
    { email, citizenId: citizen.id },
    templates.render('email-change', language, {
      product: config.brand.product,
      name: citizen.first_name,
      link: href(portalPages.approveEmail, { uuid, email: shown }, config.baseUrl),
      expires: readableTime(after(now, lifeS), language),
    }),
    now,
  );
}
