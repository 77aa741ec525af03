import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { identityBrokerPaths } from '../../../../contract/contract.ts';
import { buildHref } from '../../../../contract/build-href.ts';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { hashSecret, generateSecret } from '../../../platform/keys/random-secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import {
  walletCredentialFormat,
  walletCredentialId,
  documentNumberClaim,
  walletSignatureAlgorithm,
  walletPresentationLifeS,
  type WalletVerifier,
  WalletError,
} from './wallet-verifier.ts';
import { buildWalletKeyVaultPurpose } from '../tables.ts';
import { pagePaths } from '../../../../contract/page-paths.ts';
import { challengeNames } from '../../identity/challenge-names.ts';
import { replaceSignInToken } from '../../sessions/sign-in-record.ts';
import { sendOutboundRequest } from '../../../platform/http/outbound-fetch.ts';
import { verifyWalletPresentation, type WalletPresentation } from './read-presentation.ts';

export interface WalletDependencies {
  readonly config: Pick<Config, 'baseUrl' | 'backchannelPrivate'>;
  readonly clock: Clock;
  readonly store: DatabaseStore;
  readonly vault: Vault;
  readonly wallet: WalletVerifier | null;
}

/** Creates two requests: one for a wallet on the browser's device, and one for a QR code. Only the first response to them is accepted. */
export async function createWalletPresentationRequests(
  dependencies: WalletDependencies & { wallet: WalletVerifier },
  token: string,
): Promise<{ readonly here: string; readonly elsewhere: string }> {
  return {
    here: await createPresentationRequest(dependencies, token, true),
    elsewhere: await createPresentationRequest(dependencies, token, false),
  };
}

async function createPresentationRequest(
  { config, clock, store, vault, wallet }: WalletDependencies & { wallet: WalletVerifier },
  token: string,
  here: boolean,
): Promise<string> {
  const id = generateSecret();
  const hash = hashSecret(id);
  const { privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  await store.db
    .insertInto('wallet_requests')
    .values({
      hash,
      response: hashSecret(generateSecret()), // placeholder until a wallet fetches the request
      challenge: hashSecret(token),
      here,
      nonce: generateSecret(),
      key: vault.encrypt(buildWalletKeyVaultPurpose(hash), JSON.stringify(await exportJWK(privateKey))),
      expires_at: addSeconds(clock.now(), walletPresentationLifeS),
    })
    .execute();
  const address = new URL(buildHref(identityBrokerPaths.walletRequest, { id }), config.baseUrl).href;
  const query = new URLSearchParams({ client_id: wallet.clientId, request_uri: address });
  return `${wallet.scheme}?${query}`;
}

/** Returns the signed request object (RFC 9101), which a wallet can fetch once. */
export async function consumeWalletRequestObject(dependencies: WalletDependencies, id: string): Promise<string | null> {
  const { config, clock, store, vault, wallet } = dependencies;
  if (wallet === null) return null;
  const now = clock.now();
  const response = generateSecret();
  const row = await store.db
    .updateTable('wallet_requests')
    .set({ fetched_at: now, response: hashSecret(response) })
    .where('hash', '=', hashSecret(id))
    .where('fetched_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['hash', 'nonce', 'key', 'expires_at'])
    .executeTakeFirst();
  if (!row) return null;
  const { kty, crv, x, y } = JSON.parse(vault.decrypt(buildWalletKeyVaultPurpose(row.hash), row.key)) as JWK; // the cast is safe: `createPresentationRequest` sealed the value
  const types = [...new Set(wallet.issuers.flatMap((issuer) => issuer.types))];
  return new SignJWT({
    client_id: wallet.clientId,
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: new URL(buildHref(identityBrokerPaths.walletResponse, { id: response }), config.baseUrl).href,
    nonce: row.nonce,
    dcql_query: {
      credentials: [
        {
          id: walletCredentialId,
          format: walletCredentialFormat,
          meta: { vct_values: types },
          claims: [{ path: [documentNumberClaim] }],
        },
      ],
    },
    client_metadata: {
      jwks: { keys: [{ kty, crv, x, y, kid: '1', use: 'enc', alg: 'ECDH-ES' }] },
      encrypted_response_enc_values_supported: ['A256GCM', 'A128GCM'],
      vp_formats_supported: {
        [walletCredentialFormat]: {
          'sd-jwt_alg_values': [walletSignatureAlgorithm],
          'kb-jwt_alg_values': [walletSignatureAlgorithm],
        },
      },
    },
  })
    .setProtectedHeader({ alg: walletSignatureAlgorithm, typ: 'oauth-authz-req+jwt', x5c: [...wallet.chain] })
    .setAudience('https://self-issued.me/v2')
    .setIssuedAt(now)
    .setExpirationTime(row.expires_at)
    .sign(wallet.key);
}

/** Accepts one response, even an invalid one. Returns the portal's URL with a new token, or `null` if the browser is on another device. */
export async function receiveWalletResponse(
  dependencies: WalletDependencies,
  id: string,
  response: string | undefined,
): Promise<string | null> {
  const { config, clock, store, vault, wallet } = dependencies;
  const now = clock.now();
  const row = await store.db
    .updateTable('wallet_requests')
    .set({ answered_at: now })
    .where('response', '=', hashSecret(id))
    .where('fetched_at', 'is not', null)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['hash', 'challenge', 'here', 'nonce', 'key'])
    .executeTakeFirst();
  if (!row || wallet === null) throw new WalletError('no pending request matches this response');
  if (response === undefined) throw new WalletError('the wallet presents nothing');
  const presented = await verifyWalletPresentation(response, {
    issuers: wallet.issuers,
    clientId: wallet.clientId,
    nonce: row.nonce,
    key: JSON.parse(vault.decrypt(buildWalletKeyVaultPurpose(row.hash), row.key)) as JWK, // the cast is safe: `createPresentationRequest` sealed the value
    now,
    async fetchList(address) {
      const { status, body } = await sendOutboundRequest(
        new URL(address),
        { method: 'GET', headers: { accept: 'application/statuslist+jwt' }, maxBytes: 256 * 1024 },
        { limitMs: 3_000, allowsPrivateTargets: config.backchannelPrivate },
      );
      if (status !== 200) throw new WalletError(`the status list is answered by ${status}`);
      return body.toString('utf8');
    },
  });
  return store.transaction(async (tx) => {
    const waiting = row.here ? await replaceSignInToken(tx, row.challenge, challengeNames.wallet, now) : null;
    if (row.here && waiting === null) throw new WalletError('the sign-in is no longer pending');
    await tx
      .updateTable('wallet_requests')
      .set({
        ...presented,
        ...(waiting !== null && { challenge: hashSecret(waiting.token) }),
        expires_at: addSeconds(now, walletPresentationLifeS),
      })
      .where('hash', '=', row.hash)
      .execute();
    if (waiting === null) return null;
    const { token: billetera, process_state, redirect_url: redirectUrl, agent: agnt } = waiting;
    const query = { useId4Verification: 'True', billetera, process_state, redirectUrl, agnt };
    return new URL(buildHref(pagePaths.login, query), config.baseUrl).href;
  });
}

export async function findWalletPresentationState({ db }: DatabaseStore, challenge: string, now: Date) {
  const rows = await db
    .selectFrom('wallet_requests')
    .select(['answered_at', 'number'])
    .where('challenge', '=', challenge)
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .execute();
  if (rows.some(({ number }) => number !== null)) return 'ready';
  if (rows.some(({ answered_at }) => answered_at === null)) return 'waiting';
  return rows.length > 0 ? 'refused' : 'over';
}

export async function consumeWalletPresentation(
  { db }: DatabaseStore,
  challenge: string,
  now: Date,
): Promise<WalletPresentation | null> {
  const used = await db
    .updateTable('wallet_requests')
    .set({ used_at: now })
    .where('challenge', '=', challenge)
    .where('number', 'is not', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['number', 'level'])
    .executeTakeFirst();
  return used?.number != null && used.level !== null ? { number: used.number, level: used.level } : null;
}
