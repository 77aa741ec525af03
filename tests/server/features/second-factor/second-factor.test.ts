import { createNoThrottle } from '../../support/no-throttle.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import {
  storeMailedCode,
  verifyStoredMailedCode,
  consumeMailedCode,
} from '../../../../src/server/trust/credentials/mailed-codes.ts';
import type { Tx } from '../../../../src/server/platform/database/open-store.ts';
import { findRecoveryCode, consumeRecoveryCode } from '../../../../src/server/trust/credentials/recovery-codes.ts';
import { createPendingSecondFactor, consumeTotpStep } from '../../../../src/server/trust/credentials/second-factors.ts';
import { createActiveCitizen, replaceRecoveryCodes } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import {
  computeAppCode,
  readMailedCode,
  openBrowser,
  recordIdentityProof,
  setUpEmail,
  setUpTotp,
  signInCitizen,
  steps,
  type Browser,
} from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const rejected = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'rejected');

describe.each([defaultDatabase])('second factor, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    // without throttling, so that parallel attempts fail only if a code is already used
    server = await openTestServer({
      database,
      parts: (parts) => ({ ...parts, throttle: createNoThrottle(parts.store) }),
    });
  });
  afterAll(() => server.close());

  /** Creates a citizen for one test and signs them in. */
  async function citizen(level = 'Autoregistrado') {
    const number = `MFA${++serial}${database[1]}`.toUpperCase();
    const id = await createActiveCitizen(server, number, password);
    await server.parts.store.db.updateTable('citizens').set({ level }).where('id', '=', id).execute();
    const session = await signInCitizen(server, number, password);
    await recordIdentityProof(server, session.caller);
    return { number, id, email: `${number.toLowerCase()}@example.com`, ...session };
  }
  const status = async (caller: Caller) =>
    (await server.call('getMfaStatus', { caller, params: { id: caller.citizenId } })).body;
  /** Expects that record and session agree on whether a required second factor is missing. Returns the caller. */
  async function expectFactorDue(id: string, browser: Browser, due: boolean): Promise<Caller> {
    const caller = await browser.caller();
    if (caller === null) throw new Error('signed out');
    const { body } = await server.call('getCitizen', { caller, params: { id } });
    expect([caller.factorDue, body.segundo_factor_pendiente]).toEqual([due, due]);
    return caller;
  }
  const subjects = async (email: string) =>
    (await server.mails()).filter(({ recipient }) => recipient === email).map(({ subject }) => subject);

  test('[MFA-01 ENT-03] getMfaStatus returns no method at first, then the date of the set-up without the secret', async () => {
    const { caller } = await citizen();
    expect(await status(caller)).toEqual({
      estado: { activado: false, fecha_activado: null },
      methods: { totp: null, email: null },
      estado_email: 'validado',
      errors: null,
      obligatorio: false,
      codigos_de_recuperacion: 0,
      llaves: [],
    });
    const { id } = await setUpTotp(server, caller);
    const { estado, methods, codigos_de_recuperacion } = await status(caller);
    expect(estado).toEqual({ activado: true, fecha_activado: expect.stringMatching(/^2071-03-0/) });
    expect(methods).toEqual({ totp: { id, secret: null, url: null }, email: null });
    expect(codigos_de_recuperacion).toBe(10);
  });

  test.each([
    { email: null, verified: false, expected: 'sin_correo' },
    { email: 'otra@example.com', verified: false, expected: 'pendiente' },
  ])(
    '[MFA-01 MFA-08] codes by e-mail cannot be set up with e-mail $email, whose state is $expected',
    async ({ email, verified, expected }) => {
      const { caller, id } = await citizen();
      await server.parts.store.db
        .updateTable('citizens')
        .set({ email, ...(verified ? {} : { email_verified_at: null }) })
        .where('id', '=', id)
        .execute();
      expect((await status(caller)).estado_email).toBe(expected);
      await expect(server.call('activateEmailMethod', { caller, body: {} })).rejects.toMatchObject({
        status: 409,
        code: 'sin_correo',
      });
    },
  );

  test('[MFA-02] verifyTotp sets up the app with one of its codes, and returns ten recovery codes', async () => {
    const { caller, number, email } = await citizen();
    const { id, secret, url } = (await server.call('createTotp', { caller })).body;
    expect(url).toBe(`otpauth://totp/Usuario%20digital:ar-psp-${number}?secret=${secret}&issuer=Usuario%20digital`);
    const verify = (code: string) => server.call('verifyTotp', { caller, params: { method: id }, body: { code } });
    await expect(verify('000000')).rejects.toMatchObject({ status: 400, code: 'codigo_incorrecto', field: 'code' });
    expect((await status(caller)).estado.activado).toBe(false);
    const { body } = await verify(computeAppCode(server, secret));
    expect(body.activado).toBe(true);
    expect(new Set(body.codigos).size).toBe(10);
    for (const code of body.codigos ?? []) expect(code).toMatch(/^[2-9A-HJ-NP-Z]{16}$/);
    expect((await subjects(email)).at(-1)).toBe('Se activó el doble factor de autenticación en Usuario digital');
  });

  test('[MFA-02] secrets and codes are not readable in the database', async () => {
    const { caller, email, browser, number } = await citizen();
    const { secret, codes } = await setUpTotp(server, caller);
    await setUpEmail(server, caller, email);
    await browser.start(number);
    await browser.answer(steps.password, { password, emailTOTP: true });
    const { store } = server.parts;
    const rows = JSON.stringify([
      await store.db.selectFrom('second_factors').selectAll().execute(),
      await store.db.selectFrom('recovery_codes').selectAll().execute(),
      await store.db.selectFrom('mailed_codes').selectAll().execute(),
      await store.db.selectFrom('audit').selectAll().execute(),
    ]);
    for (const hidden of [secret, ...codes, await readMailedCode(server, email)]) expect(rows).not.toContain(hidden);
  });

  test('[MFA-02] createTotp replaces a pending set-up, and an active app only once the new one is verified', async () => {
    const { caller } = await citizen();
    const first = (await server.call('createTotp', { caller })).body;
    const { id } = await setUpTotp(server, caller);
    const verify = (method: string, secret: string) =>
      server.call('verifyTotp', { caller, params: { method }, body: { code: computeAppCode(server, secret) } });
    await expect(verify(first.id, first.secret)).rejects.toMatchObject({ status: 404 });
    const next = (await server.call('createTotp', { caller })).body;
    expect((await status(caller)).methods.totp?.id).toBe(id);
    expect((await verify(next.id, next.secret)).body).toEqual({ activado: true });
    expect((await status(caller)).methods.totp?.id).toBe(next.id);
  });

  test.each([
    { note: 'the previous step', offset: -30, accepted: true },
    { note: 'the current step', offset: 0, accepted: true },
    { note: 'the next step', offset: 30, accepted: false },
    { note: 'two steps before', offset: -60, accepted: false },
    { note: 'two steps later', offset: 60, accepted: false },
  ])(
    '[MFA-02 ASVS-6.5.5] verifyTotp with a code of $note (RFC 6238): accepted is $accepted',
    async ({ offset, accepted }) => {
      const { caller } = await citizen();
      const { id, secret } = (await server.call('createTotp', { caller })).body;
      const verified = server.call('verifyTotp', {
        caller,
        params: { method: id },
        body: { code: computeAppCode(server, secret, offset) },
      });
      if (accepted) expect((await verified).body.activado).toBe(true);
      else await expect(verified).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    },
  );

  test('[MFA-03] verifyEmailMethod sets up codes by e-mail; requesting another code voids the previous one', async () => {
    const { caller, email } = await citizen();
    const first = (await server.call('activateEmailMethod', { caller, body: {} })).body;
    expect(first.email).toMatch(/^m\*\*\*@example\.com$/);
    const old = await readMailedCode(server, email);
    const { id } = (await server.call('activateEmailMethod', { caller, body: {} })).body;
    const verify = (method: string, code: string) =>
      server.call('verifyEmailMethod', { caller, params: { method }, body: { code } });
    const code = await readMailedCode(server, email);
    expect(code).toMatch(/^\d{6}$/);
    await expect(verify(first.id, old)).rejects.toMatchObject({ status: 404 });
    expect((await verify(id, code)).body).toMatchObject({ activado: true, codigos: expect.any(Array) });
    expect((await status(caller)).methods).toEqual({ totp: null, email: { id } });
  });

  test.each([
    {
      note: 'five wrong tries',
      spoil: async (verify: (code: string) => Promise<unknown>) => {
        for (let attempt = 1; attempt <= 5; attempt++) await verify('000000').catch(() => {});
      },
    },
    { note: 'ten minutes', spoil: async () => server.clock.advance(601) },
  ])('[MFA-03 MFA-08] verifyEmailMethod rejects a mailed code after $note', async ({ spoil }) => {
    const { caller, email } = await citizen();
    const { id } = (await server.call('activateEmailMethod', { caller, body: {} })).body;
    const verify = (code: string) =>
      server.call('verifyEmailMethod', { caller, params: { method: id }, body: { code } });
    const code = await readMailedCode(server, email);
    await spoil(verify);
    await recordIdentityProof(server, caller);
    await expect(verify(code)).rejects.toMatchObject({ status: 400, code: 'codigo_incorrecto', field: 'code' });
  });

  test('[MFA-08] a mailed code of a sign-in sets up nothing, and one of a set-up completes no sign-in', async () => {
    const { caller, number, email } = await citizen();
    await setUpEmail(server, caller, email);
    const browser = openBrowser(server);
    await browser.start(number);
    await browser.answer(steps.password, { password });
    const forSignIn = await readMailedCode(server, email);
    const { id } = (await server.call('activateEmailMethod', { caller, body: {} })).body;
    const forSetUp = await readMailedCode(server, email);
    await expect(
      server.call('verifyEmailMethod', { caller, params: { method: id }, body: { code: forSignIn } }),
    ).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    await expect(browser.answer(steps.mailed, { recoverycode: forSetUp })).rejects.toMatchObject({
      code: 'codigo_incorrecto',
    });
    expect((await browser.answer(steps.mailed, { recoverycode: forSignIn.toLowerCase() })).body.location).toBe('/');
  });

  test('[MFA-02 MFA-03] verifyTotp and deleteTotp return 404 for the method of another citizen', async () => {
    const [owner, stranger] = [await citizen(), await citizen()];
    const { id, secret } = (await server.call('createTotp', { caller: owner.caller })).body;
    const body = { code: computeAppCode(server, secret) };
    await expect(
      server.call('verifyTotp', { caller: stranger.caller, params: { method: id }, body }),
    ).rejects.toMatchObject({ status: 404 });
    await server.call('verifyTotp', { caller: owner.caller, params: { method: id }, body });
    await expect(server.call('deleteTotp', { caller: stranger.caller, params: { method: id } })).rejects.toMatchObject({
      status: 404,
    });
    expect((await status(owner.caller)).estado.activado).toBe(true);
  });

  test('[MFA-05] removing the last method removes recovery codes, ends pending sign-ins and mails a notice', async () => {
    const { caller, number, email } = await citizen();
    const { id } = await setUpTotp(server, caller);
    const browser = openBrowser(server);
    await browser.start(number);
    await server.call('deleteTotp', { caller, params: { method: id } });
    expect(await status(caller)).toMatchObject({
      estado: { activado: false, fecha_activado: null },
      methods: { totp: null, email: null },
      codigos_de_recuperacion: 0,
    });
    await expect(browser.answer(steps.password, { password })).rejects.toMatchObject({ code: 'sesion_expirada' });
    expect((await subjects(email)).at(-1)).toBe('Se desactivó un doble factor de autenticación en Usuario digital');
    await expect(server.call('deleteTotp', { caller, params: { method: id } })).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    { note: 'set up', change: async (caller: Caller) => void (await setUpTotp(server, caller)) },
    {
      note: 'removed',
      before: true,
      change: async (caller: Caller) => {
        const { methods } = await status(caller);
        await server.call('deleteEmailMethod', { caller, params: { method: methods.email?.id ?? '' } });
      },
    },
    {
      note: 'given new recovery codes',
      before: true,
      change: async (caller: Caller) => void (await server.call('createRecoveryCodes', { caller })),
    },
  ])('[MFA-05] other sessions end and this one continues if the second factor is $note', async ({ before, change }) => {
    const { caller, number, email, browser } = await citizen();
    if (before) await setUpEmail(server, caller, email);
    const other = openBrowser(server);
    const { body } = await other.start(number).then(() => other.answer(steps.password, { password }));
    if (body.challenge === steps.mailed)
      await other.answer(steps.mailed, { recoverycode: await readMailedCode(server, email) });
    expect(await other.caller()).not.toBeNull();
    await change(caller);
    expect(await other.caller()).toBeNull();
    expect(await browser.caller()).toMatchObject({ sessionId: caller.sessionId });
  });

  test('[MFA-06] level Intermedio can remove one of two methods, and not the last one', async () => {
    const { caller, email } = await citizen('Verificado');
    expect((await status(caller)).obligatorio).toBe(true);
    const { id } = await setUpTotp(server, caller);
    const remove = () => server.call('deleteTotp', { caller, params: { method: id } });
    await expect(remove()).rejects.toMatchObject({ status: 409, code: 'segundo_factor_obligatorio' });
    await setUpEmail(server, caller, email);
    await remove();
    const { methods, codigos_de_recuperacion } = await status(caller);
    expect(methods).toEqual({ totp: null, email: { id: expect.any(String) } });
    expect(codigos_de_recuperacion).toBe(10);
    await expect(
      server.call('deleteEmailMethod', { caller, params: { method: methods.email?.id ?? '' } }),
    ).rejects.toMatchObject({ status: 409 });
  });

  test.each([
    { level: 'Autoregistrado', features: true, due: false },
    { level: 'Autoregistro con CI', features: true, due: false },
    { level: 'Verificado', features: true, due: true },
    { level: 'Certificado', features: true, due: true },
    { level: 'Verificado', features: false, due: true },
    { level: 'Autoregistrado', features: false, due: false },
  ])(
    '[MFA-06] segundo_factor_pendiente is $due for an account of level $level with features $features',
    async ({ level, features, due }) => {
      const { id, browser } = await citizen(level);
      await server.parts.store.db.updateTable('citizens').set({ features }).where('id', '=', id).execute();
      await expectFactorDue(id, browser, due);
    },
  );

  test.each(['Verificado', 'Certificado'])(
    '[MFA-06] segundo_factor_pendiente of level %s stays true during the set-up of an app, and is false after it',
    async (level) => {
      const { id, browser } = await citizen(level);
      const caller = await expectFactorDue(id, browser, true);
      await server.call('createTotp', { caller });
      await expectFactorDue(id, browser, true);
      await setUpTotp(server, caller);
      await expectFactorDue(id, browser, false);
    },
  );

  test('[MFA-06] a passkey is the second factor that the level demands', async () => {
    const { id, browser } = await citizen('Verificado');
    await server.parts.store.db
      .insertInto('passkeys')
      .values({
        id: randomUUID(),
        citizen_id: id,
        credential_id: id,
        public_key: '',
        counter: 0,
        transports: '',
        device_type: 'singleDevice',
        backed_up: false,
        name: 'Llave',
        created_at: server.parts.clock.now(),
        last_used_at: null,
        mac: '',
      })
      .execute();
    expect((await browser.caller())?.factorDue).toBe(false);
  });

  test.each([
    { level: 'Autoregistrado', nid: 1 },
    { level: 'Verificado', nid: 2 },
  ])(
    '[MFA-06 CFG-06] setting up a method during the session raises a session of $level to level $nid',
    async ({ level, nid }) => {
      const { caller } = await citizen(level);
      const session = () =>
        server.parts.store.db
          .selectFrom('broker_sessions')
          .select(['nid', 'amr'])
          .where('id', '=', caller.sessionId)
          .executeTakeFirstOrThrow();
      expect(await session()).toEqual({ nid: 1, amr: steps.password });
      await setUpTotp(server, caller);
      expect(await session()).toEqual({ nid, amr: `${steps.password} ${steps.totp}` });
    },
  );

  test('createRecoveryCodes voids the previous codes, and returns 409 without a second factor', async () => {
    const { caller, number, email } = await citizen();
    await expect(server.call('createRecoveryCodes', { caller })).rejects.toMatchObject({
      status: 409,
      code: 'sin_segundo_factor',
    });
    const {
      codes: [old = ''],
    } = await setUpTotp(server, caller);
    const {
      codigos: [fresh = ''],
    } = (await server.call('createRecoveryCodes', { caller })).body;
    expect((await subjects(email)).at(-1)).toBe('Se renovaron tus códigos de recuperación de Usuario digital');
    const browser = openBrowser(server);
    await browser.start(number);
    await browser.answer(steps.password, { password });
    await expect(browser.answer(steps.totp, { recovery: old })).rejects.toMatchObject({
      status: 400,
      code: 'codigo_incorrecto',
      field: 'recovery',
    });
    await browser.answer(steps.totp, { recovery: fresh });
    expect(await browser.caller()).not.toBeNull();
  });

  test('a code of the app is accepted once across sign-ins', async () => {
    const { caller, number } = await citizen();
    const { secret } = await setUpTotp(server, caller);
    const code = computeAppCode(server, secret);
    const browsers = [openBrowser(server), openBrowser(server)] as const;
    for (const browser of browsers) {
      await browser.start(number);
      await browser.answer(steps.password, { password });
    }
    await browsers[0].answer(steps.totp, { totp: code });
    for (const replayed of [code, computeAppCode(server, secret, -30)]) {
      await expect(browsers[1].answer(steps.totp, { totp: replayed })).rejects.toMatchObject({
        status: 400,
        code: 'codigo_incorrecto',
        field: 'totp',
      });
    }
    expect(await browsers[1].caller()).toBeNull();
  });

  test.each(['app', 'mail', 'recovery code', 'set-up', 'app set-up'] as const)(
    'accepts one of 20 parallel uses of one code (%s)',
    async (kind) => {
      const { caller, number, email } = await citizen();
      let use: (index: number) => Promise<unknown>;
      if (kind === 'set-up') {
        const { id } = (await server.call('activateEmailMethod', { caller, body: {} })).body;
        const code = await readMailedCode(server, email);
        use = () => server.call('verifyEmailMethod', { caller, params: { method: id }, body: { code } });
      } else if (kind === 'app set-up') {
        const { id, secret } = (await server.call('createTotp', { caller })).body;
        use = () =>
          server.call('verifyTotp', { caller, params: { method: id }, body: { code: computeAppCode(server, secret) } });
      } else {
        const { secret, codes } = await setUpTotp(server, caller);
        if (kind === 'mail') await setUpEmail(server, caller, email);
        const browsers = await Promise.all(
          Array.from({ length: kind === 'mail' ? 1 : 20 }, async (_, index) => {
            const browser = openBrowser(server, `203.0.113.${index}`);
            await browser.start(number);
            await browser.answer(steps.password, { password, ...(kind === 'mail' && { emailTOTP: true }) });
            return browser;
          }),
        );
        const data =
          kind === 'app'
            ? { totp: computeAppCode(server, secret) }
            : kind === 'mail'
              ? { recoverycode: await readMailedCode(server, email) }
              : { recovery: codes[0] ?? '' };
        use = (index) =>
          (browsers[index] ?? browsers[0])?.answer(kind === 'mail' ? steps.mailed : steps.totp, data) ??
          Promise.reject(new Error());
      }
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => use(index)));
      expect(rejected(results)).toHaveLength(19);
    },
  );

  test.each<{ note: string; use: (id: string) => Promise<(tx: Tx) => Promise<boolean>> }>([
    {
      note: 'a mailed code',
      use: async (id) => {
        const { store, vault } = server.parts;
        const binding = { purpose: 'set-up', owner: id } as const;
        await store.transaction((tx) =>
          storeMailedCode(tx, vault, { ...binding, citizenId: id, code: '123456', now: server.clock.now() }),
        );
        const digest = (await verifyStoredMailedCode(store, vault, binding, '123456', server.clock.now())) ?? '';
        return (tx) => consumeMailedCode(tx, binding, digest, server.clock.now());
      },
    },
    {
      note: 'a recovery code',
      use: async (id) => {
        const { store, passwords } = server.parts;
        const [code = ''] = await store.transaction((tx) =>
          replaceRecoveryCodes(tx, passwords, id, server.clock.now()),
        );
        const digest = await findRecoveryCode(store.db, passwords, id, code);
        return (tx) => consumeRecoveryCode(tx, id, digest ?? '', server.clock.now());
      },
    },
    {
      note: 'a step of an app',
      use: async (id) => {
        const factor = await server.parts.store.transaction((tx) =>
          createPendingSecondFactor(tx, { citizenId: id, kind: 'totp', now: server.clock.now() }),
        );
        return (tx) => consumeTotpStep(tx, factor, 7);
      },
    },
  ])('the store consumes $note once under 20 parallel transactions', async ({ use }) => {
    const spend = await use((await citizen()).id);
    const results = await Promise.all(Array.from({ length: 20 }, () => server.parts.store.transaction(spend)));
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  /**
   * Operations that change second factors. `status` is the response after a fresh proof of identity. `page` is the page
   * that calls the operation.
   */
  const changes = [
    { name: 'createTotp', page: '/totp', signInCounts: true, status: 200 },
    { name: 'verifyTotp', page: '/totp', signInCounts: true, status: 404 },
    { name: 'activateEmailMethod', page: '/email', signInCounts: true, status: 200 },
    { name: 'verifyEmailMethod', page: '/email', signInCounts: true, status: 404 },
    { name: 'deleteTotp', page: '', signInCounts: false, status: 404 },
    { name: 'deleteEmailMethod', page: '', signInCounts: false, status: 404 },
    { name: 'createRecoveryCodes', page: '', signInCounts: false, status: 409 },
  ] as const;
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      ({ status: refused, code }) => (code === 'verificacion_requerida' ? code : refused),
    );

  test.each(changes)(
    '[MFA-01 MFA-05] $name requires a fresh identity proof; a fresh sign-in counts as one: $signInCounts',
    async ({ name, page, signInCounts, status: usual }) => {
      const number = `MFA${++serial}${database[1]}`.toUpperCase();
      await createActiveCitizen(server, number, password);
      const { caller } = await signInCitizen(server, number, password);
      const change = () => server.call(name, { caller, params: { method: 'none' }, body: {} });
      expect(await outcome(change())).toBe(signInCounts ? usual : 'verificacion_requerida');
      server.clock.advance(600);
      await expect(change()).rejects.toMatchObject({
        status: 403,
        code: 'verificacion_requerida',
        next: `/seguridad/contrase%C3%B1a/verificar?next=${encodeURIComponent(`/seguridad/autenticacion-en-dos-pasos${page}`)}`,
      });
      await server.call('verifyPassword', { caller, body: { pwd: password } });
      expect(await outcome(change())).toBe(usual);
      await server.parts.store.db
        .updateTable('broker_sessions')
        .set({ revoked_at: server.clock.now() })
        .where('id', '=', caller.sessionId)
        .execute();
      expect(await outcome(change())).toBe('verificacion_requerida');
    },
  );

  test('[MFA-08] the audit log is valid after all tests above', async () => {
    expect(await server.auditFaults()).toEqual([]);
  });
});
