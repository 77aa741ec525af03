import type { ColumnType, Generated } from 'kysely';

/**
 * The tables, by name. Times are instants of the injected clock; secrets stand only as hashes. Each topic adds its own in its `index.ts`.
 */
export interface Database {
  accepted_keys: { name: 'signing' | 'encryption' | 'captcha' | 'audit'; fingerprint: string; accepted_at: Date };
  /** Work that one replica does for all, and until when. */
  leases: { name: string; until: Date };
  /** Migrations that the version before them lives with. */
  compatible_migrations: { name: string };
  outbox: OutboxTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  /** Compiled modules by their addresses, each the text that browsers load. */
  definition_modules: { url: string; source: string; digest: string | null; used_at: Date };
  /** Written by the version before; nothing reads these two. */
}

/** Mails, sent and unsent. */
interface OutboxTable {
  id: Generated<number>;
  recipient: string;
  /** Whose account the mail is about; null: nobody's, or it was written before that was noted. */
  citizen_id: Generated<string | null>;
  /** Without a code. */
  subject: string;
  /** With its code, until the mail is sent; null: it has none. */
  sent_subject: Generated<string | null>;
  text: string;
  html: string;
  /** Which of the senders; null: that of MAIL_FROM. */
  sender: Generated<'codes' | 'notices' | 'desk' | null>;
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

interface AuditTable {
  seq: Generated<number>;
  at: ColumnType<Date, Date, never>;
  action: string;
  citizen_id: string | null;
  address: string;
  request_id: string;
  /** JSON text without secrets. */
  details: string;
  /** An `Actor`; null: a row from before it was noted. */
  actor: string | null;
  user_agent: string | null;
  /** Number of the seal that the row is under; null: it waits for one. */
  seal: number | null;
  /** Hash of the row when it was sealed. */
  leaf: string | null;
  /** Random id of the process that wrote the row; null: a row from before there were digests, and so for the next three. */
  writer: string | null;
  /** Number of the row among those of its writer; numbers that were rolled back stay unused. */
  number: number | null;
  /** Numbers of the rows that its writer had committed and named in no row before, as an int8multirange. */
  follows: string | null;
  /** Keyed digest of the row as it was written. */
  digest: string | null;
}

interface AuditSealsTable {
  /** From 1, without a gap. */
  number: number;
  sealed_at: ColumnType<Date, Date, never>;
  /** How many rows are under it. */
  rows: number;
  /** Root of the hash tree of the rows. */
  root: string;
  /** Hash of the seal before. */
  previous: string;
  /** Who signed: a key's `kid`. */
  key: string;
  hash: string;
  signature: string;
}
