import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationRequest } from '../../../../src/server/platform/base/operation-request.ts';
import { InvalidBodyError } from '../../../../src/server/platform/base/errors.ts';
import { createActiveCitizen, createForeignRegistration } from '../../support/citizen-data.ts';
import { password as secret } from '../../support/account.ts';
import { openBrowser, steps } from '../../support/sign-in-browser.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const passwordStep = 'urn:iduruguay:am:password';
/** Returns the redirect to the reminder that a citizen without a second factor sees before `target`. */
const reminder = (target: string) => `/configurar-segundo-factor?redirect_uri=${encodeURIComponent(target)}`;
type Request = Partial<OperationRequest<'answerChallenge'>>;

describe.each([defaultDatabase])('sign-in, on %s', (database) => {
  let server: TestServer;
  let id: string;
  let address = '';
  let addresses = 0;

  beforeAll(async () => {
    server = await openTestServer({
      database,
      check: (screen, values): Record<string, string> =>
        screen === 'login' && values['username'] === '1' ? { username: 'refused by the screen' } : {},
    });
    id = await createActiveCitizen(server, 'SIGN1', 'la-frase-correcta');
    await createActiveCitizen(server, 'BLOCKED1', 'la-frase-correcta');
    await server.parts.store.db
      .updateTable('citizens')
      .set({ blocked_at: server.clock.now() })
      .where('number', '=', 'BLOCKED1')
      .execute();
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'PENDING1', { password: 'la-frase-correcta' }),
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    address = `198.51.100.${++addresses}`;
  });

  const answer = (body: Request['body'], request: Request = {}) =>
    server.call('answerChallenge', { ...request, address, ...(body && { body }) });
  const foreign = (username: string) => ({ username, pais_emisor: 'ar', tipo_documento: 'psp' });
  const start = async (username: string, extra: NonNullable<Request['body']>['extra'] = null) => {
    const { body, cookies } = await answer({
      challenge: 'username',
      data_challenge: foreign(username),
      extra,
      token: null,
    });
    const browser = cookies?.challenge?.value ?? '';
    return { body, browser, token: body.token };
  };
  const password = (
    chain: { token: string | null; browser: string },
    text = 'la-frase-correcta',
    request: Request = {},
  ) =>
    answer(
      { challenge: passwordStep, data_challenge: { password: text }, extra: null, token: chain.token },
      { cookies: { challenge: chain.browser }, ...request },
    );
  test('[CFG-03 LOG-06] accepts a foreign document in username, foreignUsername or both', async () => {
    const country = { pais_emisor: 'ar', tipo_documento: 'psp' };
    for (const names of [
      { username: 'SIGN1' },
      { foreignUsername: 'SIGN1' },
      { username: '', foreignUsername: 'SIGN1' },
      { username: 'SIGN1', foreignUsername: 'SIGN1' },
      { username: 'SIGN1', foreignUsername: 'NOBODY' },
    ]) {
      const sent = { challenge: 'username', data_challenge: { ...names, ...country }, extra: null, token: null };
      const { body, cookies } = await answer(sent);
      const { body: done } = await password({ token: body.token, browser: cookies?.challenge?.value ?? '' });
      expect(done, JSON.stringify(names)).toMatchObject({ challenge: null, name: expect.any(String) });
    }
  });

  const signIn = async (username = 'SIGN1') => (await password(await start(username))).cookies?.session?.value ?? '';

  test('[LOG-05] accepts requests of an independent client, with null for the country and type of a national document', async () => {
    const first = await answer({
      challenge: 'username',
      data_challenge: { username: '4.512.378-4'.replace(/\D/g, ''), pais_emisor: null, tipo_documento: null },
      extra: { agnt: null, process_state: 'abc' },
      token: null,
    });
    expect(first.body).toEqual({
      challenge: passwordStep,
      token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.any(String),
    });
    const done = await password(
      { token: first.body.token, browser: first.cookies?.challenge?.value ?? '' },
      'tres-tazas-de-mate',
    );
    expect(done.body).toMatchObject({ challenge: null, token: null, location: reminder('/') });
  });

  test.each([
    { note: 'blocked', username: 'BLOCKED1', code: 'account_blocked' },
    { note: 'not activated', username: 'PENDING1', code: 'account_no_activated' },
  ])('[LOG-05] reports that an account is $note only after the correct password', async ({ username, code }) => {
    await expect(password(await start(username))).rejects.toMatchObject({
      status: 403,
      code,
      field: 'password',
      sendsCodeAsMessage: true,
    });
  });

  test('[LOG-03 VAL-09] returns the errors of the document screen on their fields', async () => {
    const body = { challenge: 'username', data_challenge: { username: '1' }, extra: null, token: null };
    const error: unknown = await answer(body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidBodyError);
    expect(error).toMatchObject({ errors: { username: 'refused by the screen' } });
  });

  test.each([
    { note: 'without the first step', use: async () => password({ token: 'x'.repeat(43), browser: 'y' }) },
    { note: 'without a token', use: async () => password({ token: null, browser: (await start('SIGN1')).browser }) },
    { note: 'in another browser', use: async () => password({ ...(await start('SIGN1')), browser: 'z'.repeat(43) }) },
    { note: 'without its cookie', use: async () => password(await start('SIGN1'), undefined, { cookies: {} }) },
    {
      note: 'after ten minutes',
      use: async () => {
        const chain = await start('SIGN1');
        server.clock.advance(601);
        return password(chain);
      },
    },
    {
      note: 'a second time',
      use: async () => {
        const chain = await start('SIGN1');
        await password(chain);
        return password(chain);
      },
    },
    {
      note: 'after ten tries',
      use: async () => {
        const chain = await start('SIGN1');
        for (let attempt = 1; attempt <= 10; attempt++) {
          await password(chain, 'una-frase-falsa').catch(() => {});
          server.clock.advance(20);
        }
        server.clock.advance(20);
        return password(chain);
      },
    },
  ])('[LOG-05] rejects a challenge answered $note as expired', async ({ use }) => {
    await expect(use()).rejects.toMatchObject({ status: 410, code: 'sesion_expirada', field: undefined });
    await signIn(); // a successful sign-in resets the failed attempts
  });

  test('[LOG-05] starts one session for 20 parallel correct answers to one challenge', async () => {
    const chain = await start('SIGN1');
    const sessions = async () =>
      (await server.parts.store.db.selectFrom('broker_sessions').select('id').execute()).length;
    const before = await sessions();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => password(chain)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toBe(before + 1);
    server.clock.advance(1000);
    await signIn();
  });

  test('[LOG-03] is delayed after ten wrong passwords, for known and unknown documents alike, and works again later', async () => {
    for (const username of ['NOBODY2', 'SIGN1']) {
      for (let attempt = 1; attempt <= 10; attempt++) {
        await expect(password(await start(username), 'una-frase-falsa')).rejects.toMatchObject({
          code: 'credenciales',
        });
      }
      await expect(password(await start(username))).rejects.toMatchObject({
        status: 429,
        code: 'demasiados_intentos',
        retryAfter: 1,
      });
    }
    server.clock.advance(2);
    await signIn();
  });

  test('[LOG-03 SEG-04] permits ten attempts in a known browser, which strangers cannot use up', async () => {
    const own = openBrowser(server, '198.51.100.9');
    const number = 'SIGN9';
    await createActiveCitizen(server, number, secret);
    await own.start(number);
    await own.answer(steps.password, { password: secret });
    const stranger = openBrowser(server, '198.51.100.10');
    for (let attempt = 1; attempt <= 10; attempt++) {
      await stranger.start(number);
      await expect(stranger.answer(steps.password, { password: 'una-frase-falsa' })).rejects.toMatchObject({
        code: 'credenciales',
      });
    }
    await stranger.start(number);
    await expect(stranger.answer(steps.password, { password: secret })).rejects.toMatchObject({ status: 429 });
    await own.start(number);
    expect((await own.answer(steps.password, { password: secret })).cookies?.session).toBeDefined();
    for (let attempt = 1; attempt <= 10; attempt++) {
      await own.start(number);
      await expect(own.answer(steps.password, { password: 'una-frase-falsa' })).rejects.toMatchObject({
        code: 'credenciales',
      });
    }
    await own.start(number);
    await expect(
      own.answer(steps.password, { password: secret }),
      'ten attempts in a known browser too',
    ).rejects.toMatchObject({
      status: 429,
    });
  });

  test('[SES-01] obtainToken returns a token valid for five minutes with citizen and level', async () => {
    const session = await signIn();
    const { token } = (await server.call('obtainToken', { cookies: { session } })).body;
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header).toEqual({ alg: 'ES256', typ: 'portal+jwt', kid: expect.any(String) });
    expect(claims).toMatchObject({
      cid: id,
      sub: id,
      idp: null,
      acr: 'urn:iduruguay:nid:1',
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000/rest',
    });
    expect(claims.exp - claims.iat).toBe(300);
  });

  test('[SES-01] refreshToken requires the token and the cookie of the same live session', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const { token } = (await server.call('obtainToken', { cookies: { session: first } })).body;
    const refresh = (session: string | undefined, body = token) =>
      server.call('refreshToken', { body: { token: body }, cookies: session === undefined ? {} : { session } });
    expect((await refresh(first)).body.token).toMatch(/^ey/);
    for (const [session, body] of [[second], [undefined], ['x'.repeat(43)], [first, 'x.y.z']]) {
      await expect(refresh(session, body)).rejects.toMatchObject({ status: 401, code: 'no_autenticado' });
    }
    server.clock.advance(300 + 299);
    expect((await refresh(first)).body.token).toMatch(/^ey/);
    server.clock.advance(2);
    await expect(refresh(first)).rejects.toMatchObject({ status: 401 });
  });

  test('[SES-01] a session ends after twelve hours', async () => {
    const session = await signIn();
    await server.parts.store.db
      .updateTable('broker_sessions')
      .set(({ ref }) => ({ idle_at: ref('expires_at') }))
      .execute(); // simulates a session that was never idle
    server.clock.advance(43_199);
    await server.call('obtainToken', { cookies: { session } });
    server.clock.advance(1);
    await expect(server.call('obtainToken', { cookies: { session } })).rejects.toMatchObject({ status: 401 });
  });

  test('[LOG-05] the audit log records successes, failures and refusals, without a password', async () => {
    const rows = await server.parts.store.db.selectFrom('audit').selectAll().execute();
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(['register', 'activate', 'sign-in', 'sign-in-failed', 'sign-in-refused', 'mail-withheld']),
    );
    expect(JSON.stringify(rows)).not.toContain('frase');
    expect(await server.auditFaults()).toEqual([]);
  });
});
