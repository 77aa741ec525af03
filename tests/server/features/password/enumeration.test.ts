import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { lookUpText } from '../../../../src/server/app/server-modules.ts';
import { toErrorResponse } from '../../../../src/server/platform/http/error-response.ts';
import { openDatabaseStore } from '../../../../src/server/platform/database/open-store.ts';
import { credentialAttemptLimits } from '../../../../src/server/trust/credentials/index.ts';
import { createAttemptThrottle } from '../../../../src/server/trust/abuse/attempt-throttle.ts';
import { createActiveCitizen, createForeignRegistration } from '../../support/citizen-data.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { openBrowser, setUpTotp, signInCitizen, steps } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';
import { startPostgres } from '../../support/postgres.ts';
import { placeDatabase } from '../../support/tables.ts';

const password = 'la-frase-correcta';
/** Serialises a response with its random tokens of 256 bits masked, so that two responses can be compared. */
const masked = (answer: unknown) => JSON.stringify(answer).replace(/[\w-]{43}/g, '*');

describe('[LOG-05 CLAVE-02] enumeration of accounts', () => {
  let server: TestServer;
  let serial = 0;
  const accounts = ['KNOWN', 'TWOFACTOR', 'BLOCKED', 'INACTIVE', 'COUNTER', 'NOBODY', 'NOBODY2'];
  beforeAll(async () => {
    server = await openTestServer();
    for (const number of ['KNOWN', 'TWOFACTOR', 'BLOCKED', 'COUNTER'])
      await createActiveCitizen(server, number, password);
    await setUpTotp(server, (await signInCitizen(server, 'TWOFACTOR', password)).caller);
    await server.call('registerCitizen', {
      body: await createForeignRegistration(server, 'INACTIVE', { email: 'inactive@example.com' }),
    });
    const { db } = server.parts.store;
    await db.updateTable('citizens').set({ blocked_at: server.clock.now() }).where('number', '=', 'BLOCKED').execute();
    await db
      .updateTable('citizens')
      .set({ email: null, email_verified_at: null })
      .where('number', '=', 'COUNTER')
      .execute();
    await db
      .deleteFrom('credentials')
      .where('citizen_id', 'in', db.selectFrom('citizens').select('id').where('number', '=', 'COUNTER'))
      .execute();
  });
  afterAll(() => server.close());
  beforeEach(() => server.clock.advance(24 * 60 * 60 + 1));

  /** Serialises a complete response: body, cookies and status, or the error body. */
  const wire = (call: Promise<{ body: unknown; cookies?: unknown; status?: number }>) =>
    call.then(
      ({ body, cookies, status }) => masked({ body, cookies, status }),
      (error: unknown) => masked(toErrorResponse(error, 'es', lookUpText)),
    );
  const address = () => `192.0.2.${++serial % 250}`;
  const agent = { redirect_url: null, agnt: '1', process_state: null };

  test.each<{ note: string; ask: (number: string) => Promise<{ body: unknown; cookies?: unknown; status?: number }> }>([
    { note: 'a document', ask: (number) => openBrowser(server, address()).start(number) },
    { note: 'a document in an agent sign-in', ask: (number) => openBrowser(server, address()).start(number, agent) },
    {
      note: 'a wrong password',
      ask: async (number) => {
        const browser = openBrowser(server, address());
        await browser.start(number);
        return browser.answer(steps.password, { password: 'una-frase-falsa' });
      },
    },
    {
      note: 'the eleventh wrong password',
      ask: async (number) => {
        const from = address();
        for (let attempt = 1; attempt <= 10; attempt++) {
          const browser = openBrowser(server, from);
          await browser.start(number);
          await browser.answer(steps.password, { password: 'una-frase-falsa' }).catch(() => {});
        }
        const browser = openBrowser(server, from);
        await browser.start(number);
        return browser.answer(steps.password, { password: 'una-frase-falsa' });
      },
    },
    {
      note: 'asking for a code without a password',
      ask: async (number) => {
        const browser = openBrowser(server, address());
        await browser.start(number);
        return browser.answer(steps.password, { emailTOTP: true });
      },
    },
    {
      note: 'a code of an app without a password',
      ask: async (number) => {
        const browser = openBrowser(server, address());
        await browser.start(number);
        return browser.answer(steps.totp, { totp: '123456' });
      },
    },
    {
      note: 'an agent mailbox without a password',
      ask: async (number) => {
        const browser = openBrowser(server, address());
        await browser.start(number, agent);
        return browser.answer(steps.institutional, { institutional_email: 'a@salud.gub.uy' });
      },
    },
    {
      note: 'a request to mail the code again',
      ask: async (number) => {
        const browser = openBrowser(server, address());
        await browser.start(number);
        return server.call('resendRecoveryCode', { body: { token: browser.token ?? '' } });
      },
    },
    {
      note: 'a request for a password reset',
      ask: async (doc) =>
        server.call('requestPasswordReset', {
          address: address(),
          body: { pais_emisor: 'ar', tipo_doc: 'psp', doc, captcha_response: await server.solveCaptcha() },
        }),
    },
    {
      note: 'a request to mail the activation again',
      ask: async (doc) =>
        server.call('resendActivation', {
          address: address(),
          body: { pais_emisor: 'ar', tipo_doc: 'psp', doc, captcha_response: await server.solveCaptcha() },
        }),
    },
  ])('$note returns the same bytes for every state of an account', async ({ ask }) => {
    const answers: string[] = [];
    for (const number of accounts) answers.push(await wire(ask(number)));
    expect(new Set(answers).size, answers.join('\n')).toBe(1);
    expect(answers[0]).not.toContain('error_interno');
  });

  test.each(accounts)('[LOG-05] a wrong password for %s costs one hash', async (number) => {
    const verify = vi.spyOn(server.parts.passwords, 'verify');
    const browser = openBrowser(server, address());
    await browser.start(number);
    await browser.answer(steps.password, { password: 'una-frase-falsa' }).catch(() => {});
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockRestore();
  });
});

describe('sign-in throttle', () => {
  const tries = async (
    throttle: ReturnType<typeof createAttemptThrottle>,
    clock: ReturnType<typeof createFakeClock>,
    count: number,
  ) => {
    for (let attempt = 1; attempt <= count; attempt++)
      await throttle.admit(credentialAttemptLimits.signIn, { address: '192.0.2.1', document: 'ar-psp-X' }, clock.now());
  };
  const refused = (throttle: ReturnType<typeof createAttemptThrottle>, clock: ReturnType<typeof createFakeClock>) =>
    throttle.admit(credentialAttemptLimits.signIn, { address: '192.0.2.1', document: 'ar-psp-X' }, clock.now()).then(
      () => 0,
      (error: { retryAfter: number }) => error.retryAfter,
    );

  test('[LOG-14] delays from the eleventh attempt, doubles the delay up to 15 minutes, never locks, and survives a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-throttle-'));
    const log = pino({ level: 'silent' });
    const clock = createFakeClock();
    await placeDatabase(folder);
    const first = await openDatabaseStore({ folder }, log);
    await tries(createAttemptThrottle(first), clock, 10);
    expect(await refused(createAttemptThrottle(first), clock)).toBe(1);
    await first.close();

    const second = await openDatabaseStore({ folder }, log);
    const throttle = createAttemptThrottle(second);
    const waits: number[] = [];
    for (let attempt = 11; attempt <= 24; attempt++) {
      const wait = await refused(throttle, clock);
      waits.push(wait);
      clock.advance(wait);
      expect(await refused(throttle, clock)).toBe(0); // admits the attempt, because the delay has passed
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
    await second.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('[LOG-14] counts the attempts of two replicas together', async () => {
    const postgres = await startPostgres({ tables: true });
    const log = pino({ level: 'silent' });
    const clock = createFakeClock();
    const stores = [
      await openDatabaseStore({ url: postgres.url, pool: 4 }, log),
      await openDatabaseStore({ url: postgres.url, pool: 4 }, log),
    ] as const;
    const [one, two] = [createAttemptThrottle(stores[0]), createAttemptThrottle(stores[1])];
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).admit(
          credentialAttemptLimits.signIn,
          { address: '192.0.2.1', document: 'ar-psp-X' },
          clock.now(),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const store of stores) await store.close();
    await postgres.stop();
  });
});
