import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replaceRecoveryCodes } from '../../support/citizen-data.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { findRecoveryCode, consumeRecoveryCode } from '../../../../src/server/trust/credentials/recovery-codes.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { listMailLinks, createOwner, password, withoutLimits } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { setUpPasskey } from '../../support/passkeys.ts';
import {
  computeAppCode,
  readMailedCode,
  openBrowser,
  recordIdentityProof,
  setUpEmail,
  setUpTotp,
  signInCitizen,
  steps,
} from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('[SEG+NOFUI] "No fui yo" link, on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits });
  });
  afterAll(() => server.close());

  const owner = () => createOwner(server, `NFY${++serial}${database[1]}`.toUpperCase());
  const links = async (email: string) =>
    (await listMailLinks(server, email, '/no-fui-yo')).map(({ searchParams }) => searchParams.get('uuid') ?? '');
  const lastLink = async (email: string) => (await links(email)).at(-1) ?? '';
  const disavow = async (uuid: string) => (await server.call('disavow', { body: { uuid } })).body;
  const status = async (caller: Caller) =>
    (await server.call('getMfaStatus', { caller, params: { id: caller.citizenId } })).body;
  const lastMail = async (email: string) =>
    (await server.mails()).filter(({ recipient }) => recipient === email).at(-1);
  const rows = async (id: string) => {
    const { db } = server.parts.store;
    const of = (table: 'second_factors' | 'passkeys' | 'recovery_codes') =>
      db.selectFrom(table).selectAll().where('citizen_id', '=', id).execute();
    return {
      factors: await of('second_factors'),
      passkeys: await of('passkeys'),
      codes: (await of('recovery_codes'))
        .map(({ digest, used_at }) => ({ digest, used_at }))
        .sort((a, b) => (a.digest < b.digest ? -1 : 1)),
    };
  };
  /** Sets a new password with the latest reset link that was mailed to an e-mail address. */
  const reset = async (email: string, fresh: string) => {
    const token = (await listMailLinks(server, email, 'nueva-contrase')).at(-1)?.searchParams.get('token') ?? '';
    await server.call('confirmPasswordReset', { body: { token, password: fresh } });
  };
  /** Signs in an attacker who knows the password, as a second session of the citizen. */
  const stranger = async (number: string) => {
    const { caller } = await signInCitizen(server, number, password);
    await recordIdentityProof(server, caller);
    return caller;
  };
  const changeEmail = async (caller: Caller, fresh: string) => {
    await server.call('updateEmail', { caller, body: { email: fresh } });
    const uuid = (await listMailLinks(server, fresh, '/aprobar')).at(-1)?.searchParams.get('uuid') ?? '';
    await server.call('approveEmailChange', { body: { uuid } });
  };

  test("removes an attacker's app and passkey; the next sign-in asks for no factor, and the passkey is rejected", async () => {
    const { number, email, id } = await owner();
    const thief = await stranger(number);
    const { authenticator } = await setUpPasskey(server, thief);
    const { secret } = await setUpTotp(server, thief);
    await disavow(await lastLink(email)); // the link in the notice about the app also removes the passkey, which was added earlier in the same session
    expect(await rows(id)).toEqual({ factors: [], passkeys: [], codes: [] });
    await reset(email, 'otra-frase-nueva');
    const browser = openBrowser(server);
    await browser.start(number);
    const { body } = await browser.answer(steps.password, { password: 'otra-frase-nueva' });
    expect(body.challenge).toBeNull();
    await expect(
      openBrowser(server).answer(steps.totp, { totp: computeAppCode(server, secret) }),
    ).rejects.toMatchObject({
      status: 410,
    });
    const alone = openBrowser(server);
    const { body: asked } = await alone.answer('passkey', {}, { token: null });
    await expect(alone.answer('passkey', { credential: authenticator.use(asked.options ?? {}) })).rejects.toMatchObject(
      { code: 'llave_invalida' },
    );
  });

  test('[ASVS-6.4.4] restricts an account of a level that demands a factor, until an agent verifies the person', async () => {
    const { number, email, id, caller } = await owner();
    await server.parts.store.db.updateTable('citizens').set({ level: 'Certificado' }).where('id', '=', id).execute();
    await setUpTotp(server, caller);
    await disavow(await lastLink(email));
    expect((await lastMail(email))?.text).toContain('tu cuenta quedó sin ningún doble factor');
    await reset(email, 'otra-frase-nueva');
    const again = await signInCitizen(server, number, 'otra-frase-nueva');
    expect(again.caller.nid).toBe(1);
    expect(again.caller).toMatchObject({ restricted: true, factorDue: true });
    expect(again.location).toBe('/error?errorCode=UNPROVEN_IDENTITY');
    const { body } = await server.call('getCitizen', { caller: again.caller, params: { id } });
    expect(body).toMatchObject({
      nombre_completo: body.primer_nombre,
      primer_apellido: '',
      numero_telefono: null,
      ultimo_login: null,
      segundo_factor_pendiente: true,
    });
    expect((await findCitizen(server.parts.store.db, id))?.features).toBe(false);
  });

  test('[ASVS-6.4.3] restricts an account of the lowest level whose app it removed, until an agent verifies the person', async () => {
    const { number, email, id, caller } = await owner();
    await setUpTotp(server, caller);
    await disavow(await lastLink(email));
    expect((await lastMail(email))?.text).toContain('tu cuenta quedó sin ningún doble factor');
    await reset(email, 'otra-frase-nueva');
    const again = await signInCitizen(server, number, 'otra-frase-nueva');
    expect(again.location).toBe('/error?errorCode=UNPROVEN_IDENTITY');
    expect(again.caller).toMatchObject({ restricted: true, factorDue: true });
    expect(await findCitizen(server.parts.store.db, id)).toMatchObject({ features: false, proofing_due: true });
  });

  test('does not restrict an account that keeps another second factor', async () => {
    const { email, id, caller } = await owner();
    await setUpTotp(server, caller);
    await setUpPasskey(server, caller);
    await server.parts.store.db.updateTable('credential_changes').set({ session_id: null }).execute(); // simulates changes in different sessions
    await disavow(await lastLink(email));
    expect((await findCitizen(server.parts.store.db, id))?.features).toBe(true);
  });

  test("removes the attacker's app and also a second one whose set-up is unconfirmed", async () => {
    const { number, email, id } = await owner();
    const thief = await stranger(number);
    await setUpTotp(server, thief);
    await server.call('createTotp', { caller: thief });
    await disavow(await lastLink(email));
    expect(await rows(id)).toEqual({ factors: [], passkeys: [], codes: [] });
  });

  test('restores the passkey, app and recovery codes that an attacker replaced; a code used meanwhile stays used', async () => {
    const { number, email, id, caller } = await owner();
    const { secret, codes } = await setUpTotp(server, caller);
    await setUpPasskey(server, caller, 'La mía');
    const before = await rows(id);
    const browser = openBrowser(server);
    await browser.start(number);
    await browser.answer(steps.password, { password, emailTOTP: true }).catch(() => {});
    const thief =
      (await browser.answer(steps.totp, { recovery: codes[3] ?? '' }).then(
        () => browser.caller(),
        () => null,
      )) ??
      (await browser.answer('urn:iduruguay:am:passkey', { recovery: codes[3] ?? '' }).then(() => browser.caller()));
    if (thief === null) throw new Error('the stranger is not signed in');
    await recordIdentityProof(server, thief);
    const { methods, llaves } = await status(thief);
    await server.call('createRecoveryCodes', { caller: thief });
    await server.call('deletePasskey', { caller: thief, params: { llave: llaves[0]?.id ?? '' } });
    await setUpTotp(server, thief);
    expect((await status(thief)).methods.totp?.id).not.toBe(methods.totp?.id);
    await disavow(await lastLink(email));
    const after = await rows(id);
    expect(after.passkeys).toEqual(before.passkeys);
    expect(after.factors.map(({ id: factor, secret: sealed }) => [factor, sealed])).toEqual(
      before.factors.map(({ id: factor, secret: sealed }) => [factor, sealed]),
    );
    expect(after.codes.map(({ digest }) => digest)).toEqual(before.codes.map(({ digest }) => digest));
    expect(after.codes.filter(({ used_at }) => used_at !== null)).toHaveLength(1);
    await reset(email, 'otra-frase-nueva');
    const own = openBrowser(server);
    await own.start(number);
    await own.answer(steps.password, { password: 'otra-frase-nueva' });
    await own.answer('urn:iduruguay:am:passkey', { other: true });
    await expect(own.answer(steps.totp, { recovery: codes[3] ?? '' })).rejects.toMatchObject({
      code: 'codigo_incorrecto',
    });
    await own.answer(steps.totp, { totp: computeAppCode(server, secret) });
    expect(await own.caller()).not.toBeNull();
  });

  test('does not restore a recovery code that was used after the change and then deleted', async () => {
    const { email, id, caller } = await owner();
    const { store, passwords, clock } = server.parts;
    const makeCodes = () => store.transaction((tx) => replaceRecoveryCodes(tx, passwords, id, clock.now()));
    const codes = await makeCodes();
    await recordIdentityProof(server, caller);
    await server.call('updatePhone', { caller, params: { id }, body: { numero_telefono: '+59899555111' } });
    const undo = await lastLink(email);
    const digest = await findRecoveryCode(store.db, passwords, id, codes[0] ?? '');
    const used = await store.transaction((tx) => consumeRecoveryCode(tx, id, digest ?? '', clock.now()));
    expect(used).toBe(true);
    await makeCodes(); // replaces all previous codes
    await disavow(undo);
    const left = await Promise.all(codes.map((code) => findRecoveryCode(store.db, passwords, id, code)));
    expect(left.map((found) => found !== null)).toEqual(codes.map((_, at) => at > 0));
  });

  test('restores the previous address if an attacker changed it, and voids links mailed to the new one', async () => {
    const { number, email, id } = await owner();
    const thief = await stranger(number);
    const theirs = `ladron-${email}`;
    await changeEmail(thief, theirs);
    const back = await lastLink(email);
    const again = await stranger(number);
    await setUpTotp(server, again);
    const theirLinks = await links(theirs);
    expect(theirLinks.length).toBeGreaterThan(0);
    await disavow(back);
    expect(await findCitizen(server.parts.store.db, id)).toMatchObject({ email, email_verified_at: expect.any(Date) });
    for (const uuid of theirLinks)
      await expect(server.call('disavow', { body: { uuid } })).rejects.toMatchObject({ code: 'vinculo_invalido' });
    expect((await rows(id)).factors).toEqual([]);
  });

  test('restores the address even if the attacker used a link from the new mailbox first', async () => {
    const { number, email, id } = await owner();
    const thief = await stranger(number);
    await changeEmail(thief, `ladron-${email}`);
    const mine = await lastLink(email);
    const again = await stranger(number);
    await setUpTotp(server, again); // its notice is sent to the attacker's mailbox
    await disavow(await lastLink(`ladron-${email}`));
    expect(await findCitizen(server.parts.store.db, id)).toMatchObject({ email: `ladron-${email}` }); // removing the authenticator app does not revert the change of the e-mail address
    await disavow(mine);
    expect(await findCitizen(server.parts.store.db, id)).toMatchObject({ email });
    expect((await lastMail(email))?.subject).toBe('Protegimos tu cuenta de Usuario digital');
  });

  test('the link of an earlier notice does not remove the factor that the citizen set up after recovering', async () => {
    const { number, email, id } = await owner();
    const thief = await stranger(number);
    await setUpPasskey(server, thief);
    await setUpTotp(server, thief);
    const [first = '', second = ''] = (await links(email)).slice(-2);
    await disavow(second);
    await reset(email, 'otra-frase-nueva');
    const { caller, browser } = await signInCitizen(server, number, 'otra-frase-nueva');
    const { id: own } = await setUpTotp(server, caller);
    await disavow(first);
    expect((await rows(id)).factors.map((factor) => factor.id)).toEqual([own]);
    expect(await browser.caller()).not.toBeNull();
  });

  test('ends sessions, sign-ins, codes, links, known browsers and linked providers, and restores the phone number', async () => {
    const { number, email, id, browser, caller } = await owner();
    const at = server.clock.now();
    await server.parts.store.db
      .insertInto('provider_identities')
      .values({ issuer: 'i', subject: number, provider: 'abitab', citizen_id: id, linked_at: at, used_at: at })
      .execute();
    const thief = await stranger(number);
    await recordIdentityProof(server, thief);
    await server.call('updatePhone', { caller: thief, body: { numero_telefono: '+59898765432' } });
    const uuid = await lastLink(email);
    await server.call('updateEmail', { caller: thief, body: { email: `ladron-${email}` } });
    const running = openBrowser(server);
    await running.start(number);
    await disavow(uuid);
    const { db } = server.parts.store;
    expect(await findCitizen(db, id)).toMatchObject({ phone: '+59899123456', email });
    for (const secret of [browser.cookies.session ?? ''])
      await expect(server.call('obtainToken', { cookies: { session: secret } })).rejects.toMatchObject({ status: 401 });
    await expect(running.answer(steps.password, { password })).rejects.toMatchObject({ code: 'sesion_expirada' });
    const approval = (await listMailLinks(server, `ladron-${email}`, '/aprobar'))[0]?.searchParams.get('uuid') ?? '';
    await expect(server.call('approveEmailChange', { body: { uuid: approval } })).rejects.toMatchObject({
      code: 'vinculo_invalido',
    });
    for (const table of [
      'known_devices',
      'email_changes',
      'credentials',
      'mailed_codes',
      'provider_identities',
    ] as const) {
      expect(await db.selectFrom(table).selectAll().where('citizen_id', '=', id).execute(), table).toEqual([]);
    }
    expect(
      await db.selectFrom('provider_refusals').select(['issuer', 'subject']).where('citizen_id', '=', id).execute(),
      'the provider cannot restore the link',
    ).toEqual([{ issuer: 'i', subject: number }]);
    await expect(
      server.call('updatePassword', { caller, body: { new_pass: 'x', repeat_pass: 'x' } }),
    ).rejects.toMatchObject({ code: 'verificacion_requerida' });
  });

  test.each([
    {
      language: 'es',
      told: [
        'También deshicimos esto: el doble factor de autenticación que se había activado; los códigos de recuperación que se habían renovado.',
        'Elegir nueva contraseña',
      ],
    },
    {
      language: 'pt',
      told: [
        'Também desfizemos isto: o duplo fator de autenticação que tinha sido ativado; os códigos de recuperação que tinham sido renovados.',
      ],
    },
  ] as const)('the mail lists the changes that were undone ($language)', async ({ language, told }) => {
    const { number, email } = await owner();
    const thief = await stranger(number);
    await setUpEmail(server, thief, email);
    await server.call('createRecoveryCodes', { caller: thief });
    await server.call('disavow', { body: { uuid: await lastLink(email) }, language });
    for (const text of told) expect((await lastMail(email))?.text).toContain(text);
  });

  test.each(['es', 'pt'] as const)(
    '[CFG-01] undoes the change without the flag contrasena too, and the mail links to the contact page (%s)',
    async (language) => {
      const { flags } = server.parts.config;
      Object.assign(server.parts.config, { flags: { ...flags, contrasena: false } });
      try {
        const { number, email, id } = await owner();
        const thief = await stranger(number);
        await setUpTotp(server, thief);
        await server.call('disavow', { body: { uuid: await lastLink(email) }, language });
        expect((await rows(id)).factors).toEqual([]);
        const text = (await lastMail(email))?.text ?? '';
        expect(text.match(/https?:[^\s)]+/g)?.map((link) => new URL(link).pathname)).toEqual([
          '/contacto',
          '/como-saber-que-es-autentico',
        ]);
        expect(await listMailLinks(server, email, 'nueva-contrase')).toEqual([]);
      } finally {
        Object.assign(server.parts.config, { flags });
      }
    },
  );

  test('the mail says that nothing else was undone if there was no change', async () => {
    const { number, email } = await owner();
    await signInCitizen(server, number, password); // a sign-in from a new browser sends a notice by mail
    await disavow(await lastLink(email));
    expect((await lastMail(email))?.text).toContain('No había otros cambios para deshacer.');
  });

  test('undoes a change of address that was made while setting up a second factor', async () => {
    const { number, email, id } = await owner();
    const thief = await stranger(number);
    const { uuid } = (
      await server.call('updateEmail', { caller: thief, body: { email: `nueva-${email}`, second_factor_flow: true } })
    ).body;
    const { id: method } = (await server.call('activateEmailMethod', { caller: thief, body: { uuid } })).body;
    await server.call('verifyEmailMethod', {
      caller: thief,
      params: { method },
      body: { code: await readMailedCode(server, `nueva-${email}`), uuid },
    });
    await disavow(await lastLink(email));
    expect(await findCitizen(server.parts.store.db, id)).toMatchObject({ email });
    expect((await rows(id)).factors).toEqual([]);
  });

  test('previous credentials are stored encrypted and purged after two weeks, and the audit log stays valid', async () => {
    const { db } = server.parts.store;
    const { caller } = await owner();
    const { secret, codes } = await setUpTotp(server, caller);
    await recordIdentityProof(server, caller);
    await server.call('createRecoveryCodes', { caller });
    const kept = JSON.stringify(await db.selectFrom('credential_changes').selectAll().execute());
    for (const hidden of [secret, ...codes]) expect(kept).not.toContain(hidden);
    server.clock.advance(14 * 24 * 60 * 60 + 1);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await db.selectFrom('credential_changes').selectAll().execute()).toEqual([]);
    expect(await server.auditFaults()).toEqual([]);
  });
});
