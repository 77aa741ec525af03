import { randomUUID } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { readTokenSignInFacts } from '../../../src/server/trust/federation/oidc/account-claims.ts';
import { rateLimits } from '../../../src/server/app/server-modules.ts';
import { createOperationGuard } from '../../../src/server/web/operations/operation-guard.ts';
import { signJwt } from '../../../src/server/platform/keys/jws-signer.ts';
import { generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { generateSigningKey, type SigningKey } from '../../../src/server/platform/keys/signing-keys.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationName } from '../../../src/contract/contract.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import { hashSecret } from '../../../src/server/platform/keys/random-secrets.ts';
import { getWalletAmr } from '../../../src/server/trust/identity/challenge-names.ts';
import { formatProviderAmr } from '../../../src/server/trust/identity/session-level.ts';
import {
  authenticateBearerToken,
  createAccessTokenIssuer,
  createNoSessionError,
  type AccessTokenIssuer,
} from '../../../src/server/trust/sessions/access-tokens.ts';
import { createSignInRecord } from '../../../src/server/trust/sessions/sign-in-record.ts';
import { revokeOtherAccess } from '../../../src/server/trust/sessions/revoke-other-access.ts';
import {
  assertIdentityProof,
  hasValidIdentityProof,
  recordProofOfIdentity,
} from '../../../src/server/trust/sessions/identity-proof.ts';
import { findKnownDevice, createDeviceCookie } from '../../../src/server/trust/sessions/known-devices.ts';
import { raiseSessionLevel } from '../../../src/server/trust/sessions/raise-session-level.ts';
import {
  revokeSessionOfCitizen,
  revokeSession,
  revokeSessionsOfCitizen,
} from '../../../src/server/trust/sessions/revoke-sessions.ts';
import {
  recordSessionActivity,
  findLiveSession,
  findLiveSessionOfCookie,
  type BrokerSession,
} from '../../../src/server/trust/sessions/broker-sessions.ts';
import { startSession, type NewSession } from '../../../src/server/trust/sessions/start-session.ts';
import { obtainToken, refreshToken } from '../../../src/server/features/sign-in/index.ts';
import type { Tx } from '../../../src/server/platform/database/open-store.ts';
import { defaultDatabase } from '../support/databases.ts';
import { callers } from '../support/fake-server.ts';
import { unknownCitizen } from '../support/citizen-data.ts';
import { openChallengeParts } from '../support/challenge-parts.ts';

const password = 'urn:iduruguay:am:password';
const totp = 'urn:iduruguay:am:totp';
const byProvider = (nid: number) => ({ nid, amr: [formatProviderAmr(nid)], idp: 'abitab' });
const secretForm = /^[\w-]{43}$/;

describe('session record', () => {
  let room: Awaited<ReturnType<typeof openChallengeParts>>;
  let ana: string;
  let bea: string;
  let signers: SigningKey['signers'];
  let tokens: AccessTokenIssuer;
  beforeAll(async () => {
    const key = await generateSigningKey(null);
    ({ signers } = key);
    room = await openChallengeParts(defaultDatabase, ({ clock }) => ({
      tokens: createAccessTokenIssuer({ listCurrentKeys: () => [key] }, clock, {
        issuer: 'https://portal.example',
        lifeS: 300,
      }),
    }));
    ({ tokens } = room.parts);
  });
  afterAll(() => room.close());
  beforeEach(async () => {
    [ana, bea] = [(await room.account()).id, (await room.account()).id];
    room.clock.advance(60);
  });

  const now = () => room.clock.now();
  const inS = (seconds: number) => new Date(now().getTime() + seconds * 1000);
  const within = <Result>(work: (tx: Tx) => Promise<Result>) => room.store.transaction(work);
  const startIn = (tx: Tx, changes: Partial<NewSession>) =>
    startSession(tx, {
      citizenId: ana,
      amr: [password],
      nid: 1,
      role: 'citizen',
      now: now(),
      lifeS: 600,
      idleS: 300,
      device: { userAgent: 'A browser', address: '192.0.2.9' },
      ...changes,
    });
  const start = (changes: Partial<NewSession> = {}) => within((tx) => startIn(tx, changes));
  const row = (id: string) =>
    room.store.db.selectFrom('broker_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const change = (id: string, changes: { idp?: string; oidc_uid?: string; revoked_at?: Date; created_at?: Date }) =>
    room.store.db.updateTable('broker_sessions').set(changes).where('id', '=', id).execute();
  const changeCitizen = (changes: { blocked_at?: Date | null; features?: boolean; permissions?: string }) =>
    room.store.db.updateTable('citizens').set(changes).where('id', '=', ana).execute();
  const found = async ({ id, secret }: { id: string; secret: string }) => [
    await findLiveSession(room.store.db, id, now()),
    await findLiveSessionOfCookie(room.store.db, secret, now()),
  ];
  const sessionOf = async (id: string): Promise<BrokerSession> =>
    (await findLiveSession(room.store.db, id, now())) ?? expect.fail('the session has ended');

  describe('[SES-01] active session', () => {
    test('stores its properties, and its secret only as a hash', async () => {
      const { id, secret } = await start({ amr: [password, totp], role: 'agent', idp: 'abitab' });
      expect(secret).toMatch(secretForm);
      expect(await row(id)).toEqual({
        id,
        hash: hashSecret(secret),
        citizen_id: ana,
        amr: `${password} ${totp}`,
        nid: 1,
        role: 'agent',
        phishing_resistant: false,
        idp: 'abitab',
        authenticated_at: null,
        created_at: now(),
        expires_at: inS(600),
        seen_at: now(),
        idle_at: inS(300),
        revoked_at: null,
        oidc_uid: null,
        verified_at: null,
        renewed_by: null,
        user_agent: 'A browser',
        address: '192.0.2.9',
      });
    });

    test('is found by its id and by its cookie', async () => {
      await changeCitizen({ permissions: JSON.stringify({ firma: ['leer'] }) });
      const own = await start();
      const session = {
        id: own.id,
        generation: expect.stringMatching(/^\w{16}$/),
        renewedBy: null,
        citizenId: ana,
        document: expect.stringMatching(/^ar-psp-\w/),
        nid: 1,
        idp: null,
        country: 'ar',
        permissions: { firma: ['leer'] },
        restricted: false,
        factorDue: false,
        phishingResistant: false,
        agentHasPasskey: false,
        device: expect.any(Object),
        seenAt: now(),
        expiresAt: inS(600),
        role: 'citizen',
      };
      expect(await found(own)).toEqual([session, session]);
      expect(await found({ id: own.secret, secret: own.id })).toEqual([null, null]);
    });

    test.each([
      { idp: undefined, role: 'agent', as: 'agent' },
      { idp: 'abitab', role: 'citizen', as: 'citizen' },
      { idp: 'otro-pais', role: 'citizen', as: 'foreign' },
      { idp: 'otro-pais', role: 'agent', as: 'foreign' },
    ] as const)('started through $idp as $role has the role $as', async ({ idp, role, as }) => {
      const { id } = await start({ role, ...(idp !== undefined && { idp }) });
      expect(await sessionOf(id)).toMatchObject({ role: as, idp: idp ?? null });
    });

    test('is restricted as soon as its citizen is', async () => {
      const { id } = await start();
      await changeCitizen({ features: false });
      expect((await sessionOf(id)).restricted).toBe(true);
    });

    test.each<{ note: string; end: (session: { id: string }) => unknown }>([
      { note: 'it was revoked', end: ({ id }) => change(id, { revoked_at: new Date(0) }) },
      { note: 'it was idle too long', end: () => room.clock.advance(300) },
      { note: 'its citizen is blocked', end: () => changeCitizen({ blocked_at: new Date(0) }) },
    ])('is not found once $note', async ({ end }) => {
      const own = await start();
      await end(own);
      expect(await found(own)).toEqual([null, null]);
    });

    test('ends at its absolute limit, even without idle time', async () => {
      const own = await start({ idleS: 3_600 });
      room.clock.advance(599);
      expect(await found(own)).not.toContain(null);
      room.clock.advance(1);
      expect(await found(own)).toEqual([null, null]);
    });

    test('[SEG+INACTIVIDAD] ends after its idle time, which restarts with each activity', async () => {
      const [own, other] = [await start(), await start()];
      room.clock.advance(299);
      expect(await found(own)).not.toContain(null);
      await recordSessionActivity(room.store.db, own.id, now());
      expect(await row(own.id)).toMatchObject({ seen_at: now(), idle_at: inS(300), expires_at: inS(301) });
      room.clock.advance(1);
      expect(await found(other)).toEqual([null, null]);
      expect(await found(own)).not.toContain(null);
    });

    /** Creates a request of the caller with this session, without the session cookie. */
    const by = (sessionId: string) => ({ caller: { ...callers.citizen, sessionId }, cookies: {} });

    test('[CFG-06] rises to a higher level with a method proven in it, and retains a level asserted by a provider', async () => {
      await room.store.db.updateTable('citizens').set({ level: 'Verificado' }).where('id', '=', ana).execute();
      const citizen = { ...unknownCitizen, level: 'Verificado' };
      const [own, other] = [await start(), await start()];
      const raise = (id: string, method?: string) =>
        within((tx) => raiseSessionLevel(tx, by(id), { citizen, now: now(), ...(method !== undefined && { method }) }));
      await raise(own.id);
      expect(await row(own.id)).toMatchObject({ amr: password, nid: 1 });
      await raise(own.id, totp);
      expect(await row(own.id)).toMatchObject({ amr: `${password} ${totp}`, nid: 2 });
      await raise(own.id, totp);
      expect(await row(own.id)).toMatchObject({ amr: `${password} ${totp}`, nid: 2 });
      await raise('gone', totp);
      const vouched = await start({ nid: 3, amr: [formatProviderAmr(3)] });
      await raise(vouched.id, totp);
      expect(await row(vouched.id), 'level asserted by a provider').toMatchObject({ nid: 3 });
      expect(await row(other.id)).toMatchObject({ amr: password, nid: 1 });
    });

    test("[SES-11] started through a provider stays at the provider's level until the password is proven", async () => {
      const citizen = { ...unknownCitizen, level: 'Verificado' };
      const [weak, own] = [await start(byProvider(1)), await start(byProvider(1))];
      const strong = await start(byProvider(2));
      await within((tx) => recordProofOfIdentity(tx, own.id, now()));
      for (const { id } of [weak, own, strong])
        await within((tx) => raiseSessionLevel(tx, by(id), { citizen, method: totp, now: now() }));
      expect([(await row(weak.id)).nid, (await row(own.id)).nid, (await row(strong.id)).nid]).toEqual([1, 2, 2]);
    });
  });

  test('[IDP-01] readTokenSignInFacts returns the provider of the newest session, and fails once the session is deleted', async () => {
    const uid = randomUUID();
    const tell = (amr: readonly string[]) =>
      readTokenSignInFacts(room.store, {
        oidc: { entities: { RefreshToken: { sessionUid: uid, accountId: ana, amr } } },
      } as unknown as KoaContextWithOIDC);
    const vouched = [formatProviderAmr(1)];
    await expect(tell(vouched)).rejects.toThrow('invalid_grant');
    const [first, second] = [await start({ idp: 'br' }), await start({ idp: 'py', now: inS(1) })];
    await change(first.id, { oidc_uid: uid });
    expect(await tell(vouched)).toMatchObject({ idp: 'br' });
    expect(await tell([password]), 'without a provider').not.toHaveProperty('idp');
    await change(second.id, { oidc_uid: uid });
    await change(first.id, { idp: 'br' }); // an update can change the order of the rows of an unordered query
    expect(await tell(vouched)).toMatchObject({ idp: 'py' });
    await change(second.id, { created_at: inS(-1) });
    expect(await tell(vouched)).toMatchObject({ idp: 'br' });
  });

  describe('[SEG+SESIONES] end of a session', () => {
    test('happens once with its cookie', async () => {
      const [own, other] = [await start(), await start()];
      await change(own.id, { oidc_uid: 'uid' });
      const end = (secret: string) => within((tx) => revokeSession(tx, { secret }, now()));
      expect(await end('x')).toBeNull();
      expect(await end(own.secret)).toEqual({ id: own.id, citizenId: ana });
      const { revoked_at } = await row(own.id);
      expect(revoked_at).toEqual(now());
      room.clock.advance(1);
      expect(await end(own.secret)).toBeNull();
      expect([(await row(own.id)).revoked_at, (await row(other.id)).revoked_at]).toEqual([revoked_at, null]);
    });

    test('records the last stored OIDC session if parallel requests left several', async () => {
      const { secret, id } = await start();
      await change(id, { oidc_uid: 'several' });
      const record = (payload: string, expiresInS: number) => ({
        ...{ model: 'Session', uid: 'several', id: payload, payload },
        expires_at: inS(expiresInS),
      });
      await room.store.db
        .insertInto('oidc_records')
        .values([record('b', 20), record('c', 30), record('a', 10)])
        .execute();
      await within((tx) => revokeSession(tx, { secret }, now()));
      const ends = room.store.db.selectFrom('session_ends').select('payload').where('session_id', '=', id);
      expect(await ends.execute()).toEqual([{ payload: 'c' }]);
    });

    test('is possible for its own citizen while it is active', async () => {
      const [own, revoked, idle, old, others] = [
        await start(),
        await start(),
        await start({ idleS: 60 }),
        await start({ lifeS: 60 }),
        await start({ citizenId: bea }),
      ];
      await change(own.id, { oidc_uid: 'uid' });
      await change(revoked.id, { revoked_at: new Date(0) });
      room.clock.advance(60);
      const end = (id: string) => within((tx) => revokeSessionOfCitizen(tx, ana, id, now()));
      for (const { id } of [revoked, idle, old, others]) expect(await end(id)).toBeNull();
      expect((await row(others.id)).revoked_at).toBeNull();
      expect(await end(own.id)).toEqual({ id: own.id, citizenId: ana });
      expect((await row(own.id)).revoked_at).toEqual(now());
    });

    test('covers all sessions of its citizen except the one to keep', async () => {
      const [kept, own, before, others] = [
        await start(),
        await start(),
        await start(),
        await start({ citizenId: bea }),
      ];
      await change(own.id, { oidc_uid: 'uid' });
      await change(before.id, { revoked_at: new Date(0) });
      const end = (keep?: string) => within((tx) => revokeSessionsOfCitizen(tx, ana, now(), keep));
      expect(await end(kept.id)).toEqual([{ id: own.id, citizenId: ana }]);
      const ended = async ({ id }: { id: string }) => (await row(id)).revoked_at;
      expect([await ended(kept), await ended(own), await ended(before), await ended(others)]).toEqual([
        null,
        now(),
        new Date(0),
        null,
      ]);
      expect(await end()).toEqual([{ id: kept.id, citizenId: ana }]);
      expect([await ended(kept), await ended(others)]).toEqual([now(), null]);
    });

    test('covers sign-ins, codes, grants and tokens from before an account change, and nothing of another citizen', async () => {
      const [kept, own] = [await start(), await start()];
      const others = await start({ citizenId: bea });
      await change(kept.id, { oidc_uid: 'kept' });
      await change(own.id, { oidc_uid: 'own' });
      const records = [
        ['Session', 'kept', ana],
        ['Session', 'own', ana],
        ['Session', null, ana],
        ['Grant', 'kept', ana],
        ['RefreshToken', null, ana],
        ['Session', 'others', bea],
        ['RefreshToken', null, bea],
      ] as const;
      const blank = { payload: '', grant_id: null, client_id: null, expires_at: inS(600), consumed_at: null };
      const owners = [ana, bea];
      const store = () =>
        room.store.db
          .insertInto('oidc_records')
          .values(records.map(([model, uid, account_id]) => ({ ...blank, model, id: randomUUID(), uid, account_id })))
          .execute();
      const left = async () =>
        (
          await room.store.db
            .selectFrom('oidc_records')
            .select(['model', 'uid', 'account_id'])
            .where('account_id', 'in', owners)
            .execute()
        ).map(({ model, uid, account_id }) => [model, uid, owners.indexOf(account_id ?? '')].join(' '));
      await store();
      for (const citizen of owners) {
        const code = { citizen_id: citizen, digest: 'd', tries: 0, expires_at: inS(600), used_at: null };
        await room.store.db
          .insertInto('mailed_codes')
          .values({ purpose: 'sign-in', owner: citizen, ...code })
          .execute();
        const { step, document, redirect_url, process_state, agent, user_agent, address } = room.record(citizen);
        const sign = { step, document, citizen_id: citizen, redirect_url, process_state, agent, user_agent, address };
        await createSignInRecord(room.store, sign, 'b', now());
      }
      await within((tx) => revokeOtherAccess(tx, ana, now(), kept.id));
      const remains = async (citizen: string) => ({
        signIns: (
          await room.store.db.selectFrom('challenges').select('used_at').where('citizen_id', '=', citizen).execute()
        ).map(({ used_at }) => used_at),
        codes: (
          await room.store.db.selectFrom('mailed_codes').select('owner').where('citizen_id', '=', citizen).execute()
        ).length,
      });
      expect([await remains(ana), await remains(bea)]).toEqual([
        { signIns: [now()], codes: 0 },
        { signIns: [null], codes: 1 },
      ]);
      expect([(await row(kept.id)).revoked_at, (await row(own.id)).revoked_at]).toEqual([null, now()]);
      expect((await left()).sort()).toEqual(['RefreshToken  1', 'Session kept 0', 'Session others 1']);
      await within((tx) => revokeOtherAccess(tx, ana, now(), null));
      expect((await left()).sort()).toEqual(['RefreshToken  1', 'Session others 1']);
      expect([(await row(kept.id)).revoked_at, (await row(others.id)).revoked_at]).toEqual([now(), null]);
    });

    test.each<{ note: string; code: string; revokedS?: number; blockedS?: number; laterS?: number; cookie?: string }>([
      { note: 'was ended by the block of the account', code: 'account_blocked', revokedS: 0, blockedS: 0 },
      { note: 'was ended after the block', code: 'account_blocked', revokedS: 1, blockedS: 0 },
      { note: 'was ended before the block', code: 'no_autenticado', revokedS: 0, blockedS: 1 },
      { note: 'was ended without a block', code: 'no_autenticado', revokedS: 0 },
      { note: 'would have expired by now', code: 'no_autenticado', revokedS: 0, blockedS: 0, laterS: 600 },
      { note: 'is unknown', code: 'no_autenticado', revokedS: 0, blockedS: 0, cookie: 'x' },
    ])(
      '[SEG-01] is reported for a cookie whose session $note: $code',
      async ({ code, revokedS, blockedS, laterS = 0, cookie }) => {
        const { id, secret } = await start();
        if (revokedS !== undefined) await change(id, { revoked_at: inS(revokedS) });
        if (blockedS !== undefined) await changeCitizen({ blocked_at: inS(blockedS) });
        room.clock.advance(laterS);
        expect(await createNoSessionError(room.store.db, cookie ?? secret, now())).toMatchObject({ status: 401, code });
      },
    );

    test('[SEG-01] is reported as no_autenticado without a cookie', async () => {
      expect(await createNoSessionError(room.store.db, undefined, now())).toMatchObject({
        status: 401,
        code: 'no_autenticado',
      });
    });
  });

  describe('[SES-01] access token of a session', () => {
    const header = { alg: 'ES256', typ: 'portal+jwt', kid: '' };
    beforeAll(() => {
      header.kid = String(signers.ES256.publicJwk.kid);
    });
    const issue = async (id: string) => tokens.issueToken(await sessionOf(id));
    const parse = (part: string | undefined) =>
      JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as JWTPayload;
    const sign = (payload: JWTPayload, changes: Partial<typeof header> = {}, key?: CryptoKey) =>
      key === undefined
        ? signJwt(signers.ES256, { ...header, ...changes }, payload)
        : new SignJWT(payload).setProtectedHeader({ ...header, ...changes }).sign(key);

    test('contains only ids, level, issuer, audience and times', async () => {
      room.clock.advance(0.9);
      const { id } = await start();
      const [head, payload] = (await issue(id)).split('.');
      const seconds = Math.floor(now().getTime() / 1000);
      expect(parse(head)).toEqual(header);
      expect(parse(payload)).toEqual({
        cid: ana,
        sid: id,
        gen: (await sessionOf(id)).generation,
        jti: expect.any(String),
        idp: null,
        end: Math.floor(inS(600).getTime() / 1000),
        acr: 'urn:iduruguay:nid:1',
        iss: 'https://portal.example',
        aud: 'https://portal.example/rest',
        sub: ana,
        iat: seconds,
        exp: seconds + 300,
      });
      room.clock.advance(0.1);
    });

    test('is valid for its lifetime, plus a given grace period', async () => {
      const { id } = await start();
      const token = await issue(id);
      room.clock.advance(299);
      expect(await tokens.readSessionId(token)).toBe(id);
      room.clock.advance(1);
      expect([await tokens.readSessionId(token), await tokens.readSessionId(token, 1)]).toEqual([null, id]);
      room.clock.advance(1);
      expect([await tokens.readSessionId(token, 1), await tokens.readSessionId(token, 2)]).toEqual([null, id]);
    });

    test.each<{ note: string; make: (good: JWTPayload) => Promise<string> }>([
      { note: 'with another type', make: (good) => sign(good, { typ: 'JWT' }) },
      { note: 'for another audience', make: (good) => sign({ ...good, aud: 'https://portal.example' }) },
      { note: 'from another issuer', make: (good) => sign({ ...good, iss: 'https://evil.example' }) },
      { note: 'without exp', make: ({ exp: _, ...good }) => sign(good) },
      { note: 'without a session', make: ({ sid: _, ...good }) => sign(good) },
      { note: 'without a secret generation', make: ({ gen: _, ...good }) => sign(good) },
      { note: 'with a session id that is not a string', make: (good) => sign({ ...good, sid: 1 }) },
      {
        note: 'signed with another key',
        make: async (good) => sign(good, {}, (await generateKeyPair('ES256')).privateKey),
      },
      {
        note: 'signed with RS256 by the own key [ASVS-11.6.1]',
        make: (good) => signJwt(signers.RS256, { ...header, alg: 'RS256', kid: signers.RS256.publicJwk.kid }, good),
      },
      { note: 'if it is malformed', make: async () => 'x' },
    ])('is rejected $note', async ({ make }) => {
      const { id } = await start();
      const good = parse((await issue(id)).split('.')[1]);
      expect(await tokens.readSessionId(await sign(good))).toBe(id);
      const bad = await make(good);
      expect([await tokens.readSessionId(bad), await authenticateBearerToken(room.parts, bad)]).toEqual([null, null]);
    });

    test('identifies the caller with current permissions, until the session is revoked', async () => {
      await changeCitizen({ permissions: JSON.stringify({ firma: ['leer'] }) });
      const { id } = await start({ nid: 2 });
      const token = await issue(id);
      expect(await authenticateBearerToken(room.parts, token)).toEqual({
        citizenId: ana,
        document: expect.stringMatching(/^ar-psp-\w/),
        sessionId: id,
        tokenId: expect.any(String),
        role: 'citizen',
        permisos: { firma: ['leer'] },
        restricted: false,
        factorDue: false,
        needsPasskey: false,
        nid: 2,
      });
      const unknown = await sign({ ...parse(token.split('.')[1]), sid: 'made-up' });
      expect(await authenticateBearerToken(room.parts, unknown)).toBeNull();
      await change(id, { revoked_at: now() });
      expect(await authenticateBearerToken(room.parts, token)).toBeNull();
    });

    test('[SEG+INACTIVIDAD] records activity at most once a minute, and not for a passive request', async () => {
      const { id } = await start();
      const token = await issue(id);
      const seen = async () => (await row(id)).seen_at;
      const begun = now();
      room.clock.advance(60);
      await authenticateBearerToken(room.parts, token);
      expect(await seen()).toEqual(begun);
      room.clock.advance(1);
      await authenticateBearerToken(room.parts, token, true);
      expect(await seen()).toEqual(begun);
      await authenticateBearerToken(room.parts, token);
      expect(await seen()).toEqual(now());
    });

    const none = { status: 401, code: 'no_autenticado' };
    const obtain = (session?: string) =>
      obtainToken(room.parts, { cookies: session === undefined ? {} : { session } } as never);
    const refresh = (token: string, session?: string, activo?: boolean) =>
      refreshToken(room.parts, {
        cookies: session === undefined ? {} : { session },
        body: { token, ...(activo !== undefined && { activo }) },
      } as never);

    test('is issued for the cookie of a session', async () => {
      const { id, secret } = await start();
      expect(await tokens.readSessionId((await obtain(secret)).body.token)).toBe(id);
      await expect(obtain()).rejects.toMatchObject(none);
      await expect(obtain('x')).rejects.toMatchObject(none);
      await change(id, { revoked_at: now() });
      await changeCitizen({ blocked_at: now() });
      await expect(obtain(secret)).rejects.toMatchObject({ status: 401, code: 'account_blocked' });
    });

    test('is renewed with the cookie of its own session, within the grace period', async () => {
      const [own, other] = [await start({ idleS: 3_600, lifeS: 3_600 }), await start()];
      const token = await issue(own.id);
      await expect(refresh(token)).rejects.toMatchObject(none);
      await expect(refresh(token, 'x')).rejects.toMatchObject(none);
      await expect(refresh(token, other.secret)).rejects.toMatchObject(none);
      await expect(refresh('x', own.secret)).rejects.toMatchObject(none);
      room.clock.advance(599);
      expect(await tokens.readSessionId((await refresh(token, own.secret)).body.token)).toBe(own.id);
      room.clock.advance(1);
      await expect(refresh(token, own.secret)).rejects.toMatchObject(none);
      await change(own.id, { revoked_at: now() });
      await changeCitizen({ blocked_at: now() });
      await expect(refresh(token, own.secret)).rejects.toMatchObject({ status: 401, code: 'account_blocked' });
    });

    test('[SEG+INACTIVIDAD] records activity when it is renewed only if the citizen is active', async () => {
      const { id, secret } = await start();
      const token = await issue(id);
      const begun = now();
      room.clock.advance(10);
      await refresh(token, secret);
      await refresh(token, secret, false);
      expect((await row(id)).seen_at).toEqual(begun);
      await refresh(token, secret, true);
      expect((await row(id)).seen_at).toEqual(now());
    });
  });

  describe('[SEG+VERIFICAR] proof of identity', () => {
    const off = () => ({
      clock: room.clock,
      config: { ...room.parts.config, flags: { ...room.parts.config.flags, verificar_identidad: false } },
    });
    const proven = (id: string, proof?: 'password' | 'sign-in') =>
      hasValidIdentityProof(room.parts, room.store.db, id, proof);
    const caller = (sessionId: string): Caller => ({
      citizenId: ana,
      document: 'ar-psp-1',
      sessionId,
      role: 'citizen',
      permisos: {},
      restricted: false,
      factorDue: false,
      nid: 1,
    });

    test('is recorded in its session, and valid for ten minutes', async () => {
      const [own, other] = [await start({ idleS: 3_600, lifeS: 3_600 }), await start()];
      expect(await proven(own.id)).toBe(false);
      await within((tx) => recordProofOfIdentity(tx, own.id, now()));
      expect([await proven(own.id), await proven(other.id)]).toEqual([true, false]);
      room.clock.advance(599);
      expect(await proven(own.id)).toBe(true);
      room.clock.advance(1);
      expect(await proven(own.id)).toBe(false);
    });

    test('can be a recent sign-in, for operations that accept it', async () => {
      const { id } = await start({ idleS: 3_600, lifeS: 3_600 });
      expect([await proven(id, 'password'), await proven(id, 'sign-in')]).toEqual([false, true]);
      room.clock.advance(600);
      expect(await proven(id, 'sign-in')).toBe(false);
      await within((tx) => recordProofOfIdentity(tx, id, now()));
      expect(await proven(id, 'sign-in')).toBe(true);
    });

    test.each<[string, sessionLevel: number, NewSession['amr'], isOne: boolean]>([
      ['a provider that asserts no factor', 0, [formatProviderAmr(0)], false],
      ['a provider that asserts one factor', 1, [formatProviderAmr(1)], false],
      ['a provider that asserts two factors', 2, [formatProviderAmr(2)], true],
      ['a wallet of level 1', 1, [getWalletAmr(1)], false],
      ['a wallet of level 1 and a code', 2, [getWalletAmr(1), totp], true],
      ['a wallet of level 3', 3, [getWalletAmr(3)], true],
    ])('can be the sign-in only if that had two factors: %s', async (_name, nid, amr, isOne) => {
      const { id } = await start({ nid, amr });
      expect([await proven(id, 'password'), await proven(id, 'sign-in')]).toEqual([false, isOne]);
      await within((tx) => recordProofOfIdentity(tx, id, now()));
      expect(await proven(id, 'sign-in')).toBe(true);
    });

    test('ends with its session', async () => {
      const { id } = await start();
      await within((tx) => recordProofOfIdentity(tx, id, now()));
      await change(id, { revoked_at: now() });
      expect([await proven(id), await proven('made-up', 'sign-in')]).toEqual([false, false]);
    });

    test('is not required if the flag verificar_identidad is off', async () => {
      expect(await hasValidIdentityProof(off(), room.store.db, 'made-up')).toBe(true);
    });

    test.each<[name: Parameters<typeof assertIdentityProof>[2], body: unknown, page: string]>([
      ['updatePassword', {}, '/seguridad/contraseña/modificar'],
      ['updateEmail', {}, '/seguridad/correo-electronico/modificar'],
      ['updateEmail', null, '/seguridad/correo-electronico/modificar'],
      ['updateEmail', { second_factor_flow: 'true' }, '/seguridad/correo-electronico/modificar'],
      ['updateEmail', { second_factor_flow: true }, '/configurar-segundo-factor/email/cambiar'],
    ])(
      'is required by %s with %j, and the error links to the verification with %s as next page',
      async (name, body, page) => {
        const { id } = await start({ idleS: 3_600, lifeS: 3_600 });
        room.clock.advance(600);
        const demand = (who: Caller | null) =>
          assertIdentityProof(room.parts, room.store.db, name, { caller: who, body });
        await expect(demand(null)).rejects.toMatchObject({ status: 401, code: 'no_autenticado' });
        await expect(demand(caller(id))).rejects.toMatchObject({
          status: 403,
          code: 'verificacion_requerida',
          next: `${encodeURI('/seguridad/contraseña/verificar')}?${new URLSearchParams({ next: page })}`,
        });
        await within((tx) => recordProofOfIdentity(tx, id, now()));
        await demand(caller(id));
      },
    );

    test('is required by the operations that ask for it, and by no others', async () => {
      const { id } = await start({ idleS: 3_600, lifeS: 3_600 });
      room.clock.advance(600);
      const call = (name: OperationName) =>
        createOperationGuard({ ...room.parts, limits: rateLimits } as never).assertAdmitted(name, {
          caller: caller(id),
          body: {},
        } as never);
      await expect(call('closeAccount')).rejects.toMatchObject({ code: 'verificacion_requerida' });
      await call('getCitizen');
      await within((tx) => recordProofOfIdentity(tx, id, now()));
      await call('closeAccount');
    });
  });

  describe('[SEG+NOFUI] known browser', () => {
    const know = (cookie: string | undefined, citizenId = ana) =>
      within(async (tx) => {
        const known = await findKnownDevice(tx, { citizenId, cookie });
        const browser = createDeviceCookie(citizenId, { cookie, known });
        await startIn(tx, { citizenId, browser: browser.hash });
        return { known: known !== null, cookie: browser.cookie };
      });
    const seen = async () =>
      (await room.store.db.selectFrom('known_devices').select('seen_at').where('citizen_id', '=', ana).execute()).map(
        ({ seen_at }) => seen_at,
      );

    test('is recognised by its cookie, and each sign-in refreshes it', async () => {
      const first = await know(undefined);
      expect(first).toEqual({ known: false, cookie: expect.stringMatching(secretForm) });
      room.clock.advance(1);
      expect(await know(first.cookie)).toEqual({ known: true, cookie: first.cookie });
      expect(await seen()).toEqual([now()]);
    });

    test('has a separate secret for each of its citizens', async () => {
      const own = await know(undefined);
      const both = await know(own.cookie, bea);
      expect(both).toEqual({ known: false, cookie: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/) });
      expect(both.cookie.split('.')[1]).toBe(own.cookie);
      expect(await know(both.cookie)).toEqual({ known: true, cookie: both.cookie });
      expect(await know(both.cookie, bea)).toEqual({ known: true, cookie: both.cookie });
      expect((await know(both.cookie.split('.')[0])).known, 'secret of another citizen').toBe(false);
    });

    test('retains the five newest secrets in its cookie, and drops malformed ones', async () => {
      let { cookie } = await know('x..y');
      expect(cookie).toMatch(secretForm);
      const held = [cookie];
      for (let times = 0; times < 5; times++) {
        cookie = (await know(cookie, await room.citizen())).cookie;
        held.unshift(cookie.split('.')[0] ?? '');
      }
      expect(cookie.split('.')).toEqual(held.slice(0, 5));
      expect((await know([...held.slice(0, 5), held[5]].join('.'))).known, 'the sixth secret is ignored').toBe(false);
    });
  });
});
