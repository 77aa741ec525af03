import type { JWK } from 'jose';
import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import { after } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { challengeNames } from '../../identity/names.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import { handOver } from '../../sessions/challenge-record.ts';
import { outwardSend } from '../clients/outward-fetch.ts';
import { walletLifeS, WalletError } from './open-wallet.ts';
import { readAnswer, type Presented } from './read-answer.ts';
import type { WalletDependencies } from './requests.ts';
import { walletKeyPurpose } from '../tables.ts';

const listLimits = { mostBytes: 256 * 1024, limitMs: 3_000 } as const;

/**
 * Accepts one response to each request, even if it is invalid. Returns the URL that takes the citizen back to the portal with a new token for the
 * sign-in, or `null` if the browser is on another device. Throws a `WalletError`.
 */
export async function receiveAnswer(
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
  if (!row || wallet === null) throw new WalletError('nobody waits for this answer');
  if (response === undefined) throw new WalletError('the wallet presents nothing');
  const presented = await readAnswer(response, {
    issuers: wallet.issuers,
    clientId: wallet.clientId,
    nonce: row.nonce,
    key: JSON.parse(vault.open(walletKeyPurpose(row.hash), row.key)) as JWK, // sealed by `makeRequests`
    now,
    async fetchList(address) {
      const { status, body } = await outwardSend(
        new URL(address),
        { method: 'GET', headers: { accept: 'application/statuslist+jwt' }, mostBytes: listLimits.mostBytes },
        { limitMs: listLimits.limitMs, privateToo: config.backchannelPrivate },
      );
      if (status !== 200) throw new WalletError(`the status list is answered by ${status}`);
      return body.toString('utf8');
    },
  });
  return store.transaction(async (tx) => {
    const waiting = row.here ? await handOver(tx, row.challenge, challengeNames.wallet, now) : null;
    if (row.here && waiting === null) throw new WalletError('the sign-in waits no longer');
    await tx
      .updateTable('wallet_requests')
      .set({
        ...presented,
        ...(waiting !== null && { challenge: hashSecret(waiting.token) }),
        expires_at: after(now, walletLifeS),
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

export type WalletState = 'waiting' | 'ready' | 'refused' | 'over';

/** State of the presentation requests of a sign-in. `challenge` is the hash of its token. */
export async function walletState({ db }: Store, challenge: string, now: Date): Promise<WalletState> {
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

/** Result of a sign-in's presentation, which can be used once. Returns `null` if there is none or it has expired. */
export async function useWallet({ db }: Store, challenge: string, now: Date): Promise<Presented | null> {
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
