import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getPendingSignIn } from '../../../../src/server/features/sign-in/index.ts';
import { password } from '../../support/account.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { openBrowser, steps, type Browser } from '../../support/sign-in-browser.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe('[LOG-05] getPendingSignIn', () => {
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
    'returns the document that the browser sent, with or without an account: %s',
    async (number) => {
      expect(await pendingOf(await started(number))).toEqual(typed(number));
    },
  );

  test('returns the latest document, and no token', async () => {
    const browser = await started('PENDING1');
    server.clock.advance(1);
    await browser.start('SECOND2');
    expect(await pendingOf(browser)).toEqual(typed('SECOND2'));
  });

  test('returns nothing to another browser and without the cookie', async () => {
    await started('PENDING1');
    expect(await pendingOf({ cookies: {} })).toEqual({});
    expect(await pendingOf(await started('OTHER3'))).toEqual(typed('OTHER3'));
    expect(await pendingOf({ cookies: { challenge: 'planted' } })).toEqual({});
  });

  test('returns nothing after the sign-in was completed or has expired, and logout clears the cookie', async () => {
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

  test('returns nothing once the request of the application has ended', async () => {
    const browser = openBrowser(server);
    await browser.start('PENDING1', { process_state: 'asked' });
    const pending = (waits: boolean) =>
      getPendingSignIn({ ...server.parts, pendingRequests: { findRequest: async () => waits || null } as never }, {
        cookies: browser.cookies,
      } as never);
    expect(await pending(true)).toEqual({ body: typed('PENDING1') });
    expect(await pending(false)).toEqual({ body: {} });
  });

  test('returns nothing for a sign-in that started with a passkey', async () => {
    const browser = openBrowser(server);
    await browser.answer('passkey', {});
    expect(browser.cookies.challenge).toBeDefined();
    expect(await pendingOf(browser)).toEqual({});
  });
});
