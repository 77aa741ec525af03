import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { performAccountAction, describeAccount } from '../../../../src/server/features/account/account-actions.ts';
import { normalizeDocument, parseEnteredDocument } from '../../../../src/server/platform/base/identity-document.ts';
import { markMailRefused } from '../../../../src/server/platform/mail/outbox.ts';
import { generateTotpSecret, buildTotpVaultPurpose } from '../../../../src/server/trust/credentials/second-factors.ts';
import { credentialAttemptLimits } from '../../../../src/server/trust/credentials/index.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { createBrazilEntry, writeProvidersFile } from '../../support/test-issuer.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { beginFlow, callback, followRedirects, configureRelyingParty } from '../../support/relying-party.ts';

const document = '45123784';
const passwordStep = 'urn:iduruguay:am:password';
const manual = readFileSync(resolve(import.meta.dirname, '../../../../src/server/operation.md'), 'utf8');

let server: LiveServer;
let account = '';
let browser: Browser;
let last: Response;

beforeAll(async () => {
  server = await startLiveServer({
    IDPS_FILE: writeProvidersFile([createBrazilEntry(`http://127.0.0.1:${await findFreePort()}`)]),
    IDP_SECRETS: 'br=el-secreto',
  });
  await server.register({ id: 'app', name: 'Trámites', redirectUris: [callback] });
  account = (
    await server.parts.store.db
      .selectFrom('citizens')
      .select('id')
      .where('number', '=', document)
      .where('country', '=', 'uy')
      .executeTakeFirstOrThrow()
  ).id;
});
afterAll(() => server.close());
beforeEach(async () => {
  browser = openBrowser(server.origin, async (...request) => (last = await fetch(...request)));
  const { db } = server.parts.store;
  await db.deleteFrom('throttle').execute();
  await db.deleteFrom('second_factors').where('citizen_id', '=', account).execute();
});

/** Returns the log line of the last request. */
const readLogLine = async () => (await server.logOf(last.headers.get('x-request-id')))[0] ?? {};
const listShown = async () =>
  (await describeAccount(server.parts, parseEnteredDocument(document), 'marta'))?.join('\n') ?? '';

async function answer(challenge: string, data: object, token: string | null = null, extra: object | null = null) {
  const response = await browser.post('/auth/login', { challenge, data_challenge: data, extra, token });
  return { status: response.status, ...(await response.json()) };
}
const named = { username: document, pais_emisor: null, tipo_documento: null };
const begin = async (extra: object | null = null) => (await answer('username', named, null, extra)).token as string;
const right = { password: 'tres-tazas-de-mate' };

/** Adds a second factor to the account. Returns its secret. */
async function addFactor(kind: 'totp' | 'email'): Promise<string> {
  const secret = generateTotpSecret();
  const id = crypto.randomUUID();
  const now = new Date();
  await server.parts.store.db
    .insertInto('second_factors')
    .values({
      id,
      citizen_id: account,
      kind,
      secret: kind === 'totp' ? server.parts.vault.encrypt(buildTotpVaultPurpose(id), secret) : null,
      last_step: null,
      created_at: now,
      activated_at: now,
    })
    .execute();
  return secret;
}

/** Expects the row for this case in the operators' manual to contain the observed values. */
function expectDocumented(name: string, ...found: readonly string[]): void {
  const row = manual.split('\n').find((text) => text.startsWith(`| ${name} |`)) ?? '';
  for (const text of found) expect(row).toContain(text);
}

describe('[OPER-01] diagnosis of a failed sign-in', () => {
  const own = { network: '127.0.x.x' };

  test('shows a wrong password in the log, the account and the manual', async () => {
    const state = await requestProcessState();
    await answer(passwordStep, { password: 'otra' }, await begin({ process_state: state }));
    expect(await readLogLine()).toMatchObject({
      ...own,
      code: 'credenciales',
      step: passwordStep,
      client_id: 'app',
      account,
      status: 400,
    });
    expect(JSON.stringify(await readLogLine())).not.toContain(document);
    expect(await listShown()).toMatch(/sign-in-failed {2}challenge=urn:iduruguay:am:password {2}127\.0\.x\.x/);
    expectDocumented('wrong password', '`credenciales`', '`sign-in-failed`');
  });

  test('logs no account for an unknown document', async () => {
    const { token } = await answer('username', { ...named, username: '12345672' });
    await answer(passwordStep, { password: 'otra' }, token);
    expect(await readLogLine()).toMatchObject({ ...own, code: 'credenciales' });
    expect(await readLogLine()).not.toHaveProperty('account');
  });

  test('shows a blocked account in the log, the account and the manual', async () => {
    const act = (name: 'block' | 'unblock') =>
      performAccountAction(server.parts, {
        act: name,
        document: normalizeDocument(null, null, document),
        reason: 'x',
        operator: 'marta',
      });
    await act('block');
    await answer(passwordStep, right, await begin());
    expect(await readLogLine()).toMatchObject({ ...own, code: 'account_blocked', step: passwordStep, account });
    expect(await listShown()).toMatch(/^blocked +2/m);
    await act('unblock');
    expectDocumented('account blocked', '`account_blocked`', '`blocked`');
  });

  test('shows a bounced mail in the account and the manual', async () => {
    await addFactor('email');
    await answer(passwordStep, right, await begin());
    const { db } = server.parts.store;
    const { id } = await db
      .selectFrom('outbox')
      .select('id')
      .where('citizen_id', '=', account)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    await markMailRefused(server.parts.store, id, '550 5.1.1 no such user');
    expect(await listShown()).toMatch(new RegExp(`^ {2}mail ${id} .*refused .*550 5\\.1\\.1 no such user$`, 'm'));
    expectDocumented('mail bounced', 'a mail was refused for good', '`mail`', '`refused`');
  });

  test('shows an expired code in the log, the account and the manual', async () => {
    await addFactor('email');
    const token = await begin();
    await answer(passwordStep, right, token);
    await server.parts.store.db
      .updateTable('mailed_codes')
      .set({ expires_at: new Date(0) })
      .where('citizen_id', '=', account)
      .execute();
    await answer('urn:iduruguay:am:recoverycode', { recoverycode: '123456' }, token);
    expect(await readLogLine()).toMatchObject({
      ...own,
      code: 'codigo_incorrecto',
      step: 'urn:iduruguay:am:recoverycode',
      account,
      reason: 'expired',
    });
    expect(await listShown()).toContain('reason=expired');
    expectDocumented('mailed code rejected', '`codigo_incorrecto`', '`expired`');
  });

  test('logs a sign-in that took longer than ten minutes as expired', async () => {
    const token = await begin();
    await server.parts.store.db
      .updateTable('challenges')
      .set({ expires_at: new Date(0) })
      .execute();
    await answer(passwordStep, right, token);
    expect(await readLogLine()).toMatchObject({
      ...own,
      code: 'sesion_expirada',
      step: passwordStep,
      account,
      reason: 'expired',
    });
  });

  test('shows throttled attempts in the log, the account and the manual', async () => {
    const token = await begin();
    const now = new Date(Date.now() + 600_000); // in the future, so that the delay has not ended on a slow machine
    const counted = { document: `uy-ci-${document}` };
    for (let count = 0; count < 12; count += 1)
      await server.parts.throttle.admit(credentialAttemptLimits.signIn, counted, now).catch(() => undefined);
    const { status } = await answer(passwordStep, right, token);
    expect(status).toBe(429);
    expect(await readLogLine()).toMatchObject({ ...own, code: 'demasiados_intentos', step: passwordStep, account });
    expect((await readLogLine())['reason']).toBe('signIn document');
    expect(await listShown()).toMatch(/^ {2}throttle signIn document {2}10 tries {2}until 2/m);
    expectDocumented('too many attempts', '`demasiados_intentos`', '`throttle`');
  });

  test('shows a wrong captcha solution in the log and the manual', async () => {
    const challenge = await server.parts.captcha.challenge();
    const body = { pais_emisor: 'uy', tipo_doc: 'ci', doc: document };
    const wrong = Buffer.from(JSON.stringify({ challenge, solution: { counter: 0, derivedKey: '' } }));
    await browser.post('/account/resend_activation/', { ...body, captcha_response: wrong.toString('base64') });
    expect(await readLogLine()).toMatchObject({ ...own, code: 'captcha_invalido', reason: 'wrong' });
    expectDocumented('captcha', '`captcha_invalido`', '`wrong`');
  });

  test('shows an unreachable identity provider in the log and the manual', async () => {
    await browser.get('/auth/idp-login?idp=br');
    expect(await readLogLine()).toMatchObject({ ...own, code: 'provider-failed', step: 'br' });
    expectDocumented('identity provider', '`provider-failed`');
  });

  test("shows the clock skew of the citizen's app in the log, the account and the manual", async () => {
    const secret = await addFactor('totp');
    const token = await begin();
    await answer(passwordStep, right, token);
    const late = generateSync({ secret, epoch: Date.now() / 1000 - 300 });
    await answer('urn:iduruguay:am:totp', { totp: late }, token);
    expect(await readLogLine()).toMatchObject({
      ...own,
      code: 'codigo_incorrecto',
      step: 'urn:iduruguay:am:totp',
      account,
    });
    expect((await readLogLine())['reason']).toMatch(/^clock-skew -(270|300|330) s$/);
    expect(await listShown()).toContain('reason=clock-skew');
    expectDocumented('clock of the phone', '`clock-skew', '`codigo_incorrecto`');
  });

  test('shows a session ended by inactivity in the log, the account and the manual', async () => {
    await browser.signIn();
    await server.parts.store.db
      .updateTable('broker_sessions')
      .set({ idle_at: new Date(0) })
      .where('citizen_id', '=', account)
      .execute();
    await browser.bearer().catch(() => undefined);
    expect(await readLogLine()).toMatchObject({ ...own, code: 'no_autenticado', account, reason: 'idle' });
    expect(await listShown()).toMatch(/^ {2}session {2}2.* idle since 1970/m);
    expectDocumented('session ended', '`no_autenticado`', '`idle`', '`session`');
  });

  test('shows a misconfigured application in the log and the manual', async () => {
    const query = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:9/no',
    });
    await browser.get(`/oidc/v1/authorize?${query}`);
    expect(await readLogLine()).toMatchObject({
      ...own,
      code: 'invalid_redirect_uri',
      client_id: 'app',
      step: 'authorization',
    });
    await browser.get('/oidc/v1/authorize?client_id=45123784&response_type=code');
    expect(await readLogLine()).toMatchObject({ ...own, code: 'invalid_client' });
    expect(JSON.stringify(await readLogLine())).not.toContain(document);
    await browser.get('/v1.1/idp/profile/SAML2/Redirect/SSO?SAMLRequest=x');
    expect(await readLogLine()).toMatchObject({ ...own, code: 'saml-refused' });
    expectDocumented('application misconfigured', '`invalid_redirect_uri`', '`invalid_client`', '`saml-refused`');
  });
});

/** Sends an authorization request of the application. Returns its `process_state`. */
async function requestProcessState(): Promise<string> {
  const { url } = await beginFlow(await configureRelyingParty(server.origin, 'app', 'x'));
  return new URL(await followRedirects(browser, url.href, server.origin)).searchParams.get('process_state') ?? '';
}
