import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { createCaptchaService } from '../../../../src/server/trust/abuse/captcha.ts';
import { readConfig } from '../../../../src/server/platform/config/read-config.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { secondsPerDay } from '../../../../src/server/platform/base/fixed-periods.ts';
import { issueLinkToken } from '../../../../src/server/trust/credentials/link-tokens.ts';
import { createOrigin } from '../../support/origin.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import { lookUpText } from '../../../../src/server/app/server-modules.ts';
import { mailAllowances } from '../../../../src/server/trust/abuse/mail-allowance.ts';
import { RegistryUnreachableError } from '../../../../src/server/trust/identity/registry/identity-registry.ts';
import { createForeignRegistration, readMailedLink, createRegistration } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

/** Returns the error text with which a call is rejected. */
async function catchErrorText(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OperationError)) throw new Error(`not refused by a CallError: ${String(error)}`);
  const { status, code, field, retryAfter } = error;
  return { status, code, field, retryAfter, text: lookUpText(code, 'es', error.values) };
}

describe.each([defaultDatabase])('registration, on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());
  const register = async (changes: Record<string, unknown>) =>
    server.call('registerCitizen', { body: await createRegistration(server, changes) });
  const activateNewest = async (email = 'maria@example.com') =>
    server.call('activateAccount', { body: { uuid: await readMailedLink(server, email) } });

  test.each([
    {
      note: 'another surname',
      changes: { primer_apellido: 'Pérez' },
      code: 'datos_incorrectos',
      field: 'primer_apellido',
      text: 'Los datos son incorrectos. Asegúrate que el primer apellido y el número de documento coincidan con los de tu cédula de identidad.',
    },
    {
      note: 'an unknown document number',
      changes: { numero_documento: '12345672' },
      code: 'datos_incorrectos',
      field: 'primer_apellido',
      text: 'Los datos son incorrectos. Asegúrate que el primer apellido y el número de documento coincidan con los de tu cédula de identidad.',
    },
    {
      note: 'a password from a known breach',
      changes: { password: 'mountain', repetir_password: 'mountain' },
      code: 'contrasena_filtrada',
      field: 'password',
      text: 'Esa contraseña apareció en una filtración de datos de otro sitio. Elegí otra.',
    },
    {
      note: 'another first name',
      changes: { primer_nombre: 'Marta' },
      code: 'datos_no_coinciden',
      field: 'primer_nombre',
      text: 'Verifica que tus datos personales coincidan con los de la cédula de identidad',
    },
    {
      note: 'another second surname',
      changes: { segundo_apellido: 'Núñez' },
      code: 'datos_no_coinciden',
      field: 'segundo_apellido',
      text: 'Verifica que tus datos personales coincidan con los de la cédula de identidad',
    },
  ])('[REG-05 REG-10] rejects $note, with the error on $field', async ({ changes, code, field, text }) => {
    expect(await catchErrorText(register(changes))).toMatchObject({ status: 400, code, field, text });
  });

  test.each([
    {
      note: 'a type that the country does not issue',
      changes: { tipo_documento: 'psp' },
      field: 'tipo_documento',
      code: 'documento_no_admitido',
    },
    {
      note: 'an unknown country',
      changes: { pais_emisor: 'zz', tipo_documento: 'psp' },
      field: 'tipo_documento',
      code: 'documento_no_admitido',
    },
    {
      note: 'a missing captcha',
      changes: { captcha_response: '' },
      field: 'captcha_response',
      code: 'captcha_invalido',
    },
    {
      note: 'a captcha that is not JSON',
      changes: { captcha_response: 'xyz' },
      field: 'captcha_response',
      code: 'captcha_invalido',
    },
  ])('[REG-07] rejects $note, with the error on its field', async ({ changes, field, code }) => {
    expect(await catchErrorText(register(changes))).toMatchObject({ status: 400, code, field });
  });

  test('[ASVS-2.4.2] captcha is rejected within two seconds of its challenge, which is the default outside loopback', async () => {
    const { store, clock } = server.parts;
    const captcha = createCaptchaService({ key: randomBytes(32), cost: 1, minS: 2, clock, store });
    const solved = await server.solveCaptcha(await captcha.challenge());
    for (const seconds of [0, 1]) {
      server.clock.advance(seconds);
      await expect(captcha.verify(solved, 'c')).rejects.toMatchObject({ code: 'captcha_invalido', field: 'c' });
    }
    server.clock.advance(1);
    await captcha.verify(solved, 'c');
    const { captcha: options } = readConfig({
      BASE_URL: 'https://mi.gub.uy',
      MALWARE_SCANNER: 'none',
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATA_DIR: 'unused',
    });
    expect([options.minS, readConfig({ DATA_DIR: 'unused' }).captcha.minS]).toEqual([2, 0]);
  });

  test("[REG-07] captcha is valid once, for ten minutes, and only with the server's signature", async () => {
    const used = await server.solveCaptcha();
    await catchErrorText(register({ captcha_response: used, primer_apellido: 'Pérez' }));
    expect(await catchErrorText(register({ captcha_response: used }))).toMatchObject({ code: 'captcha_invalido' });
    const late = await server.solveCaptcha();
    server.clock.advance(601);
    expect(await catchErrorText(register({ captcha_response: late }))).toMatchObject({ code: 'captcha_invalido' });
    const forged = JSON.parse(Buffer.from(await server.solveCaptcha(), 'base64').toString());
    forged.challenge.parameters.expiresAt += 1;
    const answer = Buffer.from(JSON.stringify(forged)).toString('base64');
    expect(await catchErrorText(register({ captcha_response: answer }))).toMatchObject({ code: 'captcha_invalido' });
  });

  test('[REG-04 REG-09] ignores accents, case and blanks in names, and mails an activation link', async () => {
    const { body } = await register({
      primer_nombre: ' maria ',
      primer_apellido: 'FERNANDEZ',
      segundo_apellido: 'Niguez',
    });
    expect(body).toEqual({ email: 'maria@example.com', reenvio: expect.stringMatching(/^[\w-]{43}$/) });
    const mail = (await server.mails()).at(-1);
    expect(mail).toMatchObject({ recipient: 'maria@example.com', subject: 'Activá tu cuenta de Usuario digital' });
    expect(mail?.text).toMatch(/http:\/\/localhost:3000\/registro\/activar-cuenta\?uuid=[\w-]{43}\n/);
    expect(mail?.text, 'name in the spelling of the registry').toContain('Hola, María:');
    const kept = await server.parts.store.db
      .selectFrom('citizens')
      .select(['first_name', 'second_name', 'first_surname', 'second_surname'])
      .where('email', '=', 'maria@example.com')
      .executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ first_name: 'María', first_surname: 'Fernández', second_surname: 'Ñíguez' });
    expect(mail?.text).toContain('jueves 5 de marzo, ');
    expect(mail?.html).toMatch(
      /<a href="http:\/\/localhost:3000\/registro\/activar-cuenta\?uuid=[\w-]{43}"[^>]*>Activar cuenta<\/a>/,
    );
  });

  test('[REG-06] rejects a registered document, and names the kind of document in the error', async () => {
    await activateNewest();
    expect(await catchErrorText(register({}))).toMatchObject({
      status: 409,
      code: 'ya_registrado',
      field: 'numero_documento',
      text: 'El número de cédula ya está registrado en Usuario digital.',
    });
    await server.call('registerCitizen', { body: await createForeignRegistration(server, 'ab12') });
    await activateNewest();
    expect(
      await catchErrorText(server.call('registerCitizen', { body: await createForeignRegistration(server, 'AB12') })),
    ).toMatchObject({
      text: 'El número de pasaporte ya está registrado en Usuario digital.',
    });
    const dni = { pais_emisor: 'ar', tipo_documento: 'dni', numero_documento: '30111222' };
    await register(dni);
    await activateNewest();
    expect(await catchErrorText(register(dni))).toMatchObject({
      text: 'El número de documento ya está registrado en Usuario digital.',
    });
  });

  test.each(['\u212a2986396', 'k2986396', 'Ｋ２９８６３９６', 'K 298.6396', 'K2986396\u200b'])(
    '[REG-06 VAL-05] %j counts as the registered document K2986396',
    async (alike) => {
      const body = await createForeignRegistration(server, 'K2986396');
      const first = await server.call('registerCitizen', { body, address: '192.0.2.61' }).catch(() => null);
      if (first !== null) await activateNewest();
      const code = await catchErrorText(
        server.call('registerCitizen', { body: await createForeignRegistration(server, alike), address: '192.0.2.61' }),
      );
      expect(code).toMatchObject({ code: 'ya_registrado' });
      const rows = await server.parts.store.db
        .selectFrom('citizens')
        .select('number')
        .where('number', 'like', '%2986396')
        .execute();
      expect(rows).toEqual([{ number: 'K2986396' }]);
    },
  );

  test('[CFG-05] legacy document type 68909 counts as the national identity card', async () => {
    expect(await catchErrorText(register({ tipo_documento: '68909' }))).toMatchObject({ code: 'ya_registrado' });
    expect(await catchErrorText(register({ tipo_documento: '68909', primer_apellido: 'X' }))).toMatchObject({
      code: 'datos_incorrectos',
    });
  });

  test('[REG-06] stores one account and sends one mail for 20 parallel registrations of a document by different people', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        createForeignRegistration(server, 'RACE1', {
          email: `race${index}@example.com`,
          primer_apellido: `Sosa ${String.fromCharCode(65 + index)}`,
        }),
      ),
    );
    const before = (await server.mails()).length;
    const results = await Promise.allSettled(
      bodies.map((body, index) => server.call('registerCitizen', { body, address: `192.0.2.${index}` })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await server.mails()).length).toBe(before + 1);
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(codes)).toEqual(new Set(['ya_registrado', 'demasiados_intentos']));
  });

  test('[REG-06] replaces an account that was never activated once its link expired, and voids that link', async () => {
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'TAKEN1', { email: 'thief@example.com' }),
    });
    const stale = await readMailedLink(server, 'thief@example.com');
    const again = async () =>
      server.call('registerCitizen', {
        body: await createForeignRegistration(server, 'TAKEN1', {
          email: 'owner@example.com',
          password: 'la-frase-de-la-duena',
          primer_nombre: 'Marta',
        }),
      });
    expect(await catchErrorText(again())).toMatchObject({ code: 'ya_registrado' });
    server.clock.advance(24 * 60 * 60 + 1);
    await again();
    expect(await catchErrorText(server.call('activateAccount', { body: { uuid: stale } }))).toMatchObject({
      code: 'vinculo_invalido',
    });
    await activateNewest('owner@example.com');
    expect(await catchErrorText(again())).toMatchObject({ code: 'ya_registrado' });
  });

  test('[REG-06] resends keep a pending registration alive for three days at most, with the same response for all', async () => {
    const body = await createForeignRegistration(server, 'HELD1', { email: 'holder@example.com' });
    await server.call('registerCitizen', { body });
    const resend = async (doc: string) =>
      (
        await server.call('resendActivation', {
          body: { doc, pais_emisor: 'ar', tipo_doc: 'psp', captcha_response: await server.solveCaptcha() },
        })
      ).body;
    const sent = async () =>
      (await server.mails()).filter(({ recipient }) => recipient === 'holder@example.com').length;
    for (let hour = 20; hour < 3 * 24; hour += 20) {
      server.clock.advance(20 * 60 * 60);
      const before = await sent();
      await resend('HELD1');
      expect(await sent()).toBe(before + 1);
    }
    const again = async () =>
      server.call('registerCitizen', {
        body: await createForeignRegistration(server, 'HELD1', {
          email: 'owner@example.com',
          primer_nombre: 'Beatriz',
        }),
      });
    expect(await catchErrorText(again())).toMatchObject({ code: 'ya_registrado' });
    const last = await readMailedLink(server, 'holder@example.com');
    server.clock.advance(12 * 60 * 60);
    const before = await sent();
    expect(Object.keys(await resend('HELD1'))).toEqual(Object.keys(await resend('NOBODY')));
    expect(await sent(), 'no mail after the registration has expired').toBe(before);
    expect(await catchErrorText(server.call('activateAccount', { body: { uuid: last } }))).toMatchObject({
      code: 'vinculo_invalido',
    });
    await again();
  });

  test('[REG-06 OPER-12] purges a pending registration once no link can activate it, but no blocked or active account', async () => {
    const pending = async (number: string) => {
      const email = `${number.toLowerCase()}@example.com`;
      await server.call('registerCitizen', { body: await createForeignRegistration(server, number, { email }) });
      return email;
    };
    for (const number of ['PURGED1', 'BLOCKED7']) await pending(number);
    await activateNewest(await pending('ACTIVE7'));
    const { db } = server.parts.store;
    await db.updateTable('citizens').set({ blocked_at: server.clock.now() }).where('number', '=', 'BLOCKED7').execute();
    const left = async () => {
      await purgeExpiredData(server.parts, server.clock.now());
      const found = db
        .selectFrom('citizens')
        .select('number')
        .where('number', 'in', ['PURGED1', 'BLOCKED7', 'ACTIVE7']);
      return (await found.orderBy('number').execute()).map(({ number }) => number);
    };
    server.clock.advance(3 * secondsPerDay - 1);
    expect(await left()).toEqual(['ACTIVE7', 'BLOCKED7', 'PURGED1']);
    const [waiting] = await db.selectFrom('citizens').select('id').where('number', '=', 'PURGED1').execute();
    await db.transaction().execute((tx) =>
      issueLinkToken(tx, {
        purpose: 'email-change',
        citizenId: waiting?.id ?? '',
        subject: 'nueva@example.com',
        now: server.clock.now(),
        lifeS: secondsPerDay,
      }),
    );
    server.clock.advance(secondsPerDay - 1);
    expect(await left(), 'an account with a valid link of the desk is not purged').toContain('PURGED1');
    server.clock.advance(1);
    expect(await left()).toEqual(['ACTIVE7', 'BLOCKED7']);
    expect((await server.mails()).filter(({ recipient }) => recipient === 'purged1@example.com')).toEqual([]);
    expect(await server.auditFaults()).toEqual([]);
  });

  test.each([
    {
      note: 'an identity card in the registry',
      number: '38712057',
      document: { pais_emisor: 'uy', tipo_documento: 'ci', primer_nombre: 'Juan', segundo_nombre: '' },
      names: { primer_apellido: 'Rodríguez', segundo_apellido: '' },
      again: { primer_nombre: ' JUAN ', primer_apellido: 'rodriguez' },
    },
    {
      note: 'an identity card, other optional names',
      number: '34567822',
      document: { pais_emisor: 'uy', tipo_documento: 'ci', primer_nombre: 'Nicolás', primer_apellido: 'Pérez' },
      names: { segundo_nombre: 'Andrés', segundo_apellido: '' },
      again: { segundo_nombre: '', segundo_apellido: 'Gómez' },
    },
    {
      note: 'a passport with the same names',
      number: 'TYPO1',
      document: { pais_emisor: 'ar', tipo_documento: 'psp' },
      names: { segundo_nombre: '' },
      again: { primer_nombre: 'MARIA', segundo_nombre: 'José' },
    },
  ])(
    '[REG-06 REG-09] replaces a pending registration of $note, and voids its link',
    async ({ number, document, names, again }) => {
      const given = { ...document, numero_documento: number, ...names };
      const first = await register({ ...given, email: `${number}@exmaple.com`, numero_telefono: '+59899111111' });
      const stale = await readMailedLink(server, `${number.toLowerCase()}@exmaple.com`);
      const email = `${number.toLowerCase()}@example.com`;
      const changed = { email, numero_telefono: '+59899222222', password: 'otra-frase-larga' };
      await register({ ...given, ...again, ...changed });
      expect(await catchErrorText(server.call('activateAccount', { body: { uuid: stale } }))).toMatchObject({
        code: 'vinculo_invalido',
      });
      const rows = await server.parts.store.db
        .selectFrom('citizens')
        .innerJoin('credentials', 'citizen_id', 'citizens.id')
        .select(['email', 'phone', 'active_at', 'password_hash'])
        .where('number', '=', number)
        .execute();
      expect(rows).toMatchObject([{ email, phone: '+59899222222', active_at: null }]);
      expect(await server.parts.passwords.verify(rows[0]?.password_hash ?? '', 'otra-frase-larga')).toBe(true);
      const mailed = (await server.mails()).length;
      await server.call('resendPendingActivation', { body: { reenvio: first.body.reenvio ?? '' } });
      expect((await server.mails()).slice(mailed).map(({ recipient }) => recipient)).toEqual([email]);
      await server.call('activateAccount', { body: { uuid: await readMailedLink(server, email) } });
      expect(await catchErrorText(register({ ...given, ...changed }))).toMatchObject({
        status: 409,
        code: 'ya_registrado',
      });
    },
  );

  test('[REG-06] stores and mails only the last of parallel registrations by one person', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        createForeignRegistration(server, 'RACE2', { email: `again${index}@example.com` }),
      ),
    );
    await Promise.all(bodies.map((body) => server.call('registerCitizen', { body })));
    const rows = await server.parts.store.db
      .selectFrom('citizens')
      .select('email')
      .where('number', '=', 'RACE2')
      .execute();
    expect(rows).toHaveLength(1);
    const mailed = (await server.mails()).map(({ recipient }) => recipient).filter((to) => to.startsWith('again'));
    expect(mailed, 'mails of the replaced account are deleted').toEqual([rows[0]?.email]);
  });

  test('[REG-06] does not replace a blocked account that was never activated', async () => {
    await register({ pais_emisor: 'ar', tipo_documento: 'psp', numero_documento: 'BLOCK1' });
    await server.parts.store.db
      .updateTable('citizens')
      .set({ blocked_at: server.clock.now() })
      .where('number', '=', 'BLOCK1')
      .execute();
    server.clock.advance(24 * 60 * 60 + 1);
    expect(
      await catchErrorText(register({ pais_emisor: 'ar', tipo_documento: 'psp', numero_documento: 'BLOCK1' })),
    ).toMatchObject({ code: 'ya_registrado' });
  });

  describe('[REG-03 REG-09 ACT-03] correction of a mistyped address by the browser that registered', () => {
    const start = async (number: string) => {
      const typo = `${number.toLowerCase()}@exmaple.com`;
      const { cookies } = await server.call('registerCitizen', {
        body: await createForeignRegistration(server, number, { email: typo }),
      });
      const right = cookies?.registration ?? null;
      return { typo, right: right?.value ?? '', maxAge: right?.maxAge };
    };
    const correct = (email: string, registration?: string) =>
      server.call('correctEmail', { body: { email }, cookies: registration === undefined ? {} : { registration } });
    const stored = async (number: string) =>
      server.parts.store.db.selectFrom('citizens').select('email').where('number', '=', number).executeTakeFirst();

    test('mails a link to the new address, voids the previous link, and ends with the activation', async () => {
      const { typo, right, maxAge } = await start('FIX1');
      expect(right).toMatch(/^[\w-]{43}$/);
      expect(maxAge).toBe(60 * 60);
      const stale = await readMailedLink(server, typo);
      expect((await correct(' Fix1@Example.com', right)).body).toEqual({ email: 'fix1@example.com' });
      expect(await catchErrorText(server.call('activateAccount', { body: { uuid: stale } }))).toMatchObject({
        code: 'vinculo_invalido',
      });
      expect((await correct('fix1b@example.com', right)).body, 'second correction').toEqual({
        email: 'fix1b@example.com',
      });
      const uuid = await readMailedLink(server, 'fix1b@example.com');
      expect((await server.call('activateAccount', { body: { uuid } })).body).toEqual({ estado: 'activada' });
      expect(await catchErrorText(correct('thief@example.com', right)), 'the account is active').toMatchObject({
        status: 400,
        code: 'correccion_vencida',
      });
      expect(await stored('FIX1')).toEqual({ email: 'fix1b@example.com' });
    });

    test.each<[note: string, right: (own: string, other: string) => string | undefined]>([
      ['without the cookie', () => undefined],
      ['with a made-up cookie', () => 'x'.repeat(43)],
      ['with the cookie of another registration', (_, other) => other],
      [
        'an hour after the registration',
        (own) => {
          server.clock.advance(60 * 60);
          return own;
        },
      ],
    ])('changes nothing %s', async (note, rightOf) => {
      const number = `KEEP${note.length}`;
      const own = await start(number);
      const other = await start(`${number}X`);
      await correct('thief@example.com', rightOf(own.right, other.right)).catch(() => null);
      expect(await stored(number)).toEqual({ email: own.typo });
    });

    test('is rejected after another registration of the document', async () => {
      const { right } = await start('FIX2');
      await server.call('registerCitizen', {
        body: await createForeignRegistration(server, 'FIX2', { email: 'second@example.com' }),
      });
      expect(await catchErrorText(correct('thief@example.com', right))).toMatchObject({ code: 'correccion_vencida' });
      expect(await stored('FIX2')).toEqual({ email: 'second@example.com' });
    });

    test('is rejected for a blocked account', async () => {
      const { typo, right } = await start('FIX3');
      await server.parts.store.db
        .updateTable('citizens')
        .set({ blocked_at: server.clock.now() })
        .where('number', '=', 'FIX3')
        .execute();
      expect(await catchErrorText(correct('thief@example.com', right))).toMatchObject({ code: 'correccion_vencida' });
      expect(await stored('FIX3')).toEqual({ email: typo });
    });

    test('has a rate limit per document, and its mails one per mailbox', async () => {
      const { right } = await start('FIX4');
      for (let times = 1; times <= 5; times += 1) await correct(`fix4.${times}@example.com`, right);
      expect(await catchErrorText(correct('fix4@example.com', right))).toMatchObject({ status: 429 });
      const victim = async () =>
        (await server.mails()).filter(({ recipient }) => recipient === 'victim@example.com').length;
      for (let times = 1; times <= 12; times += 1)
        await correct('victim@example.com', (await start(`FLOOD${times}`)).right);
      expect(await victim()).toBe(mailAllowances.source.burst);
    });

    test('excludes a concurrent activation: exactly one of both takes effect', async () => {
      const { typo, right } = await start('FIX5');
      const uuid = await readMailedLink(server, typo);
      const [activated, corrected] = await Promise.allSettled([
        server.call('activateAccount', { body: { uuid } }),
        correct('fix5@example.com', right),
      ]);
      expect([activated.status, corrected.status].sort()).toEqual(['fulfilled', 'rejected']);
      expect(await stored('FIX5')).toEqual({ email: activated.status === 'fulfilled' ? typo : 'fix5@example.com' });
    });
  });

  test.each([
    ['made up', 'x'.repeat(43)],
    ['too short', '0'],
    ['far too long', 'x'.repeat(2000)],
    ['hostile', '../<b>"\u202e %'],
  ])('[ACT-03 REG-09] activateAccount rejects a link that is %s', async (_, uuid) => {
    expect(await catchErrorText(server.call('activateAccount', { body: { uuid } }))).toMatchObject({
      status: 400,
      code: 'vinculo_invalido',
      text: 'Al parecer el vínculo no existe o expiró y ya no es válido. Para continuar te recomendamos solicitar uno nuevo.',
    });
  });

  test('[ACT-01 ACT-02 REG-09] activateAccount returns "activada" for one of 20 parallel uses of a link, and "ya_activada" for the others', async () => {
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'ACT1', { email: 'act1@example.com' }),
    });
    const uuid = await readMailedLink(server, 'act1@example.com');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.call('activateAccount', { body: { uuid } })),
    );
    const estados = answers.map(({ body }) => body.estado).sort();
    expect(estados).toEqual(['activada', ...Array<string>(19).fill('ya_activada')]);
  });

  test('[ACT-04] a delayed resend does not use up its resend token, and a resend token works only once', async () => {
    const { body } = await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'PATIENT1', { email: 'patient1@example.com' }),
    });
    const again = async (reenvio: string) =>
      (await server.call('resendPendingActivation', { body: { reenvio } })).body.reenvio ?? '';
    let right = body.reenvio ?? '';
    for (let turn = 0; turn < 5; turn += 1) right = await again(right);
    expect(await catchErrorText(again(right))).toMatchObject({ status: 429, retryAfter: 1 });
    server.clock.advance(2);
    const next = await again(right);
    expect(next).not.toBe(right);
    expect(await catchErrorText(again(right))).toMatchObject({ status: 400, code: 'reenvio_invalido' });
  });

  test('link tokens are stored only as hashes', async () => {
    const uuid = await readMailedLink(server, 'act1@example.com');
    const rows = await server.parts.store.db.selectFrom('link_tokens').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(uuid);
  });

  test('[ACT-04] resendActivation returns the same for pending, active and unknown documents, and mails only the pending', async () => {
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'WAIT1', { email: 'wait1@example.com' }),
    });
    const resend = async (doc: string) =>
      server.call('resendActivation', {
        body: { doc, pais_emisor: 'ar', tipo_doc: 'psp', captcha_response: await server.solveCaptcha() },
      });
    const before = (await server.mails()).length;
    for (const doc of ['WAIT1', 'ACT1', 'NOBODY']) {
      expect(await resend(doc)).toMatchObject({
        body: { resended: true, reenvio: expect.stringMatching(/^[\w-]{43}$/) },
      });
    }
    const mails = await server.mails();
    expect(mails.slice(before).map(({ recipient }) => recipient)).toEqual(['wait1@example.com']);
    await server.call('activateAccount', { body: { uuid: await readMailedLink(server, 'wait1@example.com') } });
  });

  test('[ACT-04] resendActivation sends its mail after the response', async () => {
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'WAIT2', { email: 'wait2@example.com' }),
    });
    const before = (await server.mails()).length;
    const reply = await server.handlers.resendActivation({
      params: {},
      query: {},
      caller: null,
      cookies: {},
      origin: createOrigin(),
      body: { doc: 'WAIT2', pais_emisor: 'ar', tipo_doc: 'psp', captcha_response: await server.solveCaptcha() },
    });
    expect((await server.mails()).length).toBe(before);
    await reply.after?.();
    expect((await server.mails()).length).toBe(before + 1);
  });

  test('[ACT-04] resendActivation delays the sixth resend of a document within an hour', async () => {
    const resend = async (doc: string) =>
      server.call('resendActivation', {
        body: { doc, pais_emisor: 'ar', tipo_doc: 'psp', captcha_response: await server.solveCaptcha() },
      });
    for (const doc of ['LIMIT1', 'WAIT2']) {
      server.clock.advance(3601);
      for (let attempt = 1; attempt <= 5; attempt++) await resend(doc);
      expect(await catchErrorText(resend(doc))).toMatchObject({
        status: 429,
        code: 'demasiados_intentos',
        retryAfter: 1,
      });
    }
  });

  test('[ACT-04 SEG-06] activation mails have a limit per mailbox across documents, which resends do not reveal', async () => {
    const email = 'llena@example.com';
    const sent = async () =>
      (await server.mails()).filter(({ recipient }) => /^llena(\+\d+)?@example\.com$/.test(recipient)).length;
    for (let count = 1; count <= 30; count += 1)
      await server.call('registerCitizen', {
        body: await createForeignRegistration(server, `FULL${count}`, { email: `llena+${count}@example.com` }),
        address: `198.51.100.${count}`,
      });
    const oneMore = await createForeignRegistration(server, 'FULL31', { email });
    expect(
      await catchErrorText(server.call('registerCitizen', { body: oneMore, address: '198.51.100.31' })),
    ).toMatchObject({
      status: 429,
    });
    const { burst, everyS } = mailAllowances.anyone;
    expect(await sent()).toBe(burst);
    const resend = async (doc: string) =>
      server.call('resendActivation', {
        body: { doc, pais_emisor: 'ar', tipo_doc: 'psp', captcha_response: await server.solveCaptcha() },
        address: '198.51.100.32',
      });
    expect((await resend('FULL1')).body, 'same response without a mail').toMatchObject({ resended: true });
    expect(await sent()).toBe(burst);
    server.clock.advance(everyS);
    for (let count = 1; count <= 10; count += 1) await resend(`FULL${count}`);
    expect(await sent()).toBe(burst + 1);
  });

  test('[ACT-05] resendPendingActivation accepts its token once and returns the next one', async () => {
    const { body } = await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'RIGHT1', { email: 'right1@example.com' }),
    });
    const before = (await server.mails()).length;
    const next = await server.call('resendPendingActivation', { body: { reenvio: body.reenvio } });
    expect(next.body).toEqual({ resended: true, reenvio: expect.stringMatching(/^[\w-]{43}$/) });
    expect((await server.mails()).length).toBe(before + 1);
    expect(
      await catchErrorText(server.call('resendPendingActivation', { body: { reenvio: body.reenvio } })),
    ).toMatchObject({
      status: 400,
      text: 'Ocurrió un error al enviar el email de activación',
    });
    await server.call('resendPendingActivation', { body: { reenvio: next.body.reenvio ?? '' } });
    expect((await server.mails()).length).toBe(before + 2);
  });

  test('passwords are stored with argon2id', async () => {
    const { password_hash } = await server.parts.store.db
      .selectFrom('credentials')
      .select('password_hash')
      .executeTakeFirstOrThrow();
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/);
  });

  test('the audit log has an action for each command of the tests above, and is valid', async () => {
    const actions = await server.parts.store.db.selectFrom('audit').select('action').distinct().execute();
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'account-deleted',
      'activate',
      'correct-email',
      'mail-withheld',
      'register',
      'replace-pending',
      'resend-activation',
    ]);
    expect(await server.auditFaults()).toEqual([]);
  });
});

describe('identity registry', () => {
  test('[REG-10] registerCitizen returns 503 with its own text if the registry is unreachable', async () => {
    const find = () => Promise.reject(new RegistryUnreachableError('silence'));
    const server = await openTestServer({ parts: (parts) => ({ ...parts, registry: { findHolder: find } }) });
    const body = await createRegistration(server);
    expect(await catchErrorText(server.call('registerCitizen', { body }))).toMatchObject({
      status: 503,
      code: 'registro_no_disponible',
      text: 'No es posible validar tus datos contra el servicio de identificación',
    });
    await server.close();
  });
});
