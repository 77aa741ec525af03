import type { ColumnType, Generated } from 'kysely';

/** The tables, by name. Times come from the injected clock. Secrets are stored only as hashes. Each feature adds its own tables in its `index.ts`. */
export interface Database {
  accepted_keys: { name: 'signing' | 'encryption' | 'captcha' | 'audit'; fingerprint: string; accepted_at: Date };
  /** Work that one replica does for all, and the end of its lease. */
  leases: { name: string; until: Date };
  /** Migrations that keep the previous version working. */
  compatible_migrations: { name: string };
  outbox: OutboxTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  /** Complete backups: the time of their snapshot, and the checksum of their lines. */
  backups: { at: Date; sha256: string };
  /** The last seal that AUDIT_SINK has accepted. */
  audit_shipments: { name: string; number: number };
  /** Compiled modules by URL, with the text that browsers load. */
  definition_modules: { url: string; source: string; digest: string | null; used_at: Date };
}

interface OutboxTable {
  id: Generated<number>;
  recipient: string;
  /** Account that the mail is about. `null` if there is none, or the row is older than the column. */
  citizen_id: Generated<string | null>;
  /** Subject without its code. */
  subject: string;
  /** Subject with its code, until the mail is sent. `null` if it has no code. */
  sent_subject: Generated<string | null>;
  text: string;
  html: string;
  /** Which configured sender. `null` for that of MAIL_FROM. */
  sender: Generated<'codes' | 'notices' | 'desk' | null>;
  /** Address for answers. `null` for the sender. */
  reply_to: Generated<string | null>;
  /** Attached calendar entry (RFC 5545). `null` if there is none. */
  calendar: Generated<string | null>;
  created_at: Date;
  /** Earliest time at which a worker may claim the mail, by the database's clock. */
  due_at: Date;
  attempts: Generated<number>;
  sent_at: Date | null;
  /** Time at which the mail server refused it permanently. */
  refused_at: Generated<Date | null>;
  /** Error of the mail server. It may contain the recipient. */
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
  /** An `Actor`. `null` for rows older than the column. */
  actor: string | null;
  user_agent: string | null;
  /** Random value in the hash of address and browser. `null` once they are erased, and for rows older than the column. */
  origin_salt: Generated<string | null>;
  /** Hash of the erased address and browser (see `hashOrigin`). */
  origin_hash: Generated<string | null>;
  /** Number of its seal. `null` if the row is not sealed yet. */
  seal: number | null;
  /** Hash of the row at sealing. */
  leaf: string | null;
  /** Random id of the process that wrote the row. `null`, like the next three, for rows older than digests. */
  writer: string | null;
  /** Number of the row within its writer. Numbers of rolled-back rows stay unused. */
  number: number | null;
  /** Numbers of earlier committed rows of the writer that no row has listed yet, as an int8multirange. */
  follows: string | null;
  /** Keyed digest of the row (see `rowDigest`). */
  digest: string | null;
}

interface AuditSealsTable {
  /** Consecutive, from 1. */
  number: number;
  sealed_at: ColumnType<Date, Date, never>;
  /** Number of rows in the batch. */
  rows: number;
  /** Merkle root of the rows. */
  root: string;
  /** Hash of the previous seal. */
  previous: string;
  /** `kid` of the key that signed. */
  key: string;
  hash: string;
  signature: string;
}
