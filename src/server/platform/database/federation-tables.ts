import type { Generated } from 'kysely';

/** An application of OpenID Connect, as the command line registered it. */
export interface ClientTable {
  id: string;
  /** JSON text of the registration, without the secret. */
  registration: string;
  /** Sealed by the vault; null for an application that cannot keep one. */
  secret: string | null;
  created_at: Date;
}

/** What a citizen lets an application read. */
export interface ConsentTable {
  id: string;
  citizen_id: string;
  client_id: string;
  /** Separated by blanks. */
  scopes: string;
  /** Version of the scopes' texts that the citizen read. */
  texts_version: number;
  given_at: Date;
}

/** Codes, tokens, grants, interactions and sessions of the OIDC provider. */
export interface OidcRecordTable {
  model: string;
  /** Hash of the value that its owner holds. */
  id: string;
  /** JSON sealed by the vault. */
  payload: string;
  grant_id: string | null;
  uid: string | null;
  account_id: string | null;
  client_id: string | null;
  expires_at: Date;
  consumed_at: Date | null;
}

/** A session that ended, until the applications that it was signed in to have heard of it. */
export interface SessionEndTable {
  session_id: string;
  /** The OIDC provider's session, as `oidc_records` held it; null: it had none. */
  payload: string | null;
  /** JSON list of the ids of applications that have heard. */
  told: Generated<string>;
  attempts: Generated<number>;
  /** By the clock of the database. */
  due_at: Generated<Date>;
  created_at: Generated<Date>;
}
