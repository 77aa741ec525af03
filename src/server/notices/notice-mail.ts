import { href } from '../../contract/href.ts';
import type { Language } from '../../contract/portal-config.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime, type NoticeName } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import type { Citizen } from '../identity/citizens.ts';
import { noteChange } from './credential-changes.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import type { Tx } from '../database/open-store.ts';
import { writeUndo } from './undo.ts';
import { portalPages } from '../base/portal-pages.ts';

const disavowLifeS = 10 * 24 * 60 * 60;

/** What a citizen is told. */
export interface Notice {
  readonly name: NoticeName;
  readonly citizen: Citizen;
  readonly language: Language;
  /** The session that did it; null: none, as behind a link. */
  readonly sessionId: string | null;
  /** What the notice's own sentence asks for. */
  readonly values?: Readonly<Record<string, string>>;
}

/**
 * Tells a citizen by mail of a change of the account, in the transaction of the change and before it, since it notes what the change
 * replaces; without a verified address there is no mail: who typed an address wrongly must not give its owner a link that ends sessions.
 * Its link disavows the change, and trusts the address that it was sent to.
 */
export async function sendNotice(
  tx: Tx,
  { config, templates, clock }: Parts,
  { name, citizen, language, sessionId, values = {} }: Notice,
): Promise<void> {
  if (citizen.email === null || citizen.email_verified_at === null) return;
  const now = clock.now();
  const change = await noteChange(tx, { citizenId: citizen.id, sessionId, kind: name, now });
  const subject = writeUndo({ change, email: citizen.email });
  const token = await issueToken(tx, { purpose: 'disavow', citizenId: citizen.id, subject, now, lifeS: disavowLifeS });
  await enqueueMail(
    tx,
    { email: citizen.email, citizenId: citizen.id },
    templates.notice(name, language, {
      ...values,
      product: config.brand.product,
      name: citizen.first_name,
      when: readableTime(now, language),
      support: config.supportMailbox,
      undo: href(portalPages.disavow, { uuid: token }, config.baseUrl),
    }),
    now,
  );
}
