/** Tables of identity providers upstream; see `federation/upstream`. */
export interface ProviderTables {
  /** Who is who: a provider's word for a person, and the record here. */
  provider_identities: {
    /** The entry of the configuration. */
    provider: string;
    /** Of OpenID Connect the issuer, of SAML the entity. */
    issuer: string;
    subject: string;
    citizen_id: string;
    linked_at: Date;
    used_at: Date;
  };
  /** What a citizen took back by "No fui yo": links anew only from a session that was begun otherwise. */
  provider_refusals: {
    /** The entry of the configuration; empty: any, in rows of an earlier version. */
    provider: string;
    issuer: string;
    subject: string;
    citizen_id: string;
    at: Date;
  };
  /** Sign-ins on their way through a provider, by the hash of their state, each bound to the browser whose cookie has the hash `browser`. */
  provider_sign_ins: {
    hash: string;
    browser: string;
    provider: string;
    /** What the answer is checked against: JSON, sealed by the vault. */
    kept: string;
    process_state: string | null;
    redirect_url: string | null;
    answered_at: Date | null;
    /** Who waits for the question whether to be linked: JSON, sealed by the vault. */
    person: string | null;
    /** When the question was answered. */
    linked_at: Date | null;
    created_at: Date;
    expires_at: Date;
  };
}
