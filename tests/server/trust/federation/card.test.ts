import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openClientCertificateListener } from '../../../../src/server/app/start-server.ts';
import { authenticateBearerToken } from '../../../../src/server/trust/sessions/access-tokens.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import {
  createExtendedKeyUsage,
  issueCertificate,
  issuePerson,
  issueRoot,
  createKeyUsage,
  encodePem,
  encodePrivateKey,
  createRevocationList,
  keyUsageFlags,
  type CertificateOptions,
  type IssuedCertificate,
} from '../../support/certificates.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';

const now = new Date();
const method = 'urn:iduruguay:am:ci';
const clientAuth = '1.3.6.1.5.5.7.3.2';
const ana = 'DNI45123784';
const proxySecret = 'lo-que-solo-el-proxy-escribe-aqui';
const forCards = [createKeyUsage(keyUsageFlags.digitalSignature), createExtendedKeyUsage(clientAuth)];

let folder: string;
let root: IssuedCertificate;
let server: LiveServer;
let behindProxy: LiveServer;
const logged: { reason?: string; code?: string; reqId?: string }[] = [];
const closers: (() => Promise<void>)[] = [];
const cards: Record<string, IssuedCertificate | null> = {};

const issueCard = (number: string, options: CertificateOptions = {}): Promise<IssuedCertificate> =>
  issuePerson(now, root, number, { extensions: forCards, ...options });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'card-'));
  root = await issueRoot(now, { subject: 'CN=Autoridad de cédulas' });
  const stranger = await issueRoot(now, { subject: 'CN=Otra autoridad' });
  Object.assign(cards, {
    good: await issueCard(ana),
    revoked: await issueCard(ana),
    expired: await issueCard(ana, { days: [-30, -1] }),
    early: await issueCard(ana, { days: [1, 30] }),
    foreign: await issuePerson(now, stranger, ana, { extensions: forCards }),
    signing: await issueCard(ana, {
      extensions: [createKeyUsage(keyUsageFlags.nonRepudiation), createExtendedKeyUsage(clientAuth)],
    }),
    unmarked: await issueCard(ana, { extensions: [createKeyUsage(keyUsageFlags.digitalSignature)] }),
    nameless: await issueCard(ana, { subject: 'CN=Ana' }),
    otherCountry: await issueCard(ana, { subject: `CN=Ana, 2.5.4.5=${ana}, C=AR` }),
    twoCountries: await issueCard(ana, { subject: `CN=Ana, 2.5.4.5=${ana}, C=UY, C=AR` }),
    passport: await issueCard('PSP45123784'),
    nobody: await issueCard('CI12345672'),
    other: await issueCard('CI29458715'),
    none: null,
  });
  const files = { roots: join(folder, 'roots.pem'), lists: join(folder, 'lists.pem'), tls: join(folder, 'tls.pem') };
  const own = await issueCertificate(now, { subject: 'CN=127.0.0.1' });
  await writeFile(files.roots, encodePem(root));
  await writeFile(files.lists, await createRevocationList(now, root, [cards['revoked']!]));
  await writeFile(files.tls, `${encodePem(own)}\n${await encodePrivateKey(own)}`);
  const port = await findFreePort();
  const trusted = { FLAGS: 'ci_electronica=on', CARD_ROOTS: files.roots, CARD_CRLS: files.lists };
  server = await startLiveServer({
    ...trusted,
    CARD_URL: `https://127.0.0.1:${port}`,
    CARD_PORT: String(port),
    CARD_TLS: files.tls,
  });
  behindProxy = await startLiveServer({
    ...trusted,
    CARD_URL: 'https://cedula.example',
    CARD_PROXY: '127.0.0.0/8,10.0.0.0/8',
    CARD_PROXY_SECRET: proxySecret,
  });
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const listener = await openClientCertificateListener(server.parts.config, server.parts, log);
  closers.push(() => listener?.close() ?? Promise.resolve());
});
test.each([
  ['ECDHE-ECDSA-AES256-GCM-SHA384', true],
  ['ECDHE-ECDSA-AES128-SHA', false],
])('[ASVS-12.1.2] card listener accepts the cipher suite %s: %s', async (ciphers, isTaken) => {
  const { port } = new URL(server.parts.config.card?.url ?? '');
  const agreed = await new Promise((done) => {
    const socket = connect({ port: Number(port), ciphers, maxVersion: 'TLSv1.2', rejectUnauthorized: false }, () => {
      done(true);
      socket.destroy();
    }).on('error', () => done(false));
  });
  expect(agreed).toBe(isTaken);
});

afterAll(async () => {
  for (const close of closers) await close();
  await server.close();
  await behindProxy.close();
  await rm(folder, { recursive: true, force: true });
});

interface ListenerResponse {
  readonly status: number;
  readonly location: string;
  readonly text: string;
  readonly session: Buffer | undefined;
}

/** Opens a URL of the card listener with a client certificate, as a browser does after the PIN is entered. */
async function presentCard(
  url: string,
  card: IssuedCertificate | null,
  options: { session?: Buffer | undefined; maxVersion?: 'TLSv1.2' | 'TLSv1.3' } = {},
): Promise<ListenerResponse> {
  const own = card && { cert: encodePem(card), key: await encodePrivateKey(card) };
  return new Promise((done, failed) => {
    let session: Buffer | undefined;
    const sent = request(url, { ...own, ...options, rejectUnauthorized: false, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, location: response.headers.location ?? '', text, session }),
      );
    });
    sent.on('socket', (socket) => (socket as TLSSocket).on('session', (ticket: Buffer) => (session = ticket)));
    sent.on('error', failed).end();
  });
}

interface StartedSignIn {
  readonly token: string;
  readonly location: string;
  readonly ticket: string;
}

/** Starts a sign-in with an identity card. */
async function begin(browser: Browser, extra: object | null = null): Promise<StartedSignIn> {
  const response = await browser.post('/auth/login', { challenge: method, data_challenge: {}, extra, token: null });
  const { token, location } = await response.json();
  return { token, location, ticket: new URL(location).searchParams.get('ticket') ?? '' };
}

/** Completes a sign-in with the token from its start, as the portal's page does after the card was read. */
const finish = (browser: Browser, token: string): Promise<Response> =>
  browser.post('/auth/login', { challenge: method, data_challenge: {}, extra: null, token });

const tokenOf = (location: string): string => new URL(location).searchParams.get('tarjeta') ?? '';

describe('[FED-06 LOG-10] sign-in with an identity card', () => {
  test('signs the citizen in at level 3 and preserves the redirect URL', async () => {
    const browser = openBrowser(server.origin);
    const { location } = await begin(browser, { redirect_url: '/seguridad', process_state: null, agnt: null });
    const shown = await presentCard(location, cards['good']!);
    expect(shown.status).toBe(303);
    expect(new URL(shown.location).origin).toBe(server.origin);
    expect(new URL(shown.location).searchParams.get('redirectUrl')).toBe('/seguridad');
    const body = await (await finish(browser, tokenOf(shown.location))).json();
    expect(body).toMatchObject({ challenge: null, name: 'Ana Lucía Pereira Sosa' });
    const caller = await authenticateBearerToken(server.parts, await browser.bearer());
    expect(caller).toMatchObject({ document: 'uy-ci-45123784', nid: 3 });
    const session = await server.parts.store.db
      .selectFrom('broker_sessions')
      .select('amr')
      .where('id', '=', caller?.sessionId ?? '')
      .executeTakeFirstOrThrow();
    expect(session.amr).toBe(method);
  });

  test('returns 400 or 414 for URLs beyond the limits, and does not use up the ticket', async () => {
    const { location } = await begin(openBrowser(server.origin));
    const bad = [
      `${location}&${'a=1&'.repeat(100)}`,
      `${location}&a=${'a'.repeat(13_000)}`,
      `${new URL(location).origin}${'/a'.repeat(100)}`,
    ];
    const answers = await Promise.all(bad.map((url) => presentCard(url, cards['good']!)));
    expect(answers.map(({ status }) => status)).toEqual([400, 414, 400]);
    for (const { text } of answers) expect(text).toContain('Volver al inicio');
    expect((await presentCard(location, cards['good']!)).status).toBe(303);
  });

  test('[CFG-06] accepts the challenge name ci_electronica, and records the ID Uruguay method in the session', async () => {
    const browser = openBrowser(server.origin);
    const ask = async (token: string | null) => {
      const sent = { challenge: 'ci_electronica', data_challenge: {}, extra: null, token };
      return (await browser.post('/auth/login', sent)).json();
    };
    const begun = await ask(null);
    expect(begun).toMatchObject({ token: expect.any(String), location: expect.stringContaining('ticket=') });
    const shown = await presentCard(begun.location, cards['good']!);
    expect(await ask(tokenOf(shown.location))).toMatchObject({ challenge: null, name: 'Ana Lucía Pereira Sosa' });
    const caller = await authenticateBearerToken(server.parts, await browser.bearer());
    const { db } = server.parts.store;
    const session = db
      .selectFrom('broker_sessions')
      .select('amr')
      .where('id', '=', caller?.sessionId ?? '');
    expect((await session.executeTakeFirstOrThrow()).amr).toBe(method);
  });

  test.each([
    ['no card', 'none', 'No encontramos ninguna cédula', 'no certificate was shown'],
    ['a revoked card', 'revoked', 'fue revocado', 'certificado_revocado'],
    ['an expired card', 'expired', 'está vencido', 'certificado_no_vigente'],
    ['a card that is not valid yet', 'early', 'está vencido', 'certificado_no_vigente'],
    ['a card of another authority', 'foreign', 'no es el certificado de una cédula', 'certificado_desconocido'],
    ['a certificate for signing', 'signing', 'no es el certificado de una cédula', 'not for authentication'],
    ['a certificate without a purpose', 'unmarked', 'no es el certificado de una cédula', 'not for authentication'],
    [
      'a certificate without a document number',
      'nameless',
      'no es el certificado de una cédula',
      'names no national document',
    ],
    ['a card of another country', 'otherCountry', 'no es el certificado de una cédula', 'names no national document'],
    ['a card of two countries', 'twoCountries', 'no es el certificado de una cédula', 'names no national document'],
    ['a passport', 'passport', 'no es el certificado de una cédula', 'names no national document'],
  ])('rejects %s with a page that says why, a log entry and no session', async (_name, card, sentence, reason) => {
    const browser = openBrowser(server.origin);
    const { location, token } = await begin(browser);
    const shown = await presentCard(location, cards[card] ?? null);
    expect(shown.status).toBe(403);
    expect(shown.text).toContain(sentence);
    const [, id] = /Número del pedido<\/dt><dd>([\w-]{8,})/.exec(shown.text) ?? [];
    await expect
      .poll(() => logged.find(({ reqId, code }) => reqId === id && code === 'card-refused')?.reason)
      .toContain(reason);
    expect((await finish(browser, token)).status).toBe(410);
    expect((await presentCard(location, cards['good']!)).status).toBe(410); // the ticket has already been used
  });

  test.each([
    ['without a ticket', ''],
    ['with an unknown ticket', '?ticket=inventado'],
  ])('returns 410 for a card %s', async (_name, query) => {
    const shown = await presentCard(`${server.parts.config.card!.url}/auth/tarjeta${query}`, cards['good']!);
    expect(shown.status).toBe(410);
    expect(shown.text).toContain('ya se usó o venció');
  });

  test('returns a 404 page with a link to the portal for other paths', async () => {
    for (const path of ['/', '/favicon.ico', '/auth/tarjeta/otra']) {
      const shown = await presentCard(`${server.parts.config.card!.url}${path}`, null);
      expect(shown.status).toBe(404);
      expect(shown.text).toContain('<h1>No pudimos identificarte con la cédula</h1>');
      expect(shown.text).toContain('No encontramos lo que buscás.');
      expect(shown.text).toContain(`href="${server.origin}/login?ae=ci"`);
    }
  });

  test('rejects a request with two Host headers', async () => {
    const { port, host } = new URL(server.parts.config.card!.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('returns a 500 page without details if the database fails', async () => {
    const browser = openBrowser(server.origin);
    const { location } = await begin(browser);
    const failing = vi.spyOn(server.parts.store.db, 'updateTable').mockImplementationOnce(() => {
      throw new Error('the database is gone');
    });
    const shown = await presentCard(location, cards['good']!);
    failing.mockRestore();
    expect(shown.status).toBe(500);
    expect(shown.text).toContain('<h1>No pudimos identificarte con la cédula</h1>');
    expect(shown.text).not.toContain('database');
  });

  test('rejects a ticket or token that has expired or was used', async () => {
    const browser = openBrowser(server.origin);
    const age = (hash: 'taken' | 'fresh') =>
      server.parts.store.db
        .updateTable('card_tickets')
        .set({ expires_at: new Date() })
        .where('taken_at', hash === 'taken' ? 'is not' : 'is', null)
        .execute();
    const late = await begin(browser);
    await age('fresh');
    expect((await presentCard(late.location, cards['good']!)).status).toBe(410);
    const slow = await presentCard((await begin(browser)).location, cards['good']!);
    await age('taken');
    expect((await finish(browser, tokenOf(slow.location))).status).toBe(410);
    const { location } = await begin(browser);
    const shown = await presentCard(location, cards['good']!);
    expect((await presentCard(location, cards['good']!)).status).toBe(410);
    const answers = await Promise.all([1, 2, 3].map(() => finish(browser, tokenOf(shown.location))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  test('gives no session to attacker or victim if a ticket is opened in another browser', async () => {
    const attacker = openBrowser(server.origin);
    const victim = openBrowser(server.origin);
    await begin(victim);
    const { location, token } = await begin(attacker);
    const shown = await presentCard(location, cards['good']!); // the victim opens the attacker's link
    expect((await finish(victim, tokenOf(shown.location))).status).toBe(410);
    expect((await finish(attacker, token)).status).toBe(410); // reading the victim's card has replaced the token that the attacker knows
    expect([...victim.cookies.keys(), ...attacker.cookies.keys()]).not.toContain('portal-session');
  });

  test('rejects a card without an account, and a card of another citizen than the signed-in one', async () => {
    const browser = openBrowser(server.origin);
    const unknown = await presentCard((await begin(browser)).location, cards['nobody']!);
    const refused = await finish(browser, tokenOf(unknown.location));
    expect([refused.status, (await refused.json()).code]).toEqual([400, 'tarjeta_sin_cuenta']);
    await browser.signIn();
    const before = browser.cookies.get('portal-session')?.value;
    const other = await presentCard((await begin(browser)).location, cards['other']!);
    const strange = await finish(browser, tokenOf(other.location));
    expect([strange.status, (await strange.json()).code]).toEqual([400, 'sesion_de_otra_persona']);
    expect(browser.cookies.get('portal-session')?.value).toBe(before);
    expect((await authenticateBearerToken(server.parts, await browser.bearer()))?.nid).toBe(1);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'does not reuse the card of an earlier TLS session (%s)',
    async (maxVersion) => {
      const browser = openBrowser(server.origin);
      const { session } = await presentCard((await begin(browser)).location, cards['good']!, { maxVersion });
      const again = await presentCard((await begin(browser)).location, null, { maxVersion, session });
      expect(again.text).toContain('No encontramos ninguna cédula');
    },
  );
});

describe('[FED-06] identity card behind a proxy', () => {
  const certificate = (card: IssuedCertificate): Record<string, string> => ({
    'x-client-cert': encodeURIComponent(encodePem(card)),
  });
  const own = { 'x-card-secret': proxySecret };
  const header = (card: IssuedCertificate): Record<string, string> => ({ ...certificate(card), ...own });
  const path = (ticket: string): string => `/auth/tarjeta?ticket=${ticket}`;

  test("is read from the proxy's header, and its certificate is checked for revocation, issuer and validity", async () => {
    const browser = openBrowser(behindProxy.origin);
    const { ticket, location } = await begin(browser);
    expect(new URL(location).origin).toBe('https://cedula.example');
    const passed = await browser.get(path(ticket), header(cards['good']!));
    const next = passed.headers.get('location') ?? '';
    expect((await (await finish(browser, tokenOf(next))).json()).name).toContain('Ana');
    for (const bad of ['revoked', 'foreign', 'expired'])
      expect((await browser.get(path((await begin(browser)).ticket), header(cards[bad]!))).status).toBe(403);
  });

  test.each([
    ['no certificate', {}],
    ['an unreadable certificate', { 'x-client-cert': 'DNI45123784' }],
    ['an invalid percent-encoding', { 'x-client-cert': '%E0%A4%A' }],
  ])('is rejected with %s', async (_name, headers) => {
    const browser = openBrowser(behindProxy.origin);
    expect((await browser.get(path((await begin(browser)).ticket), { ...own, ...headers })).status).toBe(403);
  });

  test.each([
    ['two certificate headers', ', '],
    ['two certificates in one header', encodeURIComponent('\n')],
  ])('is rejected because of %s', async (_name, between) => {
    const browser = openBrowser(behindProxy.origin);
    const { ticket } = await begin(browser);
    const [first, second] = [cards['good']!, cards['revoked']!].map((card) => certificate(card)['x-client-cert']);
    const both = { ...own, 'x-client-cert': `${first}${between}${second}` };
    expect((await browser.get(path(ticket), both)).status).toBe(403);
  });

  test.each([
    ['no secret', {}],
    ['a wrong secret', { 'x-card-secret': `${proxySecret}.` }],
    ['an empty secret', { 'x-card-secret': '' }],
  ])('returns 404 with %s, and does not use up the ticket', async (_name, secret) => {
    const browser = openBrowser(behindProxy.origin);
    const { ticket } = await begin(browser);
    expect((await browser.get(path(ticket), { ...certificate(cards['good']!), ...secret })).status).toBe(404);
    expect((await browser.get(path(ticket), header(cards['good']!))).status, 'the ticket was not used up').toBe(303);
  });

  test('returns 404 if the header comes from an address other than CARD_PROXY', async () => {
    const strangers = await startLiveServer({
      FLAGS: 'ci_electronica=on',
      CARD_ROOTS: join(folder, 'roots.pem'),
      CARD_CRLS: join(folder, 'lists.pem'),
      CARD_URL: 'https://cedula.example',
      CARD_PROXY: '10.0.0.5',
      CARD_PROXY_SECRET: proxySecret,
      TRUST_PROXY: '1', // the card listener must ignore X-Forwarded-For
    });
    try {
      const browser = openBrowser(strangers.origin);
      const { ticket } = await begin(browser);
      const forged = { ...header(cards['good']!), 'x-forwarded-for': '10.0.0.5' };
      expect((await browser.get(path(ticket), forged)).status).toBe(404);
      const { taken_at } = await strangers.parts.store.db
        .selectFrom('card_tickets')
        .select('taken_at')
        .executeTakeFirstOrThrow();
      expect(taken_at).toBeNull();
    } finally {
      await strangers.close();
    }
  });

  test('[ASVS-16.3.2] logs one line for a rejected card', async () => {
    const refused = await openBrowser(behindProxy.origin).get(path('x'), header(cards['revoked']!));
    expect(refused.status).toBe(410);
    const lines = await behindProxy.logOf(refused.headers.get('x-request-id'));
    expect(lines).toEqual([
      expect.objectContaining({ msg: 'answered', code: 'card-refused', network: '127.0.x.x', status: 410 }),
    ]);
    expect(lines[0]?.['reason']).toContain('the ticket is unknown');
  });

  test('ignores the header if the portal has its own card listener', async () => {
    const browser = openBrowser(server.origin);
    expect((await browser.get(path((await begin(browser)).ticket), header(cards['good']!))).status).toBe(404);
  });
});
