import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeAuthenticationStrength } from '../../../../src/server/trust/identity/session-level.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { pendingRequests, invalidPasskey, openPasskeyServer, passkeySteps } from '../../support/passkeys.ts';
import { readMailedCode, openBrowser, setUpTotp, steps } from '../../support/sign-in-browser.ts';
import { credentialAttemptLimits } from '../../../../src/server/trust/credentials/index.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const expired = { code: 'sesion_expirada' };

describe.each([defaultDatabase])('[SEG+PASSKEY] sign-in with only a passkey, on %s', (database) => {
  let room: Awaited<ReturnType<typeof openPasskeyServer>>;
  beforeAll(async () => {
    room = await openPasskeyServer(database);
  });
  afterAll(() => room.server.close());

  test('requires no document, and counts as two factors', async () => {
    const { id, authenticator, caller } = await room.citizen();
    await setUpTotp(room.server, caller);
    await room.server.parts.store.db
      .updateTable('citizens')
      .set({ level: 'Verificado' })
      .where('id', '=', id)
      .execute();
    const { browser, body, options } = await room.alone({ redirect_url: '/seguridad' });
    expect(body).toEqual({
      challenge: passkeySteps.alone,
      token: expect.any(String),
      expires_at: expect.any(String),
      options: expect.objectContaining({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] }),
    });
    room.server.clock.advance(1);
    const { body: done } = await room.byItself(browser, authenticator.use(options));
    expect(done).toMatchObject({ challenge: null, location: '/seguridad' });
    expect((await browser.caller())?.citizenId).toBe(id);
    expect(await room.session(id)).toMatchObject({ amr: 'urn:iduruguay:am:passkey', nid: 2, role: 'citizen' });
  });

  test('starts a session of no higher level than the registration', async () => {
    const { id, authenticator } = await room.citizen();
    room.server.clock.advance(1);
    const { browser, options } = await room.alone();
    await room.byItself(browser, authenticator.use(options));
    expect(await room.session(id)).toMatchObject({ nid: 1 });
  });

  test('rejects an unknown passkey like any invalid one', async () => {
    const { authenticator, id } = await room.citizen();
    await room.server.parts.store.db.deleteFrom('passkeys').where('citizen_id', '=', id).execute();
    const { browser, options } = await room.alone();
    await expect(room.byItself(browser, authenticator.use(options))).rejects.toMatchObject(invalidPasskey);
  });

  test.each([
    ['a text with a null character', 'a\u0000b'],
    ['not base64url', 'a+b'],
    ['empty', ''],
    ['not a text', { $ne: '' }],
  ])('rejects an id that is %s like any invalid one', async (_, id) => {
    const { browser } = await room.alone();
    const credential = JSON.stringify({ id, response: {} });
    await expect(room.byItself(browser, credential)).rejects.toMatchObject(invalidPasskey);
  });

  test('accepts a challenge once, only in the browser that requested it', async () => {
    const { authenticator, id } = await room.citizen();
    const { browser, options } = await room.alone();
    const credential = authenticator.use(options);
    const stolen = openBrowser(room.server);
    await expect(stolen.answer(passkeySteps.alone, { credential }, { token: browser.token })).rejects.toMatchObject(
      expired,
    );
    const elsewhere = await room.alone();
    await expect(room.byItself(elsewhere.browser, credential)).rejects.toMatchObject(invalidPasskey);
    const { token } = browser;
    const cookies = { ...browser.cookies };
    await room.byItself(browser, credential);
    expect((await browser.caller())?.citizenId).toBe(id);
    const replay = openBrowser(room.server);
    replay.cookies = cookies;
    await expect(replay.answer(passkeySteps.alone, { credential }, { token })).rejects.toMatchObject(expired);
  });

  test.each([
    { note: 'blocked', change: { blocked_at: new Date('2071-01-01T00:00:00Z') }, code: 'account_blocked' },
    { note: 'not activated', change: { active_at: null }, code: 'account_no_activated' },
  ])(
    'rejects an account that is $note like after a correct password, and audits the refusal',
    async ({ change, code }) => {
      const { id, authenticator } = await room.citizen();
      await room.server.parts.store.db.updateTable('citizens').set(change).where('id', '=', id).execute();
      const { browser, options } = await room.alone();
      await expect(room.byItself(browser, authenticator.use(options))).rejects.toMatchObject({
        status: 403,
        code,
        field: 'password',
        sendsCodeAsMessage: true,
      });
      expect((await room.actions(id)).at(-1)).toBe('sign-in-refused');
      expect(browser.cookies.session).toBeUndefined();
    },
  );

  test('continues to the application that requested it', async () => {
    const { authenticator } = await room.citizen();
    const { browser, options } = await room.alone({ process_state: 'waiting' });
    expect((await room.byItself(browser, authenticator.use(options))).body).toMatchObject({
      challenge: null,
      location: pendingRequests.waiting.resumePath,
    });
  });

  test('starts with each call of getPasskeyOptions, and is completed once in that browser', async () => {
    const { id, authenticator } = await room.citizen();
    room.server.clock.advance(1);
    const browser = openBrowser(room.server);
    const request = async () => {
      const { body, cookies } = await room.server.call('getPasskeyOptions', {
        cookies: browser.cookies,
        query: { redirect_url: '/seguridad' },
      });
      browser.cookies = { challenge: cookies?.challenge?.value ?? '' };
      return body;
    };
    const [earlier, later] = [await request(), await request()];
    expect(later).toEqual({
      challenge: passkeySteps.alone,
      token: expect.any(String),
      expires_at: expect.any(String),
      options: expect.objectContaining({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] }),
    });
    expect([earlier.token, earlier.options?.['challenge']]).not.toContain(later.token);
    expect(earlier.options?.['challenge']).not.toBe(later.options?.['challenge']);
    const credential = authenticator.use(later.options);
    const answer = (from: typeof browser, { token }: typeof later) =>
      from.answer(passkeySteps.alone, { credential }, { token });
    await expect(answer(openBrowser(room.server), later)).rejects.toMatchObject(expired);
    const replay = openBrowser(room.server);
    replay.cookies = browser.cookies;
    await expect(answer(replay, earlier)).rejects.toMatchObject(invalidPasskey);
    expect((await answer(browser, later)).body).toMatchObject({ challenge: null, location: '/seguridad' });
    expect((await browser.caller())?.citizenId).toBe(id);
    replay.cookies = { challenge: browser.cookies.challenge ?? '' };
    await expect(answer(replay, later)).rejects.toMatchObject(expired);
  });

  test('requires the institutional mailbox of an agent as well', async () => {
    const { id, authenticator } = await room.citizen();
    room.server.clock.advance(1);
    const { browser, options } = await room.alone({ agnt: '1' });
    expect((await room.byItself(browser, authenticator.use(options))).body.challenge).toBe(steps.institutional);
    const mailbox = `agente.${id}@salud.gub.uy`;
    expect((await browser.answer(steps.institutional, { institutional_email: mailbox })).body.challenge).toBe(
      steps.mailed,
    );
    await browser.answer(steps.mailed, { recoverycode: await readMailedCode(room.server, mailbox) });
    expect(await room.session(id)).toMatchObject({ role: 'agent', amr: 'urn:iduruguay:am:passkey' });
  });
});

test.each([
  [['urn:iduruguay:am:password'], 1],
  [['urn:iduruguay:am:passkey'], 2],
  [['urn:iduruguay:am:password', 'urn:iduruguay:am:passkey'], 2],
])('[SEG+PASSKEY] computeAuthenticationStrength of %j is %i', (amr, strength) => {
  expect(computeAuthenticationStrength(amr)).toBe(strength);
});

describe('[SEG+PASSKEY] sign-in with a passkey with rate limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  test('counts attempts per network address', async () => {
    const browser = openBrowser(server);
    const attempt = async () => {
      await browser.answer(passkeySteps.alone, {}, { token: null });
      await browser.answer(passkeySteps.alone, { credential: '{}' });
    };
    await expect(attempt()).rejects.toMatchObject(invalidPasskey);
    const others = Array.from({ length: 60 }, () =>
      server.parts.throttle.admit(credentialAttemptLimits.passkey, { address: '203.0.113.7' }, server.clock.now()),
    );
    await Promise.allSettled(others);
    await expect(attempt()).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
  });
});
