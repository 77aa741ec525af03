import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOrigin } from '../../support/origin.ts';
import { loadOperationFacts } from '../../../../src/server/app/screen-facts.ts';
import { lookUpText } from '../../../../src/server/app/server-modules.ts';
import { toErrorResponse } from '../../../../src/server/platform/http/error-response.ts';
import { issueLinkToken } from '../../../../src/server/trust/credentials/link-tokens.ts';
import { createActiveCitizen, createForeignRegistration } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { computeAppCode, openBrowser, setUpTotp, signInCitizen, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';
import { productDefinitions } from '../../../definitions/support/product-definitions.ts';

const password = 'la-frase-correcta';
const fresh = 'otra-frase-nueva';

describe.each([defaultDatabase])('password reset, on %s', (database) => {
  let server: TestServer;
  let address = '';
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    address = `198.51.100.${++serial}`;
  });

  async function citizen() {
    const number = `RESET${++serial}`;
    return {
      number,
      email: `${number.toLowerCase()}@example.com`,
      id: await createActiveCitizen(server, number, password),
    };
  }
  const request = async (doc: string, changes: Record<string, unknown> = {}) =>
    server.call('requestPasswordReset', {
      address,
      body: { pais_emisor: 'ar', tipo_doc: 'psp', doc, captcha_response: await server.solveCaptcha(), ...changes },
    });
  const mails = async (email: string) => (await server.mails()).filter(({ recipient }) => recipient === email);
  /** Returns the token of the latest reset link that was mailed. */
  const mailedToken = async (email: string): Promise<string> => {
    const link = (await mails(email)).flatMap(({ text }) => /https?:\S+token=\S+/.exec(text) ?? []).at(-1) ?? '';
    return new URL(link).searchParams.get('token') ?? '';
  };
  const confirm = (token: string, text = fresh) =>
    server.call('confirmPasswordReset', { address, body: { password: text, passwordRepeat: text, token } });
  const check = (token: string) => server.call('checkPasswordReset', { address, body: { token } });
  const invalid = { status: 400, code: 'vinculo_invalido', invalidToken: true };
  const signIn = async (number: string, text: string) => {
    const browser = openBrowser(server, address);
    await browser.start(number);
    return { browser, ...(await browser.answer(steps.password, { password: text })) };
  };

  test('[CLAVE-03 ASVS-6.2.12] rejects a password from a known breach, and the link stays valid', async () => {
    const { number, email } = await citizen();
    await request(number);
    const token = await mailedToken(email);
    await expect(confirm(token, 'mountain')).rejects.toMatchObject({ code: 'contrasena_filtrada', field: 'password' });
    await confirm(token);
    expect((await signIn(number, fresh)).body.location).toBeTruthy();
  });

  test('[CLAVE-01 CLAVE-03] sets a new password through a mailed link, and does not sign in', async () => {
    const { number, email } = await citizen();
    expect((await request(number)).body).toEqual({ minutos: 30 });
    const mail = (await mails(email)).at(-1);
    expect(mail?.subject).toBe('Restablecé tu contraseña de Usuario digital');
    expect(mail?.text).toContain('http://localhost:3000/contrase%C3%B1a/restablecer/nueva-contrase%C3%B1a?token=');
    const token = await mailedToken(email);
    expect(token).toMatch(/^[\w-]{43}$/);
    const reply = await confirm(token);
    expect(reply).toEqual({ body: {} });
    await expect(signIn(number, password)).rejects.toMatchObject({ code: 'credenciales' });
    expect((await signIn(number, fresh)).browser.cookies.session).toBeDefined();
    expect((await mails(email)).at(-1)?.subject).toBe('Se cambió tu contraseña de Usuario digital');
  });

  test('[CLAVE-03] checkPasswordReset does not use up a link, and rejects links of another purpose and unknown ones alike', async () => {
    const { number, email } = await citizen();
    await request(number);
    const token = await mailedToken(email);
    for (let time = 0; time < 3; time += 1) expect(await check(token)).toEqual({ body: {} });
    const other = await server.parts.store.transaction((tx) =>
      issueLinkToken(tx, {
        purpose: 'activation',
        citizenId: null,
        subject: email,
        now: server.clock.now(),
        lifeS: 60,
      }),
    );
    for (const foreign of [other, 'made-up']) await expect(check(foreign)).rejects.toMatchObject(invalid);
    expect(await confirm(token)).toEqual({ body: {} });
  });

  test.each([
    { note: 'a second time', spoil: (token: string) => confirm(token) },
    { note: 'after thirty minutes', spoil: async () => server.clock.advance(30 * 60) },
    {
      note: 'after another link was used',
      spoil: async (_: string, number: string, email: string) => {
        await request(number);
        await confirm(await mailedToken(email));
      },
    },
    {
      note: 'after the address changed',
      spoil: async (_: string, number: string) => {
        await server.parts.store.db
          .updateTable('citizens')
          .set({ email: 'nueva@example.com' })
          .where('number', '=', number)
          .execute();
      },
    },
  ])('[CLAVE-03] rejects a link used $note', async ({ spoil }) => {
    const { number, email } = await citizen();
    await request(number);
    const token = await mailedToken(email);
    await spoil(token, number, email);
    await expect(check(token), 'reported when the link is opened').rejects.toMatchObject(invalid);
    await expect(confirm(token, 'una-tercera-frase')).rejects.toMatchObject(invalid);
    await expect(signIn(number, 'una-tercera-frase')).rejects.toMatchObject({ code: 'credenciales' });
  });

  test('[CLAVE-03] rejects an unknown link and an activation link, with invalid_token in the response', async () => {
    const activation = await server.call('registerCitizen', {
      address,
      body: await createForeignRegistration(server, `PEND${serial}`),
    });
    const mailed = /uuid=([\w-]{43})/.exec((await mails(activation.body.email)).at(-1)?.text ?? '')?.[1] ?? '';
    expect(mailed).not.toBe('');
    for (const token of [mailed, 'x'.repeat(43), '']) {
      const error: unknown = await confirm(token).catch((reason: unknown) => reason);
      expect(error).toMatchObject(invalid);
      expect(toErrorResponse(error, 'es', lookUpText).body).toEqual({
        error: expect.stringContaining('vínculo'),
        code: 'vinculo_invalido',
        invalid_token: true,
      });
    }
  });

  test('[CLAVE-03] accepts one of 20 parallel uses of one link', async () => {
    const { number, email } = await citizen();
    await request(number);
    const token = await mailedToken(email);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => confirm(token, `frase-numero-${index}`)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    expect((await signIn(number, `frase-numero-${winner}`)).browser.cookies.session).toBeDefined();
  });

  test('[CLAVE-03] ends sessions, pending sign-ins and earlier reset links', async () => {
    const { number, email } = await citizen();
    const { browser } = await signInCitizen(server, number, password);
    const running = openBrowser(server, address);
    await running.start(number);
    await request(number);
    const first = await mailedToken(email);
    await request(number);
    await confirm(await mailedToken(email));
    expect(await browser.caller()).toBeNull();
    await expect(running.answer(steps.password, { password: fresh })).rejects.toMatchObject({
      code: 'sesion_expirada',
    });
    await expect(confirm(first)).rejects.toMatchObject(invalid);
  });

  test('[CLAVE-03] preserves the second factor, and sign-in asks for it', async () => {
    const { number, email } = await citizen();
    const { secret } = await setUpTotp(server, (await signInCitizen(server, number, password)).caller);
    await request(number);
    await confirm(await mailedToken(email));
    const { browser, body } = await signIn(number, fresh);
    expect(body.challenge).toBe(steps.totp);
    await browser.answer(steps.totp, { totp: computeAppCode(server, secret) });
    expect(await browser.caller()).not.toBeNull();
  });

  test('[CLAVE-03] works while sign-in is throttled, and resets that throttle', async () => {
    const { number, email } = await citizen();
    for (let attempt = 1; attempt <= 10; attempt++) await signIn(number, 'una-frase-falsa').catch(() => {});
    await expect(signIn(number, password)).rejects.toMatchObject({ status: 429 });
    await request(number);
    await confirm(await mailedToken(email));
    expect((await signIn(number, fresh)).browser.cookies.session).toBeDefined();
  });

  test.each([
    { note: 'an unknown document', change: null },
    { note: 'an account without an address', change: { email: null, email_verified_at: null } },
    { note: 'an account with an unverified address', change: { email_verified_at: null, active_at: null } },
  ])('[CLAVE-02] returns the same response without a mail for $note', async ({ change }) => {
    const { number, id } = await citizen();
    if (change) await server.parts.store.db.updateTable('citizens').set(change).where('id', '=', id).execute();
    const before = (await server.mails()).length;
    expect(
      await request(change ? number : 'NOBODY').then(({ body, cookies, status }) => ({ body, cookies, status })),
    ).toEqual({ body: { minutos: 30 } });
    expect((await server.mails()).length).toBe(before);
  });

  test('[CLAVE-01 LOG-14] sets the password of a blocked account, which stays blocked', async () => {
    const { number, email, id } = await citizen();
    await server.parts.store.db
      .updateTable('citizens')
      .set({ blocked_at: server.clock.now() })
      .where('id', '=', id)
      .execute();
    await request(number);
    await confirm(await mailedToken(email));
    await expect(signIn(number, fresh)).rejects.toMatchObject({ code: 'account_blocked' });
  });

  test('[CLAVE-01] requires a solved captcha, and rejects the sixth request for one document with 429', async () => {
    const { number, email } = await citizen();
    await expect(request(number, { captcha_response: 'x' })).rejects.toMatchObject({
      code: 'captcha_invalido',
      field: 'captcha_response',
    });
    for (const doc of [number, 'NOBODY5']) {
      for (let attempt = 1; attempt <= 5; attempt++) await request(doc);
      await expect(request(doc)).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
    }
    expect((await mails(email)).filter(({ subject }) => subject.startsWith('Restablecé'))).toHaveLength(5);
  });

  test('[CLAVE-01] sends the mail after the response', async () => {
    const { number, email } = await citizen();
    const before = (await mails(email)).length;
    const { after } = await server.handlers.requestPasswordReset({
      params: {},
      query: {},
      caller: null,
      cookies: {},
      origin: createOrigin({ address, language: 'pt' }),
      body: { pais_emisor: 'ar', tipo_doc: 'psp', doc: number, captcha_response: await server.solveCaptcha() },
    });
    expect((await mails(email)).length).toBe(before);
    await after?.();
    expect((await mails(email)).at(-1)?.subject).toBe('Redefina a sua senha de Usuario digital');
  });

  test('[CLAVE-06 CLAVE-09] rules can read the person of the link, and nothing with an invalid link', async () => {
    const { number, email } = await citizen();
    await request(number);
    const token = await mailedToken(email);
    const facts = await loadOperationFacts(server.parts, 'confirmPasswordReset', null, { token });
    expect(facts).toMatchObject({
      user: null,
      authenticated: false,
      passwordPolicy: null,
      linkOwner: { numero_documento: number, email, primer_apellido: 'Fernández' },
    });
    for (const body of [{ token: 'x' }, {}, null, { token: 7 }]) {
      expect(await loadOperationFacts(server.parts, 'confirmPasswordReset', null, body)).not.toHaveProperty(
        'linkOwner',
      );
    }
    expect(facts).not.toHaveProperty('person');
    expect(await loadOperationFacts(server.parts, 'registerCitizen', null, { token })).not.toHaveProperty('linkOwner');
  });

  test('[CLAVE-03] records request and reset in the audit log', async () => {
    const rows = await server.parts.store.db.selectFrom('audit').selectAll().execute();
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['reset-requested', 'reset-password']));
    expect(await server.auditFaults()).toEqual([]);
  });
});

describe('[CLAVE-06 CLAVE-09] screen contrasena-restablecer-nueva', async () => {
  const definitions = await productDefinitions;
  const linkOwner = {
    email: 'maria.fernandez@example.com',
    numero_documento: '50234162',
    primer_apellido: 'Fernández',
  };
  const passwordPolicy = { pattern: '\\p{Nd}', text: 'un dígito' };
  test.each([
    { text: 'lluvia-en-la-rambla-7', message: undefined, note: 'valid' },
    {
      text: 'fernandez1',
      message: 'No uses información personal en la contraseña!',
      note: 'contains the surname of the person',
    },
    {
      text: 'lluvia-en-la-rambla',
      message: 'La contraseña no cumple las reglas establecidas: un dígito',
      note: 'does not match the configured pattern',
    },
    { text: '8392017', message: 'Mínimo 8 caracteres de longitud', note: 'too short' },
  ])('checks the password $text: $note', ({ text, message }) => {
    const { errors } = definitions.check(
      'contrasena-restablecer-nueva',
      { password: text, passwordRepeat: text, token: 'x' },
      {
        language: 'es',
        context: { flags: {}, linkOwner, passwordPolicy },
      },
    );
    expect(errors['password']).toBe(message);
  });
});

test('[CLAVE-02] requestPasswordReset returns the masked address if RESET_SHOWS_EMAIL is on', async () => {
  const server = await openTestServer({ env: { RESET_SHOWS_EMAIL: 'on' } });
  await createActiveCitizen(server, 'SHOWN', password);
  const body = async (doc: string) =>
    (
      await server.call('requestPasswordReset', {
        body: { pais_emisor: 'ar', tipo_doc: 'psp', doc, captcha_response: await server.solveCaptcha() },
      })
    ).body;
  expect(await body('SHOWN')).toEqual({ minutos: 30, email: 's***@example.com' });
  expect(await body('NOBODY')).toEqual({ minutos: 30 });
  await server.close();
});
