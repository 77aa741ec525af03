import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHeaderAndPayload, StatusList } from '@sd-jwt/jwt-status-list';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  encryptWalletResponse,
  issueSampleCredential,
  createSampleCredentialIssuer,
  createSampleSigningKey,
  createCredentialPresentation,
  type SampleCredentialIssuer,
  type SampleSigningKey,
} from '../../../../src/demo/sample-wallet.ts';
import { readWalletIssuers } from '../../../../src/server/trust/federation/wallet/wallet-verifier.ts';
import { authenticateBearerToken } from '../../../../src/server/trust/sessions/access-tokens.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { issueCertificate, encodePem, encodePrivateKey } from '../../support/certificates.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { answerPresentationLink } from '../../support/openid4vp-wallet.ts';

const method = 'urn:iduruguay:am:wallet';
const type = 'urn:eudi:pid:1';
const otherType = 'urn:uy:otra:1';
const ana = '45123784';

let server: LiveServer;
let folder: string;
let lists: Server;
let listOrigin: string;
let issuer: SampleCredentialIssuer;
let lesser: SampleCredentialIssuer;
let stranger: SampleCredentialIssuer;
let holder: SampleSigningKey;
/** Responses of the status list server, by path. */
const listed: Record<string, string> = {};

async function signToken({ sign }: SampleSigningKey, header: object, payload: object): Promise<string> {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'ES256', ...header })}.${encode(payload)}`;
  return `${signed}.${await sign(signed)}`;
}

/** Publishes an issuer's status list of four credentials, of which the second is revoked. */
async function statusList(path: string, by: SampleCredentialIssuer, changes: object = {}): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: by.entry.issuer, sub: `${listOrigin}${path}`, iat: now, exp: now + 600 };
  const { header, payload } = createHeaderAndPayload(new StatusList([0, 1, 0, 0], 1), claims, {
    alg: 'ES256',
    typ: 'statuslist+jwt',
  });
  listed[path] = await signToken(by.key, header, { ...payload, ...changes });
}

/**
 * Returns the URL of the same server with another host name, which is not an allowed origin for the issuer's lists.
 */
const withOtherHost = (path: string): string => `${listOrigin.replace('127.0.0.1', 'localhost')}${path}`;
const status = (idx: number, path = '/lista') => ({ status: { status_list: { uri: `${listOrigin}${path}`, idx } } });

beforeAll(async () => {
  const port = await findFreePort();
  listOrigin = `http://127.0.0.1:${port}`;
  lists = createServer((request, response) => {
    const list = listed[request.url ?? ''];
    response.writeHead(list === undefined ? 404 : 200).end(list);
  }).listen(port, '127.0.0.1');
  folder = await mkdtemp(join(tmpdir(), 'wallet-'));
  holder = await createSampleSigningKey();
  const entry = { level: 3 as const, types: [type], statusOrigins: [listOrigin] };
  issuer = await createSampleCredentialIssuer({ ...entry, issuer: 'https://emisor.example' });
  lesser = await createSampleCredentialIssuer({ level: 1, types: [type, otherType], issuer: 'https://otro.example' });
  stranger = await createSampleCredentialIssuer({ ...entry, issuer: 'https://nadie.example' });
  await statusList('/lista', issuer);
  await statusList('/foranea', issuer, { sub: withOtherHost('/foranea') });
  await statusList('/vencida', issuer, { exp: 1 });
  await statusList('/sin-fin', issuer, { exp: undefined });
  await statusList('/corta', issuer, { exp: undefined, iat: 1_000, ttl: 600 });
  await statusList('/con-ttl', issuer, { exp: undefined, ttl: 600 });
  await statusList('/ajena', lesser, { iss: issuer.entry.issuer });
  await statusList('/otra', issuer, { sub: `${listOrigin}/lista` });
  const [issuers, signer] = [join(folder, 'issuers.json'), join(folder, 'signer.pem')];
  const verifier = await issueCertificate(new Date(), { subject: 'CN=portal' });
  await writeFile(issuers, JSON.stringify([issuer.entry, lesser.entry]));
  await writeFile(signer, `${encodePem(verifier)}\n${await encodePrivateKey(verifier)}`);
  server = await startLiveServer({ WALLET_ISSUERS: issuers, WALLET_SIGNER: signer });
});
afterAll(async () => {
  await server.close();
  lists.close();
  await rm(folder, { recursive: true, force: true });
});

interface StartedRequest {
  readonly token: string;
  readonly options: { readonly here: string; readonly elsewhere: string };
}

async function begin(browser: Browser, extra: object | null = null): Promise<StartedRequest> {
  return (await browser.post('/auth/login', { challenge: method, data_challenge: {}, extra, token: null })).json();
}

const finish = (browser: Browser, token: string): Promise<Response> =>
  browser.post('/auth/login', { challenge: method, data_challenge: {}, extra: null, token });

const stateOf = async (browser: Browser, token: string): Promise<string> =>
  (await (await browser.post('/auth/billetera/estado/', { token })).json()).state;

/** Creates a valid credential of the sample citizen. */
const createValidCredential = (changes: object = {}, by = issuer, number = ana): Promise<string> =>
  issueSampleCredential(by, { number, holder, changes: { ...(by === lesser ? {} : status(0)), ...changes } });

interface Request {
  readonly client_id: string;
  readonly nonce: string;
  readonly response_uri: string;
  readonly client_metadata: { readonly jwks: { readonly keys: readonly [JWK] } };
}

/** Fetches the request of a wallet link, without validation. */
async function fetchRequest(link: string): Promise<Request> {
  const response = await fetch(
    new URL(link.replace('openid4vp://', 'http://x/')).searchParams.get('request_uri') ?? '',
  );
  expect(response.status).toBe(200);
  return decodeJwt(await response.text());
}

const send = (uri: string, fields: Record<string, string>): Promise<Response> =>
  fetch(uri, { method: 'POST', body: new URLSearchParams(fields) });

const tokenOf = (location: string | undefined): string => new URL(location ?? '').searchParams.get('billetera') ?? '';

describe('[FED-07 LOG-15] sign-in with a digital wallet', () => {
  test('signs the citizen in from another device, at the level of the issuer', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    expect(await stateOf(browser, token)).toBe('waiting');
    expect(
      await answerPresentationLink(options.elsewhere, {
        credential: await createValidCredential(status(0, '/con-ttl')),
        holder,
      }),
    ).toEqual({});
    expect(await stateOf(browser, token)).toBe('ready');
    expect((await (await finish(browser, token)).json()).name).toBe('Ana Lucía Pereira Sosa');
    const caller = await authenticateBearerToken(server.parts, await browser.bearer());
    expect(caller).toMatchObject({ document: 'uy-ci-45123784', nid: 3 });
    const { amr } = await server.parts.store.db
      .selectFrom('broker_sessions')
      .select('amr')
      .where('id', '=', caller?.sessionId ?? '')
      .executeTakeFirstOrThrow();
    expect(amr).toBe(`${method}:3`);
  });

  test('redirects back on the same device with a new token and the redirect URL, at a lower level for a lesser issuer', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser, { redirect_url: '/seguridad', process_state: null, agnt: null });
    const { redirect_uri: back } = await answerPresentationLink(options.here, {
      credential: await createValidCredential({}, lesser),
      holder,
    });
    expect(new URL(back ?? '').searchParams.get('redirectUrl')).toBe('/seguridad');
    expect((await finish(browser, token)).status).toBe(410); // a newer token has replaced `token`
    expect(await stateOf(browser, token)).toBe('over');
    expect((await finish(browser, tokenOf(back))).status).toBe(200);
    expect((await authenticateBearerToken(server.parts, await browser.bearer()))?.nid).toBe(1);
    expect((await finish(browser, tokenOf(back))).status).toBe(410);
  });

  test('creates a signed request with client and purpose, which can be fetched once', async () => {
    const { options } = await begin(openBrowser(server.origin));
    const address = new URL(options.elsewhere).searchParams.get('request_uri') ?? '';
    const first = await fetch(address);
    expect(first.headers.get('content-type')).toContain('application/oauth-authz-req+jwt');
    const text = await first.text();
    expect(decodeProtectedHeader(text)).toMatchObject({ typ: 'oauth-authz-req+jwt', alg: 'ES256' });
    expect(decodeJwt(text)).toMatchObject({
      aud: 'https://self-issued.me/v2',
      response_mode: 'direct_post.jwt',
      client_id: new URL(options.elsewhere).searchParams.get('client_id'),
    });
    expect((await fetch(address)).status).toBe(404);
    expect((await fetch(`${server.origin}/auth/billetera/pedido?id=inventado`)).status).toBe(404);
  });

  test('is rejected by the wallet if client_id does not match the certificate', async () => {
    const { options } = await begin(openBrowser(server.origin));
    const link = options.elsewhere.replace(/client_id=[^&]+/, 'client_id=x509_hash%3Aabc');
    await expect(answerPresentationLink(link, { credential: await createValidCredential(), holder })).rejects.toThrow();
  });

  type Build = (request: Request) => Promise<Record<string, string>>;
  const encrypted = async (request: Request, token: unknown, key = request.client_metadata.jwks.keys[0]) => ({
    response: await encryptWalletResponse({ vp_token: { identidad: token } }, key),
  });
  const bound = (request: Request, changes: object = {}) => ({
    aud: request.client_id,
    nonce: request.nonce,
    ...changes,
  });
  const presenting =
    (credential: () => Promise<string>, changes: object = {}): Build =>
    async (request) =>
      encrypted(request, [await createCredentialPresentation(await credential(), holder, bound(request, changes))]);
  const long = Math.floor(Date.now() / 1000) - 3600;

  /**
   * Creates a presentation without a library. The issuer signs the digests of these disclosures and the additional
   * claims.
   */
  const byHand =
    (
      disclosed: readonly (readonly [name: string, value: unknown])[],
      {
        claims = {},
        header = {},
        more = [],
        twice = false,
      }: {
        claims?: object;
        header?: object;
        more?: readonly (readonly [name: string, value: unknown])[];
        twice?: boolean;
      } = {},
    ): Build =>
    async (request) => {
      const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
      const write = ([name, value]: readonly [string, unknown], salt: number) =>
        Buffer.from(JSON.stringify([`sal${salt}`, name, value])).toString('base64url');
      const signed = disclosed.map(write);
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: issuer.entry.issuer,
        vct: type,
        exp: now + 600,
        cnf: { jwk: holder.publicJwk },
        _sd_alg: 'sha-256',
        _sd: [...signed, ...(twice ? signed : [])].map(digest),
        ...status(0),
        ...claims,
      };
      const credential = await signToken(issuer.key, { typ: 'dc+sd-jwt', ...header }, payload);
      const presented = [credential, ...signed, ...more.map((one, at) => write(one, at + 100)), ''].join('~');
      const kb = await signToken(
        holder,
        { typ: 'kb+jwt' },
        { ...bound(request), iat: now, sd_hash: digest(presented) },
      );
      return encrypted(request, [presented + kb]);
    };
  const numbered = ['personal_administrative_number', ana] as const;
  const otherNumber = ['personal_administrative_number', '46781232'] as const;

  test('accepts a valid presentation with an additional claim', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    const request = await fetchRequest(options.elsewhere);
    const build = byHand([numbered, ['address', { street: 'Liniers' }], ['iat', long]]);
    expect((await send(request.response_uri, await build(request))).status).toBe(200);
    expect((await (await finish(browser, token)).json()).name).toBe('Ana Lucía Pereira Sosa');
  });

  const bad: readonly [name: string, build: Build][] = [
    ['another nonce', presenting(() => createValidCredential(), { nonce: 'otro' })],
    ['another audience', presenting(() => createValidCredential(), { aud: 'x509_hash:otro' })],
    ['a key binding signed an hour ago', presenting(() => createValidCredential(), { iat: long })],
    ['a key binding signed a day ahead', presenting(() => createValidCredential(), { iat: long + 90_000 })],
    [
      'no key binding',
      async (request) =>
        encrypted(request, [await createCredentialPresentation(await createValidCredential(), holder, null)]),
    ],
    [
      'the key binding of another holder',
      async (request) =>
        encrypted(request, [
          await createCredentialPresentation(
            await createValidCredential(),
            await createSampleSigningKey(),
            bound(request),
          ),
        ]),
    ],
    ['no holder key', presenting(() => createValidCredential({ cnf: undefined }))],
    ['an unlisted issuer', presenting(() => createValidCredential({}, stranger))],
    [
      'the name of a listed issuer and the key of an unlisted one',
      presenting(() => createValidCredential({ iss: issuer.entry.issuer }, stranger)),
    ],
    ['another credential type', presenting(() => createValidCredential({ vct: 'urn:otro' }))],
    ['an expired credential', presenting(() => createValidCredential({ exp: long }))],
    ['a credential without an expiry', presenting(() => createValidCredential({ exp: undefined }))],
    ['a credential that is not valid yet', presenting(() => createValidCredential({ nbf: long + 90_000 }))],
    ['a revoked credential', presenting(() => createValidCredential(status(1)))],
    ['a credential without a status', presenting(() => createValidCredential({ status: undefined }))],
    ['an empty status', presenting(() => createValidCredential({ status: {} }))],
    ['a status list without a URI', presenting(() => createValidCredential({ status: { status_list: { idx: 0 } } }))],
    [
      'no index in the status list',
      presenting(() => createValidCredential({ status: { status_list: { uri: `${listOrigin}/lista` } } })),
    ],
    [
      'a status list at a foreign origin',
      presenting(() => createValidCredential({ status: { status_list: { uri: withOtherHost('/foranea'), idx: 0 } } })),
    ],
    ['a missing status list', presenting(() => createValidCredential(status(0, '/nada')))],
    ['a status list without an expiry or ttl', presenting(() => createValidCredential(status(0, '/sin-fin')))],
    ['a status list whose ttl has passed', presenting(() => createValidCredential(status(0, '/corta')))],
    ['an expired status list', presenting(() => createValidCredential(status(0, '/vencida')))],
    ['a status list signed with another key', presenting(() => createValidCredential(status(0, '/ajena')))],
    ['a status list for another URI', presenting(() => createValidCredential(status(0, '/otra')))],
    ['an index beyond the status list', presenting(() => createValidCredential(status(4_000_000)))],
    ['an invalid document number', presenting(() => createValidCredential({ personal_administrative_number: 'A-1' }))],
    ['no document number', presenting(() => createValidCredential({ personal_administrative_number: undefined }))],
    [
      'the document number undisclosed',
      async (request) =>
        encrypted(request, [
          await createCredentialPresentation(await createValidCredential(), holder, bound(request), {
            given_name: true,
          }),
        ]),
    ],
    [
      'two credentials',
      async (request) => {
        const token = await createCredentialPresentation(await createValidCredential(), holder, bound(request));
        return encrypted(request, [token, token]);
      },
    ],
    ['two document numbers', byHand([numbered, otherNumber])],
    ['a disclosed number that differs from a plain one', byHand([otherNumber], { claims: { [numbered[0]]: ana } })],
    ['a disclosure without a digest', byHand([numbered], { more: [otherNumber] })],
    ['a duplicate digest', byHand([numbered], { twice: true })],
    [
      'a disclosed status beside a plain one',
      (request) => byHand([numbered, ['status', status(0).status]], { claims: status(1) })(request),
    ],
    [
      'a disclosed holder key',
      (request) => byHand([numbered, ['cnf', { jwk: holder.publicJwk }]], { claims: { cnf: undefined } })(request),
    ],
    ['a disclosed expiry', byHand([numbered, ['exp', long + 90_000]], { claims: { exp: undefined } })],
    ['a disclosed nbf', byHand([numbered, ['nbf', long]])],
    ['a null expiry', byHand([numbered], { claims: { exp: null } })],
    ['a word as expiry', byHand([numbered], { claims: { exp: 'nunca' } })],
    ['a word as nbf', byHand([numbered], { claims: { nbf: 'luego' } })],
    ['a list as type', byHand([numbered], { claims: { vct: [type] } })],
    ['an unknown critical header', byHand([numbered], { header: { crit: ['x'], x: 1 } })],
    ['MD5 digests', byHand([numbered], { claims: { _sd_alg: 'md5' } })],
    [
      'a text as the time of the key binding',
      presenting(() => createValidCredential(), { iat: String(Math.floor(Date.now() / 1000)) }),
    ],
    [
      'an additional credential',
      async (request) => {
        const token = await createCredentialPresentation(await createValidCredential(), holder, bound(request));
        const answer = { vp_token: { identidad: [token], otra: [token] } };
        return { response: await encryptWalletResponse(answer, request.client_metadata.jwks.keys[0]) };
      },
    ],
    ['no credential', async (request) => encrypted(request, [])],
    ['a malformed token', async (request) => encrypted(request, ['a.b.c~'])],
    [
      'a response that is signed and not encrypted',
      async (request) => ({
        response: await signToken(
          holder,
          {},
          {
            vp_token: {
              identidad: [await createCredentialPresentation(await createValidCredential(), holder, bound(request))],
            },
          },
        ),
      }),
    ],
    [
      'an unencrypted response',
      async (request) => ({
        vp_token: JSON.stringify({
          identidad: [await createCredentialPresentation(await createValidCredential(), holder, bound(request))],
        }),
      }),
    ],
    [
      'a response encrypted for another key',
      async (request) => {
        const { publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
        return encrypted(
          request,
          [await createCredentialPresentation(await createValidCredential(), holder, bound(request))],
          await exportJWK(publicKey),
        );
      },
    ],
    ['an error response', async () => ({ error: 'access_denied' })],
  ];

  test.each(bad)('rejects a presentation with %s, signs nobody in, and ends the request', async (_name, build) => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    const request = await fetchRequest(options.elsewhere);
    const answer = await send(request.response_uri, await build(request));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-request-id')).toMatch(/\w{8}/);
    expect((await answer.json()).code).toBe('billetera_invalida');
    expect((await finish(browser, token)).status).toBe(410);
    const second = await encrypted(request, [
      await createCredentialPresentation(await createValidCredential(), holder, bound(request)),
    ]);
    expect((await send(request.response_uri, second)).status).toBe(400);
    expect([...browser.cookies.keys()]).not.toContain('portal-session');
  });

  test('accepts a response once, and only for its own request', async () => {
    const browser = openBrowser(server.origin);
    const [one, two] = [await begin(browser), await begin(browser)];
    const [first, second] = [await fetchRequest(one.options.elsewhere), await fetchRequest(two.options.elsewhere)];
    const answer = await encrypted(first, [
      await createCredentialPresentation(await createValidCredential(), holder, bound(first)),
    ]);
    expect((await send(second.response_uri, answer)).status).toBe(400); // the response belongs to another request
    const answers = await Promise.all([1, 2, 3].map(() => send(first.response_uri, answer)));
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 400, 400]);
    expect((await finish(browser, two.token)).status).toBe(410);
    expect((await finish(browser, one.token)).status).toBe(200);
  });

  test('rejects a response that is too long', async () => {
    const { options } = await begin(openBrowser(server.origin));
    const request = await fetchRequest(options.elsewhere);
    expect((await send(request.response_uri, { response: 'x'.repeat(70 * 1024) })).status).toBe(413);
  });

  test('can be neither observed nor completed in another browser', async () => {
    const [own, other] = [openBrowser(server.origin), openBrowser(server.origin)];
    await begin(other);
    const { token, options } = await begin(own);
    await answerPresentationLink(options.elsewhere, { credential: await createValidCredential(), holder });
    expect(await stateOf(other, token)).toBe('over');
    expect((await finish(other, token)).status).toBe(410);
    const here = await begin(own);
    const { redirect_uri: back } = await answerPresentationLink(here.options.here, {
      credential: await createValidCredential(),
      holder,
    });
    expect((await finish(other, tokenOf(back))).status).toBe(410);
  });

  test('completes in one of two tabs, and ends the other tab and parallel requests of the browser', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    const beside = await begin(browser);
    await answerPresentationLink(options.elsewhere, { credential: await createValidCredential(), holder });
    expect(await stateOf(browser, beside.token)).toBe('waiting');
    const tabs = await Promise.all([finish(browser, token), finish(browser, token)]);
    expect(tabs.map(({ status: code }) => code).sort()).toEqual([200, 410]);
    expect(await stateOf(browser, token)).toBe('over');
    expect(await stateOf(browser, beside.token)).toBe('over');
    await answerPresentationLink(beside.options.elsewhere, {
      credential: await createValidCredential({}, issuer, '29458715'),
      holder,
    });
    expect((await finish(browser, beside.token)).status).toBe(410);
    expect((await authenticateBearerToken(server.parts, await browser.bearer()))?.document).toBe('uy-ci-45123784');
  });

  test("cannot be completed by a stranger after scanning the code, and does not replace another citizen's session", async () => {
    const [desk, photographer] = [openBrowser(server.origin), openBrowser(server.origin)];
    await desk.signIn();
    const { token, options } = await begin(desk);
    await begin(photographer);
    await answerPresentationLink(options.elsewhere, {
      credential: await createValidCredential({}, issuer, '29458715'),
      holder,
    });
    expect(await stateOf(photographer, token), 'the sign-in continues only in its own browser').toBe('over');
    expect((await finish(photographer, token)).status).toBe(410);
    const refused = await finish(desk, token);
    expect([refused.status, (await refused.json()).code]).toEqual([400, 'sesion_de_otra_persona']);
    expect((await authenticateBearerToken(server.parts, await desk.bearer()))?.document).toBe('uy-ci-45123784');
  });

  test('requests the credential types of all issuers, and accepts from each issuer only its own types', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    const request = await fetchRequest(options.elsewhere);
    expect(request).toMatchObject({ dcql_query: { credentials: [{ meta: { vct_values: [type, otherType] } }] } });
    const other = async (by: SampleCredentialIssuer) => createValidCredential({ vct: otherType }, by);
    const answer = await encrypted(request, [
      await createCredentialPresentation(await other(lesser), holder, bound(request)),
    ]);
    expect((await send(request.response_uri, answer)).status).toBe(200);
    expect((await finish(browser, token)).status).toBe(200);
    const second = await fetchRequest((await begin(browser)).options.elsewhere);
    const foreign = await encrypted(second, [
      await createCredentialPresentation(await other(issuer), holder, bound(second)),
    ]);
    expect((await send(second.response_uri, foreign)).status, 'credential type of another issuer').toBe(400);
  });

  test('ends a request after three minutes', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    const request = await fetchRequest(options.elsewhere);
    const later = await encrypted(request, [
      await createCredentialPresentation(await createValidCredential(), holder, bound(request)),
    ]);
    await server.parts.store.db.updateTable('wallet_requests').set({ expires_at: new Date() }).execute();
    expect((await send(request.response_uri, later)).status).toBe(400);
    expect(await stateOf(browser, token)).toBe('over');
    const address = new URL(options.here).searchParams.get('request_uri') ?? '';
    expect((await fetch(address)).status).toBe(404);
  });

  test.each([
    ['whose identifier', { issuer: 'http://emisor.example' }],
    ['whose status list', { statusOrigins: ['http://127.0.0.1.example'] }],
  ])('rejects a list with an issuer %s has a remote URL without TLS', async (_name, changes) => {
    const file = join(folder, 'insecure.json');
    await writeFile(file, JSON.stringify([{ ...issuer.entry, ...changes }]));
    await expect(readWalletIssuers(file)).rejects.toThrow(/must match pattern/);
    await writeFile(file, JSON.stringify([issuer.entry]));
    await expect(readWalletIssuers(file)).resolves.toHaveLength(1);
  });

  test('returns an error if the document has no account', async () => {
    const browser = openBrowser(server.origin);
    const { token, options } = await begin(browser);
    await answerPresentationLink(options.elsewhere, {
      credential: await createValidCredential({}, issuer, '12345672'),
      holder,
    });
    const refused = await finish(browser, token);
    expect([refused.status, (await refused.json()).code]).toEqual([400, 'billetera_sin_cuenta']);
  });

  // Must run last, because later sign-ins from this address would be rejected.
  test('[FED-07] is rejected with 429 while its network address is delayed', async () => {
    await begin(openBrowser(server.origin));
    const soon = new Date(Date.now() + 60_000);
    await server.parts.store.db.updateTable('throttle').set({ blocked_until: soon }).execute();
    const start = { challenge: method, data_challenge: {}, extra: null, token: null };
    const refused = await openBrowser(server.origin).post('/auth/login', start);
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'demasiados_intentos']);
  });
});
