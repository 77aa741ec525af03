import { generateSync } from 'otplib';
import { createOrigin, type OriginOverrides } from '../../support/origin.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerChallenge } from '../../../../src/server/features/sign-in/answer-challenge.ts';
import { challengeNames as steps } from '../../../../src/server/trust/identity/challenge-names.ts';
import type { PendingAuthenticationRequest } from '../../../../src/server/trust/federation/clients/pending-request.ts';
import { logout, resendRecoveryCode } from '../../../../src/server/features/sign-in/index.ts';
import {
  startBrowserSession,
  resolveSignInDestination,
} from '../../../../src/server/features/sign-in/complete-sign-in.ts';
import type { SignInChallengeRequest } from '../../../../src/server/features/sign-in/challenges/challenge.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import { continueLogoutChain, findLogoutProgress } from '../../../../src/server/trust/federation/saml/logout-chain.ts';
import { createSessionEndNotifier } from '../../../../src/server/trust/federation/ends/notify-session-ends.ts';
import { hashSecret } from '../../../../src/server/platform/keys/random-secrets.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import { generateTotpSecret } from '../../../../src/server/trust/credentials/second-factors.ts';
import type { HandlerContext } from '../../../../src/server/features/handler-context.ts';
import { unknownCitizen, replaceRecoveryCodes } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openChallengeParts } from '../../support/challenge-parts.ts';

type Data = SignInChallengeRequest['body']['data_challenge'];

const secret = /^[\w-]{43}$/;
const expired = { status: 410, code: 'sesion_expirada' };
const agency = 'agente@salud.gub.uy';
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';
const application: PendingAuthenticationRequest = {
  clientId: 'app',
  clientName: 'App',
  requiredNid: 0,
  maxAgeS: null,
  resumePath: '/broker/resume',
  legacy: false,
};
const applications: Readonly<Record<string, PendingAuthenticationRequest>> = {
  plain: application,
  two: { ...application, requiredNid: 2 },
  legacy: { ...application, legacy: true },
};

describe('responses of a sign-in', () => {
  let room: Awaited<ReturnType<typeof openChallengeParts>>;
  let ana: { id: string; number: string };
  /** Recorded back-channel logout notifications. */
  const told: unknown[][] = [];
  const tell = vi.fn(async (...call: unknown[]) => void told.push(call));
  beforeAll(async () => {
    const client = {
      clientId: 'app',
      clientName: 'App',
      frontchannel_logout_uri: 'https://app.example/frame',
      backchannelLogoutUri: 'https://app.example/logout',
      backchannelLogout: tell,
    };
    const oidc = { provider: { issuer: 'https://portal.example', Client: { find: async () => client } } };
    room = await openChallengeParts(
      defaultDatabase,
      () =>
        ({
          pendingRequests: { findRequest: async (state: string) => applications[state] ?? null },
          oidc,
          saml: { providers: { findCurrent: async () => null } }, // simulates a service provider that has been removed
          notifyEnds: (ids: readonly string[]) =>
            createSessionEndNotifier({
              ...room.parts,
              oidc,
              saml: { providers: { findCurrent: async () => null } },
            } as unknown as Parameters<typeof createSessionEndNotifier>[0])(ids),
        }) as unknown as Partial<HandlerContext>,
    );
  });
  afterAll(() => room.close());
  beforeEach(async () => {
    ana = await room.account();
    room.clock.advance(60);
    room.asked.length = 0;
    told.length = 0;
  });

  const now = () => room.clock.now();
  const inS = (seconds: number) => new Date(now().getTime() + seconds * 1000).toISOString();
  const answer = (
    challenge: string,
    data: Data,
    token: string | null,
    changes: Partial<SignInChallengeRequest> & OriginOverrides = {},
    extra = {},
  ) =>
    answerChallenge(
      room.parts,
      room.request(data, { body: { challenge, data_challenge: data, extra, token }, userAgent: chrome, ...changes }),
    );
  /** Starts a sign-in in a new browser. Returns its token and cookie. */
  async function begin(
    who = ana.number,
    extra: NonNullable<SignInChallengeRequest['body']['extra']> = {},
    cookies = {},
  ) {
    const form = { username: who, pais_emisor: 'ar', tipo_documento: 'psp' };
    const { body, cookies: set } = await answer(steps.username, form, null, {}, extra);
    const held = { ...cookies, challenge: set?.challenge?.value ?? '' };
    return {
      token: body.token ?? '',
      answer: (challenge: string, data: Data, changes: Partial<SignInChallengeRequest> & OriginOverrides = {}) =>
        answer(challenge, data, body.token, { cookies: held, ...changes }),
    };
  }
  /** Starts a sign-in, and completes its password step. */
  async function proven(...start: Parameters<typeof begin>) {
    const chain = await begin(...start);
    return { ...chain, ...(await chain.answer(steps.password, { password: 'mate' })) };
  }
  const recordOf = (token: string) =>
    room.store.db.selectFrom('challenges').selectAll().where('hash', '=', hashSecret(token)).executeTakeFirstOrThrow();
  const sessionsOf = (citizenId = ana.id) =>
    room.store.db
      .selectFrom('broker_sessions')
      .selectAll()
      .where('citizen_id', '=', citizenId)
      .orderBy('created_at')
      .execute();
  const mailsTo = (recipient: string, citizenId = ana.id) =>
    room.store.db
      .selectFrom('outbox')
      .select(['subject', 'text'])
      .where('recipient', '=', recipient)
      .where('citizen_id', '=', citizenId)
      .orderBy('id')
      .execute();
  const mailedCode = async (recipient: string) =>
    /^\d{6}$/m.exec((await mailsTo(recipient)).at(-1)?.text ?? '')?.[0] ?? '';
  const recoveryCode = async () =>
    (await room.store.transaction((tx) => replaceRecoveryCodes(tx, room.parts.passwords, ana.id, now())))[0] ?? '';
  const app = generateTotpSecret();
  const appCode = () => generateSync({ secret: app, epoch: now().getTime() / 1000 });
  const person = { name: 'Ana Paz', level: 'Autoregistrado', email: 'a***@example.com' };
  const reminder = (target: string) => `/configurar-segundo-factor?redirect_uri=${encodeURIComponent(target)}`;

  describe('[LOG-05] first step', () => {
    test('a document starts the password step, for ten minutes', async () => {
      const reply = await answer(steps.username, { username: '1234567' }, null);
      expect(reply).toEqual({
        body: { challenge: steps.password, token: expect.stringMatching(secret), expires_at: inS(600) },
        cookies: { challenge: { value: expect.stringMatching(secret), maxAge: 600 } },
      });
      expect(await recordOf(reply.body.token ?? '')).toMatchObject({ step: steps.password, document: 'uy-ci-1234567' });
    });

    test('a passkey without a document returns its options', async () => {
      const reply = await answer(steps.passkeySignIn, {}, null);
      expect(reply).toEqual({
        body: {
          challenge: steps.passkeySignIn,
          token: expect.stringMatching(secret),
          options: expect.objectContaining({ userVerification: 'required' }),
          expires_at: inS(600),
        },
        cookies: { challenge: { value: expect.stringMatching(secret), maxAge: 600 } },
      });
    });

    test('a passkey with a token completes only its own sign-in', async () => {
      const chain = await begin();
      await expect(chain.answer(steps.passkeySignIn, {})).rejects.toMatchObject(expired);
      const { body, cookies } = await answer(steps.passkeySignIn, {}, null);
      const { authenticator } = await room.passkey(ana.id);
      const held = { cookies: { challenge: cookies?.challenge?.value ?? '' } };
      const credential = authenticator.use(body.options);
      const done = await answer(steps.passkeySignIn, { credential }, body.token, held);
      expect(done.body).toEqual({ ...person, challenge: null, token: null, location: '/' });
      expect(await recordOf(body.token ?? '')).toMatchObject({ used_at: now() });
      expect(await sessionsOf()).toMatchObject([{ amr: steps.passkey, nid: 1 }]);
    });

    test.each(['constructor', '__proto__', 'otro', ''])(
      'rejects the unknown step %j without counting it',
      async (step) => {
        const chain = await begin();
        await expect(chain.answer(step, { password: 'mate' })).rejects.toMatchObject({
          status: 400,
          code: 'paso_desconocido',
          field: 'challenge',
        });
        expect(await recordOf(chain.token)).toMatchObject({ step: steps.password, tries: 0 });
      },
    );

    test.each([steps.password, steps.totp])('rejects %s without a token as expired', async (step) => {
      for (const data of [{ password: 'mate', emailTOTP: true }, { recovery: 'x' }])
        await expect(answer(step, data, null)).rejects.toMatchObject(expired);
    });
  });

  describe('[LOG-05 ENT-02] last step', () => {
    test('starts a session with cookies, audit entry and last login, and notifies no application', async () => {
      const { token, body, cookies, after } = await proven(ana.number, {
        redirect_url: 'https://tramites.example/volver',
      });
      const location = reminder('https://tramites.example/volver');
      expect(body).toEqual({ ...person, challenge: null, token: null, location });
      expect(cookies).toEqual({
        session: { value: expect.stringMatching(secret), maxAge: 43_200 },
        device: { value: expect.stringMatching(secret), maxAge: 365 * 24 * 60 * 60 },
        challenge: null,
      });
      expect(await sessionsOf()).toEqual([
        {
          id: expect.any(String),
          hash: hashSecret(cookies?.session?.value ?? ''),
          citizen_id: ana.id,
          created_at: now(),
          expires_at: new Date(inS(room.parts.config.sessionLifeS)),
          seen_at: now(),
          idle_at: new Date(inS(room.parts.config.sessionIdleS)),
          revoked_at: null,
          authenticated_at: null,
          amr: steps.password,
          nid: 1,
          role: 'citizen',
          phishing_resistant: false,
          oidc_uid: null,
          verified_at: null,
          renewed_by: null,
          idp: null,
          user_agent: chrome,
          address: '192.0.2.9',
        },
      ]);
      expect(await recordOf(token)).toMatchObject({ used_at: now() });
      const citizen = room.store.db.selectFrom('citizens').select('last_login_at').where('id', '=', ana.id);
      expect(await citizen.executeTakeFirstOrThrow()).toEqual({ last_login_at: now() });
      const entry = room.store.db.selectFrom('audit').selectAll().where('citizen_id', '=', ana.id);
      expect(await entry.execute()).toMatchObject([
        {
          at: now(),
          action: 'sign-in',
          actor: 'citizen',
          address: '192.0.2.9',
          request_id: 'request-1',
          details: JSON.stringify({ amr: [steps.password] }),
        },
      ]);
      expect(room.asked.at(-1)).toEqual(['forgive', 'challenge', { address: '192.0.2.9' }]);
      await after?.();
      expect(told).toEqual([]);
    });

    test('[SES-11] stores the identity provider in the session and the audit log', async () => {
      const citizen = await findCitizen(room.store.db, ana.id);
      if (citizen === null) throw new Error('there is no such citizen');
      const proof = { amr: ['urn:iduruguay:am:other'], nid: 1, role: 'citizen', idp: 'abitab' } as const;
      await room.parts.commands.run(createOrigin(), (command) =>
        startBrowserSession(command, room.parts, {}, { citizen, device: null, ...proof }),
      );
      expect(await sessionsOf()).toMatchObject([{ amr: 'urn:iduruguay:am:other', idp: 'abitab' }]);
      const details = JSON.stringify({ amr: ['urn:iduruguay:am:other'], idp: 'abitab' });
      expect(await room.audit(ana.id)).toMatchObject([{ action: 'sign-in', details }]);
    });

    test('returns no e-mail for an account without an address', async () => {
      const { number } = await room.account({ email: null, email_verified_at: null });
      const { email: _, ...nobody } = person;
      const location = `/registro?next=${encodeURIComponent(reminder('/'))}`;
      expect((await proven(number)).body).toEqual({ ...nobody, challenge: null, token: null, location });
    });

    test.each([
      { note: 'blocked', change: { blocked_at: new Date(0) }, code: 'account_blocked' },
      { note: 'not activated', change: { active_at: null }, code: 'account_no_activated' },
      {
        note: 'blocked and not activated',
        change: { blocked_at: new Date(0), active_at: null },
        code: 'account_blocked',
      },
    ])(
      '[LOG-14] rejects an account that is $note, audits it, mails no code, and starts no session',
      async ({ change, code }) => {
        const { id, number } = await room.account(change);
        await room.mailbox(id);
        const chain = await begin(number);
        await expect(chain.answer(steps.password, { password: 'mate' })).rejects.toMatchObject({
          status: 403,
          code,
          field: 'password',
          sendsCodeAsMessage: true,
        });
        expect(await room.audit(id)).toEqual([
          {
            at: now(),
            action: 'sign-in-refused',
            address: '192.0.2.9',
            request_id: 'request-1',
            details: JSON.stringify({ reason: code }),
          },
        ]);
        expect([await sessionsOf(id), await mailsTo('ana@example.com', id)]).toEqual([[], []]);
        expect(await recordOf(chain.token)).toMatchObject({ step: steps.password, used_at: null });
      },
    );

    test('expires if the account no longer exists', async () => {
      const chain = await begin('NOBODY');
      const verify = vi.spyOn(room.parts.passwords, 'verify').mockResolvedValueOnce(true);
      await expect(chain.answer(steps.password, { password: 'mate' })).rejects.toMatchObject(expired);
      verify.mockRestore();
    });

    test('returns the step that the required level lacks together with the token of the sign-in', async () => {
      const { token, body } = await proven(ana.number, { process_state: 'two' });
      expect(body).toEqual({ ...person, challenge: 'needs_both', token });
      expect(await sessionsOf()).toHaveLength(1);
    });
  });

  describe('[LOG-04] steps in between', () => {
    test('the app step does not extend the time of the sign-in', async () => {
      await room.app(ana.id, app);
      const ends = inS(600);
      const chain = await begin();
      room.clock.advance(30);
      const reply = await chain.answer(steps.password, { password: 'mate' });
      expect(reply).toEqual({
        body: { ...person, challenge: steps.totp, token: chain.token, expires_at: ends, other: false },
      });
      expect(await recordOf(chain.token)).toMatchObject({
        step: steps.totp,
        factors: `username ${steps.password}`,
        tries: 0,
        used_at: null,
      });
      expect(await sessionsOf()).toEqual([]);
      const done = await chain.answer(steps.totp, { totp: appCode() });
      expect(done.body).toEqual({ ...person, challenge: null, token: null, location: '/' });
      expect(await sessionsOf()).toMatchObject([{ amr: `${steps.password} ${steps.totp}` }]);
    });

    test('[LOG-08] a code is mailed with the response, and counted', async () => {
      await room.mailbox(ana.id);
      const { answer: next, body } = await proven();
      expect(body).toMatchObject({ challenge: steps.mailedCode, email: 'a***@example.com', forced: false });
      expect(room.asked.filter(([, purpose]) => purpose === 'mailedCode')).toEqual([
        ['admit', 'mailedCode', { address: '192.0.2.9', document: `ar-psp-${ana.number}` }, now()],
      ]);
      await next(steps.mailedCode, { recoverycode: await mailedCode('ana@example.com') });
      expect(await sessionsOf()).toHaveLength(1);
    });

    test('[LOG-08] the sign-in remains at the password step if too many codes were mailed', async () => {
      await room.mailbox(ana.id);
      const chain = await begin();
      const refused = new OperationError(429, 'demasiados_intentos');
      const admit = vi.spyOn(room.parts.throttle, 'admit').mockImplementation(async ({ name }) => {
        if (name === 'mailedCode') throw refused;
      });
      await expect(chain.answer(steps.password, { password: 'mate' })).rejects.toBe(refused);
      admit.mockRestore();
      expect(await recordOf(chain.token)).toMatchObject({ step: steps.password, factors: 'username' });
      expect(await mailsTo('ana@example.com')).toEqual([]);
    });

    test('no mail is counted if none is sent', async () => {
      await proven();
      const counted = room.asked.flatMap(([kind, purpose]) => (kind === 'admit' ? [purpose] : []));
      expect(counted).toEqual(['challenge', 'signIn']);
    });

    test('[LOG-07 LOG-08] the sign-in continues without a mailed code if the method is removed during the password check', async () => {
      await room.mailbox(ana.id);
      const chain = await begin();
      const begun = room.store.transaction;
      const transaction = vi.spyOn(room.store, 'transaction').mockImplementationOnce(async (work) => {
        await room.store.db.deleteFrom('second_factors').where('citizen_id', '=', ana.id).execute();
        return begun(work);
      });
      expect((await chain.answer(steps.password, { password: 'mate' })).body.challenge).toBeNull();
      transaction.mockRestore();
      expect(await mailsTo('ana@example.com')).toEqual([]);
    });

    test('[LOG-07 LOG-08] the sign-in expires without a mail if mailed codes are set up during the password check', async () => {
      const chain = await begin();
      const begun = room.store.transaction;
      const transaction = vi.spyOn(room.store, 'transaction').mockImplementationOnce(async (work) => {
        await room.mailbox(ana.id);
        return begun(work);
      });
      await expect(chain.answer(steps.password, { password: 'mate' })).rejects.toMatchObject(expired);
      transaction.mockRestore();
      expect([await mailsTo('ana@example.com'), await sessionsOf()]).toEqual([[], []]);
    });

    test('[SEG+PASSKEY] the passkey step returns options, and whether another method exists', async () => {
      const { authenticator } = await room.passkey(ana.id);
      const { answer: next, body } = await proven();
      expect(body).toMatchObject({
        challenge: steps.passkey,
        other: false,
        options: { userVerification: 'preferred', allowCredentials: [{ id: authenticator.id }] },
      });
      expect((await next(steps.passkey, { other: true })).body.challenge).toBe(steps.passkey);
      await room.app(ana.id, app);
      const renewed = (await next(steps.passkey, { options: true })).body;
      expect(renewed).toMatchObject({ challenge: steps.passkey, other: true });
      await next(steps.passkey, { credential: authenticator.use(renewed.options) });
      expect(await sessionsOf()).toMatchObject([{ amr: `${steps.password} ${steps.passkey}` }]);
    });

    test('[SEG+PASSKEY] another method is returned on request, and at once for a legacy application', async () => {
      await room.passkey(ana.id);
      await room.app(ana.id, app);
      const { answer: next, body } = await proven();
      expect(body.challenge).toBe(steps.passkey);
      expect((await next(steps.passkey, { other: true })).body.challenge).toBe(steps.totp);
      expect((await proven(ana.number, { process_state: 'legacy' })).body.challenge).toBe(steps.totp);
      expect((await proven(ana.number, { process_state: 'plain' })).body.challenge).toBe(steps.passkey);
    });

    test('[IDP-02] an agent gets the role only after proving the mailbox', async () => {
      const chain = await begin(ana.number, { agnt: '1' });
      const { body: asked } = await chain.answer(steps.password, { password: 'mate' });
      expect(asked).toMatchObject({ challenge: steps.institutionalEmail });
      const { body } = await chain.answer(steps.institutionalEmail, { institutional_email: agency });
      expect(body).toMatchObject({ challenge: steps.mailedCode, email: 'a***@salud.gub.uy', forced: true });
      expect(await recordOf(chain.token)).toMatchObject({ institutional_email: agency, agent: '1' });
      await chain.answer(steps.mailedCode, { recoverycode: await mailedCode(agency) });
      expect(await sessionsOf()).toMatchObject([{ role: 'agent', amr: steps.password, nid: 1 }]);
    });

    test('[IDP-02] a citizen who becomes an agent at the password step must prove the mailbox', async () => {
      const chain = await begin();
      const { body } = await chain.answer(steps.password, { password: 'mate', emailAgent: true });
      expect([body.challenge, (await recordOf(chain.token)).agent]).toEqual([steps.institutionalEmail, '1']);
    });
  });

  describe('[LOG-06 LOG-07] steps sent under another name', () => {
    test.each([
      { note: 'with the password', data: { password: 'mate', emailTOTP: true } },
      { note: 'without the password', data: { emailTOTP: true } },
    ])('a request for a mailed code, $note, applies to the step of the app', async ({ data }) => {
      await room.app(ana.id, app);
      await room.mailbox(ana.id);
      const { answer: next, token } = await proven();
      expect((await next(steps.password, data)).body.challenge).toBe(steps.mailedCode);
      expect(await recordOf(token)).toMatchObject({ factors: `username ${steps.password}` });
      await expect(next(steps.password, data), 'the step is over').rejects.toMatchObject(expired);
    });

    test('emailTOTP is rejected if it is not true, and in another step', async () => {
      await room.app(ana.id, app);
      const { answer: next } = await proven();
      await expect(next(steps.password, { emailTOTP: 'true' })).rejects.toMatchObject(expired);
      await expect(next(steps.mailedCode, { emailTOTP: true }), 'in another step').rejects.toMatchObject(expired);
    });

    test('a recovery code sent as the app step replaces the mailed code and the passkey', async () => {
      await room.mailbox(ana.id);
      const mailed = await proven();
      await expect(mailed.answer(steps.password, { recovery: await recoveryCode() })).rejects.toMatchObject(expired);
      await expect(mailed.answer(steps.totp, { totp: appCode() })).rejects.toMatchObject(expired);
      await mailed.answer(steps.totp, { recovery: await recoveryCode() });
      await room.passkey(ana.id);
      room.clock.advance(1);
      const keyed = await proven();
      await keyed.answer(steps.totp, { recovery: await recoveryCode() });
      expect(await sessionsOf()).toHaveLength(2);
    });

    test('the password sent again returns to its step, and must be proven again', async () => {
      await room.app(ana.id, app);
      const { answer: next, token } = await proven();
      await expect(next(steps.password, { password: 'té' })).rejects.toMatchObject({ code: 'credenciales' });
      expect(await recordOf(token)).toMatchObject({ step: steps.password, factors: 'username' });
      expect((await next(steps.password, { password: 'mate' })).body.challenge).toBe(steps.totp);
    });

    test('a password sent with another step does not return to the password step', async () => {
      await room.app(ana.id, app);
      const { answer: next } = await proven(ana.number, { agnt: '1' });
      const institution = { institutional_email: agency, password: 'mate' };
      await next(steps.institutionalEmail, institution);
      const { body } = await next(steps.mailedCode, { recoverycode: await mailedCode(agency) });
      expect(body.challenge).toBe(steps.totp);
      await expect(next(steps.institutionalEmail, institution)).rejects.toMatchObject(expired);
      expect((await next(steps.totp, { totp: appCode() })).body.challenge).toBeNull();
    });
  });

  const oidcUid = 'uid-of-before';
  /** Creates a session that is signed in to applications. Returns its cookie. */
  async function before(who = ana.number, applications = 1) {
    const { cookies } = await proven(who);
    const session = cookies?.session?.value ?? '';
    const uid = `${oidcUid}-${session}`;
    await room.store.db
      .updateTable('broker_sessions')
      .set({ oidc_uid: uid })
      .where('hash', '=', hashSecret(session))
      .execute();
    const known = Array.from({ length: applications }, (_, n) => [`app${n}`, { sid: 'its sid', grantId: 'g' }]);
    const payload = { accountId: 'who was before', authorizations: Object.fromEntries(known) };
    await room.store.db
      .insertInto('oidc_records')
      .values({
        model: 'Session',
        id: uid,
        uid,
        payload: room.vault.encrypt('oidc-Session', JSON.stringify(payload)),
        grant_id: null,
        account_id: null,
        client_id: null,
        expires_at: new Date(inS(600)),
        consumed_at: null,
      })
      .execute();
    return session;
  }
  const sessionOf = (session: string) =>
    room.store.db
      .selectFrom('broker_sessions')
      .selectAll()
      .where('hash', '=', hashSecret(session))
      .executeTakeFirstOrThrow();
  const revokedAt = async (session: string) => (await sessionOf(session)).revoked_at;

  /** Signs a session in to a SAML service provider. */
  async function meet(session: string) {
    const { id } = await sessionOf(session);
    const known = { provider: 'sp', name_id: 'n', name_id_format: 'f', session_index: 'i', signed_in_at: now() };
    await room.store.db
      .insertInto('saml_participants')
      .values({ session_id: id, ...known })
      .execute();
  }
  const metBy = async (session: string) => {
    const { id } = await sessionOf(session);
    const met = room.store.db.selectFrom('saml_participants').select('provider').where('session_id', '=', id);
    return (await met.execute()).map(({ provider }) => provider);
  };

  describe('[SES-01] previous session of the browser', () => {
    test('ends for the same citizen without a notification to applications', async () => {
      const session = await before();
      room.clock.advance(1);
      const { after } = await proven(ana.number, {}, { session });
      expect(await revokedAt(session)).toEqual(now());
      await after?.();
      expect(told).toEqual([]);
    });

    test('ends for another citizen, and its applications are notified after the response', async () => {
      const session = await before((await room.account()).number);
      const { after } = await proven(ana.number, {}, { session });
      expect([await revokedAt(session), told]).toEqual([now(), []]);
      await after?.();
      expect(told).toEqual([['who was before', 'its sid']]);
    });

    test('[FED-05] passes its SAML service providers to the next session of the same citizen, and not of another', async () => {
      const session = await before();
      await meet(session);
      const own = (await proven(ana.number, {}, { session })).cookies?.session?.value ?? '';
      expect([await metBy(session), await metBy(own)]).toEqual([[], ['sp']]);
      const other = await proven((await room.account()).number, {}, { session: own });
      expect([await metBy(own), await metBy(other.cookies?.session?.value ?? '')]).toEqual([['sp'], []]);
    });

    test('does not end if the browser sends another cookie', async () => {
      const session = await before((await room.account()).number);
      await proven(ana.number, {}, { session: 'x' });
      expect(await revokedAt(session)).toBeNull();
    });
  });

  describe('[LOG-07] resendRecoveryCode', () => {
    const resend = (token: string) => resendRecoveryCode(room.parts, { ...room.request({}), body: { token } } as never);

    test('counts the mail, and voids the previous code', async () => {
      await room.mailbox(ana.id);
      const { answer: next, token } = await proven();
      const first = await mailedCode('ana@example.com');
      room.asked.length = 0;
      expect(await resend(token)).toEqual({ body: {} });
      const counted = { address: '192.0.2.9', document: `ar-psp-${ana.number}` };
      expect(room.asked).toEqual([['admit', 'mailedCode', counted, now()]]);
      await expect(next(steps.mailedCode, { recoverycode: first })).rejects.toMatchObject({
        code: 'codigo_incorrecto',
      });
      await next(steps.mailedCode, { recoverycode: await mailedCode('ana@example.com') });
      expect(await sessionsOf()).toHaveLength(1);
    });

    test('rejects a sign-in that waits for no code, and a missing account', async () => {
      const chain = await begin();
      const completed = await proven();
      room.asked.length = 0;
      for (const token of ['x', chain.token, completed.token])
        await expect(resend(token)).rejects.toMatchObject(expired);
      expect(room.asked).toEqual([]);
      const { token } = await begin('NOBODY');
      const waits = { step: steps.mailedCode };
      await room.store.db.updateTable('challenges').set(waits).where('hash', '=', hashSecret(token)).execute();
      await expect(resend(token)).rejects.toMatchObject(expired);
    });
  });

  describe('[SES-04] logout', () => {
    const leave = (
      session?: string,
      body: { redirect_uri?: string; state?: string | null } = {},
      held: { saml?: string } = {},
    ) =>
      logout(room.parts, {
        ...room.request({}),
        body,
        cookies: { ...(session !== undefined && { session }), ...held },
      } as never);
    const frame = 'https://app.example/frame?iss=https%3A%2F%2Fportal.example&sid=its+sid';

    test('ends the session of the cookie, and notifies its applications', async () => {
      const session = await before();
      expect(await leave(session)).toEqual({
        body: { logout_urls: [frame], location: '/', wait_longer: false, unreachable: [] },
        cookies: { session: null, challenge: null },
      });
      expect(await revokedAt(session)).toEqual(now());
      expect(told).toEqual([['who was before', 'its sid']]);
      expect((await room.audit(ana.id)).at(-1)).toMatchObject({ action: 'logout', request_id: 'request-1' });
    });

    test('names the applications that could not be notified', async () => {
      tell.mockRejectedValueOnce(new Error('away'));
      expect((await leave(await before())).body.unreachable).toEqual(['App']);
    });

    test.each([
      { count: 3, longer: false },
      { count: 4, longer: true },
    ])('loads $count frames, and waits longer: $longer', async ({ count, longer }) => {
      const { body } = await leave(await before(ana.number, count));
      expect([body.logout_urls.length, body.wait_longer]).toEqual([count, longer]);
    });

    test('[FED-05] continues through SAML service providers and a page with the frames to the requested address', async () => {
      const session = await before(ana.number, 4);
      await meet(session);
      const asked = { redirect_uri: 'https://tramites.example/fin', state: 'x' };
      const { body, cookies } = await leave(session, asked, { saml: 'this browser' });
      expect(body).toEqual({
        logout_urls: [],
        location: expect.stringMatching(/^[/]logout-saml[?]process_state=[\w-]{43}$/),
        wait_longer: false,
        unreachable: [],
      });
      expect(cookies).toEqual({ session: null, challenge: null, saml: { value: 'this browser', maxAge: 3600 } });
      const [, state = ''] = body.location.split('=');
      const chain = room.parts;
      expect((await findLogoutProgress(chain, state, 'this browser'))?.frames).toEqual([frame, frame, frame, frame]);
      const end = { kind: 'go', path: 'https://tramites.example/fin?state=x' };
      expect(await continueLogoutChain(chain, state, 'this browser')).toEqual(end);
    });

    test.each<[redirect_uri: string | undefined, state: string | null | undefined, location: string]>([
      [undefined, 'x', '/'],
      ['https://evil.example/', 'x', '/'],
      ['https://tramites.example/fin', undefined, 'https://tramites.example/fin'],
      ['https://tramites.example/fin', null, 'https://tramites.example/fin'],
      ['https://tramites.example/fin', 'a b', 'https://tramites.example/fin?state=a+b'],
      ['https://tramites.example/fin?a=1', 'b', 'https://tramites.example/fin?a=1&state=b'],
      ['http://localhost:3000/fin', undefined, 'http://localhost:3000/fin'],
    ])('resolves redirect_uri %s with state %s to %s without a session', async (redirect_uri, state, location) => {
      const asked = { ...(redirect_uri !== undefined && { redirect_uri }), ...(state !== undefined && { state }) };
      expect(await leave(undefined, asked)).toEqual({
        body: { logout_urls: [], location, wait_longer: false, unreachable: [] },
        cookies: { session: null, challenge: null },
      });
    });
  });

  describe('browser of a sign-in', () => {
    const newDevice = () => mailsTo('ana@example.com');

    test('causes no notice at the first sign-in or if it is known', async () => {
      const { cookies } = await proven();
      const device = cookies?.device?.value ?? '';
      const again = await proven(ana.number, {}, { device });
      expect([await newDevice(), again.cookies?.device?.value]).toEqual([[], device]);
    });

    test('causes a notice with device and network in the language of the request if it is new', async () => {
      await proven();
      await proven();
      const [spanish] = await newDevice();
      expect(spanish?.text).toContain('Chrome en Linux');
      expect(spanish?.text).toContain('192.0.x.x');
      const pt = { language: 'pt', userAgent: chrome, address: '190.64.1.2' } as const;
      const { token, cookies } = await begun(pt);
      await answer(steps.password, { password: 'mate' }, token, { ...pt, cookies });
      const portuguese = (await newDevice())[1];
      expect(portuguese?.text).toContain('Chrome no Linux');
      expect(portuguese?.text).toContain('190.64.x.x');
      const links = room.store.db.selectFrom('credential_changes').select('kind').where('citizen_id', '=', ana.id);
      expect(await links.execute()).toEqual([{ kind: 'new-device' }, { kind: 'new-device' }]);
    });

    async function begun(changes: Partial<SignInChallengeRequest> & OriginOverrides) {
      const form = { username: ana.number, pais_emisor: 'ar', tipo_documento: 'psp' };
      const { body, cookies } = await answer(steps.username, form, null, changes);
      return { token: body.token, cookies: { challenge: cookies?.challenge?.value ?? '' } };
    }
  });

  describe('[LOG-09 MFA-06] resolveSignInDestination', () => {
    type Way = Parameters<typeof resolveSignInDestination>[1];
    const way = (changes: {
      record?: Partial<Way['record']>;
      citizen?: Partial<Way['citizen']>;
      interaction?: Partial<PendingAuthenticationRequest>;
      hasFactor?: boolean;
    }) =>
      resolveSignInDestination(room.parts.config, {
        record: room.record('c', { factors: `username ${steps.password}`, ...changes.record }),
        citizen: { ...unknownCitizen, level: 'Autoregistrado', email: 'ana@example.com', ...changes.citizen },
        interaction: changes.interaction ? { ...application, ...changes.interaction } : null,
        hasFactor: changes.hasFactor ?? true,
      });
    const none = { hasFactor: false };
    const closing = { citizen: { closing_at: new Date(0) } };

    test.each<[note: string, Parameters<typeof way>[0], ReturnType<typeof resolveSignInDestination>]>([
      ['home', {}, { challenge: null, location: '/' }],
      ['to the requested path', { record: { redirect_url: '/a?b=1' } }, { challenge: null, location: '/a?b=1' }],
      [
        'to an allowed origin',
        { record: { redirect_url: 'https://tramites.example/x' } },
        { challenge: null, location: 'https://tramites.example/x' },
      ],
      [
        "to the portal's own origin",
        { record: { redirect_url: 'http://localhost:3000/x' } },
        { challenge: null, location: 'http://localhost:3000/x' },
      ],
      [
        'home instead of to an unknown origin',
        { record: { redirect_url: 'https://evil.example/' } },
        { challenge: null, location: '/' },
      ],
      [
        'to the requesting application',
        { interaction: {}, record: { redirect_url: '/a' } },
        { challenge: null, location: '/broker/resume' },
      ],
      ['to the reminder without a second factor', none, { challenge: null, location: reminder('/') }],
      [
        'to the reminder, with the state of the application',
        { ...none, interaction: {}, record: { process_state: 'state' } },
        { challenge: null, location: `${reminder('/broker/resume')}&state=state` },
      ],
      [
        'to the reminder, without an unknown state',
        { ...none, record: { process_state: 'gone' } },
        { challenge: null, location: reminder('/') },
      ],
      [
        'to a legacy application without the reminder',
        { ...none, interaction: { legacy: true } },
        { challenge: null, location: '/broker/resume' },
      ],
      [
        'home without the reminder if the citizen is restricted',
        { ...none, citizen: { features: false } },
        { challenge: null, location: '/' },
      ],
      [
        'to the proofing page if the citizen is restricted and the level demands a factor',
        { ...none, citizen: { features: false, level: 'Certificado' }, interaction: { legacy: true } },
        { challenge: null, location: '/error?errorCode=UNPROVEN_IDENTITY' },
      ],
      [
        'to the application if a restricted citizen has that factor',
        { citizen: { features: false, level: 'Certificado' }, interaction: {} },
        { challenge: null, location: '/broker/resume' },
      ],
      [
        'to the incomplete record, and then to the reminder',
        { ...none, citizen: { email: null } },
        { challenge: null, location: `/registro?next=${encodeURIComponent(reminder('/'))}` },
      ],
      [
        'to the question whether to keep a closing account',
        { ...closing, record: { redirect_url: '/a' } },
        { challenge: null, location: '/seguridad/cerrar-cuenta/conservar?next=%2Fa' },
      ],
      [
        "to that question before an application's required level",
        { ...closing, interaction: { requiredNid: 3 } },
        { challenge: null, location: '/seguridad/cerrar-cuenta/conservar?next=%2Fbroker%2Fresume' },
      ],
      [
        'nowhere without the level that an application requires',
        { interaction: { requiredNid: 2 } },
        { challenge: 'needs_both' },
      ],
      [
        'nowhere without a verified identity',
        { interaction: { requiredNid: 2 }, record: { factors: `username ${steps.password} ${steps.totp}` } },
        { challenge: 'needs_identity_validation' },
      ],
    ])('goes %s', (_, changes, expected) => {
      expect(way(changes)).toEqual(expected);
    });
  });
});
