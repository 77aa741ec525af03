import type { Language } from '../../contract/portal-config.ts';
import { endOthers } from '../sessions/end-others.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizen, type Citizen } from '../identity/citizens.ts';
import { sessionOfLast } from '../notices/credential-changes.ts';
import { dropEmailChange, takeEmailChange } from '../credentials/email-changes.ts';
import { voidTokens, type TokenOwner } from '../credentials/link-tokens.ts';
import type { Tx } from '../database/open-store.ts';
import { sendNotice } from '../notices/notice-mail.ts';

/** A confirmation that has just come in. */
interface Confirmed {
  /** What confirmed the change: whose it is, and the new address. */
  readonly by: TokenOwner;
  /** The session that goes on when it is the same citizen's. */
  readonly caller: { readonly citizenId: string; readonly sessionId: string } | null;
  readonly address: string;
  readonly requestId: string;
  readonly language: Language;
}

/**
 * Gives a citizen the address that was confirmed just now, and answers the record with it; null when another change has taken its
 * place, or the account is blocked. Every other session and every link of the old address ends; both addresses are told, the old one
 * with its way to disavow. Codes by e-mail as a second factor go to the new address from then on.
 */
export async function makeEmailChange(
  tx: Tx,
  parts: Parts,
  { by: { citizenId, subject: email }, caller, address, requestId, language }: Confirmed,
): Promise<Citizen | null> {
  const now = parts.clock.now();
  const before = citizenId === null ? null : await findCitizen(tx, citizenId);
  if (before === null || before.blocked_at !== null || !(await takeEmailChange(tx, before.id, email))) return null;
  const sessionId = caller?.citizenId === before.id ? caller.sessionId : null;
  await sendNotice(tx, parts, {
    name: 'email-changed',
    citizen: before,
    language,
    sessionId: sessionId ?? (await sessionOfLast(tx, before.id, 'email-change-requested')),
  });
  await tx.updateTable('citizens').set({ email, email_verified_at: now }).where('id', '=', before.id).execute();
  await dropEmailChange(tx, before.id, now);
  for (const purpose of ['activation', 'reset'] as const) await voidTokens(tx, purpose, before.id, now);
  await endOthers(tx, before.id, now, sessionId);
  await appendAudit(tx, { at: now, action: 'change-email', citizenId: before.id, address, requestId });
  // without a link: a link that disavows is for the address before
  await enqueueMail(
    tx,
    { email, citizenId: before.id },
    parts.templates.render('email-confirmed', language, {
      product: parts.config.brand.product,
      name: before.first_name,
      when: readableTime(now, language),
    }),
    now,
  );
  return { ...before, email, email_verified_at: now };
}
