import { sql } from 'kysely';
import { after } from '../clock.ts';
import type { Store, Tx } from '../store/open-store.ts';
import type { MailContent } from './layout.ts';

/** A mail that a worker took: it is this worker's until its due time. */
export interface ClaimedMail extends MailContent {
  readonly id: number;
  readonly recipient: string;
  /** One address; null: answers go to the sender. */
  readonly reply_to: string | null;
  readonly attempts: number;
}

const batch = 10;
const claimS = 120;
const longestPauseS = 60 * 60;

/** Puts a mail into the outbox, in the transaction of what it tells about; answers go to `replyTo`, one address, or to the sender. */
export async function enqueueMail(tx: Tx, recipient: string, { subject, text, html }: MailContent, now: Date, replyTo: string | null = null): Promise<void> {
  await tx.insertInto('outbox')
    .values({ recipient, subject, text, html, reply_to: replyTo, created_at: now, due_at: now, sent_at: null })
    .execute();
}

/** Takes the next mails that are due; other workers skip them. One whose worker dies is due again after two minutes. */
export async function claimMails(store: Store, now: Date): Promise<readonly ClaimedMail[]> {
  return store.db.updateTable('outbox')
    .set({ due_at: after(now, claimS), attempts: sql`attempts + 1` })
    .where('id', 'in', (query) => query.selectFrom('outbox').select('id')
      .where('sent_at', 'is', null).where('due_at', '<=', now)
      .orderBy('id').limit(batch).forUpdate().skipLocked())
    .returning(['id', 'recipient', 'subject', 'text', 'html', 'reply_to', 'attempts'])
    .execute();
}

/** Marks a mail as sent and forgets its text, which holds a link, and whom it is from. */
export async function markSent(store: Store, id: number, now: Date): Promise<void> {
  await store.db.updateTable('outbox').set({ sent_at: now, text: '', html: '', reply_to: null }).where('id', '=', id).execute();
}

/** Puts a mail back that the server did not take: it is due again after a pause that doubles up to an hour. */
export async function postpone(store: Store, { id, attempts }: ClaimedMail, now: Date): Promise<void> {
  const pauseS = Math.min(longestPauseS, 5 * 2 ** attempts);
  await store.db.updateTable('outbox').set({ due_at: after(now, pauseS) }).where('id', '=', id).execute();
}
