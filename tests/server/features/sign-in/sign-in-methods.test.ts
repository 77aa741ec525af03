import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSeconds } from '../../../../src/server/platform/base/clock.ts';
import { hashSecret, generateSecret } from '../../../../src/server/platform/keys/random-secrets.ts';
import { startBrowserSession } from '../../../../src/server/features/sign-in/complete-sign-in.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import { challengeNames } from '../../../../src/server/trust/identity/challenge-names.ts';
import { formatProviderAmr } from '../../../../src/server/trust/identity/session-level.ts';
import { createSignInRecord } from '../../../../src/server/trust/sessions/sign-in-record.ts';
import { authenticateBearerToken } from '../../../../src/server/trust/sessions/access-tokens.ts';
import { listMailLinks } from '../../support/account.ts';
import type { Authenticator } from '../../support/authenticator.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { createNoThrottle } from '../../support/no-throttle.ts';
import { createOrigin } from '../../support/origin.ts';
import { passkeySteps, setUpPasskey } from '../../support/passkeys.ts';
import {
  computeAppCode,
  readMailedCode,
  openBrowser,
  recordIdentityProof,
  setUpEmail,
  setUpTotp,
  signInCitizen,
  steps,
  type Browser,
} from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const fresh = 'otra-frase-nueva';
const otherFactor = 'needs_other_factor';

/** A citizen at level Intermedio with their authenticators. */
interface Person {
  readonly id: string;
  readonly number: string;
  readonly email: string;
  readonly secret: string;
  readonly codes: readonly string[];
  readonly authenticator: Authenticator | null;
}

type Setup = 'app' | 'email' | 'passkey';

describe('[ASVS-6.1.3] sign-in methods listed in SECURITY.md', () => {
  let server: TestServer;
  let serial = 0;
  beforeAll(async () => {
    server = await openTestServer({
      database: defaultDatabase,
      parts: (parts) => ({ ...parts, throttle: createNoThrottle(parts.store) }),
    });
  });
  afterAll(() => server.close());

  async function person(...setup: readonly Setup[]): Promise<Person> {
    const number = `WAY${++serial}`;
    const email = `${number.toLowerCase()}@example.com`;
    const id = await createActiveCitizen(server, number, password);
    await server.parts.store.db.updateTable('citizens').set({ level: 'Certificado' }).where('id', '=', id).execute();
    const { caller } = await signInCitizen(server, number, password);
    await recordIdentityProof(server, caller);
    const codes: string[] = [];
    let secret = '';
    let authenticator: Authenticator | null = null;
    if (setup.includes('email')) codes.push(...(await setUpEmail(server, caller, email)).codes);
    if (setup.includes('app')) {
      const app = await setUpTotp(server, caller);
      codes.push(...app.codes);
      secret = app.secret;
    }
    if (setup.includes('passkey')) {
      const key = await setUpPasskey(server, caller);
      codes.push(...key.codes);
      authenticator = key.authenticator;
    }
    return { id, number, email, secret, codes, authenticator };
  }

  /** Resets the password with the mailed link, as anyone with access to the mailbox can do. */
  async function reset({ number, email }: Person): Promise<void> {
    const body = { pais_emisor: 'ar', tipo_doc: 'psp', doc: number, captcha_response: await server.solveCaptcha() };
    await server.call('requestPasswordReset', { body });
    const token = (await listMailLinks(server, email, 'nueva-contrase')).at(-1)?.searchParams.get('token');
    await server.call('confirmPasswordReset', { body: { token, password: fresh, passwordRepeat: fresh } });
  }

  /** Submits the document and a password. Returns the response to the password step. */
  async function atPassword(browser: Browser, { number }: Person, typed: string, data: object = {}) {
    await browser.start(number);
    return (await browser.answer(steps.password, { password: typed, ...data })).body;
  }

  /** Signs in with a method that identifies the citizen: the identity card, or a wallet of the given level. */
  async function byDocument(browser: Browser, who: Person, level: 1 | 2 | 3 | 'card') {
    const { store, clock } = server.parts;
    const ci = String(10_000_000 + serial);
    await store.db
      .updateTable('citizens')
      .set({ country: 'uy', type: 'ci', number: ci })
      .where('id', '=', who.id)
      .execute();
    const step = level === 'card' ? challengeNames.card : challengeNames.wallet;
    const start = { step, document: '', citizen_id: null, redirect_url: null, process_state: null, agent: null };
    const cookie = generateSecret();
    const now = clock.now();
    const token = await createSignInRecord(store, { ...start, user_agent: '', address: browser.address }, cookie, now);
    browser.cookies.challenge = cookie;
    const shown = { challenge: hashSecret(token), number: ci, expires_at: addSeconds(now, 60), used_at: null };
    if (level === 'card')
      await store.db
        .insertInto('card_tickets')
        .values({ ...shown, hash: hashSecret(token), taken_at: now })
        .execute();
    else
      await store.db
        .insertInto('wallet_requests')
        .values({
          ...shown,
          level,
          hash: hashSecret(token),
          response: hashSecret(generateSecret()),
          here: true,
          nonce: generateSecret(),
          key: '',
          fetched_at: now,
          answered_at: now,
        })
        .execute();
    return (await browser.answer(step, {}, { token })).body;
  }

  const sessionOf = async (browser: Browser) => {
    const caller = await browser.caller();
    if (caller === null) return null;
    const { amr, nid } = await server.parts.store.db
      .selectFrom('broker_sessions')
      .select(['amr', 'nid'])
      .where('id', '=', caller.sessionId)
      .executeTakeFirstOrThrow();
    return { amr: amr.split(' '), nid };
  };

  interface Way {
    readonly setup: readonly Setup[];
    readonly go: (browser: Browser, who: Person, typed: string) => Promise<unknown>;
    /** Level of the resulting session, or the step that is still required. */
    readonly reaches: number | string;
    /** Value of `reaches` after the password was reset by mail. */
    readonly afterReset: number | string;
  }

  const ways: Readonly<Record<string, Way>> = {
    password: { setup: [], go: (b, who, typed) => atPassword(b, who, typed), reaches: 1, afterReset: 1 },
    'password, app': {
      setup: ['app', 'email'],
      async go(b, who, typed) {
        await atPassword(b, who, typed);
        await b.answer(steps.totp, { totp: computeAppCode(server, who.secret) });
      },
      reaches: 2,
      afterReset: 2,
    },
    'password, passkey': {
      setup: ['passkey'],
      async go(b, who, typed) {
        const { options } = await atPassword(b, who, typed);
        await b.answer(passkeySteps.second, { credential: who.authenticator?.use(options) });
      },
      reaches: 2,
      afterReset: 2,
    },
    'password, mailed code': {
      setup: ['email'],
      async go(b, who, typed) {
        const { challenge } = await atPassword(b, who, typed);
        if (challenge === steps.mailed)
          await b.answer(steps.mailed, { recoverycode: await readMailedCode(server, who.email) });
        return challenge;
      },
      reaches: 2,
      afterReset: otherFactor,
    },
    'password, recovery code': {
      setup: ['email'],
      async go(b, who, typed) {
        await atPassword(b, who, typed);
        await b.answer(steps.totp, { recovery: who.codes[0] });
      },
      reaches: 2,
      afterReset: 2,
    },
    passkey: {
      setup: ['passkey', 'email'],
      async go(b, who) {
        const { body } = await b.answer(passkeySteps.alone, {}, { token: null });
        await b.answer(passkeySteps.alone, { credential: who.authenticator?.use(body.options, { verified: true }) });
      },
      reaches: 2,
      afterReset: 2,
    },
    'identity card': {
      setup: ['email'],
      go: (b, who) => byDocument(b, who, 'card'),
      reaches: 3,
      afterReset: 3,
    },
    'wallet of level 1, second factor': {
      setup: ['email'],
      async go(b, who) {
        expect((await byDocument(b, who, 1)).challenge).toBe(steps.mailed);
        await b.answer(steps.mailed, { recoverycode: await readMailedCode(server, who.email) });
      },
      reaches: 2,
      afterReset: 2,
    },
    'wallet of level 2': { setup: ['email'], go: (b, who) => byDocument(b, who, 2), reaches: 2, afterReset: 2 },
    'wallet of level 3': { setup: ['email'], go: (b, who) => byDocument(b, who, 3), reaches: 3, afterReset: 3 },
  };
  /** Rows of the table in SECURITY.md for sign-ins with a redirect. `providers.test.ts` tests these sign-ins. */
  const byRedirect = [
    'identity provider of level 0',
    'identity provider of level 1',
    'identity provider of level 2 or 3',
    'foreign identity provider',
  ];
  /** Rows of the table in SECURITY.md for links and proofs that open no session. Tests below cover them. */
  const links = ['activation link', 'password reset link', 'link of a notice ("No fui yo")', 'proofing by an agent'];
  /** Rows of the table in SECURITY.md for agents. The tests of the desk cover them. */
  const agents = ['agent'];

  test('each row of the table has a case in this file', () => {
    const [, section = ''] = readFileSync('SECURITY.md', 'utf8').split('## Ways in');
    const rows = [...section.split('\n## ')[0]!.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, name]) => name);
    expect(rows.filter((name) => name !== 'method' && !name?.startsWith('---'))).toEqual([
      ...Object.keys(ways),
      ...byRedirect,
      ...links,
      ...agents,
    ]);
  });

  test.each(Object.entries(ways))('%s reaches the documented level', async (_, { setup, go, reaches }) => {
    const who = await person(...setup);
    const browser = openBrowser(server);
    const stays = await go(browser, who, password);
    expect((await sessionOf(browser))?.nid ?? stays).toBe(reaches);
  });

  test.each(Object.entries(ways))(
    '[ASVS-6.4.3] %s reaches the documented level after a password reset by mail',
    async (_, { setup, go, afterReset }) => {
      const who = await person(...setup);
      await reset(who);
      const browser = openBrowser(server);
      const stays = await go(browser, who, fresh);
      expect((await sessionOf(browser))?.nid ?? stays).toBe(afterReset);
    },
  );

  describe('[SEC-01] [ASVS-6.3.4] mailed code that was not set up', () => {
    test.each<[string, readonly Setup[], string]>([
      ['the app', ['app'], steps.totp],
      ['a passkey', ['passkey'], passkeySteps.second],
      ['the app beside a passkey', ['app', 'passkey'], steps.totp],
    ])('cannot replace %s', async (_, setup, step) => {
      const who = await person(...setup);
      const browser = openBrowser(server);
      const wish = { emailTOTP: true };
      const first = await atPassword(browser, who, password, wish);
      expect(first).toMatchObject({ challenge: step, ...(step === steps.totp && { other: false }) });
      if (setup.includes('app')) {
        expect((await browser.answer(steps.password, wish)).body.challenge).toBe(steps.totp);
        expect((await browser.answer(steps.totp, wish)).body.challenge).toBe(steps.totp);
      }
      await expect(browser.answer(steps.mailed, { recoverycode: '123456' })).rejects.toMatchObject({
        code: 'sesion_expirada',
      });
      const sent = (await server.mails()).filter(
        ({ recipient, text }) => recipient === who.email && /^\d{6}$/m.test(text),
      );
      expect(sent).toEqual([]);
    });
  });

  describe('[SEC-01] [ASVS-6.4.3] sign-in after a password reset by mail', () => {
    test('does not offer a mailed code on request, and says why', async () => {
      const who = await person('app', 'email');
      await reset(who);
      const browser = openBrowser(server);
      expect(await atPassword(browser, who, fresh, { emailTOTP: true })).toMatchObject({
        challenge: steps.totp,
        other: false,
        reset: true,
      });
      expect((await browser.answer(steps.totp, { emailTOTP: true })).body.challenge).toBe(steps.totp);
      await expect(server.call('resendRecoveryCode', { body: { token: browser.token } })).rejects.toMatchObject({
        code: 'sesion_expirada',
      });
    });

    test('rejects any answer but a valid recovery code if the account has only mailed codes', async () => {
      const who = await person('email');
      await reset(who);
      const browser = openBrowser(server);
      expect(await atPassword(browser, who, fresh)).toMatchObject({ challenge: otherFactor, reset: true });
      for (const data of [{}, { emailTOTP: true }, { recoverycode: '123456' }, { other: true }])
        await expect(browser.answer(otherFactor, data)).rejects.toMatchObject({ code: 'paso_desconocido' });
      await expect(browser.answer(otherFactor, { recovery: 'AAAABBBBCCCCDDDD' })).rejects.toMatchObject({
        code: 'codigo_incorrecto',
        field: 'recovery',
      });
      expect(await sessionOf(browser)).toBeNull();
    });

    test('is not confirmed by another sign-in without the password', async () => {
      const who = await person('email', 'passkey');
      await reset(who);
      await ways['passkey']!.go(openBrowser(server), who, fresh);
      const attacker = openBrowser(server);
      expect(await atPassword(attacker, who, fresh)).toMatchObject({ challenge: passkeySteps.second, other: false });
    });

    test.each<[string, readonly Setup[]]>([
      ['password, app', ['app', 'email']],
      ['password, recovery code', ['email']],
    ])('%s confirms the password, so that mailed codes count again', async (way, setup) => {
      const who = await person(...setup);
      await reset(who);
      await ways[way]!.go(openBrowser(server), who, fresh);
      const browser = openBrowser(server);
      expect((await atPassword(browser, who, fresh, { emailTOTP: true })).challenge).toBe(steps.mailed);
    });

    test('is confirmed by a new password that is set in a session', async () => {
      const who = await person('email', 'passkey');
      await reset(who);
      const browser = openBrowser(server);
      await ways['passkey']!.go(browser, who, fresh);
      const caller = await browser.caller();
      if (caller === null) throw new Error('not signed in');
      await recordIdentityProof(server, caller);
      const next = 'la-tercera-frase';
      await server.call('updatePassword', { caller, body: { new_pass: next, new_pass_repeat: next } });
      const other = openBrowser(server);
      expect(await atPassword(other, who, next)).toMatchObject({ challenge: passkeySteps.second, other: true });
    });

    test('permits an account without a second factor to set up mailed codes, which the next sign-in asks for', async () => {
      const who = await person();
      await reset(who);
      const browser = openBrowser(server);
      await atPassword(browser, who, fresh);
      const caller = await browser.caller();
      if (caller === null) throw new Error('not signed in');
      await setUpEmail(server, caller, who.email);
      const later = openBrowser(server);
      expect((await atPassword(later, who, fresh)).challenge).toBe(steps.mailed);
    });
  });

  describe('[SEC-01] [ASVS-6.4.4] change of an app or a passkey', () => {
    const refused = { status: 403, code: 'factor_insuficiente' };

    /** Signs in with a password and a mailed code. Returns the caller. */
    async function byMail(who: Person) {
      const browser = openBrowser(server);
      await atPassword(browser, who, password, { emailTOTP: true });
      await browser.answer(steps.mailed, { recoverycode: await readMailedCode(server, who.email) });
      const caller = await browser.caller();
      if (caller === null) throw new Error('not signed in');
      await recordIdentityProof(server, caller);
      return caller;
    }
    const factors = async (id: string) =>
      (await server.call('getMfaStatus', { caller: { citizenId: id } as never, params: { id } })).body;

    test('is rejected in a session by mailed code: deleting or creating an app, creating a passkey or recovery codes', async () => {
      const who = await person('app', 'email');
      const caller = await byMail(who);
      const { methods } = await factors(who.id);
      const attempts = [
        () => server.call('deleteTotp', { caller, params: { method: methods.totp?.id ?? '' } }),
        () => server.call('createTotp', { caller }),
        () => server.call('createPasskeyOptions', { caller }),
        () => server.call('createRecoveryCodes', { caller }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(refused);
      expect((await factors(who.id)).methods).toEqual(methods);
    });

    test('is rejected in a session by mailed code if the account got an app after the set-up began', async () => {
      const who = await person('email');
      const caller = await byMail(who);
      const { id, secret } = (await server.call('createTotp', { caller })).body; // a mailed code suffices for this call until an app is set up
      const strong = await person('app', 'email');
      await server.parts.store.db
        .updateTable('second_factors')
        .set({ citizen_id: who.id })
        .where('citizen_id', '=', strong.id)
        .where('kind', '=', 'totp')
        .execute();
      const body = { code: computeAppCode(server, secret) };
      await expect(server.call('verifyTotp', { caller, params: { method: id }, body })).rejects.toMatchObject(refused);
    });

    test('is rejected in a session by mailed code if it removes a passkey', async () => {
      const who = await person('email', 'passkey');
      const caller = await byMail(who);
      const [key] = (await factors(who.id)).llaves;
      await expect(server.call('deletePasskey', { caller, params: { llave: key?.id ?? '' } })).rejects.toMatchObject(
        refused,
      );
    });

    test('is permitted in a session by mailed code for mailed codes, and for the first app', async () => {
      const both = await person('app', 'email');
      const caller = await byMail(both);
      const { methods } = await factors(both.id);
      await server.call('deleteEmailMethod', { caller, params: { method: methods.email?.id ?? '' } });
      expect((await factors(both.id)).methods.email).toBeNull();
      const mail = await person('email');
      await setUpTotp(server, await byMail(mail));
      expect((await factors(mail.id)).methods.totp).not.toBeNull();
    });

    test.each<[string, readonly string[], boolean]>([
      ['the app', [steps.password, steps.totp], true],
      ['a passkey', [challengeNames.passkey], true],
      ['a recovery code', [steps.password, steps.backup], true],
      ['the card', [challengeNames.card], true],
      ['a wallet of level 2', ['urn:iduruguay:am:wallet:2'], true],
      ['a provider of level 2', [formatProviderAmr(2)], true],
      ['a password', [steps.password], false],
      ['a mailed code', [steps.password, steps.mailed], false],
      ['a wallet of level 1 and a mailed code', ['urn:iduruguay:am:wallet:1', steps.mailed], false],
      ['a provider of level 1', [formatProviderAmr(1)], false],
    ])('is permitted in a session by %s (%j): %s', async (_, amr, removes) => {
      const who = await person('app', 'email');
      const citizen = await findCitizen(server.parts.store.db, who.id);
      if (citizen === null) throw new Error('there is no such citizen');
      const begun = await server.parts.commands.run(createOrigin(), (command) =>
        startBrowserSession(command, server.parts, {}, { citizen, device: null, amr, nid: 2, role: 'citizen' }),
      );
      const session = begun.cookies.session;
      const { token } = (await server.call('obtainToken', { cookies: { session: session?.value } })).body;
      const caller = await authenticateBearerToken(server.parts, token);
      if (caller === null) throw new Error('not signed in');
      await recordIdentityProof(server, caller);
      const { methods } = await factors(who.id);
      const removal = server.call('deleteTotp', { caller, params: { method: methods.totp?.id ?? '' } });
      if (removes) expect((await removal).body).toEqual({});
      else await expect(removal).rejects.toMatchObject(refused);
    });
  });
});
