import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailAllowances } from '../../../src/server/trust/abuse/mail-allowance.ts';
import {
  listMailLinks,
  createOwner,
  password,
  confirmPassword,
  listMailSubjects,
  withoutLimits,
} from '../support/account.ts';
import { createForeignRegistration } from '../support/citizen-data.ts';
import { defaultDatabase } from '../support/databases.ts';
import { readMailedCode, openBrowser, setUpEmail, signInCitizen, steps } from '../support/sign-in-browser.ts';
import { bindGuardedHandlers, openQuietParts, openTestServer, type TestServer } from '../support/test-server.ts';
import { createOrigin } from '../support/origin.ts';

const hourS = 60 * 60;
const { anyone, document, notice, password: ofPassword, source } = mailAllowances;
const computeMaxMailsPerDay = ({ burst, everyS }: (typeof mailAllowances)['document']) =>
  burst + Math.floor((24 * hourS) / everyS);
const resetSubject = 'Restablecé tu contraseña de Usuario digital';

describe.each([defaultDatabase])('allowance of mails to one mailbox on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits });
  });
  afterAll(() => server.close());

  const owner = () => createOwner(server, `LIM${++serial}${database[1]}`.toUpperCase());
  const reset = async (doc: string, cookies: { device?: string } = {}) =>
    server.call('requestPasswordReset', {
      cookies,
      body: { pais_emisor: 'ar', tipo_doc: 'psp', doc, captcha_response: await server.solveCaptcha() },
    });
  const times = async (count: number, work: (index: number) => Promise<unknown>) => {
    for (let index = 0; index < count; index += 1) await work(index);
  };
  const resets = async (email: string) =>
    (await listMailSubjects(server, email)).filter((subject) => subject === resetSubject).length;
  const withheld = async (citizenId: string) =>
    server.parts.store.db
      .selectFrom('audit')
      .select(['details', 'actor'])
      .where('action', '=', 'mail-withheld')
      .where('citizen_id', '=', citizenId)
      .execute();

  test('[SEG-06] limits password reset mails, returns the same response, and allows one more after two hours', async () => {
    const { id, number, email } = await owner();
    const answers: unknown[] = [];
    await times(document.burst + 3, async () => answers.push((await reset(number)).body));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await resets(email)).toBe(document.burst);
    expect(await withheld(id)).toEqual(
      [1, 2, 3].map(() => ({ details: JSON.stringify({ mail: 'reset-password' }), actor: 'unidentified' })),
    );
    server.clock.advance(document.everyS - 1);
    await reset(number);
    expect(await resets(email)).toBe(document.burst);
    server.clock.advance(1);
    await reset(number);
    await reset(number);
    expect(await resets(email)).toBe(document.burst + 1);
  });

  test('[SEG-06] limits reset mails requested every ten minutes to the maximum of a day', async () => {
    const { number, email } = await owner();
    await times(24 * 6, async () => {
      await reset(number);
      server.clock.advance(10 * 60);
    });
    expect(await resets(email)).toBeLessThanOrEqual(computeMaxMailsPerDay(document));
    expect(await resets(email)).toBeGreaterThanOrEqual(computeMaxMailsPerDay(document) - 2);
  });

  test('[SEG-06] counts addresses of one mailbox together, ignoring tag and dots, but apart from reset mails', async () => {
    const { number, email } = await owner();
    const [local = '', domain = ''] = email.split('@');
    const mails = async () =>
      (await server.mails()).filter(
        ({ recipient }) => recipient.endsWith(`@${domain}`) && recipient.replaceAll('.', '').startsWith(local),
      ).length;
    const before = await mails();
    await times(3, async (index) =>
      server.call('registerCitizen', {
        body: await createForeignRegistration(server, `TAG${serial}${index}${database[1]}`.toUpperCase(), {
          email: `${local}+${index}@${domain}`,
        }),
      }),
    );
    const other = await owner();
    await confirmPassword(server, other.caller);
    await times(anyone.burst, (index) =>
      server.call('updateEmail', {
        caller: other.caller,
        body: { email: `${local.slice(0, 2)}.${local.slice(2)}+x${index}@${domain}` },
      }),
    );
    expect((await mails()) - before, 'three mails of the network and the share of the signed-in citizen').toBe(
      3 + source.burst,
    );
    await reset(number);
    expect(await resets(email), 'reset mails are still sent').toBe(1);
  });

  test('[SEG-06] is separate for a known browser of the citizen, and reset mails do not use up notices of changes', async () => {
    const { number, email, browser, caller } = await owner();
    await times(document.burst + 1, () => reset(number));
    const used = await resets(email);
    const { device = '' } = browser.cookies;
    await reset(number, { device });
    expect(await resets(email)).toBe(used + 1);
    await confirmPassword(server, caller);
    const before = (await listMailSubjects(server, email)).length;
    await times(anyone.burst + 5, () => server.call('createRecoveryCodes', { caller, body: {} }).catch(() => null));
    await server.call('updateEmail', { caller, body: { email: `otro-${email}` } });
    expect((await listMailSubjects(server, email)).length).toBeGreaterThan(before);
    const stranger = await owner();
    await reset(number, { device: stranger.browser.cookies.device ?? '' });
    expect(await resets(email), 'known browser of another citizen').toBe(used + 1);
  });

  test("[SEG-06] is separate for each network, so that a stranger cannot block the owner's activation mail", async () => {
    const { email, caller, number } = await owner();
    const stranger = async (index: number, address: string) =>
      server.call('registerCitizen', {
        body: await createForeignRegistration(server, `STR${serial}${index}${database[1]}`.toUpperCase(), { email }),
        address,
      });
    const told = async () => (await listMailSubjects(server, email)).length;
    const before = await told();
    await times(source.burst + 3, (index) => stranger(index, '203.0.113.66'));
    expect((await told()) - before).toBe(source.burst);
    await times(3, (index) => stranger(20 + index, '203.0.113.66'));
    const own = await told();
    await server.call('resendActivation', {
      body: {
        pais_emisor: 'ar',
        tipo_doc: 'psp',
        doc: `STR${serial}0${database[1]}`.toUpperCase(),
        captcha_response: await server.solveCaptcha(),
      },
      address: '203.0.113.77',
    });
    expect(await told(), 'from another network').toBe(own + 1);
    await times(5 * source.burst, (index) =>
      stranger(40 + index, `203.0.113.${100 + Math.floor(index / source.burst)}`),
    );
    const whole = (await told()) - before;
    expect(whole, 'all networks together').toBeLessThanOrEqual(anyone.burst);
    await confirmPassword(server, caller);
    await server.call('updateEmail', { caller, body: { email: `otra-${email}` } });
    await server.call('resendOwnActivation', { caller, params: { id: caller.citizenId } });
    expect(await listMailSubjects(server, `otra-${email}`), number).toHaveLength(2);
  });

  test('[SEG-06] limits notices of one kind without silencing other kinds, and the first link undoes all changes', async () => {
    const { id, number, email, caller } = await owner();
    await confirmPassword(server, caller);
    const phone = async (index: number, by = caller) =>
      server.call('updatePhone', { caller: by, params: { id }, body: { numero_telefono: `+5989912${1000 + index}` } });
    const told = async () =>
      (await listMailSubjects(server, email)).filter((subject) => subject.includes('teléfono')).length;
    await times(notice.burst + 3, (index) => phone(index));
    expect(await told()).toBe(notice.burst);
    expect(await withheld(id)).toHaveLength(3);
    await server.call('updateEmail', { caller, body: { email: `otro-${email}` } });
    expect((await listMailSubjects(server, email)).at(-1)).toContain('Pidieron cambiar el correo');
    server.clock.advance(notice.everyS);
    const { caller: later } = await signInCitizen(server, number, password);
    await confirmPassword(server, later);
    await phone(notice.burst + 3, later);
    expect(await told()).toBe(notice.burst + 1);
    const [first] = await listMailLinks(server, email, '/no-fui-yo');
    await server.call('disavow', { body: { uuid: first?.searchParams.get('uuid') ?? '' } });
    const { phone: now } = await server.parts.store.db
      .selectFrom('citizens')
      .select('phone')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(now).toBe('+59899123456');
  });

  test('[SEG-06] limits notices of sign-ins from new browsers', async () => {
    const { number, email } = await owner();
    await times(notice.burst + 3, async () => {
      const browser = openBrowser(server);
      await browser.start(number);
      await browser.answer(steps.password, { password });
    });
    const told = (await listMailSubjects(server, email)).filter((subject) =>
      /dispositivo|navegador|inicio de sesión/i.test(subject),
    );
    expect(told).toHaveLength(notice.burst);
  });

  test('[SEG-06 LOG-04] does not count reset mails as codes, and a withheld code leaves the previous one valid', async () => {
    const { number, email, caller } = await owner();
    await confirmPassword(server, caller);
    await setUpEmail(server, caller, email);
    await times(document.burst + 1, () => reset(number));
    const stranger = openBrowser(server);
    const begin = async () => {
      await stranger.start(number);
      return stranger.answer(steps.password, { password });
    };
    const codes = async () =>
      (await server.mails()).filter(({ recipient, text }) => recipient === email && /^\d{6}$/m.test(text)).length;
    const before = await codes();
    await begin();
    const code = await readMailedCode(server, email);
    const answers: unknown[] = [];
    await times(ofPassword.burst + 1, async () =>
      answers.push(
        (await server.call('resendRecoveryCode', { cookies: stranger.cookies, body: { token: stranger.token ?? '' } }))
          .body,
      ),
    );
    expect(await codes()).toBe(before + ofPassword.burst);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await readMailedCode(server, email)).not.toBe(code);
    const { body } = await stranger.answer(steps.mailed, { recoverycode: await readMailedCode(server, email) });
    expect(body.challenge).toBeNull();
  });

  test('[SEG-06] limits parallel reset mails together, on PostgreSQL also those of two replicas', async () => {
    const { id, number, email } = await owner();
    const other = database === 'postgresql' ? await openQuietParts(server.parts) : null; // PGlite permits only one process
    const handlers = [server.handlers, other === null ? server.handlers : bindGuardedHandlers(withoutLimits(other))];
    try {
      const captchas: string[] = [];
      await times(document.burst + 7, async () => captchas.push(await server.solveCaptcha()));
      await Promise.all(
        captchas.map(async (captcha_response, index) => {
          const reply = await handlers[index % 2]?.requestPasswordReset({
            params: {},
            query: {},
            caller: null,
            cookies: {},
            origin: createOrigin({}),
            body: { pais_emisor: 'ar', tipo_doc: 'psp', doc: number, captcha_response },
          });
          await reply?.after?.();
        }),
      );
    } finally {
      await other?.store.close();
    }
    expect(await resets(email)).toBe(document.burst);
    expect(await withheld(id)).toHaveLength(7);
  });
});
