/** Tables of SAML service providers; see `federation/saml`. */
export interface SamlTables {
  saml_providers: {
    id: string;
    entity_id: string;
    /** JSON of a registration. */
    registration: string;
    /** As they were given, in XML. */
    metadata: string;
    created_at: Date;
  };
  /** Requests by the hash of their `process_state`, each bound to the browser whose cookie has the hash `browser`. */
  saml_requests: {
    hash: string;
    browser: string;
    provider: string;
    message_id: string;
    /** JSON of what was read of the request. */
    request: string;
    relay_state: string | null;
    /** The session that is asked for its consent. */
    session_id: string | null;
    refused: boolean;
    answered_at: Date | null;
    created_at: Date;
    expires_at: Date;
  };
  /** To which service providers a session signed in, and by which names they know citizen and session. */
  saml_participants: {
    session_id: string;
    provider: string;
    name_id: string;
    name_id_format: string;
    session_index: string;
    signed_in_at: Date;
  };
  /** Logouts on their way through service providers. */
  saml_logouts: { hash: string; browser: string; chain: string; expires_at: Date };
}
