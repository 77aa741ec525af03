import { sql } from 'kysely';
import { inSeconds, pauseAfter } from '../jobs/lease.ts';
import type { Store, Tx } from '../database/open-store.ts';
import type { MailSender } from '../topics/mail.ts';
import type { MailContent } from './layout.ts';

/** A mail that a worker took: it is this worker's until its due time. */
export interface ClaimedMail extends MailContent {
  readonly id: number;
  readonly recipient: string;
  /** One address; null: answers go to the sender. */
  readonly reply_to: string | null;
  readonly attempts: number;
  readonly sender: MailSender | null;
}

/** A mail that no mail server takes, as its operator sees it. */
export interface RefusedMail {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly refused_at: Date | null;
  readonly refusal: string | null;
}

/** Longer than the slowest conversation with a mail server that the worker goes through. */
const claimS = 300;
const refusalLength = 500;

/** Where a mail goes. */
export interface To {
  readonly email: string;
  /** Whose account it is about; null: nobody's. */
  readonly citizenId: string | null;
  /** One address that answers go to; without it they go to the sender. */
  readonly replyTo?: string;
  /** Without it the mail has the sender of MAIL_FROM. */
  readonly sender?: MailSender | undefined;
}

/**
 * Puts a mail into the outbox, in the transaction of what it tells about. When it is due is the database's time, here and below: replicas differ in theirs, and one that is ahead would take what another is sending.
 */
export async function enqueueMail(
  tx: Tx,
  { email, citizenId, replyTo, sender }: To,
  { subject, keptSubject = null, text, html, calendar }: MailContent,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      recipient: email,
      citizen_id: citizenId,
      subject: keptSubject ?? subject,
      sent_subject: keptSubject === null ? null : subject,
      text,
      html,
      calendar: calendar ?? null,
      reply_to: replyTo ?? null,
      sender: sender ?? null,
      created_at: now,
      due_at: sql`now()`,
      sent_at: null,
    })
    .execute();
}

/** Takes the next mail that is due, if any; other workers skip it. One whose worker dies is due again after five minutes. */
export async function claimMail(store: Store): Promise<ClaimedMail | undefined> {
  return store.db
    .updateTable('outbox')
    .set({ due_at: inSeconds(claimS), attempts: sql`attempts + 1` })
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

/** Marks a mail as sent and forgets its text and calendar entry, which hold a link, a code in its subject, and whom it is from. */
export async function markSent(store: Store, id: number): Promise<void> {
  await store.db
    .updateTable('outbox')
    .set({ sent_at: sql`now()`, sent_subject: null, text: '', html: '', calendar: null, reply_to: null })
    .where('id', '=', id)
    .execute();
}

/** Puts a mail back that the server did not take: it is due again after a pause that doubles up to an hour, or up to `longestS`. */
export async function postpone(store: Store, { id, attempts }: ClaimedMail, longestS = Infinity): Promise<void> {
  await store.db
    .updateTable('outbox')
    .set({ due_at: inSeconds(Math.min(longestS, pauseAfter(attempts))) })
    .where('id', '=', id)
    .execute();
}

/** Stops trying a mail that the server will never take. */
export async function refuse(store: Store, id: number, refusal: string): Promise<void> {
  await store.db
    .updateTable('outbox')
    .set({ refused_at: sql`now()`, refusal: refusal.slice(0, refusalLength) })
    .where('id', '=', id)
    .execute();
}

/** The mails that were given up, oldest first. */
export async function refusedMails(store: Store): Promise<readonly RefusedMail[]> {
  return store.db
    .selectFrom('outbox')
    .select(['id', 'recipient', 'subject', 'refused_at', 'refusal'])
    .where('refused_at', 'is not', null)
    .orderBy('id')
    .execute();
}

/** How many mails wait for a mail server. */
export async function waitingMails(store: Store): Promise<number> {
  const { waiting } = await store.db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('sent_at', 'is', null)
    .where('refused_at', 'is', null)
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Tries refused mails once more, all of them or one; answers how many. */
export async function retryRefused(store: Store, id?: number): Promise<number> {
  const rows = await store.db
    .updateTable('outbox')
    .set({ refused_at: null, refusal: null, attempts: 0, due_at: sql`now()` })
    .where('refused_at', 'is not', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .returning('id')
    .execute();
  return rows.length;
}
