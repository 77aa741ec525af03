import type { Generated } from 'kysely';

/** Mails, sent and unsent. */
export interface OutboxTable {
  id: Generated<number>;
  recipient: string;
  /** Whose account the mail is about; null: nobody's, or it was written before that was noted. */
  citizen_id: Generated<string | null>;
  subject: string;
  text: string;
  html: string;
  /** Where an answer goes; null: to the sender. */
  reply_to: Generated<string | null>;
  /** Calendar entry (RFC 5545) that goes with it; null: none. */
  calendar: Generated<string | null>;
  created_at: Date;
  /** A worker may take the mail from then on, by the database's clock. */
  due_at: Date;
  attempts: Generated<number>;
  sent_at: Date | null;
  /** When the mail server refused it for good. */
  refused_at: Generated<Date | null>;
  /** What the mail server said then; may repeat the recipient. */
  refusal: Generated<string | null>;
}
