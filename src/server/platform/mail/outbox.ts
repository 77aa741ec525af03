import { sql } from 'kysely';
import { buildDatabaseTimeAfter, computeRetryPauseS } from '../jobs/lease.ts';
import type { DatabaseStore, Tx } from '../database/open-store.ts';
import type { MailSenderSetting } from '../modules/mail-templates.ts';
import type { MailContent } from './render-mail.ts';

export interface ClaimedMail extends MailContent {
  readonly id: number;
  readonly recipient: string;
  /** Address for replies. `null` if replies go to the sender. */
  readonly reply_to: string | null;
  readonly attempts: number;
  readonly sender: MailSenderSetting | null;
}

/** Time for which a worker claims a mail, in seconds. It is longer than the slowest SMTP conversation. */
const mailClaimS = 300;

export interface MailRecipient {
  readonly email: string;
  /** Account that the mail is about. `null` if the mail is about no account. */
  readonly citizenId: string | null;
  readonly replyTo?: string;
  /** Defaults to MAIL_FROM. */
  readonly sender?: MailSenderSetting | undefined;
}

/**
 * Adds a mail to the outbox, in the transaction of the mail's cause. `due_at` is by the clock of the database, because a replica whose own clock is
 * fast would claim mails that another replica is still sending.
 */
export async function enqueueMail(
  tx: Tx,
  { email, citizenId, replyTo, sender }: MailRecipient,
  { subject, archivedSubject = null, text, html, calendar }: MailContent,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      recipient: email,
      citizen_id: citizenId,
      subject: archivedSubject ?? subject,
      sent_subject: archivedSubject === null ? null : subject,
      text,
      html,
      calendar,
      reply_to: replyTo,
      sender,
      created_at: now,
      due_at: sql`now()`,
    })
    .execute();
}

/** Claims a due mail. Concurrent workers skip a claimed mail. If the worker dies, the mail becomes due again. */
export function claimMail(store: DatabaseStore): Promise<ClaimedMail | undefined> {
  return store.db
    .updateTable('outbox')
    .set({ due_at: buildDatabaseTimeAfter(mailClaimS), attempts: sql`attempts + 1` })
    .where('id', '=', (query) =>
      query
        .selectFrom('outbox')
        .select('id')
        .where('sent_at', 'is', null)
        .where('refused_at', 'is', null)
        .where('due_at', '<=', sql<Date>`now()`)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'recipient', 'text', 'html', 'calendar', 'reply_to', 'attempts', 'sender'])
    .returning(({ fn }) => fn.coalesce('sent_subject', 'subject').as('subject'))
    .executeTakeFirst();
}

/** Marks a mail as sent, and erases its text, code, calendar entry and reply address. */
export async function markMailSent(store: DatabaseStore, id: number): Promise<void> {
  await store.db
    .updateTable('outbox')
    .set({ sent_at: sql`now()`, sent_subject: null, text: '', html: '', calendar: null, reply_to: null })
    .where('id', '=', id)
    .execute();
}

/** Schedules a mail for another attempt. The pause doubles with each attempt, up to an hour, or to `longestS` seconds if that is less. */
export async function postponeMail(store: DatabaseStore, { id, attempts }: ClaimedMail, longestS = Infinity) {
  await store.db
    .updateTable('outbox')
    .set({ due_at: buildDatabaseTimeAfter(Math.min(longestS, computeRetryPauseS(attempts))) })
    .where('id', '=', id)
    .execute();
}

export async function markMailRefused(store: DatabaseStore, id: number, refusal: string): Promise<void> {
  await store.db
    .updateTable('outbox')
    .set({ refused_at: sql`now()`, refusal: refusal.slice(0, 500) })
    .where('id', '=', id)
    .execute();
}

export function listRefusedMails(store: DatabaseStore) {
  return store.db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'refused_at', 'refusal'])
    .where('refused_at', 'is not', null)
    .orderBy('id')
    .execute();
}

export async function countWaitingMails(store: DatabaseStore): Promise<number> {
  const { waiting } = await store.db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('sent_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Schedules all rejected mails again, or only the mail with `id`. Returns their number. */
export async function retryRefusedMails(store: DatabaseStore, id?: number): Promise<number> {
  const rows = await store.db
    .updateTable('outbox')
    .set({ refused_at: null, refusal: null, attempts: 0, due_at: sql`now()` })
    .where('refused_at', 'is not', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .returning('id')
    .execute();
  return rows.length;
}
