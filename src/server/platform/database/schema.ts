import type { ColumnType, Generated } from 'kysely';

/** Tables of the platform. Times come from the injected clock. Secrets are stored only as hashes. Each feature adds its tables in its `index.ts`. */
export interface Database {
  accepted_keys: {
    name: 'signing' | 'encryption' | 'decryption' | 'captcha' | 'audit';
    fingerprint: string;
    accepted_at: Date;
  };
  leases: { name: string; until: Date };
  compatible_migrations: { name: string };
  outbox: OutboxTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  /** Recorded backups, with the time of the snapshot and the checksum of the lines. */
  backups: { at: Date; sha256: string };
  audit_shipments: { name: string; number: number };
  definition_modules: { url: string; source: string; digest: string | null; used_at: Date };
}

interface OutboxTable {
  id: Generated<number>;
  recipient: string;
  /** `null` if the mail is about no account. */
  citizen_id: Generated<string | null>;
  /** Subject without a code. */
  subject: string;
  /** Subject with the code. `null` if the subject has no code, and after the mail was sent. */
  sent_subject: Generated<string | null>;
  text: string;
  html: string;
  /** `null` for MAIL_FROM. */
  sender: Generated<'codes' | 'notices' | 'desk' | null>;
  reply_to: Generated<string | null>;
  calendar: Generated<string | null>;
  created_at: Date;
  /** Time from which a worker may claim the mail, by the clock of the database. */
  due_at: Date;
  attempts: Generated<number>;
  sent_at: Date | null;
  refused_at: Generated<Date | null>;
  /** The mail server's message, which may contain the recipient. */
  refusal: Generated<string | null>;
}

interface AuditTable {
  seq: Generated<number>;
  at: ColumnType<Date, Date, never>;
  action: string;
  citizen_id: string | null;
  address: string;
  request_id: string;
  /** JSON object without secrets. */
  details: string;
  actor: string | null;
  user_agent: string | null;
  /** Random value in the hash of network address and browser. `null` after their erasure. */
  origin_salt: Generated<string | null>;
  /** Hash of the erased network address and browser (see `hashOrigin`). */
  origin_hash: Generated<string | null>;
  /** Number of the seal that covers the row. `null` if the row is not sealed yet. */
  seal: number | null;
  leaf: string | null;
  /** Random id of the process that wrote the row. */
  writer: string | null;
  /** Number among the rows of the writer. Numbers of rolled-back rows stay unused. */
  number: number | null;
  /** Numbers of the writer's earlier committed rows that no other row lists yet, as an int8multirange. */
  follows: string | null;
  digest: string | null;
}

interface AuditSealsTable {
  /** Consecutive number, from 1. */
  number: number;
  sealed_at: ColumnType<Date, Date, never>;
  rows: number;
  root: string;
  previous: string;
  /** `kid` of the audit key that signed the seal. */
  key: string;
  hash: string;
  signature: string;
}
