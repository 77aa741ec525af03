import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getPendingSignIn } from '../../../../src/server/features/sign-in/index.ts';
import { password } from '../../support/account.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { openBrowser, steps, type Browser } from '../../support/sign-in-browser.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe('[LOG-05] the document of a sign-in in progress', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database: defaultDatabase });
    await createActiveCitizen(server, 'PENDING1', password);
  });
  afterAll(() => server.close());

  const pendingOf = async ({ cookies }: Pick<Browser, 'cookies'>) =>
    (await server.call('getPendingSignIn', { cookies })).body;
  const typed = (username: string) => ({ pais_emisor: 'ar', tipo_documento: 'psp', username });
  const started = async (number: string) => {
    const browser = openBrowser(server);
    await browser.start(number);
    return browser;
  };

  test.each(['PENDING1', 'NOBODY'])(
    'is what the browser typed, whether an account has it or not: %s',
    async (number) => {
      expect(await pendingOf(await started(number))).toEqual(typed(number));
    },
  );

  test('is the latest one, and is no token', async () => {
    const browser = await started('PENDING1');
    server.clock.advance(1);
    await browser.start('SECOND2');
    expect(await pendingOf(browser)).toEqual(typed('SECOND2'));
  });

  test('is told to no other browser, and to none without the cookie', async () => {
    await started('PENDING1');
    expect(await pendingOf({ cookies: {} })).toEqual({});
    expect(await pendingOf(await started('OTHER3'))).toEqual(typed('OTHER3'));
    expect(await pendingOf({ cookies: { challenge: 'planted' } })).toEqual({});
  });

  test('is gone when the sign-in has ended: completed, left by a logout, or expired', async () => {
    const completed = await started('PENDING1');
    const { challenge = '' } = completed.cookies;
    await completed.answer(steps.password, { password });
    expect(await pendingOf(completed)).toEqual({});
    expect(await pendingOf({ cookies: { challenge } })).toEqual({});

    const left = await started('PENDING1');
    const { cookies } = await server.call('logout', { cookies: left.cookies, body: {} });
    expect(cookies?.challenge).toBeNull();

    const late = await started('PENDING1');
    server.clock.advance(10 * 60);
    expect(await pendingOf(late)).toEqual({});
  });

  test('of a request of an application is gone with the request', async () => {
    const browser = openBrowser(server);
    await browser.start('PENDING1', { process_state: 'asked' });
    const pending = (waits: boolean) =>
      getPendingSignIn({ ...server.parts, interactions: { find: async () => waits || null } as never }, {
        cookies: browser.cookies,
      } as never);
    expect(await pending(true)).toEqual({ body: typed('PENDING1') });
    expect(await pending(false)).toEqual({ body: {} });
  });

  test('is none of a sign-in that began without one', async () => {
    const browser = openBrowser(server);
    await browser.answer('passkey', {});
    expect(browser.cookies.challenge).toBeDefined();
    expect(await pendingOf(browser)).toEqual({});
  });
});
