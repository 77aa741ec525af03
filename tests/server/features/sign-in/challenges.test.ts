import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret } from '../../../../src/server/platform/keys/random-secrets.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import {
  computeAppCode,
  readMailedCode,
  openBrowser,
  setUpEmail,
  setUpTotp,
  signInCitizen,
  steps,
  type Browser,
} from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';

describe('sign-in challenges', () => {
  let server: TestServer;
  let browser: Browser;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({
      env: { AGENT_DOMAINS: 'agesic.gub.uy, Salud.gub.uy' },
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    browser = openBrowser(server, `203.0.113.${++serial}`);
  });

  async function citizen(options: { level?: string; totp?: boolean; email?: boolean } = {}) {
    const number = `CHAIN${++serial}`;
    const id = await createActiveCitizen(server, number, password);
    const email = `${number.toLowerCase()}@example.com`;
    await server.parts.store.db
      .updateTable('citizens')
      .set({ level: options.level ?? 'Autoregistrado' })
      .where('id', '=', id)
      .execute();
    const { caller } = await signInCitizen(server, number, password);
    const app = options.totp ? await setUpTotp(server, caller) : null;
    if (options.email) await setUpEmail(server, caller, email);
    return { number, id, email, secret: app?.secret ?? '', codes: app?.codes ?? [] };
  }
  const session = async () => {
    const caller = await browser.caller();
    const { amr, nid, role } = await server.parts.store.db
      .selectFrom('broker_sessions')
      .selectAll()
      .where('id', '=', caller?.sessionId ?? '')
      .executeTakeFirstOrThrow();
    return { amr: amr.split(' '), nid, role };
  };

  test('[LOG-04 LOG-05 ENT-02] start a session only after the password and the code of the app', async () => {
    const { number, secret } = await citizen({ totp: true });
    const ends = new Date(server.clock.now().getTime() + 600_000).toISOString();
    const started = await browser.start(number);
    expect([started.cookies, started.body.expires_at]).toEqual([
      { challenge: { value: expect.any(String), maxAge: 600 } },
      ends,
    ]);
    server.clock.advance(1);
    const { body, cookies } = await browser.answer(steps.password, { password });
    expect(body).toEqual({
      challenge: steps.totp,
      token: expect.any(String),
      expires_at: ends,
      name: 'María José Fernández Ñíguez',
      level: 'Autoregistrado',
      email: 'c***@example.com',
      other: false,
    });
    expect(cookies).toBeUndefined();
    await expect(browser.answer(steps.totp, { totp: '000000' })).rejects.toMatchObject({
      status: 400,
      code: 'codigo_incorrecto',
      field: 'totp',
    });
    const done = await browser.answer(steps.totp, { totp: computeAppCode(server, secret) });
    expect(done.body).toMatchObject({ challenge: null, token: null, location: '/' });
    expect(await session()).toEqual({ amr: [steps.password, steps.totp], nid: 1, role: 'citizen' });
  });

  test('[LOG-04 LOG-08 CFG-06] mail a code with the response to the password, and start a session after it', async () => {
    const { number, email } = await citizen({ email: true, level: 'Verificado' });
    await browser.start(number);
    const { body } = await browser.answer(steps.password, { password });
    expect(body).toMatchObject({ challenge: steps.mailed, email: 'c***@example.com', forced: false });
    const code = await readMailedCode(server, email);
    expect(code).toMatch(/^\d{6}$/);
    const done = await browser.answer(steps.mailed, { recoverycode: code });
    expect(done.body).toMatchObject({ challenge: null, location: '/' });
    expect(await session()).toEqual({ amr: [steps.password, steps.mailed], nid: 2, role: 'citizen' });
  });

  test.each([
    { note: 'with the password', ask: (b: Browser) => b.answer(steps.password, { password, emailTOTP: true }) },
    {
      note: 'in the password step, without password',
      ask: async (b: Browser) => {
        await b.answer(steps.password, { password });
        return b.answer(steps.password, { emailTOTP: true });
      },
    },
    {
      note: 'in the password step, with password',
      ask: async (b: Browser) => {
        await b.answer(steps.password, { password });
        return b.answer(steps.password, { password, emailTOTP: true });
      },
    },
    {
      note: 'at the step of the app',
      ask: async (b: Browser) => {
        await b.answer(steps.password, { password });
        return b.answer(steps.totp, { emailTOTP: true });
      },
    },
  ])("[LOG-07] accept a mailed code in place of the app's, requested $note", async ({ ask }) => {
    const { number, email } = await citizen({ totp: true, email: true });
    await browser.start(number);
    expect((await ask(browser)).body).toMatchObject({ challenge: steps.mailed, email: 'c***@example.com' });
    await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, email) });
    expect((await session()).amr).toEqual([steps.password, steps.mailed]);
  });

  describe('[LOG-14] two tabs of one browser', () => {
    /** Opens two tabs of one browser at the password step, and signs in in the second tab. */
    async function twoTabs(first: string, second: string, extra: Parameters<Browser['start']>[1] = null) {
      await browser.start(first, extra);
      const { token } = browser;
      const tab = openBrowser(server, browser.address);
      tab.cookies = browser.cookies;
      server.clock.advance(1);
      await tab.start(second);
      await tab.answer(steps.password, { password });
      return { token, tab };
    }

    test('continue with the session of the other tab, at the destination of the first', async () => {
      const { number, id } = await citizen();
      const { token, tab } = await twoTabs(number, number, { redirect_url: '/seguridad' });
      const { body, cookies } = await tab.answer(steps.password, { password }, { token });
      expect(body).toEqual({ challenge: null, token: null, location: '/seguridad' });
      expect(cookies).toBeUndefined();
      expect((await tab.caller())?.citizenId).toBe(id);
    });

    test.each<[string, (other: string) => Promise<{ token: string | null; tab: Browser }>]>([
      ['of another citizen', async (number) => twoTabs((await citizen()).number, number)],
      ['as an agent', (number) => twoTabs(number, number, { agnt: '1' })],
      [
        'that started after the session',
        async (number) => {
          await browser.start(number);
          await browser.answer(steps.password, { password });
          server.clock.advance(1);
          await browser.start(number);
          const { token } = browser;
          server.clock.advance(601);
          return { token, tab: browser };
        },
      ],
    ])('reject a sign-in %s as expired', async (_, open) => {
      const { number } = await citizen();
      const { token, tab } = await open(number);
      await expect(tab.answer(steps.password, { password }, { token })).rejects.toMatchObject({
        code: 'sesion_expirada',
      });
    });
  });

  test('[LOG-07] void the previous code on resend, and reject the sixth mail with 429', async () => {
    const { number, email } = await citizen({ email: true });
    await browser.start(number);
    await browser.answer(steps.password, { password });
    const resend = (token = browser.token ?? '') => server.call('resendRecoveryCode', { body: { token } });
    const first = await readMailedCode(server, email);
    expect((await resend()).body).toEqual({});
    await expect(browser.answer(steps.mailed, { recoverycode: first })).rejects.toMatchObject({
      code: 'codigo_incorrecto',
    });
    await resend();
    await resend(); // the fifth mail: the set-up and the password step have each sent one, and `resend` three
    await expect(resend()).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
    await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, email) });
    expect(await browser.caller()).not.toBeNull();
  });

  test('[LOG-08] expire after ten wrong codes, even for the right one', async () => {
    const { number, secret } = await citizen({ totp: true });
    await browser.start(number);
    await browser.answer(steps.password, { password });
    for (let attempt = 1; attempt <= 10; attempt++) {
      await expect(browser.answer(steps.totp, { totp: '000000' })).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    }
    server.clock.advance(60);
    await expect(browser.answer(steps.totp, { totp: computeAppCode(server, secret) })).rejects.toMatchObject({
      status: 410,
      code: 'sesion_expirada',
    });
  });

  test.each([
    {
      note: 'codes of the app',
      factor: { totp: true },
      guess: (b: Browser) => b.answer(steps.totp, { totp: '000000' }),
    },
    {
      note: 'mailed codes',
      factor: { email: true },
      guess: (b: Browser) => b.answer(steps.mailed, { recoverycode: 'AAA222' }),
    },
    {
      note: 'recovery codes',
      factor: { totp: true },
      guess: (b: Browser) => b.answer(steps.totp, { recovery: 'AAAABBBBCCCCDDDD' }),
    },
  ])('[LOG-08] count wrong $note across sign-ins, and reject the eleventh with 429', async ({ factor, guess }) => {
    const { number } = await citizen(factor);
    for (let attempt = 1; attempt <= 10; attempt++) {
      if (attempt % 4 === 1) {
        await browser.start(number);
        await browser.answer(steps.password, { password });
      }
      await expect(guess(browser)).rejects.toMatchObject({ code: 'codigo_incorrecto' });
    }
    await expect(guess(browser)).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
  });

  test('[LOG-08] reset the failed attempts when a factor is proven', async () => {
    const { number, secret } = await citizen({ totp: true });
    await browser.start(number);
    for (let attempt = 1; attempt <= 6; attempt++)
      await browser.answer(steps.password, { password: 'una-frase-falsa' }).catch(() => {});
    await browser.answer(steps.password, { password });
    for (let attempt = 1; attempt <= 6; attempt++) await browser.answer(steps.totp, { totp: '000000' }).catch(() => {});
    await browser.answer(steps.totp, { totp: computeAppCode(server, secret) });
    expect(await browser.caller()).not.toBeNull();
  });

  test.each([
    {
      note: 'a request for a mailed code',
      turn: (b: Browser) => b.answer(steps.totp, { emailTOTP: true }),
      then: { [steps.mailed]: { recoverycode: 'AAA222' } },
    },
    {
      note: 'a return to the password step',
      turn: (b: Browser) => b.answer(steps.password, { password: 'una-frase-falsa' }).catch(() => {}),
      then: { [steps.password]: { password } },
    },
  ])('[LOG-08] do not reset the failed attempts after $note', async ({ turn, then }) => {
    const { number } = await citizen({ totp: true });
    await browser.start(number);
    await browser.answer(steps.password, { password });
    for (let attempt = 1; attempt <= 9; attempt++) await browser.answer(steps.totp, { totp: '000000' }).catch(() => {});
    await turn(browser);
    const [[step, answer] = ['', {}]] = Object.entries(then);
    await expect(browser.answer(step, answer)).rejects.toMatchObject({ status: 410, code: 'sesion_expirada' });
  });

  test.each<
    [
      string,
      { totp?: boolean; email?: boolean },
      (b: Browser) => Promise<unknown>,
      (b: Browser, owner: Awaited<ReturnType<typeof citizen>>, round: number) => Promise<unknown>,
    ]
  >([
    [
      'password',
      {},
      (b) => b.answer(steps.password, { password: 'una-frase-falsa' }),
      (b) => b.answer(steps.password, { password }),
    ],
    [
      'code of the app',
      { totp: true },
      (b) => b.answer(steps.totp, { totp: '000000' }),
      (b, { secret }) => b.answer(steps.totp, { totp: computeAppCode(server, secret) }),
    ],
    [
      'mailed code',
      { email: true },
      (b) => b.answer(steps.mailed, { recoverycode: 'AAA222' }),
      async (b, { email }) => b.answer(steps.mailed, { recoverycode: await readMailedCode(server, email) }),
    ],
    [
      'recovery code',
      { totp: true },
      (b) => b.answer(steps.totp, { recovery: 'AAAABBBBCCCCDDDD' }),
      (b, { codes }, round) => b.answer(steps.totp, { recovery: codes[round] ?? '' }),
    ],
  ])('[LOG-03 LOG-08] do not count earlier wrong attempts after a correct %s', async (_, factor, wrong, right) => {
    const owner = await citizen(factor);
    for (const round of [0, 1, 2]) {
      await browser.start(owner.number);
      if (factor.totp || factor.email) await browser.answer(steps.password, { password });
      for (let attempt = 1; attempt <= 4; attempt++)
        await expect(wrong(browser)).rejects.toMatchObject({ status: 400 });
      await right(browser, owner, round);
      expect(await browser.caller()).not.toBeNull();
      server.clock.advance(30);
    }
  });

  test('[LOG-03] return an attempt to the address after a completed sign-in, and not after a started one', async () => {
    const { number } = await citizen();
    const tries = async () =>
      (
        await server.parts.store.db
          .selectFrom('throttle')
          .select('tries')
          .where('key', '=', hashSecret(`challenge address ${browser.address}`))
          .executeTakeFirst()
      )?.tries;
    await browser.start(number);
    await browser.start(number);
    expect(await tries()).toBe(2);
    await browser.answer(steps.password, { password });
    expect(await tries()).toBe(1);
  });

  test('[LOG-07] return 409 and mail no code if the address is unverified', async () => {
    const { number, id } = await citizen({ email: true });
    await server.parts.store.db.updateTable('citizens').set({ email_verified_at: null }).where('id', '=', id).execute();
    const before = (await server.mails()).length;
    await browser.start(number);
    await expect(browser.answer(steps.password, { password })).rejects.toMatchObject({
      status: 409,
      code: 'sin_correo',
    });
    expect((await server.mails()).length).toBe(before);
  });

  test('[LOG-05] treat blanks around a password as part of it', async () => {
    const number = `CHAIN${++serial}`;
    await createActiveCitizen(server, number, ` ${password} `);
    await browser.start(number);
    await expect(browser.answer(steps.password, { password })).rejects.toMatchObject({ code: 'credenciales' });
    await browser.answer(steps.password, { password: ` ${password} ` });
    expect(await browser.caller()).not.toBeNull();
  });

  test('[LOG-04] accept a recovery code in place of the app once, and mail a notice', async () => {
    const { number, email, codes } = await citizen({ totp: true, level: 'Verificado' });
    const [code = ''] = codes;
    await browser.start(number);
    await browser.answer(steps.password, { password });
    const { body } = await browser.answer(steps.totp, {
      recovery: `${code.slice(0, 5)}-${code.slice(5).toLowerCase()}`,
    });
    expect(body).toMatchObject({ location: expect.any(String), recovery_codes_left: 9 });
    expect(await session()).toEqual({ amr: [steps.password, steps.backup], nid: 2, role: 'citizen' });
    const told = (await server.mails()).filter(({ recipient }) => recipient === email);
    const used = told.find(({ subject }) => subject === 'Se usó un código de recuperación de Usuario digital');
    expect(used?.text).toContain('Códigos sin usar: 9.');
    await browser.start(number);
    await browser.answer(steps.password, { password });
    await expect(browser.answer(steps.totp, { recovery: code })).rejects.toMatchObject({
      code: 'codigo_incorrecto',
      field: 'recovery',
    });
  });

  test('[LOG-04 MFA-04] accept codes with blanks, hyphens, full-width digits and lower case', async () => {
    const { number, secret, codes } = await citizen({ totp: true, level: 'Verificado' });
    const wide = (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    const [first = '', second = '', third = ''] = codes;
    for (const answer of [
      () => ({ totp: computeAppCode(server, secret).replace(/^.{3}/, '$& ') }),
      () => ({ totp: ` ${wide(computeAppCode(server, secret))}\u200b` }),
      () => ({ recovery: ` ${first.toLowerCase()} ` }),
      () => ({ recovery: second.replace(/^.{4}/, '$&\u2013') }),
      () => ({ recovery: third.replace(/^.{4}/, '$&\u00a0') }),
    ]) {
      server.clock.advance(30);
      await browser.start(number);
      await browser.answer(steps.password, { password });
      await browser.answer(steps.totp, answer());
      expect(await session()).toMatchObject({ nid: 2 });
    }
  });

  describe('agents', () => {
    const agnt = { redirect_url: null, agnt: '1', process_state: null };

    test('[IDP-02 LOG-06] must prove the mailbox again after they return to the password', async () => {
      const { number } = await citizen({ totp: true });
      const mailbox = `agente${serial}@salud.gub.uy`;
      await browser.start(number, agnt);
      await browser.answer(steps.password, { password });
      await browser.answer(steps.institutional, { institutional_email: mailbox });
      expect(
        (await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, mailbox) })).body,
      ).toMatchObject({ challenge: steps.totp });
      expect((await browser.answer(steps.password, { password })).body).toMatchObject({
        challenge: steps.institutional,
      });
      expect((await browser.answer(steps.institutional, { institutional_email: mailbox })).body).toMatchObject({
        challenge: steps.mailed,
        forced: true,
      });
    });

    test('[IDP-02] must prove their own second factor as well as the mailbox', async () => {
      const { number, secret } = await citizen({ totp: true });
      const mailbox = `agente${serial}@agesic.gub.uy`;
      await browser.start(number);
      await browser.answer(steps.password, { password, emailAgent: true });
      await browser.answer(steps.institutional, { institutional_email: mailbox });
      expect(
        (await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, mailbox) })).body,
      ).toMatchObject({ challenge: steps.totp });
      await browser.answer(steps.totp, { totp: computeAppCode(server, secret) });
      expect(await session()).toEqual({ amr: [steps.password, steps.totp], nid: 1, role: 'agent' });
    });

    test('[IDP-02 LOG-14] can correct a mailbox of an unregistered domain, which is rejected on its field', async () => {
      const { number } = await citizen();
      await browser.start(number, agnt);
      await browser.answer(steps.password, { password });
      await expect(
        browser.answer(steps.institutional, { institutional_email: 'agente@mala-salud.gub.uy' }),
      ).rejects.toMatchObject({
        status: 400,
        code: 'dominio_no_registrado',
        field: 'institutional_email',
      });
      expect(
        (await browser.answer(steps.institutional, { institutional_email: 'a@salud.gub.uy' })).body.challenge,
      ).toBe(steps.mailed);
    });

    test.each(['0', 'true', ''])('[IDP-02] sign in as citizens with agnt=%j', async (value) => {
      const { number } = await citizen();
      await browser.start(number, { ...agnt, agnt: value });
      await browser.answer(steps.password, { password });
      expect(await session()).toMatchObject({ role: 'citizen' });
    });
  });
});
