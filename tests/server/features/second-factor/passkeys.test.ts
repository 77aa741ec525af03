import { createNoThrottle } from '../../support/no-throttle.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { createAuthenticator, type Claims } from '../../support/authenticator.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { requestCreationOptions, originOf, setUpPasskey } from '../../support/passkeys.ts';
import { recordIdentityProof, setUpTotp, signInCitizen } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const invalid = { status: 400, code: 'llave_invalida', field: 'credential' };

describe.each([defaultDatabase])('[SEG+PASSKEY] passkeys of an account, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({
      database,
      parts: (parts) => ({ ...parts, throttle: createNoThrottle(parts.store) }),
    });
  });
  afterAll(() => server.close());

  async function citizen(level = 'Autoregistrado') {
    const number = `LLA${++serial}${database[1]}`.toUpperCase();
    const id = await createActiveCitizen(server, number, password);
    await server.parts.store.db.updateTable('citizens').set({ level }).where('id', '=', id).execute();
    return {
      number,
      id,
      email: `${number.toLowerCase()}@example.com`,
      ...(await signInCitizen(server, number, password)),
    };
  }
  const status = async (caller: Caller) =>
    (await server.call('getMfaStatus', { caller, params: { id: caller.citizenId } })).body;
  const subjects = async (email: string) =>
    (await server.mails()).filter(({ recipient }) => recipient === email).map(({ subject }) => subject);
  const create = (caller: Caller, credential: string, nombre?: string) =>
    server.call('createPasskey', { caller, body: { nombre, credential } });
  const actions = async (citizenId: string) =>
    (
      await server.parts.store.db
        .selectFrom('audit')
        .select('action')
        .where('citizen_id', '=', citizenId)
        .orderBy('seq')
        .execute()
    ).map(({ action }) => action);

  test('the first one creates ten recovery codes, mails a notice, and adds its method to the session', async () => {
    const { caller, email, id } = await citizen();
    const { codes } = await setUpPasskey(server, caller, 'Mi teléfono');
    expect(new Set(codes).size).toBe(10);
    expect(await status(caller)).toMatchObject({
      estado: { activado: true, fecha_activado: expect.stringMatching(/^2071-/) },
      methods: { totp: null, email: null },
      llaves: [{ nombre: 'Mi teléfono', creada: expect.stringMatching(/^2071-/), usada: null, sincronizada: true }],
    });
    expect((await subjects(email)).at(-1)).toBe('Se agregó una llave de acceso en Usuario digital');
    expect((await actions(id)).at(-1)).toBe('passkey-added');
    const { amr } = await server.parts.store.db
      .selectFrom('broker_sessions')
      .select('amr')
      .where('id', '=', caller.sessionId)
      .executeTakeFirstOrThrow();
    expect(amr).toBe('urn:iduruguay:am:password urn:iduruguay:am:passkey');
  });

  test('adding one ends other sessions; the second one creates no recovery codes', async () => {
    const { caller, browser } = await citizen();
    await setUpPasskey(server, caller);
    const { codes } = await setUpPasskey(server, caller);
    expect(codes).toEqual([]);
    expect((await status(caller)).llaves).toHaveLength(2);
    const other = await citizen();
    const more = await signInCitizen(server, other.number, password);
    await setUpPasskey(server, other.caller);
    expect(
      [await browser.caller(), await more.browser.caller(), await other.browser.caller()].map(
        (found) => found?.citizenId,
      ),
    ).toEqual([caller.citizenId, undefined, other.caller.citizenId]);
  });

  test('an unnamed one is named after the device', async () => {
    const { caller } = await citizen();
    const credential = createAuthenticator(originOf(server)).create(await requestCreationOptions(server, caller));
    await server.call('createPasskey', {
      caller,
      body: { credential },
      userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/156.0.0.0 Safari/537.36',
    });
    expect((await status(caller)).llaves[0]?.nombre).toBe('Chrome en Windows');
  });

  test('[SEG-07] adding, removing and renaming require a fresh identity proof, and name the page for it', async () => {
    const { caller } = await citizen();
    await server.parts.store.db
      .updateTable('broker_sessions')
      .set({ verified_at: null })
      .where('id', '=', caller.sessionId)
      .execute();
    for (const change of [
      () => server.call('createPasskeyOptions', { caller }),
      () => server.call('deletePasskey', { caller, params: { llave: 'none' } }),
      () => server.call('renamePasskey', { caller, params: { llave: 'none' }, body: { nombre: 'x' } }),
    ]) {
      await expect(change()).rejects.toMatchObject({
        status: 403,
        code: 'verificacion_requerida',
        next: '/seguridad/contrase%C3%B1a/verificar?next=%2Fseguridad%2Fllaves-de-acceso',
      });
    }
  });

  test('creation options have a stable opaque user handle, and exclude the existing passkeys', async () => {
    const { caller, id, number } = await citizen();
    const first = await requestCreationOptions(server, caller);
    const { authenticator } = await setUpPasskey(server, caller);
    const second = await requestCreationOptions(server, caller);
    const { user } = second as { user: { id: string } };
    expect(user).toEqual((first as { user: unknown }).user);
    expect(Buffer.from(user.id, 'base64url')).toHaveLength(32);
    expect(user.id).not.toContain(id);
    expect(Buffer.from(user.id, 'base64url').toString()).not.toContain(number);
    expect(second).toMatchObject({
      rp: { id: 'localhost', name: 'Usuario digital' },
      attestation: 'none',
      timeout: 300_000,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [{ id: authenticator.id, transports: ['hybrid', 'internal'] }],
    });
  });

  test.each<{ note: string; claims: Claims }>([
    { note: 'of another origin', claims: { origin: 'https://engaño.example' } },
    { note: 'of a subdomain', claims: { origin: 'http://x.localhost:3000' } },
    { note: 'for another relying party', claims: { rpId: 'example.com' } },
    { note: 'with a challenge that was not issued', claims: { challenge: Buffer.alloc(32).toString('base64url') } },
    { note: 'of type webauthn.get', claims: { type: 'webauthn.get' } },
    { note: 'without user presence', claims: { present: false } },
  ])('createPasskey rejects a response $note, and invalidates the challenge', async ({ claims }) => {
    const { caller } = await citizen();
    const options = await requestCreationOptions(server, caller);
    const authenticator = createAuthenticator(originOf(server));
    await expect(create(caller, authenticator.create(options, claims))).rejects.toMatchObject(invalid);
    await expect(create(caller, authenticator.create(options))).rejects.toMatchObject(invalid);
    expect((await status(caller)).llaves).toEqual([]);
  });

  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"id":"a"}',
    '{"id":1,"response":{}}',
    '{"id":"a","rawId":"a","type":"public-key","response":{"attestationObject":"AAAA","clientDataJSON":"e30"}}',
  ])('createPasskey rejects a malformed credential: %s', async (credential) => {
    const { caller } = await citizen();
    await requestCreationOptions(server, caller);
    await expect(create(caller, credential)).rejects.toMatchObject(invalid);
  });

  test('a challenge is valid once, for five minutes, in its session, and only if it is the newest', async () => {
    const { caller } = await citizen();
    const authenticator = createAuthenticator(originOf(server));
    const used = await requestCreationOptions(server, caller);
    await create(caller, authenticator.create(used));
    await expect(create(caller, createAuthenticator(originOf(server)).create(used))).rejects.toMatchObject(invalid);
    const late = await requestCreationOptions(server, caller);
    server.clock.advance(301);
    await expect(create(caller, createAuthenticator(originOf(server)).create(late))).rejects.toMatchObject(invalid);
    const older = await requestCreationOptions(server, caller);
    await requestCreationOptions(server, caller);
    await expect(create(caller, createAuthenticator(originOf(server)).create(older))).rejects.toMatchObject(invalid);
    const own = await requestCreationOptions(server, caller);
    const { caller: elsewhere } = await citizen();
    await requestCreationOptions(server, elsewhere);
    await expect(create(elsewhere, createAuthenticator(originOf(server)).create(own))).rejects.toMatchObject(invalid);
    expect((await status(caller)).llaves).toHaveLength(1);
    expect((await status(elsewhere)).llaves).toEqual([]);
  });

  test('createPasskey stores one of ten parallel responses to a challenge', async () => {
    const { caller } = await citizen();
    const options = await requestCreationOptions(server, caller);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => create(caller, createAuthenticator(originOf(server)).create(options))),
    );
    expect(results.filter(({ status: ended }) => ended === 'fulfilled')).toHaveLength(1);
    expect((await status(caller)).llaves).toHaveLength(1);
  });

  test('createPasskey rejects a credential that belongs to another citizen', async () => {
    const { caller } = await citizen();
    const { authenticator } = await setUpPasskey(server, caller);
    const { caller: other } = await citizen();
    await expect(
      create(other, authenticator.create(await requestCreationOptions(server, other))),
    ).rejects.toMatchObject(invalid);
  });

  test('createPasskeyOptions returns 409 if the account has twenty', async () => {
    const { caller } = await citizen();
    for (let made = 0; made < 20; made++) await setUpPasskey(server, caller);
    await expect(requestCreationOptions(server, caller)).rejects.toMatchObject({
      status: 409,
      code: 'demasiadas_llaves',
    });
  });

  test('renamePasskey and deletePasskey work only for the owner, and return 404 to others', async () => {
    const { caller, email, id: citizenId } = await citizen();
    const { id } = await setUpPasskey(server, caller);
    const { caller: stranger } = await citizen();
    await recordIdentityProof(server, stranger);
    const gone = { status: 404, code: 'no_encontrado' };
    await expect(
      server.call('renamePasskey', { caller: stranger, params: { llave: id }, body: { nombre: 'Mía' } }),
    ).rejects.toMatchObject(gone);
    await expect(server.call('deletePasskey', { caller: stranger, params: { llave: id } })).rejects.toMatchObject(gone);
    await server.call('renamePasskey', { caller, params: { llave: id }, body: { nombre: ' Trabajo ' } });
    expect((await status(caller)).llaves[0]?.nombre).toBe('Trabajo');
    await server.call('deletePasskey', { caller, params: { llave: id } });
    expect(await status(caller)).toMatchObject({ estado: { activado: false }, llaves: [], codigos_de_recuperacion: 0 });
    await expect(server.call('deletePasskey', { caller, params: { llave: id } })).rejects.toMatchObject(gone);
    expect((await subjects(email)).at(-1)).toBe('Se quitó una llave de acceso de Usuario digital');
    expect((await actions(citizenId)).slice(-3)).toEqual(['passkey-added', 'passkey-renamed', 'passkey-removed']);
  });

  test('the last second factor cannot be removed if the level demands one', async () => {
    const { caller } = await citizen('Verificado');
    const { id } = await setUpPasskey(server, caller);
    const last = { status: 409, code: 'segundo_factor_obligatorio' };
    await expect(server.call('deletePasskey', { caller, params: { llave: id } })).rejects.toMatchObject(last);
    const totp = await setUpTotp(server, caller);
    expect(totp.codes).toEqual([]);
    await server.call('deleteTotp', { caller, params: { method: totp.id } });
    const again = await setUpTotp(server, caller);
    await server.call('deletePasskey', { caller, params: { llave: id } });
    await expect(server.call('deleteTotp', { caller, params: { method: again.id } })).rejects.toMatchObject(last);
  });

  test('one remains if the last two second factors are removed in parallel', async () => {
    const { caller } = await citizen('Verificado');
    const { id } = await setUpPasskey(server, caller);
    const totp = await setUpTotp(server, caller);
    const results = await Promise.allSettled([
      server.call('deletePasskey', { caller, params: { llave: id } }),
      server.call('deleteTotp', { caller, params: { method: totp.id } }),
    ]);
    expect(results.filter(({ status: ended }) => ended === 'fulfilled')).toHaveLength(1);
    expect((await status(caller)).estado.activado).toBe(true);
  });

  test('the link of the notice removes an added passkey', async () => {
    const { caller, email } = await citizen();
    const { authenticator } = await setUpPasskey(server, caller);
    const mail = (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
    const uuid = new URL(/https?:\/\/\S+no-fui-yo\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('uuid') ?? '';
    await server.call('disavow', { body: { uuid } });
    const left = await server.parts.store.db
      .selectFrom('passkeys')
      .select('id')
      .where('credential_id', '=', authenticator.id)
      .execute();
    expect(left).toEqual([]);
  });

  test('neither the credential id nor a challenge is in the audit log', async () => {
    const { caller } = await citizen();
    const authenticator = createAuthenticator(originOf(server));
    const options = (await requestCreationOptions(server, caller)) as { challenge: string };
    await create(caller, authenticator.create(options));
    const rows = JSON.stringify(await server.parts.store.db.selectFrom('audit').selectAll().execute());
    expect(rows).not.toContain(authenticator.id);
    expect(rows).not.toContain(options.challenge);
    expect(
      JSON.stringify(await server.parts.store.db.selectFrom('passkey_challenges').selectAll().execute()),
    ).not.toContain(options.challenge);
  });
});
