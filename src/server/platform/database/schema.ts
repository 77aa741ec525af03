import type { ColumnType, Generated } from 'kysely';

/**
 * Columns of the database tables. Times come from the injected clock. Secrets are stored only as hashes. Each feature adds its own tables in its
 * `index.ts`.
 */
export interface Database {
  accepted_keys: {
    name: 'signing' | 'encryption' | 'decryption' | 'captcha' | 'audit';
    fingerprint: string;
    accepted_at: Date;
  };
  /** Leases of jobs that only one replica runs at a time. */
  leases: { name: string; until: Date };
  /** Applied migrations that keep the previous version working. */
  compatible_migrations: { name: string };
  outbox: OutboxTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  /** Complete backups: the time of the snapshot, and the checksum of the lines. */
  backups: { at: Date; sha256: string };
  /** Last seal that AUDIT_SINK has accepted. */
  audit_shipments: { name: string; number: number };
  /** Compiled modules by URL, with the source that browsers load. */
  definition_modules: { url: string; source: string; digest: string | null; used_at: Date };
}

interface OutboxTable {
  id: Generated<number>;
  recipient: string;
  /** Account that the mail is about. `null` if there is none, or the row is older than this column. */
  citizen_id: Generated<string | null>;
  /** Subject without a code. */
  subject: string;
  /** Subject with the code, until the mail is sent. `null` if the subject contains no code. */
  sent_subject: Generated<string | null>;
  text: string;
  html: string;
  /** Sender of the mail. `null` for MAIL_FROM. */
  sender: Generated<'codes' | 'notices' | 'desk' | null>;
  /** Reply-To address. `null` if replies go to the sender. */
  reply_to: Generated<string | null>;
  /** Attached calendar entry (RFC 5545). `null` if there is none. */
  calendar: Generated<string | null>;
  created_at: Date;
  /** Earliest time at which a worker may claim the mail, by the clock of the database. */
  due_at: Date;
  attempts: Generated<number>;
  sent_at: Date | null;
  /** Time at which the mail server permanently rejected the mail. */
  refused_at: Generated<Date | null>;
  /** Error message of the mail server, which may contain the recipient. */
  refusal: Generated<string | null>;
}

interface AuditTable {
  seq: Generated<number>;
  at: ColumnType<Date, Date, never>;
  action: string;
  citizen_id: string | null;
  address: string;
  request_id: string;
  /** Details as a JSON object without secrets. */
  details: string;
  /** Role of the actor (see `AuditActor`). `null` for rows older than this column. */
  actor: string | null;
  user_agent: string | null;
  /** Random value in the hash of network address and browser. `null` after their erasure, and for rows older than the column. */
  origin_salt: Generated<string | null>;
  /** Hash of the erased network address and browser (see `hashOrigin`). */
  origin_hash: Generated<string | null>;
  /** Number of the row's seal. `null` if the row is not sealed yet. */
  seal: number | null;
  /** Hash of the row at the time of sealing. */
  leaf: string | null;
  /**
   * Random id of the process that wrote the row. This and the next three columns are `null` in rows from versions
   * without digests.
   */
  writer: string | null;
  /** Number of the row among the rows of its writer. Numbers of rolled-back rows stay unused. */
  number: number | null;
  /** Numbers of the writer's earlier committed rows that no other row lists yet, as an int8multirange. */
  follows: string | null;
  /** Keyed digest of the row (see `computeAuditRowDigest`). */
  digest: string | null;
}

interface AuditSealsTable {
  /** Consecutive number, from 1. */
  number: number;
  sealed_at: ColumnType<Date, Date, never>;
  /** Number of rows in the batch. */
  rows: number;
  /** Merkle root of the rows. */
  root: string;
  /** Hash of the previous seal. */
  previous: string;
  /** `kid` of the key that signed the seal. */
  key: string;
  hash: string;
  signature: string;
}
