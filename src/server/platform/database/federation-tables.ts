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
