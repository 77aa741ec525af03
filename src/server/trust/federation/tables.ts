import { ended, type StoredTable } from '../../platform/topics/table.ts';
import { oidcPurpose } from '../sessions/tables.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    clients: ClientTable;
    consents: ConsentTable;
    /** Pictures by the address that they were fetched from; `content` in base64. */
    logos: { source: string; hash: string; type: string; content: string; fetched_at: Date };
    oidc_records: OidcRecordTable;
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
    /** By the hash of the ticket that a browser brings to the card's listener, once. */
    card_tickets: {
      hash: string;
      /** Hash of the sign-in that waits for it. */
      challenge: string;
      /** The number of the document, once a good card was shown. */
      number: string | null;
      expires_at: Date;
      taken_at: Date | null;
      used_at: Date | null;
    };
    /** Requests by the hash of the id that a link or a code shows; each is fetched once and answered once. */
    wallet_requests: {
      hash: string;
      /** Hash of the id of the address that takes the answer, which who fetched the request knows alone. */
      response: string;
      /** Hash of the sign-in that waits for it. */
      challenge: string;
      /** Whether the wallet is in the browser's own device, to which it sends the citizen back. */
      here: boolean;
      nonce: string;
      /** The private key that the answer is encrypted for, a sealed JWK. */
      key: string;
      expires_at: Date;
      fetched_at: Date | null;
      answered_at: Date | null;
      /** Number of the document and level of its issuer, once a good answer came. */
      number: string | null;
      level: number | null;
      used_at: Date | null;
    };
  }
}

/** An application of OpenID Connect, as the command line registered it. */
interface ClientTable {
  id: string;
  /** JSON text of the registration, without the secret. */
  registration: string;
  /** Sealed by the vault; null for an application that cannot keep one. */
  secret: string | null;
  created_at: Date;
}

/** What a citizen lets an application read. */
interface ConsentTable {
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
interface OidcRecordTable {
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

/** What the secret of a client is sealed for. */
export const clientPurpose = 'client-secret';

/** What a sign-in by a provider is sealed for. */
export const providerSignInPurpose = 'provider-sign-in';

/** What the key of a request to a wallet is sealed for. */
export function walletKeyPurpose(hash: string): string {
  return `wallet:${hash}`;
}

/** What these tables hold, and how long their rows stay. */
export const tables = {
  clients: {
    data: null,
    why: 'applications of OpenID Connect and their secrets',
    readers: ['operator'],
    encrypted: { secret: () => clientPurpose },
    kept: 'until an operator removes it',
  },
  consents: {
    data: 'What a citizen lets which application read',
    why: 'Asking once',
    readers: ['citizen'],
    kept: 'as long as the account',
  },
  logos: {
    data: null,
    why: 'pictures of applications',
    readers: ['citizen'],
    kept: 'as long as the application',
  },
  oidc_records: {
    data: 'Codes, grants and tokens of applications, with whose they are',
    why: 'Sign-ins to applications',
    readers: ['application'],
    encrypted: { payload: ({ model }) => oidcPurpose(String(model)) },
    hashed: ['id'],
    restored: 'deleted',
    kept: ended('dias_pedidos'),
  },
  saml_providers: {
    data: null,
    why: 'applications of SAML',
    readers: ['operator'],
    kept: 'until an operator removes it',
  },
  saml_requests: {
    data: 'Which browser and session an application of SAML asked to sign in',
    why: 'Sign-ins to applications',
    readers: [],
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    kept: ended('minutos_paso'),
  },
  saml_participants: {
    data: 'To which applications a session signed in, and under which name',
    why: 'Logout from applications',
    readers: ['application'],
    kept: 'as long as its session is remembered',
  },
  saml_logouts: {
    data: 'Which applications a logout has yet to reach',
    why: 'Logout from applications',
    readers: [],
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    kept: ended('minutos_paso'),
  },
  provider_identities: {
    data: 'By which identity at which provider a citizen signs in',
    why: 'Sign-in by other providers',
    readers: ['citizen', 'operator'],
    kept: 'as long as the account',
  },
  provider_refusals: {
    data: 'Which identities a citizen took back',
    why: 'No link is made again against the citizen’s will',
    readers: [],
    kept: 'as long as the account',
  },
  provider_sign_ins: {
    data: 'Claims of a provider about who signs in',
    why: 'Sign-in by other providers',
    readers: [],
    encrypted: { kept: () => providerSignInPurpose, person: () => providerSignInPurpose },
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    kept: ended('minutos_paso'),
  },
  card_tickets: {
    data: 'Number of the identity card that was shown',
    why: 'Sign-in by identity card',
    readers: [],
    hashed: ['hash', 'challenge'],
    restored: 'deleted',
    kept: ended('minutos_paso'),
  },
  wallet_requests: {
    data: 'Number of the document that a wallet presented',
    why: 'Sign-in by wallet',
    readers: [],
    encrypted: { key: ({ hash }) => walletKeyPurpose(String(hash)) },
    hashed: ['hash', 'response', 'challenge'],
    restored: 'deleted',
    kept: ended('minutos_paso'),
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
