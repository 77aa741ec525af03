import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { brokerPages } from '../../../../contract/contract.ts';
import { href } from '../../../../contract/href.ts';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import { credentialFormat, credentialId, numberClaim, signatureAlgorithm, walletLifeS } from './open-wallet.ts';
import type { Wallet } from './open-wallet.ts';
import { walletKeyPurpose } from '../tables.ts';

export interface WalletDependencies {
  readonly config: Pick<Config, 'baseUrl' | 'backchannelPrivate'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly vault: Vault;
  /** `null` if wallets are not configured. */
  readonly wallet: Wallet | null;
}

/** Links of the two presentation requests of a sign-in: for a wallet on the same device as the browser, and for a QR code. */
export interface WalletLinks {
  readonly here: string;
  readonly elsewhere: string;
}

/** Creates the presentation requests of the sign-in that `token` identifies. The first response counts. */
export async function makeRequests(
  dependencies: WalletDependencies & { wallet: Wallet },
  token: string,
): Promise<WalletLinks> {
  return {
    here: await makeRequest(dependencies, token, true),
    elsewhere: await makeRequest(dependencies, token, false),
  };
}

async function makeRequest(
  { config, clock, store, vault, wallet }: WalletDependencies & { wallet: Wallet },
  token: string,
  here: boolean,
): Promise<string> {
  const id = randomSecret();
  const hash = hashSecret(id);
  const { privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  await store.db
    .insertInto('wallet_requests')
    .values({
      hash,
      response: hashSecret(randomSecret()), // replaced when the request is fetched
      challenge: hashSecret(token),
      here,
      nonce: randomSecret(),
      key: vault.seal(walletKeyPurpose(hash), JSON.stringify(await exportJWK(privateKey))),
      expires_at: after(clock.now(), walletLifeS),
    })
    .execute();
  const address = new URL(href(brokerPages.walletRequest, { id }), config.baseUrl).href;
  const query = new URLSearchParams({ client_id: wallet.clientId, request_uri: address });
  return `${wallet.scheme}?${query}`;
}

/** Returns the signed request object (RFC 9101). A wallet can fetch it once. Returns `null` if it is unknown, expired, or already fetched. */
export async function fetchRequest(dependencies: WalletDependencies, id: string): Promise<string | null> {
  const { config, clock, store, vault, wallet } = dependencies;
  if (wallet === null) return null;
  const now = clock.now();
  const response = randomSecret();
  const row = await store.db
    .updateTable('wallet_requests')
    .set({ fetched_at: now, response: hashSecret(response) })
    .where('hash', '=', hashSecret(id))
    .where('fetched_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['hash', 'nonce', 'key', 'expires_at'])
    .executeTakeFirst();
  if (!row) return null;
  const { kty, crv, x, y } = JSON.parse(vault.open(walletKeyPurpose(row.hash), row.key)) as JWK; // sealed by `makeRequest`
  const types = [...new Set(wallet.issuers.flatMap((issuer) => issuer.types))];
  return new SignJWT({
    client_id: wallet.clientId,
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: new URL(href(brokerPages.walletResponse, { id: response }), config.baseUrl).href,
    nonce: row.nonce,
    dcql_query: {
      credentials: [
        {
          id: credentialId,
          format: credentialFormat,
          meta: { vct_values: types },
          claims: [{ path: [numberClaim] }],
        },
      ],
    },
    client_metadata: {
      jwks: { keys: [{ kty, crv, x, y, kid: '1', use: 'enc', alg: 'ECDH-ES' }] },
      encrypted_response_enc_values_supported: ['A256GCM', 'A128GCM'],
      vp_formats_supported: {
        [credentialFormat]: {
          'sd-jwt_alg_values': [signatureAlgorithm],
          'kb-jwt_alg_values': [signatureAlgorithm],
        },
      },
    },
  })
    .setProtectedHeader({ alg: signatureAlgorithm, typ: 'oauth-authz-req+jwt', x5c: [...wallet.chain] })
    .setAudience('https://self-issued.me/v2')
    .setIssuedAt(now)
    .setExpirationTime(row.expires_at)
    .sign(wallet.key);
}
