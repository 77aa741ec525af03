import { randomUUID } from 'node:crypto';
import { createOrigin, type OriginOverrides } from './origin.ts';
import type { Updateable } from 'kysely';
import type { SignInRecord, AttemptedSignInRecord } from '../../../src/server/trust/sessions/sign-in-record.ts';
import { countSignInAttempt, verifyChallengeAnswer } from '../../../src/server/features/sign-in/answer-challenge.ts';
import {
  type SignInChallenge,
  type SignInChallengeDependencies,
  type ChallengeProof,
  type SignInChallengeRequest,
} from '../../../src/server/features/sign-in/challenges/challenge.ts';
import { sessionAttemptLimits } from '../../../src/server/trust/sessions/index.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { createDatabaseCommandRunner } from '../../../src/server/trust/notices/database-commands.ts';
import type { AttemptThrottle, LimitedAttempt } from '../../../src/server/trust/abuse/attempt-throttle.ts';
import { findPasswordHash } from '../../../src/server/trust/identity/citizens.ts';
import { mailTemplates } from '../../../src/server/app/server-modules.ts';
import { loadMailTemplates } from '../../../src/server/platform/mail/load-mail-templates.ts';
import { createScreenValidator } from '../../../src/server/app/create-screen-validator.ts';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import {
  generatePasskeyCreationOptions,
  verifyPasskeyRegistration,
} from '../../../src/server/trust/credentials/webauthn-ceremonies.ts';
import { addPasskey, ensurePasskeyUserHandle } from '../../../src/server/trust/credentials/passkeys.ts';
import type { Database } from '../../../src/server/platform/database/schema.ts';
import { createAuthenticator, type Authenticator } from './authenticator.ts';
import { createAuditWriter } from './audit.ts';
import type { DatabaseName } from './databases.ts';
import { createFakeDefinitions } from './fake-definitions.ts';
import { createNoThrottle } from './no-throttle.ts';
import { openCheapPasswords } from './cheap-hashes.ts';
import { openTestStore } from './test-store.ts';

/** Input that the fake validation of every screen rejects. */
export const refusedInput = 'refused by its screen';

/** Opens the parts of the server that challenges use, on a database. Records calls to the fakes. */
export async function openChallengeParts(
  database: DatabaseName,
  more: (parts: HandlerContext) => Partial<HandlerContext> = () => ({}),
) {
  const on = await openTestStore(database);
  const { store, clock, vault } = on;
  /** Recorded calls to throttle, passwords and validation, in order. */
  const asked: unknown[][] = [];
  const definitions = createFakeDefinitions((screen, values): Record<string, string> => {
    asked.push(['screen', screen, values]);
    return Object.values(values).includes(refusedInput) ? { '': refusedInput } : {};
  });
  // settings that challenges read
  const config = readConfig({
    DATA_DIR: 'unused',
    AGENT_DOMAINS: 'salud.gub.uy',
    REDIRECT_ORIGINS: 'https://tramites.example',
  });
  const templates = await loadMailTemplates(mailTemplates, 'https://a.example');
  const base = {
    store,
    clock,
    vault,
    config,
    templates,
    commands: createDatabaseCommandRunner({ store, auditWriter: await createAuditWriter(), clock, config, templates }),
    definitions: () => definitions,
    throttle: {
      async admit(...[limit, counted, now, change]: Parameters<AttemptThrottle['admit']>) {
        asked.push(['admit', limit.name, counted, now]);
        await createNoThrottle(store).admit(limit, counted, now, change);
      },
      forgive: async (...tries: readonly LimitedAttempt[]) =>
        tries.forEach(({ limit, counted }) => asked.push(['forgive', limit.name, counted])),
    },
    passwords: {
      ...(await openCheapPasswords()),
      hash: async (text: string) => `hash of ${text}`,
      verify: async (hash: string | null, text: string) => {
        asked.push(['verify', hash, text]);
        return hash === `hash of ${text}`;
      },
    },
  } as unknown as HandlerContext;
  const recordForgiven = { ...base, ...more(base) };
  const parts = { ...recordForgiven, validateForm: createScreenValidator(recordForgiven) };
  return {
    ...on,
    parts,
    asked,
    /** Creates a citizen's sign-in that waits for `step`. */
    record: (citizen_id: string | null, changes: Partial<SignInRecord> = {}): AttemptedSignInRecord => ({
      password_hash: null,
      known_device: null,
      has_factor: false,
      failed_attempts: [],
      password_reset_at: null,
      hash: randomUUID(),
      browser: 'b',
      step: 'a-step',
      factors: 'username',
      tries: 0,
      document: 'ar-psp-1',
      citizen_id,
      redirect_url: null,
      process_state: null,
      agent: null,
      institutional_email: null,
      user_agent: '',
      address: '192.0.2.9',
      created_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + 600_000),
      used_at: null,
      ...changes,
    }),
    request: (
      data_challenge: SignInChallengeRequest['body']['data_challenge'],
      {
        address = '192.0.2.9',
        userAgent = 'A browser',
        language = 'es',
        ...changes
      }: Partial<SignInChallengeRequest> & OriginOverrides = {},
    ): SignInChallengeRequest => ({
      params: {},
      query: {},
      body: { challenge: 'a-step', data_challenge, extra: null, token: 't' },
      caller: null,
      cookies: {},
      origin: createOrigin({ address, userAgent, language, requestId: 'request-1' }),
      ...changes,
    }),
    /** Starts a sign-in with a challenge, as the handler does. */
    open: (
      { open }: SignInChallenge,
      request: SignInChallengeRequest,
      dependencies: SignInChallengeDependencies = parts,
    ) => {
      if (!open) throw new Error('the challenge opens no sign-in');
      return open(dependencies, request, async (change) => {
        await countSignInAttempt(dependencies, request, sessionAttemptLimits.challenge, { ...(change && { change }) });
      });
    },
    /** Verifies a response as the handler does. Returns the proof, with the attempts that a success would forgive. */
    async prove(
      { answer }: SignInChallenge,
      request: SignInChallengeRequest,
      record: AttemptedSignInRecord,
      dependencies: SignInChallengeDependencies = parts,
    ) {
      if (!answer) throw new Error('the challenge has no answer');
      const { proof, tries } = await verifyChallengeAnswer(dependencies, answer, request, record);
      return { ...proof, tries };
    },
    /** Records the forgiven attempts. Returns the serialisable properties of a proof. */
    recordForgiven({
      applyProof: _,
      tries,
      ...properties
    }: ChallengeProof & { readonly tries: readonly LimitedAttempt[] }) {
      for (const { limit, counted } of tries) asked.push(['forgive', limit.name, counted]);
      return properties;
    },
    /** Applies a proof in a transaction, as a completed step does. */
    settle: (proof: ChallengeProof, citizenId = '') =>
      store.transaction(async (tx) => proof.applyProof(tx, { passwordHash: await findPasswordHash(tx, citizenId) })),
    /** Returns the audit rows of a citizen. For `null`, returns the rows without a citizen. */
    audit: (citizenId: string | null) =>
      store.db
        .selectFrom('audit')
        .select(['at', 'action', 'address', 'request_id', 'details'])
        .where('citizen_id', 'is not distinct from', citizenId)
        .orderBy('seq')
        .execute(),
    /** Creates a citizen with an active account, a verified e-mail address and the password `mate`. */
    async account(changes: Updateable<Database['citizens']> = {}) {
      const id = await on.citizen();
      const person = { active_at: clock.now(), email: 'ana@example.com', email_verified_at: clock.now(), ...changes };
      await store.db.updateTable('citizens').set(person).where('id', '=', id).execute();
      await store.db
        .insertInto('credentials')
        .values({ citizen_id: id, password_hash: 'hash of mate', changed_at: clock.now() })
        .execute();
      return { id, number: id.replaceAll('-', '').toUpperCase() };
    },
    /** Sets up e-mail codes for a citizen. */
    async mailbox(citizenId: string): Promise<void> {
      const now = clock.now();
      const factor = { id: randomUUID(), citizen_id: citizenId, kind: 'email', secret: null, last_step: null } as const;
      await store.db
        .insertInto('second_factors')
        .values({ ...factor, created_at: now, activated_at: now })
        .execute();
    },
    /** Sets up an authenticator app for a citizen. */
    async app(citizenId: string, secret: string | null, last_step: number | null = null): Promise<string> {
      const id = randomUUID();
      await store.db
        .insertInto('second_factors')
        .values({
          id,
          citizen_id: citizenId,
          kind: 'totp',
          secret: secret === null ? null : vault.encrypt(`totp ${id}`, secret),
          last_step,
          created_at: clock.now(),
          activated_at: clock.now(),
        })
        .execute();
      return id;
    },
    async passkey(citizenId: string): Promise<{ id: string; authenticator: Authenticator }> {
      const authenticator = createAuthenticator(new URL(parts.config.baseUrl).origin);
      const id = await store.transaction(async (tx) => {
        const names = { name: 'ana', displayName: 'Ana', known: [] };
        const options = await generatePasskeyCreationOptions(parts.config, {
          handle: await ensurePasskeyUserHandle(tx, citizenId),
          ...names,
        });
        const made = await verifyPasskeyRegistration(parts.config, authenticator.create(options), () => true);
        return made && addPasskey(tx, vault, { citizenId, passkey: { ...made, name: 'Mi llave' }, now: clock.now() });
      });
      if (id === null) throw new Error('no passkey was made');
      return { id, authenticator };
    },
  };
}
