import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { brokerPages } from '../../../../contract/contract.ts';
import { href } from '../../../../contract/href.ts';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import {
  credentialFormat,
  credentialId,
  numberClaim,
  signatureAlgorithm,
  walletLifeS,
  type WalletVerifier,
  WalletError,
} from './open-wallet.ts';
import { buildWalletKeyPurpose } from '../tables.ts';
import { pages } from '../../../../contract/pages.ts';
import { challengeNames } from '../../identity/challenge-names.ts';
import { replaceChallengeToken } from '../../sessions/challenge-record.ts';
import { sendOutbound } from '../../../platform/http/outbound-fetch.ts';
import { readPresentation, type WalletPresentation } from './read-presentation.ts';

export interface WalletDependencies {
  readonly config: Pick<Config, 'baseUrl' | 'backchannelPrivate'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly vault: Vault;
  readonly wallet: WalletVerifier | null;
}

/**
 * Creates the presentation requests of the sign-in that `token` identifies: one for a wallet on the same device as the
 * browser, and one for a QR code. Only the first response is accepted.
 */
export async function createPresentationRequests(
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
  const id = randomSecret();
  const hash = hashSecret(id);
  const { privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  await store.db
    .insertInto('wallet_requests')
    .values({
      hash,
      response: hashSecret(randomSecret()), // placeholder until a wallet fetches the request
      challenge: hashSecret(token),
      here,
      nonce: randomSecret(),
      key: vault.seal(buildWalletKeyPurpose(hash), JSON.stringify(await exportJWK(privateKey))),
      expires_at: addSeconds(clock.now(), walletLifeS),
    })
    .execute();
  const address = new URL(href(brokerPages.walletRequest, { id }), config.baseUrl).href;
  const query = new URLSearchParams({ client_id: wallet.clientId, request_uri: address });
  return `${wallet.scheme}?${query}`;
}

/**
 * Returns the signed request object (RFC 9101), which a wallet can fetch once. Returns `null` if the request is unknown, expired, or already
 * fetched.
 */
export async function takeRequestObject(dependencies: WalletDependencies, id: string): Promise<string | null> {
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
  const { kty, crv, x, y } = JSON.parse(vault.open(buildWalletKeyPurpose(row.hash), row.key)) as JWK; // the cast is safe: `createPresentationRequest` sealed the value
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

const statusListLimits = { maxBytes: 256 * 1024, limitMs: 3_000 } as const;

/**
 * Accepts one response to each request, even if the response is invalid. Returns the URL that returns the citizen to the portal with a new token for
 * the sign-in. Returns `null` if the browser is on another device. Throws a `WalletError` if the response is not accepted.
 */
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
  const presented = await readPresentation(response, {
    issuers: wallet.issuers,
    clientId: wallet.clientId,
    nonce: row.nonce,
    key: JSON.parse(vault.open(buildWalletKeyPurpose(row.hash), row.key)) as JWK, // the cast is safe: `createPresentationRequest` sealed the value
    now,
    async fetchList(address) {
      const { status, body } = await sendOutbound(
        new URL(address),
        { method: 'GET', headers: { accept: 'application/statuslist+jwt' }, maxBytes: statusListLimits.maxBytes },
        { limitMs: statusListLimits.limitMs, privateToo: config.backchannelPrivate },
      );
      if (status !== 200) throw new WalletError(`the status list is answered by ${status}`);
      return body.toString('utf8');
    },
  });
  return store.transaction(async (tx) => {
    const waiting = row.here ? await replaceChallengeToken(tx, row.challenge, challengeNames.wallet, now) : null;
    if (row.here && waiting === null) throw new WalletError('the sign-in is no longer pending');
    await tx
      .updateTable('wallet_requests')
      .set({
        ...presented,
        ...(waiting !== null && { challenge: hashSecret(waiting.token) }),
        expires_at: addSeconds(now, walletLifeS),
      })
      .where('hash', '=', row.hash)
      .execute();
    if (waiting === null) return null;
    const { token, process_state, redirect_url: redirectUrl, agent: agnt } = waiting;
    const path = href(pages.login, {
      useId4Verification: 'True',
      billetera: token,
      process_state: process_state ?? undefined,
      redirectUrl: redirectUrl ?? undefined,
      agnt: agnt ?? undefined,
    });
    return new URL(path, config.baseUrl).href;
  });
}

/** Returns the state of a sign-in's presentation requests. `challenge` is the hash of the sign-in's token. */
export async function findPresentationState(
  { db }: Store,
  challenge: string,
  now: Date,
): Promise<'waiting' | 'ready' | 'refused' | 'over'> {
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

/** Consumes the result of a sign-in's presentation, which can be used once. Returns `null` if there is none or it has expired. */
export async function consumePresentation(
  { db }: Store,
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
