import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwner, confirmPassword, listMailSubjects, password, withoutLimits } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('[CORREO-05] change of the phone number, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits });
  });
  afterAll(() => server.close());

  const owner = async () => {
    const made = await createOwner(server, `TEL${++serial}${database[1]}`.toUpperCase());
    await confirmPassword(server, made.caller);
    return made;
  };
  const notices = async (email: string) =>
    (await listMailSubjects(server, email)).filter((subject) => subject.startsWith('Se cambió el teléfono'));

  test('[CFG-03] stores a new number at once and mails a notice', async () => {
    const { caller, email } = await owner();
    const { body } = await server.call('updatePhone', { caller, body: { numero_telefono: '+598 98 765 432' } });
    expect(body).toEqual({ numero_telefono: '+598 98 765 432' });
    expect((await server.call('getCitizen', { caller, params: { id: caller.citizenId } })).body.numero_telefono).toBe(
      '+598 98 765 432',
    );
    expect(await notices(email)).toHaveLength(1);
  });

  test.each([[{}], [{ numero_telefono: '' }], [{ numero_telefono: null }]])(
    '%j removes the number and mails a notice',
    async (body) => {
      const { caller, email } = await owner();
      expect((await server.call('updatePhone', { caller, body })).body).toEqual({ numero_telefono: null });
      expect(await notices(email)).toHaveLength(1);
    },
  );

  test('[ASVS-7.5.1] accepts a fresh sign-in as identity proof, and ten minutes later requires the password', async () => {
    const { caller } = await createOwner(server, `TEL${++serial}${database[1]}`.toUpperCase());
    const change = (phone: string) => server.call('updatePhone', { caller, body: { numero_telefono: phone } });
    expect((await change('+598 98 765 432')).body).toEqual({ numero_telefono: '+598 98 765 432' });
    server.clock.advance(600);
    await expect(change('+598 98 111 222')).rejects.toMatchObject({
      status: 403,
      code: 'verificacion_requerida',
      next: `/seguridad/contrase%C3%B1a/verificar?next=${encodeURIComponent('/seguridad/telefono/modificar')}`,
    });
    await server.call('verifyPassword', { caller, body: { pwd: password } });
    expect((await change('+598 98 111 222')).body).toEqual({ numero_telefono: '+598 98 111 222' });
  });

  test('sends no mail if the number is the current one', async () => {
    const { caller, email } = await owner();
    await server.call('updatePhone', { caller, body: { numero_telefono: '+59899123456' } });
    expect(await notices(email)).toEqual([]);
  });

  test("[ROL-01] returns 401 without a session, and never changes another citizen's number", async () => {
    const one = await owner();
    const two = await owner();
    await expect(server.call('updatePhone', { body: { numero_telefono: '+598 98 765 432' } })).rejects.toMatchObject({
      status: 401,
    });
    await server.call('updatePhone', { caller: one.caller, params: { id: two.id }, body: {} });
    expect((await server.call('getCitizen', { caller: two.caller, params: { id: two.id } })).body.numero_telefono).toBe(
      '+59899123456',
    );
  });
});

describe('change of the phone number without the flag telefono_autogestion', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { FLAGS: 'telefono_autogestion=off' } });
  });
  afterAll(() => server.close());

  test('[CORREO-05 CFG-01] updatePhone returns 404', async () => {
    const { caller } = await createOwner(server, 'NOPHONE');
    await confirmPassword(server, caller);
    await expect(server.call('updatePhone', { caller, body: {} })).rejects.toMatchObject({
      status: 404,
      code: 'no_encontrado',
    });
  });
});
