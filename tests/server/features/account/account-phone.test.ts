import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwner, confirmPassword, listMailSubjects, withoutLimits } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('[CORREO-05] changing the phone on %s', (database) => {
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

  test('[CFG-03] a new number counts at once, and the citizen is told', async () => {
    const { caller, email } = await owner();
    const { body } = await server.call('updatePhone', { caller, body: { numero_telefono: '+598 98 765 432' } });
    expect(body).toEqual({ numero_telefono: '+598 98 765 432' });
    expect((await server.call('getCitizen', { caller, params: { id: caller.citizenId } })).body.numero_telefono).toBe(
      '+598 98 765 432',
    );
    expect(await notices(email)).toHaveLength(1);
  });

  test.each([[{}], [{ numero_telefono: '' }], [{ numero_telefono: null }]])('%j removes it', async (body) => {
    const { caller, email } = await owner();
    expect((await server.call('updatePhone', { caller, body })).body).toEqual({ numero_telefono: null });
    expect(await notices(email)).toHaveLength(1);
  });

  test('[ASVS-7.5.1] a change asks for the password, like that of the other contact data', async () => {
    const { caller } = await createOwner(server, `TEL${++serial}${database[1]}`.toUpperCase());
    await expect(
      server.call('updatePhone', { caller, body: { numero_telefono: '+598 98 765 432' } }),
    ).rejects.toMatchObject({
      status: 403,
      code: 'verificacion_requerida',
      next: `/seguridad/contrase%C3%B1a/verificar?next=${encodeURIComponent('/seguridad/telefono/modificar')}`,
    });
  });

  test('the number of now is no change, and no mail', async () => {
    const { caller, email } = await owner();
    await server.call('updatePhone', { caller, body: { numero_telefono: '+59899123456' } });
    expect(await notices(email)).toEqual([]);
  });

  test('[ROL-01] it needs a session, and leaves everybody else alone', async () => {
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

describe('without telefono_autogestion', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { FLAGS: 'telefono_autogestion=off' } });
  });
  afterAll(() => server.close());

  test('[CORREO-05 CFG-01] there is no such call', async () => {
    const { caller } = await createOwner(server, 'NOPHONE');
    await confirmPassword(server, caller);
    await expect(server.call('updatePhone', { caller, body: {} })).rejects.toMatchObject({
      status: 404,
      code: 'no_encontrado',
    });
  });
});
