import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { AgendaExceptionTable, AgendaHoursTable, VideoCallTable } from './agenda-tables.ts';
import type { OutboxTable } from './schema-outbox.ts';
import type { PasskeyChallengeTable, PasskeyTable } from './schema-passkeys.ts';
import type { CardTables } from './card-tables.ts';
import type { CredentialChangeTable } from './credential-change-table.ts';
import type { ClientTable, ConsentTable, OidcRecordTable, SessionEndTable } from './federation-tables.ts';
import type { CallMeetingTable, CallStillTable, RoomSeatTable, RoomSignalTable } from './room-tables.ts';
import type { ProviderTables } from './provider-tables.ts';
import type { SamlTables } from './saml-tables.ts';
import type { WalletTables } from './wallet-tables.ts';
import type { SignatureRequestTable, SignedDocumentTable } from './signature-tables.ts';

/** The tables, by name. Times are instants of the injected clock; secrets stand only as hashes. */
export interface Database extends CardTables, ProviderTables, SamlTables, WalletTables {
  countries: { code: string; name: string; position: number };
  document_types: { code: string; name: string };
  country_documents: { country: string; type: string; position: number };
  registry: RegistryTable;
  citizens: CitizenTable;
  credentials: { citizen_id: string; password_hash: string; changed_at: Date };
  link_tokens: LinkTokenTable;
  broker_sessions: BrokerSessionTable;
  challenges: ChallengeTable;
  second_factors: SecondFactorTable;
  mailed_codes: MailedCodeTable;
  recovery_codes: RecoveryCodeTable;
  email_changes: EmailChangeTable;
  agent_acts: AgentActTable;
  credential_changes: CredentialChangeTable;
  passkeys: PasskeyTable;
  passkey_handles: { citizen_id: string; handle: string };
  passkey_challenges: PasskeyChallengeTable;
  signature_requests: SignatureRequestTable;
  signed_documents: SignedDocumentTable;
  clients: ClientTable;
  consents: ConsentTable;
  oidc_records: OidcRecordTable;
  session_ends: SessionEndTable;
  accepted_keys: { name: 'signing' | 'encryption' | 'captcha' | 'audit'; fingerprint: string; accepted_at: Date };
  /** Pictures by the address that they were fetched from; `content` in base64. */
  logos: { source: string; hash: string; type: string; content: string; fetched_at: Date };
  /** Work that one replica does for all, and until when. */
  leases: { name: string; until: Date };
  /** Migrations that the version before them lives with. */
  compatible_migrations: { name: string };
  throttle: { key: string; tries: number; blocked_until: Date; since: Date };
  outbox: OutboxTable;
  audit: AuditTable;
  audit_seals: AuditSealsTable;
  captcha_replays: { hash: string; expires_at: Date };
  contact_messages: ContactMessageTable;
  feedback: FeedbackTable;
  agenda_hours: AgendaHoursTable;
  agenda_exceptions: AgendaExceptionTable;
  video_calls: VideoCallTable;
  room_seats: RoomSeatTable;
  room_signals: RoomSignalTable;
  call_meetings: CallMeetingTable;
  call_stills: CallStillTable;
  /** How far citizens have come in flows; `sealed` by the vault, for this citizen and flow alone. */
  saved_flows: { citizen_id: string; flow: string; sealed: string; saved_at: Date; expires_at: Date };
  /** Sessions whose citizen passed the identity check of an elevation. */
  card_checks: { session_id: string; passed_at: Date };
  known_devices: { citizen_id: string; hash: string; seen_at: Date };
}

/** The identity registry (DNIC): holders of a Uruguayan identity card. */
interface RegistryTable {
  /** Digits with the check digit, without leading zeros. */
  number: string;
  first_name: string;
  second_name: string;
  first_surname: string;
  second_surname: string;
  birth_date: string;
  serial: string;
}

interface CitizenTable {
  id: string;
  country: string;
  type: string;
  number: string;
  first_name: string;
  second_name: string;
  first_surname: string;
  second_surname: string;
  email: string | null;
  email_verified_at: Date | null;
  phone: string | null;
  /** How the account came to be: `WEB` or `PRESENCIAL`. */
  origin: string;
  /** A raw level of section 4.1, e.g. `Autoregistrado`. */
  level: string;
  /** Link to the signed document, once the level came from a digital signature. */
  signature: string | null;
  permissions: JSONColumnType<Record<string, readonly string[]>>;
  features: Generated<boolean>;
  active_at: Date | null;
  blocked_at: Date | null;
  last_login_at: Date | null;
  created_at: Date;
  /** When the account is deleted, as its citizen asked; null: it goes on. */
  closing_at: Generated<Date | null>;
  /** The foreign identity provider whose record this is; null: an account of its citizen. */
  idp: Generated<string | null>;
}

interface LinkTokenTable {
  hash: string;
  purpose: string;
  /** Whose account the link acts on; null for a right that only names a document. */
  citizen_id: string | null;
  /** What the right is about: an e-mail address (activation) or a document (resend). */
  subject: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface BrokerSessionTable {
  id: string;
  hash: string;
  citizen_id: string;
  created_at: Date;
  expires_at: Date;
  seen_at: Date;
  /** When the session ends unless it is seen before. */
  idle_at: Date;
  revoked_at: Date | null;
  /** How the citizen proved who they are, e.g. `urn:iduruguay:am:password`, separated by blanks. */
  amr: string;
  /** Level of the session, 0 to 3. */
  nid: number;
  role: Generated<'citizen' | 'agent'>;
  /** The session of the OIDC provider that stands on this one; null until an application asked for a sign-in. */
  oidc_uid: Generated<string | null>;
  /** When the citizen last gave the current password inside this session; null: not yet. */
  verified_at: Generated<Date | null>;
  /** The identity provider that the citizen came by; null: the portal's own account. */
  idp: Generated<string | null>;
  /** When the citizen signed in at that provider; null: unknown, or the session came by no provider. */
  authenticated_at: Generated<Date | null>;
  user_agent: Generated<string>;
  /** IP address of the sign-in. */
  address: Generated<string>;
}

interface ChallengeTable {
  hash: string;
  /** Hash of the cookie that binds the sign-in to one browser. */
  browser: string;
  /** Name of the challenge that is to be answered next. */
  step: string;
  /** The document as typed, normalized: `uy-ci-12345672`. */
  document: string;
  /** Null when no account has the document. */
  citizen_id: string | null;
  /** Names of the challenges that were answered, separated by blanks. */
  factors: string;
  tries: number;
  redirect_url: string | null;
  process_state: string | null;
  agent: string | null;
  /** The address that an agent typed; what proves it is the code that was mailed there. */
  institutional_email: string | null;
  user_agent: Generated<string>;
  address: Generated<string>;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface SecondFactorTable {
  id: string;
  citizen_id: string;
  kind: 'totp' | 'email';
  /** The secret of an authenticator app, sealed by the vault. */
  secret: string | null;
  /** The newest step whose code was accepted: it and those before are refused. */
  last_step: number | null;
  created_at: Date;
  /** Null until a first code was verified. */
  activated_at: Date | null;
}

/** One code for each purpose and owner: a new one takes the place of the old. */
interface MailedCodeTable {
  purpose: string;
  /** What the code is bound to: the hash of a sign-in, or the id of a second factor. */
  owner: string;
  citizen_id: string;
  digest: string;
  tries: number;
  expires_at: Date;
  used_at: Date | null;
}

interface RecoveryCodeTable {
  citizen_id: string;
  digest: string;
  created_at: Date;
  used_at: Date | null;
}

/** A new address that its owner has not confirmed: the newest one of each citizen. */
interface EmailChangeTable {
  citizen_id: string;
  email: string;
  requested_at: Date;
  /** From when on the new address can be confirmed; null: at once. */
  confirm_from: Generated<Date | null>;
}

/** What an agent did to an account by a word alone, or wants to do once another agent says the same. */
interface AgentActTable {
  id: Generated<number>;
  citizen_id: string;
  act: 'level' | 'email';
  /** The level or the address. */
  detail: string;
  /** The id of the agent's account, or the name of who gave the command. */
  agent: string;
  /** The agent's name, for other agents. */
  name: string;
  at: Date;
  /** Null: another agent is waited for. */
  done_at: Date | null;
}

/** What someone wrote to the support. Nothing but `citizen_id` is proven. */
interface ContactMessageTable {
  id: Generated<number>;
  /** Who was signed in; null: nobody. */
  citizen_id: string | null;
  name: string;
  country: string;
  type: string;
  number: string;
  email: string;
  phone: string;
  /** Id of a subject of content/reference/contact-subjects.json. */
  subject: string;
  message: string;
  language: string;
  /** What was asked beyond these columns: a JSON list of fields with their titles. */
  extra: Generated<string>;
  created_at: Date;
  answered_at: Generated<Date | null>;
  /** As the audit log names the agent. */
  answered_by: Generated<string>;
  answer: Generated<string>;
}

/** What a visitor thinks of a page. Nobody is named in it, unless by the address. */
interface FeedbackTable {
  id: Generated<number>;
  /** Path of the page that the footer asked about. */
  page: string | null;
  /** The answer to the footer's question. */
  useful: 'si' | 'no' | null;
  /** 1 to 4. */
  usefulness: number | null;
  /** 1 to 4. */
  clarity: number | null;
  /** Numbers of the ticked boxes, separated by blanks. */
  boxes: string;
  comment: string;
  email: string | null;
  language: string;
  created_at: Date;
  /** When an agent noted that it was read, and who. */
  read_at: Generated<Date | null>;
  read_by: Generated<string>;
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
