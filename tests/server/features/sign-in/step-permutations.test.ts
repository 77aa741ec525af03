import { createNoThrottle } from '../../support/no-throttle.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
type Step = 'password' | 'totp' | 'mailed' | 'institutional' | 'emailTOTP';
const every: readonly Step[] = ['password', 'totp', 'mailed', 'institutional', 'emailTOTP'];
/** All ordered selections of one to three steps, with repetition. */
const orders = every.flatMap((a) => [[a], ...every.flatMap((b) => [[a, b], ...every.map((c) => [a, b, c])])]);
const expired = { status: 410, code: 'sesion_expirada' };

describe('steps of a sign-in in any order', () => {
  let server: TestServer;
  let secret: string;
  /** Called after the password is verified, before the sign-in changes. */
  let hold = async (): Promise<void> => {};
  beforeAll(async () => {
    server = await openTestServer({
      env: { AGENT_DOMAINS: 'salud.gub.uy' },
      parts: (parts) => ({
        ...parts,
        throttle: createNoThrottle(parts.store),
        passwords: {
          ...parts.passwords,
          verify: async (...given) => {
            const isRight = await parts.passwords.verify(...given);
            await hold();
            return isRight;
          },
        },
      }),
    });
    await createActiveCitizen(server, 'VICTIM', password);
    const { caller } = await signInCitizen(server, 'VICTIM', password);
    ({ secret } = await setUpTotp(server, caller));
    await setUpEmail(server, caller, 'victim@example.com');
    await createActiveCitizen(server, 'MAILED', password);
    await setUpEmail(server, (await signInCitizen(server, 'MAILED', password)).caller, 'mailed@example.com');
    await createActiveCitizen(server, 'ATTACKER', 'otra-frase-larga');
  });
  afterAll(() => server.close());
  beforeEach(() => server.clock.advance(60));

  const sessions = async () =>
    (await server.parts.store.db.selectFrom('broker_sessions').select('id').where('revoked_at', 'is', null).execute())
      .length;
  /** Sends a correct response to a step. The mail step gets a well-formed code, because no code is correct there. */
  const take = async (browser: Browser, step: Step): Promise<unknown> =>
    ({
      password: () => browser.answer(steps.password, { password }),
      totp: () => browser.answer(steps.totp, { totp: computeAppCode(server, secret) }),
      mailed: () => browser.answer(steps.mailed, { recoverycode: 'ABC234' }),
      institutional: () => browser.answer(steps.institutional, { institutional_email: 'a@salud.gub.uy' }),
      emailTOTP: () => browser.answer(steps.password, { emailTOTP: true }),
    })[step]();

  test('[LOG-05] start a session only in the correct order, out of all orders of up to three steps', async () => {
    const successful: string[] = [];
    for (const order of orders) {
      server.clock.advance(60);
      const browser = openBrowser(server);
      await browser.start('VICTIM');
      for (const step of order) await take(browser, step).catch(() => {});
      if (browser.cookies.session !== undefined) successful.push(order.join(' '));
    }
    // A step out of order has no effect, except that requesting a mail after the password sends one.
    const expected = orders.filter((order) => isValidOrder(order)).map((order) => order.join(' '));
    expect(expected.length).toBeGreaterThan(5);
    expect(successful).toEqual(expected);
  });

  test('[LOG-06] cannot be reset from another browser', async () => {
    const browser = openBrowser(server);
    await browser.start('VICTIM');
    await take(browser, 'password');
    const other = openBrowser(server);
    await other.start('VICTIM');
    await expect(other.answer(steps.password, { password }, { token: browser.token })).rejects.toMatchObject(expired);
    await take(browser, 'totp');
    expect(browser.cookies.session).toBeDefined();
  });

  test.each<{ note: string; attack: (browser: Browser) => Promise<unknown> }>([
    { note: 'the code before the password', attack: (browser) => take(browser, 'totp') },
    { note: 'the mailed code before the password', attack: (browser) => take(browser, 'mailed') },
    { note: 'the institution before the password', attack: (browser) => take(browser, 'institutional') },
    {
      note: 'the code after a wrong second password',
      attack: async (browser) => {
        await take(browser, 'password');
        await browser.answer(steps.password, { password: 'otra-frase' }).catch(() => {});
        return take(browser, 'totp');
      },
    },
    {
      note: 'the institution in a citizen sign-in',
      attack: async (browser) => {
        await take(browser, 'password');
        return take(browser, 'institutional');
      },
    },
    {
      note: 'a mailed code that was not requested',
      attack: async (browser) => {
        await take(browser, 'password');
        return take(browser, 'mailed');
      },
    },
    {
      note: 'the app code after requesting a mail',
      attack: async (browser) => {
        await take(browser, 'password');
        await take(browser, 'emailTOTP');
        return take(browser, 'totp');
      },
    },
    {
      note: 'a code after ten minutes',
      attack: async (browser) => {
        await take(browser, 'password');
        server.clock.advance(601);
        return take(browser, 'totp');
      },
    },
    {
      note: 'the last step a second time',
      attack: async (browser) => {
        await take(browser, 'password');
        const token = browser.token;
        const cookies = { ...browser.cookies };
        await take(browser, 'totp');
        server.clock.advance(60);
        browser.cookies = cookies;
        return browser.answer(steps.totp, { totp: computeAppCode(server, secret) }, { token });
      },
    },
  ])('[LOG-05] are rejected as expired, without a session: $note', async ({ attack }) => {
    const browser = openBrowser(server);
    await browser.start('VICTIM');
    await expect(attack(browser)).rejects.toMatchObject(expired);
    expect(await browser.caller()).toBeNull();
  });

  test.each<{ note: string; attack: (own: Browser, other: Browser) => Promise<unknown> }>([
    {
      note: 'the password proven in another browser',
      attack: async (own, other) => {
        await take(own, 'password');
        return other.answer(steps.totp, { totp: computeAppCode(server, secret) }, { token: own.token });
      },
    },
    {
      note: 'a request without a cookie',
      attack: async (own) => {
        await take(own, 'password');
        own.cookies = {};
        return take(own, 'totp');
      },
    },
    {
      note: 'the token of a sign-in of the attacker',
      attack: async (own, other) => {
        await take(own, 'password');
        await other.answer(steps.password, { password: 'otra-frase-larga' }).catch(() => {});
        return own.answer(steps.totp, { totp: computeAppCode(server, secret) }, { token: other.token ?? 'x' });
      },
    },
    {
      note: 'a planted sign-in in the same browser',
      attack: async (own, other) => {
        other.cookies = own.cookies;
        const planted = (await other.start('ATTACKER')).body.token;
        return own.answer(steps.totp, { totp: computeAppCode(server, secret) }, { token: planted });
      },
    },
    {
      note: 'a mail request from another browser',
      attack: async (own, other) => {
        await take(own, 'password');
        return other.answer(steps.password, { emailTOTP: true }, { token: own.token });
      },
    },
  ])('[LOG-05] are rejected as expired across sign-ins, without a session: $note', async ({ attack }) => {
    const [own, other] = [openBrowser(server), openBrowser(server)];
    await own.start('VICTIM');
    await other.start('ATTACKER');
    await expect(attack(own, other)).rejects.toMatchObject(expired);
    expect(own.cookies.session).toBeUndefined();
  });

  test('[LOG-05] reject a code that was mailed to another sign-in of the same citizen', async () => {
    const [first, second] = [openBrowser(server), openBrowser(server)];
    for (const browser of [first, second]) {
      await browser.start('MAILED');
      await browser.answer(steps.password, { password });
    }
    const forSecond = await readMailedCode(server, 'mailed@example.com');
    await expect(first.answer(steps.mailed, { recoverycode: forSecond })).rejects.toMatchObject({
      code: 'codigo_incorrecto',
    });
    await second.answer(steps.mailed, { recoverycode: forSecond });
    expect(await second.caller()).not.toBeNull();
  });

  test.each([
    { note: 'the password', data: { password } },
    { note: 'the code', data: { totp: true } },
  ])('[LOG-05] advance the sign-in once, given 20 parallel requests with $note', async ({ data }) => {
    const browser = openBrowser(server);
    await browser.start('VICTIM');
    if ('totp' in data) await take(browser, 'password');
    const { token } = browser;
    const before = await sessions();
    const step = 'totp' in data ? steps.totp : steps.password;
    const answer = 'totp' in data ? { totp: computeAppCode(server, secret) } : data;
    let come = 0;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const arrive = (): void => void ((come += 1) === 20 && open());
    // Waits until all passwords are verified or rejected. A late password step is also valid: it resets the sign-in to
    // that step.
    hold = async () => {
      arrive();
      await opened;
    };
    const refused = (reason: unknown): never => {
      arrive();
      throw reason;
    };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => browser.answer(step, answer, { token }).catch(refused)),
    );
    hold = async () => {};
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toBe(before + ('totp' in data ? 1 : 0));
  });

  test('[LOG-05] expire if a factor is set up meanwhile', async () => {
    const { caller } = await signInCitizen(server, 'ATTACKER', 'otra-frase-larga');
    const browser = openBrowser(server);
    await browser.start('ATTACKER');
    await setUpTotp(server, caller);
    await expect(browser.answer(steps.password, { password: 'otra-frase-larga' })).rejects.toMatchObject(expired);
  });
});

/** Whether the password precedes the code of the app, and no mailed code is requested between them. */
function isValidOrder(order: readonly string[]): boolean {
  const from = order.indexOf('password');
  const to = order.indexOf('totp', from + 1);
  return from >= 0 && to > from && !order.slice(from, to).includes('emailTOTP');
}
