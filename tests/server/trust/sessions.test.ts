import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maskIpAddress } from '../../../src/server/platform/base/ip-addresses.ts';
import { describeDevice, normalizeUserAgent } from '../../../src/server/platform/base/client-device.ts';
import { createActiveCitizen, createMessageRow } from '../support/citizen-data.ts';
import { defaultDatabase } from '../support/databases.ts';
import {
  computeAppCode,
  openBrowser,
  setUpTotp,
  signInCitizen,
  steps,
  type Browser,
} from '../support/sign-in-browser.ts';
import { authenticateBearerToken } from '../../../src/server/trust/sessions/access-tokens.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const password = 'la-frase-correcta';
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

describe.each([defaultDatabase])('[SEG+SESIONES] sessions on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  const list = async (caller: Awaited<ReturnType<Browser['caller']>>) =>
    (await server.call('getSessions', { caller })).body;
  const enter = async (number: string) => await signInCitizen(server, number, password);

  test("lists the citizen's own sessions, the current one first", async () => {
    await createActiveCitizen(server, 'LIST1', password);
    await createActiveCitizen(server, 'LIST2', password);
    const [first, second] = [await enter('LIST1'), await enter('LIST1')];
    await enter('LIST2');
    const { sesiones, pendientes } = await list(first.caller);
    expect(sesiones).toHaveLength(2);
    expect(sesiones.map(({ id, actual }) => [id, actual])).toEqual([
      [first.caller.sessionId, true],
      [second.caller.sessionId, false],
    ]);
    expect(sesiones[0]).toMatchObject({
      dispositivo: 'Navegador desconocido',
      red: '203.0.x.x',
      inicio: server.clock.now().toISOString(),
      aplicaciones: [],
    });
    expect(pendientes).toEqual([]);
  });

  test('[SES-01] ends with the logout, which clears the cookies and succeeds without a session', async () => {
    await createActiveCitizen(server, 'OUT1', password);
    const { browser } = await enter('OUT1');
    const session = browser.cookies.session ?? '';
    const { token } = (await server.call('obtainToken', { cookies: { session } })).body;
    for (const cookies of [{ session }, { session }, {}]) {
      expect(await server.call('logout', { cookies })).toEqual({
        body: { logout_urls: [], location: '/', wait_longer: false, unreachable: [] },
        cookies: { session: null, challenge: null },
      });
    }
    expect(await authenticateBearerToken(server.parts, token)).toBeNull();
    await expect(server.call('obtainToken', { cookies: { session } })).rejects.toMatchObject({
      status: 401,
      code: 'no_autenticado',
    });
  });

  test('ends a session and its tokens at once, and returns 404 for one that is ended, unknown or of another citizen', async () => {
    await createActiveCitizen(server, 'END1', password);
    await createActiveCitizen(server, 'END2', password);
    const [own, other, stranger] = [await enter('END1'), await enter('END1'), await enter('END2')];
    const end = (session: string) => server.call('endSession', { caller: own.caller, params: { session } });
    await expect(end(stranger.caller.sessionId)).rejects.toMatchObject({ status: 404 });
    await expect(end('made-up')).rejects.toMatchObject({ status: 404 });
    expect(await stranger.browser.caller()).not.toBeNull();
    await end(other.caller.sessionId);
    expect(await other.browser.caller()).toBeNull();
    await expect(end(other.caller.sessionId)).rejects.toMatchObject({ status: 404 });
    expect(await own.browser.caller()).not.toBeNull();
  });

  test('[ASVS-7.2.4] renews the cookie after a proof of identity, and the old cookie stops working', async () => {
    await createActiveCitizen(server, 'RENEW1', password);
    const { browser, caller } = await enter('RENEW1');
    const stolen = browser.cookies.session ?? '';
    const obtain = (session: string) => server.call('obtainToken', { cookies: { session } });
    const verify = (session?: string) =>
      server.call('verifyPassword', { caller, body: { pwd: password }, ...(session && { cookies: { session } }) });
    expect((await verify()).cookies, 'client without cookies').toBeUndefined();
    expect((await verify('of-another-session')).cookies).toBeUndefined();
    await obtain(stolen);
    const renewed = (await verify(stolen)).cookies?.session;
    expect(renewed).toEqual({ value: expect.stringMatching(/^[\w-]{43}$/), maxAge: 43_200 });
    await expect(obtain(stolen)).rejects.toMatchObject({ status: 401 });
    browser.cookies.session = renewed?.value ?? '';
    expect((await browser.caller())?.sessionId).toBe(caller.sessionId);
  });

  test('[ASVS-7.2.4] ends other access tokens after a proof of identity, but not the one of the request', async () => {
    await createActiveCitizen(server, 'RENEW3', password);
    const { browser } = await enter('RENEW3');
    const obtain = async (session = browser.cookies.session ?? '') =>
      (await server.call('obtainToken', { cookies: { session } })).body.token;
    const [own, stolen] = [await obtain(), await obtain()];
    const callerOf = (token: string) => authenticateBearerToken(server.parts, token);
    const verify = async (token: string, session = browser.cookies.session ?? '') =>
      server.call('verifyPassword', { caller: await callerOf(token), body: { pwd: password }, cookies: { session } });
    const renewed = (await verify(own)).cookies?.session?.value ?? '';
    expect(await callerOf(stolen)).toBeNull();
    expect(await callerOf(own)).not.toBeNull();
    const next = await obtain(renewed);
    expect(await callerOf(next)).not.toBeNull();
    await verify(next, renewed);
    expect(await callerOf(own)).toBeNull();
    expect(await callerOf(next)).not.toBeNull();
  });

  test('[ASVS-7.2.4] renews the cookie after a second factor is set up', async () => {
    await createActiveCitizen(server, 'RENEW2', password);
    const { browser, caller } = await enter('RENEW2');
    const { id, secret } = (await server.call('createTotp', { caller })).body;
    const before = browser.cookies.session ?? '';
    const { cookies } = await server.call('verifyTotp', {
      caller,
      params: { method: id },
      body: { code: computeAppCode(server, secret) },
      cookies: { session: before },
    });
    expect(await browser.caller()).toBeNull();
    browser.cookies.session = cookies?.session?.value ?? '';
    expect((await browser.caller())?.nid).toBe(caller.nid);
  });

  test('[ASVS-7.1.2] ends the oldest session at the twenty-first sign-in of a citizen', async () => {
    await createActiveCitizen(server, 'MANY1', password);
    await createActiveCitizen(server, 'MANY2', password);
    const stranger = await enter('MANY2');
    const browsers: Browser[] = [];
    for (let count = 0; count < 22; count += 1) {
      browsers.push((await enter('MANY1')).browser);
      server.clock.advance(1);
    }
    const live = await Promise.all(browsers.map(async (browser) => (await browser.caller()) !== null));
    expect(live).toEqual(browsers.map((_, at) => at > 1));
    expect(await stranger.browser.caller()).not.toBeNull();
  });

  test.each(['endSession', 'endOtherSessions'] as const)(
    '[ASVS-7.5.2] requires a recent proof of identity for %s',
    async (name) => {
      const number = `ASK${name.length}`;
      await createActiveCitizen(server, number, password);
      const [{ caller }, other] = [await enter(number), await enter(number)];
      const end = () => server.call(name, { caller, params: { session: other.caller.sessionId } });
      server.clock.advance(600);
      await expect(end()).rejects.toMatchObject({
        status: 403,
        code: 'verificacion_requerida',
        next: `/seguridad/contrase%C3%B1a/verificar?next=${encodeURIComponent('/seguridad/sesiones')}`,
      });
      expect(await other.browser.caller()).not.toBeNull();
      await server.call('verifyPassword', { caller, body: { pwd: password } });
      await end();
      expect(await other.browser.caller()).toBeNull();
    },
  );

  test('lists a sign-in that waits for its second factor, ends it with the others, and ignores wrong passwords', async () => {
    await createActiveCitizen(server, 'HALF1', password);
    const { browser, caller } = await enter('HALF1');
    await setUpTotp(server, caller);
    const half = openBrowser(server);
    await half.start('HALF1');
    await half.answer(steps.password, { password });
    const guesser = openBrowser(server);
    await guesser.start('HALF1');
    await guesser.answer(steps.password, { password: 'otra-frase-larga' }).catch(() => undefined);
    const present = (await browser.caller()) ?? expect.fail('signed out');
    expect((await list(present)).pendientes).toHaveLength(1);
    expect((await server.call('endOtherSessions', { caller: present })).body).toEqual({ cerradas: 0 });
    expect((await list(present)).pendientes).toEqual([]);
    await expect(half.answer(steps.totp, { code: '000000' })).rejects.toMatchObject({ code: 'sesion_expirada' });
  });

  test('ends all sessions except the current one', async () => {
    await createActiveCitizen(server, 'REST1', password);
    const [own, one, two] = [await enter('REST1'), await enter('REST1'), await enter('REST1')];
    expect((await server.call('endOtherSessions', { caller: own.caller })).body).toEqual({ cerradas: 2 });
    expect([await own.browser.caller(), await one.browser.caller(), await two.browser.caller()]).toEqual([
      expect.anything(),
      null,
      null,
    ]);
  });

  test('[SEG+INACTIVIDAD] ends an idle session, and a token refresh counts as activity only if the citizen is active', async () => {
    await createActiveCitizen(server, 'IDLE1', password);
    const { browser } = await enter('IDLE1');
    const cookies = { session: browser.cookies.session ?? '' };
    let token = (await server.call('obtainToken', { cookies })).body.token;
    const refresh = async (activo: boolean) => {
      token = (await server.call('refreshToken', { cookies, body: { token, activo } })).body.token;
    };
    const minutes = async (count: number, activo: boolean) => {
      for (let minute = 0; minute < count; minute += 1) {
        server.clock.advance(60);
        await refresh(activo);
      }
    };
    await minutes(60, true);
    await minutes(29, false);
    server.clock.advance(61);
    await expect(refresh(false)).rejects.toMatchObject({ status: 401 });
    await expect(server.call('obtainToken', { cookies })).rejects.toMatchObject({ status: 401 });
    expect(await browser.caller()).toBeNull();
  });

  test('sends a notice for a new browser, and none for the first one or a known one', async () => {
    await createActiveCitizen(server, 'NEW1', password);
    const told = async () =>
      (await server.mails()).filter(
        ({ recipient, subject }) => recipient === 'new1@example.com' && subject.startsWith('Nuevo inicio'),
      );
    const { browser } = await enter('NEW1');
    expect(await told()).toHaveLength(0);
    await browser.start('NEW1');
    await browser.answer(steps.password, { password });
    expect(await told()).toHaveLength(0);
    await enter('NEW1');
    const [mail, ...more] = await told();
    expect(more).toEqual([]);
    expect(mail?.text).toContain('Navegador desconocido, red 203.0.x.x');
    expect(mail?.text).toContain('/no-fui-yo?uuid=');
  });

  test('replaces a device cookie that the server did not issue, and ignores that of another citizen', async () => {
    await createActiveCitizen(server, 'NEW2', password);
    await createActiveCitizen(server, 'NEW3', password);
    const { browser } = await enter('NEW2');
    const planted = openBrowser(server);
    planted.cookies.device = 'planted';
    await planted.start('NEW2');
    await planted.answer(steps.password, { password });
    expect(planted.cookies.device).toMatch(/^[\w-]{43}$/);
    await enter('NEW3');
    await browser.start('NEW3');
    await browser.answer(steps.password, { password });
    const subjects = (await server.mails())
      .filter(({ recipient }) => recipient === 'new3@example.com')
      .map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('Nuevo inicio'))).toHaveLength(1);
    const rows = JSON.stringify(await server.parts.store.db.selectFrom('known_devices').selectAll().execute());
    for (const secret of (browser.cookies.device ?? '').split('.')) expect(rows).not.toContain(secret);
  });

  test('[SES-10] sends a notice if a copied device cookie is used, and recognises two citizens in one browser', async () => {
    await createActiveCitizen(server, 'NEW4', password);
    await createActiveCitizen(server, 'NEW5', password);
    const told = async (email: string) =>
      (await server.mails()).filter(
        ({ recipient, subject }) => recipient === email && subject.startsWith('Nuevo inicio'),
      ).length;
    await enter('NEW5');
    const { browser } = await enter('NEW4');
    const copy = openBrowser(server);
    copy.cookies = { ...browser.cookies };
    const again = async (used: Browser, number: string) => {
      await used.start(number);
      await used.answer(steps.password, { password });
    };
    await again(browser, 'NEW5');
    expect(await told('new5@example.com')).toBe(1);
    for (const number of ['NEW4', 'NEW5', 'NEW4', 'NEW5']) await again(browser, number);
    expect([await told('new4@example.com'), await told('new5@example.com')]).toEqual([0, 1]);
    await again(copy, 'NEW5');
    expect(await told('new5@example.com')).toBe(2);
  });

  test('[SEG+DATOS] exports the personal data after a proof of identity, without secrets or data of others', async () => {
    const id = await createActiveCitizen(server, 'DATA1', password);
    const { browser, caller } = await enter('DATA1');
    const { secret, codes } = await setUpTotp(server, caller);
    const present = (await browser.caller()) ?? expect.fail('signed out');
    const at = server.clock.now();
    const { db } = server.parts.store;
    await db
      .insertInto('passkeys')
      .values({
        id: 'k1',
        citizen_id: id,
        credential_id: 'credential',
        public_key: 'clave-publica',
        counter: 0,
        transports: '[]',
        device_type: 'singleDevice',
        backed_up: false,
        name: 'Mi celular',
        created_at: at,
        last_used_at: null,
        mac: '',
      })
      .execute();
    await db
      .insertInto('signed_documents')
      .values({
        citizen_id: id,
        form: 'cms',
        statement: 'Declaro',
        file: 'QUJD',
        certificate_serial: '12',
        certificate_issuer: 'CN=Raíz',
        certificate_fingerprint: 'huella',
        signed_at: at,
      })
      .execute();
    const message = createMessageRow({ email: 'data1@example.com', subject: 'registro', created_at: at });
    await db
      .insertInto('contact_messages')
      .values([
        { ...message, citizen_id: id, message: 'Lo escribí yo' },
        { ...message, message: 'Lo escribió otra persona' },
      ])
      .execute();
    await db
      .insertInto('outbox')
      .values({
        recipient: 'data1@example.com',
        citizen_id: null,
        subject: 'De otra cuenta con el mismo correo',
        text: '',
        html: '',
        created_at: at,
        due_at: at,
        sent_at: at,
      })
      .execute();
    const change = (email: string, phone: string | null, after = 0) => ({
      citizen_id: id,
      session_id: null,
      kind: 'phone-changed',
      at: new Date(at.getTime() + after),
      before: JSON.stringify({ email, phone, closing: false, recovery_codes: [{ digest: 'huella' }] }),
    });
    await db
      .insertInto('credential_changes')
      .values([
        change('primera@example.com', null),
        change('segunda@example.com', '+59899111222', 1),
        change('segunda@example.com', '+59899111222', 2),
        change('data1@example.com', null, 3),
      ])
      .execute();
    const call = () => server.call('exportData', { caller: present, params: { id } });
    await expect(call()).rejects.toMatchObject({
      status: 403,
      code: 'verificacion_requerida',
      next: expect.stringContaining('next=%2Fseguridad%2Fmis-datos'),
    });
    await server.parts.store.db
      .updateTable('broker_sessions')
      .set({ verified_at: server.clock.now() })
      .where('id', '=', present.sessionId)
      .execute();
    const { archivo, datos } = (await call()).body;
    expect(archivo).toMatch(/^mis-datos-\d{4}-\d\d-\d\d\.json$/);
    expect(datos).toMatchObject({
      persona: { primer_nombre: 'María', primer_apellido: 'Fernández' },
      documento: { numero_documento: 'DATA1' },
      contacto: { email: 'data1@example.com' },
      segundos_factores: { metodos: [{ tipo: 'totp' }], codigos_de_recuperacion: 10 },
    });
    expect(datos.contacto.anteriores, 'previous contact data').toEqual([
      {
        email: 'segunda@example.com',
        numero_telefono: '+59899111222',
        hasta: new Date(at.getTime() + 2).toISOString(),
      },
      { email: 'primera@example.com', numero_telefono: null, hasta: at.toISOString() },
    ]);
    expect(datos.llaves_de_acceso).toEqual([{ nombre: 'Mi celular', creada: at.toISOString(), usada: null }]);
    expect(datos.firma).toEqual([
      {
        fecha: at.toISOString(),
        formato: 'cms',
        declaracion: 'Declaro',
        certificado_serie: '12',
        certificado_emisor: 'CN=Raíz',
        archivo: 'QUJD',
      },
    ]);
    expect(datos.mensajes).toEqual([
      { fecha: at.toISOString(), asunto: 'registro', mensaje: 'Lo escribí yo', agregado: [] },
    ]);
    expect(datos.actividad.map(({ accion }) => accion)).toContain('Descarga de tus datos');
    expect(datos.correos.length).toBeGreaterThan(1);
    expect(datos.correos.map(({ asunto }) => asunto)).not.toContain('De otra cuenta con el mismo correo');
    const text = JSON.stringify(datos);
    for (const hidden of [
      'clave-publica',
      'huella',
      'otra persona',
      secret,
      ...codes,
      password,
      'argon2',
      browser.cookies.session ?? 'none',
      browser.cookies.device ?? 'none',
    ])
      expect(text).not.toContain(hidden);
    expect(text).not.toMatch(/hash|digest|"address"|203\.0\.113/);
    for (let times = 1; times < 5; times += 1) await call();
    await expect(call()).rejects.toMatchObject({ status: 429 });
  });
});

describe('[SEG+SESIONES] description of device and network', () => {
  test.each([
    [windows, 'Chrome en Windows'],
    [`${windows} Edg/156.0`, 'Edge en Windows'],
    [`${windows} OPR/99.0`, 'Opera en Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox en Linux'],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36',
      'Chrome en Android',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0 Mobile Safari/537.36',
      'Samsung Internet en Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari en iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0 Mobile/15E148 Safari/604.1',
      'Chrome en iPhone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
      'Safari en macOS',
    ],
    ['something (Windows)', 'Navegador desconocido en Windows'],
    ['curl/8.0', 'Navegador desconocido'],
    ['', 'Navegador desconocido'],
  ])('describeDevice describes %s', (userAgent, words) => {
    expect(describeDevice(userAgent, 'es')).toBe(words);
  });

  test('describeDevice has Portuguese texts', () => expect(describeDevice(windows, 'pt')).toBe('Chrome no Windows'));

  test('normalizeUserAgent returns short printable text', () => {
    expect(normalizeUserAgent(`a\u0000\n\u202e<b>ñ${'x'.repeat(500)}`)).toBe(`a<b>${'x'.repeat(196)}`);
    expect(normalizeUserAgent(undefined)).toBe('');
  });

  test.each([
    ['190.64.12.34', '190.64.x.x'],
    ['::ffff:190.64.12.34', '190.64.x.x'],
    ['2800:a4:12:34::1', '2800:a4:12:x'],
    ['2800:a4::1', '2800:a4:0:x'],
    ['::1', '0:0:0:x'],
    ['', ''],
    ['nonsense', ''],
    ['a:b:c', ''],
    ['<b>:evil', ''],
  ])('maskIpAddress masks %s', (address, network) => expect(maskIpAddress(address)).toBe(network));
});
