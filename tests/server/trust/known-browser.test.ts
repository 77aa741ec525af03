import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOwner, password, confirmPassword, listMailSubjects, type Owner } from '../support/account.ts';
import { defaultDatabase } from '../support/databases.ts';
import { credentialAttemptLimits } from '../../../src/server/trust/credentials/index.ts';
import { serverModule as passwordModule } from '../../../src/server/features/password/index.ts';
import { readMailedCode, openBrowser, setUpEmail, signInCitizen, steps } from '../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const resetSubject = 'Restablecé tu contraseña de Usuario digital';
const refused = { status: 429, code: 'demasiados_intentos' };

describe.each([defaultDatabase])('attempts from a known browser on %s', (database) => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  const owner = () => createOwner(server, `OWN${++serial}`);
  const strangers = () => `198.51.100.${++serial}`;
  const reset = async (doc: string, from: { address: string; cookies?: { device?: string } }) =>
    server.call('requestPasswordReset', {
      ...from,
      body: { pais_emisor: 'ar', tipo_doc: 'psp', doc, captcha_response: await server.solveCaptcha() },
    });
  /** Repeats an action until a limit rejects it. */
  const useUp = async (work: () => Promise<unknown>) => {
    for (let tries = 0; tries < 20; tries += 1) {
      const error = await work().then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null) return expect(error).toMatchObject(refused);
    }
    throw new Error('nothing was refused');
  };

  test.each([
    ['sign-ins', credentialAttemptLimits.signIn, ({ number }: Owner) => signInCitizen(server, number, password)],
    [
      'proofs of identity',
      passwordModule.limits.verifyIdentity,
      ({ caller }: Owner) => confirmPassword(server, caller),
    ],
  ] as const)('[SEG-06] are limited even with the correct password: %s', async (_, { kinds }, check) => {
    const { db } = server.parts.store;
    const who = await owner();
    await db.deleteFrom('throttle').execute();
    await check(who);
    const counted = db.updateTable('throttle').where('tries', '>', 0); // counters that a success does not reset
    await counted.set({ tries: kinds.checks.free - 2 }).execute();
    for (let again = 0; again < 2; again += 1) await check(who);
    await expect(check(who)).rejects.toMatchObject(refused);
    await db.deleteFrom('throttle').execute();
  });

  test("[SEG-06 CLAVE-01] are counted separately from a stranger's requests for reset links", async () => {
    const { number, email, browser } = await owner();
    await useUp(() => reset(number, { address: strangers() }));
    const before = (await listMailSubjects(server, email)).filter((subject) => subject === resetSubject).length;
    const { device = '' } = browser.cookies;
    await reset(number, { address: strangers(), cookies: { device } });
    expect((await listMailSubjects(server, email)).filter((subject) => subject === resetSubject)).toHaveLength(
      before + 1,
    );
    const other = await owner();
    const foreign = { device: other.browser.cookies.device ?? '' };
    await expect(
      reset(number, { address: strangers(), cookies: foreign }),
      'cookie of another citizen',
    ).rejects.toMatchObject(refused);
    await useUp(() => reset(number, { address: strangers(), cookies: { device } }));
  });

  test('[SEG-06 LOG-04] are counted separately from mailed codes requested by a stranger with the password', async () => {
    const { number, email, browser, caller } = await owner();
    await confirmPassword(server, caller);
    await setUpEmail(server, caller, email);
    await useUp(async () => {
      const thief = openBrowser(server, strangers());
      await thief.start(number);
      await thief.answer(steps.password, { password });
    });
    await browser.start(number);
    const { body: asked } = await browser.answer(steps.password, { password });
    expect(asked.challenge).toBe(steps.mailed);
    const { cookies, token } = browser;
    await server.call('resendRecoveryCode', { cookies, address: strangers(), body: { token: token ?? '' } });
    const { body } = await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, email) });
    expect(body.challenge).toBeNull();
  });
});
