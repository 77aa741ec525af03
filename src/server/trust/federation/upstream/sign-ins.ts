import { sql } from 'kysely';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Store, Tx } from '../../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Kept } from './adapter.ts';
import type { Arrived } from './person.ts';
import { providerSignInPurpose } from '../tables.ts';

/** Where a sign-in goes on afterwards. */
export interface SignInDestination {
  readonly process_state: string | null;
  readonly redirect_url: string | null;
}

/** A sign-in on its way through a provider. */
export interface ProviderSignIn extends SignInDestination {
  readonly hash: string;
  readonly kept: Kept;
}

/** Somebody who is asked whether to link. */
export interface WaitingLink extends SignInDestination {
  readonly hash: string;
  readonly provider: string;
  readonly arrived: Arrived;
  /** When the provider answered. */
  readonly since: Date;
}

/** The sign-ins that are on their way through a provider, each bound to the browser that began it. */
export interface ProviderSignIns {
  /** Keeps one under a state that is made beforehand. */
  keep(begun: {
    state: string;
    browser: string;
    provider: string;
    kept: Kept;
    destination: SignInDestination;
  }): Promise<void>;
  /** Uses one up: each state is answered once, in its own browser, at its own provider. Null: there is none such. */
  take(state: string, provider: string, browser: string | undefined): Promise<ProviderSignIn | null>;
  /** Notes who is asked whether to link. */
  ask(signIn: ProviderSignIn, arrived: Arrived): Promise<void>;
  /** Who is asked in this browser, by the hash of the question, or the last one; null: nobody. */
  asked(browser: string | undefined, hash?: string): Promise<WaitingLink | null>;
}

/** Longest way through a provider, in seconds. */
export const providerSignInLifeS = 10 * 60;

/** A state for a new sign-in. */
export const newState = randomSecret;

/** How long the question whether to link waits, in seconds: it stands open in a browser that somebody else may use next. */
const questionLifeS = 2 * 60;

/** Opens the table of sign-ins. */
export function createProviderSignIns({
  store,
  clock,
  vault,
}: {
  store: Store;
  clock: Clock;
  vault: Vault;
}): ProviderSignIns {
  return {
    async keep({ state, browser, provider, kept, destination }) {
      const now = clock.now();
      await store.db
        .insertInto('provider_sign_ins')
        .values({
          hash: hashSecret(state),
          browser: hashSecret(browser),
          provider,
          kept: vault.seal(providerSignInPurpose, JSON.stringify(kept)),
          ...destination,
          answered_at: null,
          person: null,
          linked_at: null,
          created_at: now,
          expires_at: after(now, providerSignInLifeS),
        })
        .execute();
    },
    async take(state, provider, browser) {
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
      return row ? { ...row, kept: JSON.parse(vault.open(providerSignInPurpose, row.kept)) as Kept } : null; // as `keep` wrote it
    },
    async ask({ hash }, arrived) {
      await store.db
        .updateTable('provider_sign_ins')
        .set({
          person: vault.seal(providerSignInPurpose, JSON.stringify(arrived)),
          expires_at: after(clock.now(), questionLifeS),
        })
        .where('hash', '=', hash)
        .execute();
    },
    async asked(browser, hash) {
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
      return { ...rest, since, arrived: JSON.parse(vault.open(providerSignInPurpose, person)) as Arrived }; // as `ask` wrote it
    },
  };
}

/** Answers the question of a sign-in; false: it was answered before. */
export async function answerLink(tx: Tx, hash: string, now: Date): Promise<boolean> {
  const answered = await tx
    .updateTable('provider_sign_ins')
    .set({ linked_at: now, person: sql<null>`null` })
    .where('hash', '=', hash)
    .where('linked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('hash')
    .executeTakeFirst();
  return answered !== undefined;
}
