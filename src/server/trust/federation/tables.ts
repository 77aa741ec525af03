import { createExpiryPurgeRule, type TableDescription } from '../../platform/modules/table-descriptions.ts';
import { buildOidcVaultPurpose } from '../sessions/index.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    clients: { id: string; registration: string; secret: string | null; created_at: Date };
    consents: {
      id: string;
      citizen_id: string;
      client_id: string;
      /** Names of scopes, separated by spaces. */
      scopes: string;
      texts_version: number;
      given_at: Date;
    };
    /** Logos by the URL from which they were fetched. `content` is in base64. */
    logos: { source: string; hash: string; type: string; content: string; fetched_at: Date };
    oidc_records: {
      model: string;
      /** Hash of the identifier. The identifier of a code or a token is its value. */
      id: string;
      payload: string;
      grant_id: string | null;
      uid: string | null;
      account_id: string | null;
      client_id: string | null;
      expires_at: Date;
      consumed_at: Date | null;
    };
    /** Version of the key that derives the pairwise identifiers of a sector. Empty for the first version. */
    pairwise_sectors: { use: 'oidc-pairwise' | 'saml-pairwise'; sector: string; key_version: string };
    saml_providers: {
      id: string;
      entity_id: string;
      registration: string;
      metadata: string;
      created_at: Date;
      /** Time of the next attempt to fetch the metadata. `null` if the metadata has no URL. */
      refresh_at: Date | null;
      refresh_error: string | null;
    };
    /** Pending AuthnRequests, by the hash of their `process_state`. `browser` is the hash of the cookie value that binds a request to its browser. */
    saml_requests: {
      hash: string;
      browser: string;
      provider: string;
      message_id: string;
      request: string;
      relay_state: string | null;
      /** Session of the citizen who must consent to the request. `null` until a consent is needed. */
      session_id: string | null;
      refused: boolean;
      answered_at: Date | null;
      created_at: Date;
      expires_at: Date;
    };
    saml_participants: {
      session_id: string;
      provider: string;
      name_id: string;
      name_id_format: string;
      session_index: string;
      signed_in_at: Date;
    };
    saml_logouts: { hash: string; browser: string; chain: string; expires_at: Date };
    provider_identities: {
      provider: string;
      /** Issuer (OpenID Connect) or entity ID (SAML) of the provider. */
      issuer: string;
      subject: string;
      citizen_id: string;
      linked_at: Date;
      used_at: Date;
    };
    /** Identities that a citizen unlinked or disavowed. Only a session that started with another sign-in method can link them again. */
    provider_refusals: {
      /** Identifier of the provider in the configuration. Empty in rows of an earlier version, which apply to every provider. */
      provider: string;
      issuer: string;
      subject: string;
      citizen_id: string;
      at: Date;
    };
    /** Pending sign-ins at identity providers, by the hash of `state`. `browser` is the hash of the cookie value that binds a sign-in to its browser. */
    provider_sign_ins: {
      hash: string;
      browser: string;
      provider: string;
      /** Values with which the provider's response is checked, as encrypted JSON. */
      kept: string;
      process_state: string | null;
      redirect_url: string | null;
      answered_at: Date | null;
      person: string | null;
      linked_at: Date | null;
      created_at: Date;
      expires_at: Date;
    };
    /** Tickets by hash. The browser presents a ticket at the card listener, which redeems it once. */
    card_tickets: {
      hash: string;
      challenge: string;
      number: string | null;
      expires_at: Date;
      taken_at: Date | null;
      used_at: Date | null;
    };
    /** Presentation requests by the hash of the id in their link or QR code. Each request can be fetched once and gets at most one response. */
    wallet_requests: {
      hash: string;
      /** Hash of the id in the response URL. Only the wallet that fetched the request has the id. */
      response: string;
      /** Hash of the token of the waiting sign-in. */
      challenge: string;
      /** Whether the wallet is on the same device as the browser. The wallet then returns the citizen to the portal. */
      here: boolean;
      nonce: string;
      /** Private key that decrypts the response, as an encrypted JWK. */
      key: string;
      expires_at: Date;
      fetched_at: Date | null;
      answered_at: Date | null;
      /** Document number. `null` until a valid response has arrived. */
      number: string | null;
      /** Level of the credential's issuer. `null` until a valid response has arrived. */
      level: number | null;
      used_at: Date | null;
    };
  }
}

export const clientSecretVaultPurpose = 'client-secret';

export const providerSignInVaultPurpose = 'provider-sign-in';

export function buildWalletKeyVaultPurpose(hash: string): string {
  return `wallet:${hash}`;
}

export const federationTables = {
  clients: {
    data: null,
    why: 'OpenID Connect applications and their secrets',
    readers: ['operator'],
    encrypted: { secret: () => clientSecretVaultPurpose },
    retention: 'until an operator deletes it',
  },
  consents: {
    data: 'Data that a citizen allows each application to read',
    why: 'Asking for consent only once',
    readers: ['citizen'],
    retention: 'until the account is deleted',
  },
  logos: {
    data: null,
    why: 'logos of applications',
    readers: ['citizen'],
    retention: 'until the application is removed',
  },
  oidc_records: {
    data: 'Codes, grants and tokens of applications, with the citizen of each',
    why: 'Sign-ins to applications',
    readers: ['application'],
    encrypted: { payload: ({ model }) => buildOidcVaultPurpose(String(model)) },
    hashed: ['id'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('dias_pedidos'),
  },
  pairwise_sectors: {
    data: null,
    why: 'key that derives the pairwise identifiers of each sector, so that a rotation does not change them',
    readers: [],
    retention: 'for good',
  },
  saml_providers: {
    data: null,
    why: 'SAML applications',
    readers: ['operator'],
    retention: 'until an operator deletes it',
  },
  saml_requests: {
    data: 'Pending SAML requests, with their browser and session',
    why: 'Sign-ins to applications',
    readers: [],
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
  saml_participants: {
    data: 'Applications to which a session has signed in, and the identifier used at each',
    why: 'Logout from applications',
    readers: ['application'],
    retention: 'until its session is deleted',
  },
  saml_logouts: {
    data: 'Applications that a logout must still reach',
    why: 'Logout from applications',
    readers: [],
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
  provider_identities: {
    data: 'Identities of a citizen at identity providers',
    why: 'Sign-in through identity providers',
    readers: ['citizen', 'operator'],
    retention: 'until the account is deleted',
  },
  provider_refusals: {
    data: 'Identities that a citizen has unlinked',
    why: 'Preventing that a removed link is created again',
    readers: [],
    retention: 'until the account is deleted',
  },
  provider_sign_ins: {
    data: 'Claims of a provider about the person who signs in',
    why: 'Sign-in through identity providers',
    readers: [],
    encrypted: { kept: () => providerSignInVaultPurpose, person: () => providerSignInVaultPurpose },
    hashed: ['hash', 'browser'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
  card_tickets: {
    data: 'Document number of the presented identity card',
    why: 'Sign-in by identity card',
    readers: [],
    hashed: ['hash', 'challenge'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
  wallet_requests: {
    data: 'Document number that a wallet presented',
    why: 'Sign-in by wallet',
    readers: [],
    encrypted: { key: ({ hash }) => buildWalletKeyVaultPurpose(String(hash)) },
    hashed: ['hash', 'response', 'challenge'],
    restored: 'deleted',
    retention: createExpiryPurgeRule('minutos_paso'),
  },
} as const satisfies Readonly<Record<string, TableDescription>>;
