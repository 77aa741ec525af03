import { sql } from 'kysely';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { DatabaseStore, Tx } from '../../../platform/database/open-store.ts';
import { hashSecret } from '../../../platform/keys/random-secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { UpstreamRequestState, UpstreamUser } from './upstream-adapter.ts';
import { providerSignInVaultPurpose } from '../tables.ts';

export interface SignInDestination {
  readonly process_state: string | null;
  readonly redirect_url: string | null;
}

export interface ProviderSignIn extends SignInDestination {
  readonly hash: string;
  readonly kept: UpstreamRequestState;
}

export interface PendingIdentityLink extends SignInDestination {
  readonly hash: string;
  readonly provider: string;
  readonly arrived: UpstreamUser;
  readonly since: Date;
}

export const providerSignInLifeS = 10 * 60;

/** Time limit for confirming the link to an account, in seconds. It is short, because somebody else may use the browser next. */
const linkDecisionLifeS = 2 * 60;

export function createProviderSignInStore(parts: { store: DatabaseStore; clock: Clock; vault: Vault }) {
  const { store, clock, vault } = parts;
  return {
    async storeSignIn(begun: {
      state: string;
      browser: string;
      provider: string;
      kept: UpstreamRequestState;
      destination: SignInDestination;
    }): Promise<void> {
      const { state, browser, provider, kept, destination } = begun;
      const now = clock.now();
      await store.db
        .insertInto('provider_sign_ins')
        .values({
          hash: hashSecret(state),
          browser: hashSecret(browser),
          provider,
          kept: vault.encrypt(providerSignInVaultPurpose, JSON.stringify(kept)),
          ...destination,
          created_at: now,
          expires_at: addSeconds(now, providerSignInLifeS),
        })
        .execute();
    },
    /** Returns the sign-in of a `state`, once. Returns `null` if the state was used, has expired, or belongs to another browser or provider. */
    async redeemState(state: string, provider: string, browser: string | undefined): Promise<ProviderSignIn | null> {
      if (browser === undefined || state === '') return null;
      const row = await store.db
        .updateTable('provider_sign_ins')
        .set({ answered_at: clock.now() })
        .where('hash', '=', hashSecret(state))
        .where('browser', '=', hashSecret(browser))
        .where('provider', '=', provider)
        .where('answered_at', 'is', null)
        .where('expires_at', '>', clock.now())
        .returning(['hash', 'kept', 'process_state', 'redirect_url'])
        .executeTakeFirst();
      // The cast is safe, because only this store writes `kept`.
      return row
        ? { ...row, kept: JSON.parse(vault.decrypt(providerSignInVaultPurpose, row.kept)) as UpstreamRequestState }
        : null;
    },
    async storeProviderUser({ hash }: ProviderSignIn, arrived: UpstreamUser): Promise<void> {
      await store.db
        .updateTable('provider_sign_ins')
        .set({
          person: vault.encrypt(providerSignInVaultPurpose, JSON.stringify(arrived)),
          expires_at: addSeconds(clock.now(), linkDecisionLifeS),
        })
        .where('hash', '=', hash)
        .execute();
    },
    /** Finds the browser's pending link with `hash`. Without `hash`, finds its latest pending link. */
    async findPendingLink(browser: string | undefined, hash?: string): Promise<PendingIdentityLink | null> {
      if (browser === undefined) return null;
      const row = await store.db
        .selectFrom('provider_sign_ins')
        .select(['hash', 'provider', 'person', 'process_state', 'redirect_url', 'answered_at'])
        .where('browser', '=', hashSecret(browser))
        .$if(hash !== undefined, (rows) => rows.where('hash', '=', hash ?? ''))
        .where('person', 'is not', null)
        .where('linked_at', 'is', null)
        .where('expires_at', '>', clock.now())
        .orderBy('answered_at', 'desc')
        .executeTakeFirst();
      if (!row || row.person === null || row.answered_at === null) return null;
      const { person, answered_at: since, ...rest } = row;
      return { ...rest, since, arrived: JSON.parse(vault.decrypt(providerSignInVaultPurpose, person)) as UpstreamUser }; // the cast is safe: `storeProviderUser` wrote the value
    },
  };
}

/** Returns `false` if a decision was already recorded, or the time has expired. */
export async function recordIdentityLinkDecision(tx: Tx, hash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('provider_sign_ins')
    .set({ linked_at: now, person: sql<null>`null` })
    .where('hash', '=', hash)
    .where('linked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
