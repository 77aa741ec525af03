import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { pino } from 'pino';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClientCertificateListener } from '../../../../src/server/app/start-server.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import {
  createExtendedKeyUsage,
  issueCertificate,
  issueRoot,
  encodePem,
  encodePrivateKey,
  createRevocationList,
  type IssuedCertificate,
} from '../../support/certificates.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { callback, completeAuthorization } from '../../support/relying-party.ts';

const proxySecret = 'lo-que-solo-el-proxy-escribe-aqui';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

let folder: string;
let direct: LiveServer;
let behind: LiveServer;
let tlsOrigin: string;
let closeListener: () => Promise<void> = async () => undefined;
let own: IssuedCertificate;
let thief: IssuedCertificate;
/**
 * `client` is the client's certificate, `stranger` that of another client. `revoked` has the client's name but is revoked. `foreign` has the client's
 * name, but its authority is not in MTLS_ROOTS.
 */
let issued: Record<'client' | 'stranger' | 'foreign' | 'revoked', IssuedCertificate>;

let proofs: CryptoKeyPair;

beforeAll(async () => {
  proofs = await generateKeyPair('ES256', { extractable: true });
  folder = await mkdtemp(join(tmpdir(), 'mtls-'));
  const now = new Date();
  const root = await issueRoot(now, { subject: 'CN=Autoridad' });
  own = await issueCertificate(now, { subject: 'CN=app' });
  thief = await issueCertificate(now, { subject: 'CN=app' });
  const tls = await issueCertificate(now, { subject: 'CN=127.0.0.1' });
  const [roots, lists, tlsFile] = ['roots', 'lists', 'tls'].map((name) => join(folder, `${name}.pem`)) as [
    string,
    string,
    string,
  ];
  await writeFile(roots, encodePem(root));
  await writeFile(lists, await createRevocationList(now, root, []));
  const clientRoot = await issueRoot(now, { subject: 'CN=Clientes' });
  const certify = async (subject: string, issuer: IssuedCertificate) =>
    issueCertificate(now, { subject, issuer, extensions: [createExtendedKeyUsage('1.3.6.1.5.5.7.3.2')] });
  const named = 'C=UY, O=Ministerio, CN=app.example';
  issued = {
    client: await certify(named, clientRoot),
    stranger: await certify('C=UY, O=Ministerio, CN=otra.example', clientRoot),
    foreign: await certify(named, await issueRoot(now, { subject: 'CN=Clientes' })),
    revoked: await certify(named, clientRoot),
  };
  const [clientRoots, clientLists] = [join(folder, 'client-roots.pem'), join(folder, 'client-lists.pem')];
  await writeFile(clientRoots, encodePem(clientRoot));
  await writeFile(clientLists, await createRevocationList(now, clientRoot, [issued.revoked]));
  await writeFile(tlsFile, `${encodePem(tls)}\n${await encodePrivateKey(tls)}`);
  const port = await findFreePort();
  tlsOrigin = `https://127.0.0.1:${port}`;
  const trusted = {
    ...{ FLAGS: 'ci_electronica=on', CARD_ROOTS: roots, CARD_CRLS: lists },
    ...{ MTLS_ROOTS: clientRoots, MTLS_CRLS: clientLists },
  };
  direct = await startLiveServer({ ...trusted, CARD_URL: tlsOrigin, CARD_PORT: String(port), CARD_TLS: tlsFile });
  behind = await startLiveServer({
    ...trusted,
    CARD_URL: 'https://mtls.example',
    CARD_PROXY: '127.0.0.0/8',
    CARD_PROXY_SECRET: proxySecret,
  });
  const listener = await openClientCertificateListener(direct.parts.config, direct.parts, pino({ level: 'silent' }));
  closeListener = async () => listener?.close();
  const der = new X509Certificate(encodePem(own));
  const { kty = '', ...jwk } = await exportJWK(der.publicKey);
  const proofKey = await exportJWK(proofs.publicKey);
  for (const server of [direct, behind]) {
    await server.register({
      ...{ id: 'issued', name: 'Issued', redirectUris: [callback], scopes: ['personal_info'], profile: 'fapi2' },
      tokenEndpointAuthMethod: 'tls_client_auth',
      tlsClientAuthSubjectDn: 'CN=app.example,O=Ministerio,C=UY',
    });
    await server.register({
      ...{ id: 'keyed', name: 'Keyed', redirectUris: [callback], scopes: ['personal_info'], profile: 'fapi2' },
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [{ ...proofKey, kty: 'EC' }] },
    });
    await server.register({
      id: 'app',
      name: 'App',
      redirectUris: [callback],
      scopes: ['personal_info'],
      profile: 'fapi2',
      tokenEndpointAuthMethod: 'self_signed_tls_client_auth',
      tlsClientCertificateBoundAccessTokens: true,
      jwks: { keys: [{ kty, ...jwk, kid: randomUUID(), x5c: [der.raw.toString('base64')] }] },
    });
  }
});
afterAll(async () => {
  await closeListener();
  await direct.close();
  await behind.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** Calls an endpoint. `fields` are sent as a form, `token` as a bearer token. */
type Call = (
  path: string,
  by: IssuedCertificate | null,
  what: { fields?: Record<string, string>; token?: string; dpop?: string },
) => Promise<Answer>;

const parse = (status: number, body: string): Answer => ({
  status,
  body: body.startsWith('{') ? JSON.parse(body) : {},
});
const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const callOverTls: Call = async (path, by, { fields, token, dpop }) => {
  const body = fields && new URLSearchParams(fields).toString();
  const headers = {
    ...bearer(token),
    ...(dpop !== undefined && { dpop }),
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const shown = by && { cert: encodePem(by), key: await encodePrivateKey(by) };
  return new Promise((done, failed) => {
    const options = {
      ...shown,
      method: body === undefined ? 'GET' : 'POST',
      headers,
      rejectUnauthorized: false,
      agent: false,
    };
    request(
      `${tlsOrigin}/oidc/v1/${path}`,
      options,
      (response) => void text(response).then((found) => done(parse(response.statusCode ?? 0, found)), failed),
    )
      .on('error', failed)
      .end(body);
  });
};

/**
 * Creates a call through the proxy, which forwards the client certificate. Without the correct secret, the portal must
 * ignore the certificate.
 */
const createProxyCall =
  (secret: string): Call =>
  async (path, by, { fields, token, dpop }) => {
    const response = await fetch(`${behind.origin}/oidc/v1/${path}`, {
      method: fields === undefined ? 'GET' : 'POST',
      headers: {
        ...bearer(token),
        ...(dpop !== undefined && { dpop }),
        'x-card-secret': secret,
        ...(by && { 'x-client-cert': encodeURIComponent(encodePem(by)) }),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    return parse(response.status, await response.text());
  };

const pushed = {
  client_id: 'app',
  response_type: 'code',
  scope: 'openid personal_info',
  redirect_uri: callback,
  state: 's',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

async function code(
  browser: Browser,
  { origin }: LiveServer,
  call: Call,
  { id = 'app', by = own }: { id?: string; by?: IssuedCertificate } = {},
): Promise<string> {
  const { status, body } = await call('par', by, { fields: { ...pushed, client_id: id } });
  expect(status).toBe(201);
  const query = new URLSearchParams({ client_id: id, request_uri: body['request_uri'] ?? '' });
  const back = await completeAuthorization(browser, `/oidc/v1/authorize?${query}`, origin);
  return new URL(back).searchParams.get('code') ?? expect.fail(back);
}

async function proofFor({ parts }: LiveServer, path: string, origin = parts.config.card?.url): Promise<string> {
  return new SignJWT({ jti: randomUUID(), htm: 'POST', htu: `${origin}/oidc/v1/${path}` })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(proofs.publicKey) })
    .setIssuedAt()
    .sign(proofs.privateKey);
}

describe.each<{ note: string; server: () => LiveServer; call: Call }>([
  { note: 'at the card listener', server: () => direct, call: callOverTls },
  { note: 'behind a proxy', server: () => behind, call: createProxyCall(proxySecret) },
])('mutual TLS $note', ({ server, call }) => {
  test('[SEC-06 ASVS-10.3.5 ASVS-10.4.16] binds tokens to the client certificate, and rejects the client without it', async () => {
    const browser = openBrowser(server().origin);
    await browser.signIn();
    const exchange = async (by: IssuedCertificate | null) =>
      call('token', by, {
        fields: {
          client_id: 'app',
          grant_type: 'authorization_code',
          code: await code(browser, server(), call),
          redirect_uri: callback,
          code_verifier: verifier,
        },
      });
    for (const by of [thief, null])
      expect(await exchange(by)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const { status, body } = await exchange(own);
    const token = body['access_token'] ?? '';
    expect([status, body['token_type']]).toEqual([200, 'Bearer']);
    expect((await call('userinfo', own, { token })).body).toMatchObject({ primer_nombre: 'Ana' });
    for (const by of [thief, null]) expect((await call('userinfo', by, { token })).status).toBe(401);
    const elsewhere = await fetch(`${server().origin}/oidc/v1/userinfo`, { headers: bearer(token) });
    expect(elsewhere.status, 'at the origin without client certificates').toBe(401);
  });

  test('[SEC-06 ASVS-10.4.16] authenticates a client by a certificate of a trusted authority with its subject, and rejects other certificates', async () => {
    const fields = { ...pushed, client_id: 'issued' };
    for (const by of [issued.stranger, issued.foreign, issued.revoked, own, null])
      expect(await call('par', by, { fields })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const browser = openBrowser(server().origin);
    await browser.signIn();
    const given = await code(browser, server(), call, { id: 'issued', by: issued.client });
    const grant = { grant_type: 'authorization_code', code: given, redirect_uri: callback, code_verifier: verifier };
    const dpop = await proofFor(server(), 'token');
    const { body } = await call('token', issued.client, { fields: { client_id: 'issued', ...grant }, dpop });
    expect(body['token_type']).toBe('DPoP');
  });

  test('[SEC-06 ASVS-10.4.14] requires a DPoP proof for the origin that receives it', async () => {
    const { origin, parts } = server();
    const assert = async () => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('keyed')
        .setSubject('keyed')
        .setAudience(origin)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(proofs.privateKey),
    });
    const fields = { ...pushed, client_id: 'keyed' };
    const push = async (dpop: string) =>
      (await call('par', null, { fields: { ...fields, ...(await assert()) }, dpop })).status;
    expect(await push(await proofFor(server(), 'par'))).toBe(201);
    expect(await push(await proofFor(server(), 'par', origin))).toBe(400);
    const atPortal = async (dpop: string) => {
      const body = new URLSearchParams({ ...fields, ...(await assert()) });
      return (await fetch(`${origin}/oidc/v1/par`, { method: 'POST', headers: { dpop }, body })).status;
    };
    expect(await atPortal(await proofFor(server(), 'par', origin))).toBe(201);
    expect(await atPortal(await proofFor(server(), 'par', parts.config.card?.url))).toBe(400);
  });

  test('[SEC-06] is announced in the discovery document, with its own token endpoint', async () => {
    const found = await (await fetch(`${server().origin}/.well-known/openid-configuration`)).json();
    const { url } = server().parts.config.card ?? expect.fail('no card');
    expect(found).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
      mtls_endpoint_aliases: { token_endpoint: `${url}/oidc/v1/token` },
    });
    expect(found.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['self_signed_tls_client_auth', 'tls_client_auth']),
    );
  });
});

test('[SEC-06 ASVS-10.4.16] client certificate in a header is rejected without the secret of the proxy', async () => {
  for (const secret of ['', 'x'.repeat(33)])
    expect((await createProxyCall(secret)('par', own, { fields: pushed })).status).toBe(401);
});

test('[OPER-08] card listener sheds load with 503 like the portal', async () => {
  const { config, store } = direct.parts;
  const port = await findFreePort();
  const busy = await openClientCertificateListener(
    { ...config, shedLagMs: 1_000, card: { ...config.card!, port } },
    { ...direct.parts, store: { ...store, estimateWaitMs: () => 10_000 } },
    pino({ level: 'silent' }),
  );
  const [origin, before] = [`https://127.0.0.1:${port}`, tlsOrigin];
  tlsOrigin = origin;
  const { status } = await callOverTls('par', own, { fields: pushed });
  tlsOrigin = before;
  await busy?.close();
  expect(status).toBe(503);
  expect((await callOverTls('par', own, { fields: pushed })).status).toBe(201);
});
