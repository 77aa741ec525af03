import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiContract } from '../../../../src/contract/contract.ts';
import { loadOperationFacts } from '../../../../src/server/app/screen-facts.ts';
import { authorizeOperation } from '../../../../src/server/web/operations/operation-route.ts';
import {
  listMailLinks,
  createOwner,
  password,
  confirmPassword,
  countRejections,
  listMailSubjects,
  withoutLimits,
} from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openBrowser, signInCitizen, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';
import { productDefinitions } from '../../../definitions/support/product-definitions.ts';

const fresh = 'otra-frase-nueva';

describe.each([defaultDatabase])('identity check and change of the password, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits });
  });
  afterAll(() => server.close());

  const owner = () => createOwner(server, `PWD${++serial}${database[1]}`.toUpperCase());
  const verify = (caller: Parameters<typeof confirmPassword>[1], pwd: unknown) =>
    server.call('verifyPassword', { caller, body: { pwd } });
  const change = (caller: Parameters<typeof confirmPassword>[1], text = fresh) =>
    server.call('updatePassword', { caller, body: { new_pass: text, repeat_pass: text } });
  const verified = async (caller: Parameters<typeof confirmPassword>[1]) =>
    (await server.call('getCitizen', { caller, params: { id: caller.citizenId } })).body.identidad_verificada;

  test('[CLAVE-04 CFG-03] the current password proves the identity for ten minutes, only in the session that sent it', async () => {
    const { caller, number } = await owner();
    const other = (await signInCitizen(server, number, password)).caller;
    expect(await verified(caller)).toBe(false);
    expect((await verify(caller, password)).body).toEqual({});
    expect([await verified(caller), await verified(other)]).toEqual([true, false]);
    server.clock.advance(599);
    expect(await verified(caller)).toBe(true);
    server.clock.advance(1);
    expect(await verified(caller)).toBe(false);
  });

  test.each([
    ['another password', 'otra-cosa'],
    ['an empty password', ''],
  ])('[CLAVE-04] verifyPassword rejects %s with "contrasena_invalida", and proves nothing', async (_, pwd) => {
    const { caller } = await owner();
    await expect(verify(caller, pwd)).rejects.toMatchObject({ status: 400, code: 'contrasena_invalida', field: 'pwd' });
    expect(await verified(caller)).toBe(false);
  });

  test('[CLAVE-04] a password in another Unicode normalization form is accepted by verifyPassword and by sign-in', async () => {
    const { caller, number } = await owner();
    await confirmPassword(server, caller);
    await change(caller, 'ñandú-en-la-nieve'.normalize('NFD'));
    await verify(caller, 'ñandú-en-la-nieve'.normalize('NFC'));
    expect((await signInCitizen(server, number, 'ñandú-en-la-nieve')).caller.citizenId).toBe(caller.citizenId);
  });

  test('[CLAVE-04] verifyPassword rejects the password of an account that has none', async () => {
    const { caller, id } = await owner();
    await server.parts.store.db.deleteFrom('credentials').where('citizen_id', '=', id).execute();
    await expect(verify(caller, password)).rejects.toMatchObject({ code: 'contrasena_invalida' });
  });

  test('[CLAVE-04 CLAVE-05] updatePassword requires a fresh identity proof, and names the page that asks for it and returns', async () => {
    const { caller } = await owner();
    await expect(change(caller)).rejects.toMatchObject({
      status: 403,
      code: 'verificacion_requerida',
      next: '/seguridad/contrase%C3%B1a/verificar?next=%2Fseguridad%2Fcontrase%C3%B1a%2Fmodificar',
    });
    await confirmPassword(server, caller);
    server.clock.advance(600);
    await expect(change(caller)).rejects.toMatchObject({ status: 403, code: 'verificacion_requerida' });
  });

  test('[CLAVE-05] updatePassword keeps this session, ends other sessions and pending sign-ins, and mails a notice', async () => {
    const { caller, number, browser, email } = await owner();
    const other = await signInCitizen(server, number, password);
    const running = openBrowser(server);
    await running.start(number);
    await confirmPassword(server, caller);
    expect((await change(caller)).body).toEqual({});
    expect(await browser.caller()).toMatchObject({ sessionId: caller.sessionId });
    expect(await other.browser.caller()).toBeNull();
    await expect(running.answer(steps.password, { password: fresh })).rejects.toMatchObject({
      code: 'sesion_expirada',
    });
    await expect(signInCitizen(server, number, password)).rejects.toMatchObject({ code: 'credenciales' });
    expect((await signInCitizen(server, number, fresh)).caller.citizenId).toBe(caller.citizenId);
    expect(
      (await listMailSubjects(server, email)).filter(
        (subject) => subject === 'Se cambió tu contraseña de Usuario digital',
      ),
    ).toHaveLength(1);
    expect((await listMailLinks(server, email, '/no-fui-yo')).length).toBeGreaterThan(0);
    const { ultimo_cambio_contrasena: changed } = (
      await server.call('getCitizen', { caller, params: { id: caller.citizenId } })
    ).body;
    expect(changed).toBe(server.clock.now().toISOString());
  });

  test('[CLAVE-05 CFG-03] changePassword sets the new password like updatePassword', async () => {
    const { caller, number } = await owner();
    await confirmPassword(server, caller);
    await server.call('changePassword', { caller, body: { new_pass: fresh, repeat_pass: fresh } });
    expect((await signInCitizen(server, number, fresh)).caller.citizenId).toBe(caller.citizenId);
  });

  test('[CLAVE-05] updatePassword rejects the current password as the new one', async () => {
    const { caller } = await owner();
    await confirmPassword(server, caller);
    await expect(change(caller, password)).rejects.toMatchObject({
      status: 400,
      code: 'contrasena_repetida',
      field: 'new_pass',
    });
  });

  test('[CLAVE-05 ASVS-6.2.12] updatePassword rejects a password from a known breach', async () => {
    const { caller } = await owner();
    await confirmPassword(server, caller);
    await expect(change(caller, 'mountain')).rejects.toMatchObject({ code: 'contrasena_filtrada', field: 'new_pass' });
  });

  test('[CLAVE-05 CORREO-01] updatePassword voids a pending change of the e-mail address', async () => {
    const { caller, email, id } = await owner();
    await confirmPassword(server, caller);
    await server.call('updateEmail', { caller, body: { email: `stranger-${email}` } });
    await change(caller);
    const uuid = (await listMailLinks(server, `stranger-${email}`, '/aprobar'))[0]?.searchParams.get('uuid') ?? '';
    await expect(server.call('approveEmailChange', { body: { uuid } })).rejects.toMatchObject({
      code: 'vinculo_invalido',
    });
    expect(
      await server.parts.store.db.selectFrom('email_changes').selectAll().where('citizen_id', '=', id).execute(),
    ).toEqual([]);
  });

  test('[CLAVE-05] three parallel changes of the password leave exactly one password valid, and the session alive', async () => {
    const { caller, number, browser } = await owner();
    await confirmPassword(server, caller);
    const tried = ['frase-numero-uno', 'frase-numero-dos', 'frase-numero-tres'];
    const results = await Promise.allSettled(tried.map((text) => change(caller, text)));
    expect(countRejections(results)).toBe(0);
    const working = await Promise.allSettled(tried.map((text) => signInCitizen(server, number, text)));
    expect(countRejections(working)).toBe(2);
    expect(await browser.caller()).not.toBeNull();
  });

  test.each(['verifyPassword', 'updatePassword', 'getEmail', 'getPendingEmail', 'updateEmail', 'updatePhone'] as const)(
    '[ROL-01 CLAVE-05] %s returns 404 for the account of another citizen',
    async (name) => {
      const { caller } = await owner();
      const other = await owner();
      expect(() => authorizeOperation(apiContract[name], caller, { id: other.id })).toThrow(
        expect.objectContaining({ status: 404 }),
      );
      expect(() => authorizeOperation(apiContract[name], caller, { id: caller.citizenId })).not.toThrow();
    },
  );

  test('[CLAVE-05] updatePassword and verifyPassword return 401 without a session', async () => {
    await expect(
      server.call('updatePassword', { body: { new_pass: fresh, repeat_pass: fresh } }),
    ).rejects.toMatchObject({ status: 401 });
    await expect(server.call('verifyPassword', { body: { pwd: password } })).rejects.toMatchObject({ status: 401 });
  });

  test('[CLAVE-06] the rules of updatePassword can read the data of the signed-in citizen', async () => {
    const { caller, number, email } = await owner();
    const facts = await loadOperationFacts(server.parts, 'updatePassword', caller, { new_pass: 'x' });
    expect(facts).toMatchObject({
      person: { numero_documento: number, email, primer_apellido: 'Fernández' },
      user: { id: caller.citizenId },
    });
  });

  test('[CLAVE-04 CLAVE-05] the audit log records proofs, refusals and changes, without a password', async () => {
    const rows = await server.parts.store.db.selectFrom('audit').selectAll().execute();
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['identity-verified', 'identity-refused', 'change-password']),
    );
    expect(JSON.stringify(rows)).not.toContain(fresh);
    expect(await server.auditFaults()).toEqual([]);
  });
});

describe('verifyPassword with rate limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  test('[CLAVE-04] waits after ten wrong passwords from any address; a right one resets the count, and sign-in still works', async () => {
    const { caller, number } = await createOwner(server, 'BRUTE1');
    const guess = (pwd: string, address = '203.0.113.9') =>
      server.call('verifyPassword', { caller, body: { pwd }, address });
    for (let attempt = 1; attempt <= 9; attempt++)
      await expect(guess('falsa-falsa')).rejects.toMatchObject({ code: 'contrasena_invalida' });
    await guess(password);
    for (let attempt = 1; attempt <= 10; attempt++)
      await expect(guess('falsa-falsa')).rejects.toMatchObject({ code: 'contrasena_invalida' });
    await expect(guess(password, '198.51.100.77')).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
    expect((await signInCitizen(server, number, password)).caller.citizenId).toBe(caller.citizenId);
    server.clock.advance(15 * 60);
    expect((await guess(password)).body).toEqual({});
  });

  test('[CLAVE-04] checks at most ten of thirty parallel guesses', async () => {
    const { caller } = await createOwner(server, 'BRUTE2');
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        server.call('verifyPassword', { caller, body: { pwd: `falsa-${at}` }, address: `203.0.113.${at}` }),
      ),
    );
    const counted = results.filter(
      (result) => result.status === 'rejected' && (result.reason as { status: number }).status === 400,
    );
    expect(counted.length).toBeLessThanOrEqual(10);
  });
});

describe('password change without the flag verificar_identidad', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { FLAGS: 'verificar_identidad=off' } });
  });
  afterAll(() => server.close());

  test('[CLAVE-04 CFG-01] needs no identity proof', async () => {
    const { caller, number } = await createOwner(server, 'NOPROOF');
    expect(
      (await server.call('getCitizen', { caller, params: { id: caller.citizenId } })).body.identidad_verificada,
    ).toBe(true);
    await server.call('updatePassword', { caller, body: { new_pass: fresh, repeat_pass: fresh } });
    expect((await signInCitizen(server, number, fresh)).caller.citizenId).toBe(caller.citizenId);
  });
});

describe('passwords without the flag contrasena', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { FLAGS: 'contrasena=off' } });
  });
  afterAll(() => server.close());

  test('[CLAVE-05 CFG-01] updatePassword returns 403', async () => {
    const { caller } = await createOwner(server, 'NOCHANGE');
    await confirmPassword(server, caller);
    await expect(
      server.call('updatePassword', { caller, body: { new_pass: fresh, repeat_pass: fresh } }),
    ).rejects.toMatchObject({ status: 403, code: 'sin_permiso' });
  });

  test('[CFG-01] requestPasswordReset and confirmPasswordReset return 403', async () => {
    const refused = { status: 403, code: 'sin_permiso' };
    const document = { pais_emisor: 'uy', tipo_doc: 'ci', doc: '45123784' };
    await expect(
      server.call('requestPasswordReset', { body: { ...document, captcha_response: await server.solveCaptcha() } }),
    ).rejects.toMatchObject(refused);
    await expect(
      server.call('confirmPasswordReset', { body: { token: 'x', password: fresh, passwordRepeat: fresh } }),
    ).rejects.toMatchObject(refused);
  });
});

describe('[CLAVE-06] screen seguridad-contrasena-modificar', async () => {
  const definitions = await productDefinitions;
  const verdict = (text: string, extra = {}) =>
    definitions.check(
      'seguridad-contrasena-modificar',
      { new_pass: text, repeat_pass: text, ...extra },
      {
        language: 'es',
        context: { flags: {}, person: { primer_apellido: 'Fernández' } },
      },
    ).errors;
  const unicode = 'ñandú日本🦤';

  test.each([
    { text: unicode.repeat(16), note: '128 characters of every plane' },
    { text: `  ${'á'.normalize('NFD').repeat(5)} b`, note: 'blanks and combining marks' },
  ])('accepts a password of $note', ({ text }) => {
    expect(verdict(text)).toEqual({});
  });

  test.each(['nivel', 'rid', 'permisos', 'bloqueado', 'citizen_id', '__proto__'])(
    'rejects the undeclared field %s',
    (name) => {
      expect(Object.keys(verdict('lluvia-en-la-rambla', JSON.parse(`{"${name}":"x"}`) as object))).toEqual([name]);
    },
  );

  test("rejects a password that contains the citizen's own surname", () => {
    expect(verdict('fernandez1')).toEqual({ new_pass: 'No uses información personal en la contraseña!' });
  });
});
