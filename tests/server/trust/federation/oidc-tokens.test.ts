import { createHmac } from 'node:crypto';
import { signJwt } from '../../../../src/server/platform/keys/jws-signer.ts';
import { createRemoteJWKSet, exportSPKI, generateKeyPair, importJWK, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  followRedirects,
  configureRelyingParty,
  obtainTokens,
} from '../../support/relying-party.ts';

let server: LiveServer;
let browser: Browser;
let bearer: string;
let citizenId: string;
let idToken: string;
let accessToken: string;

beforeAll(async () => {
  server = await startLiveServer();
  const config = await configureRelyingParty(
    server.origin,
    'app',
    await server.register({ id: 'app', name: 'App', redirectUris: [callback] }),
  );
  browser = openBrowser(server.origin);
  await browser.signIn();
  bearer = await browser.bearer();
  citizenId = String(claimsOf(bearer)['sub']);
  const tokens = await obtainTokens(browser, config);
  idToken = tokens.id_token ?? '';
  accessToken = tokens.access_token;
});
afterAll(() => server.close());

const part = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
const claimsOf = (token: string): JWTPayload => part(token, 1);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a token with the server's own key, so that it is rejected because of its claims and not of its signature. */
function sign(change: JWTPayload, header: Record<string, string> = {}): Promise<string> {
  const [key] = server.parts.oidc.signing.listCurrentKeys();
  const { ES256 } = key.signers;
  return signJwt(ES256, { typ: 'portal+jwt', kid: ES256.publicJwk.kid, ...header }, { ...claimsOf(bearer), ...change });
}

async function hmacWithPublicKey(form: 'pem' | 'coordinate'): Promise<string> {
  const [{ signers }] = server.parts.oidc.signing.listCurrentKeys();
  const { publicJwk } = signers.ES256;
  const { kid } = publicJwk;
  const key = await importJWK(publicJwk, 'ES256', { extractable: true });
  if (key instanceof Uint8Array) throw new Error('a public key is expected');
  const secret = form === 'pem' ? await exportSPKI(key) : (publicJwk.x ?? '');
  const head = `${encode({ alg: 'HS256', typ: 'portal+jwt', kid })}.${encode(claimsOf(bearer))}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
}

const attacks: readonly { note: string; make: () => Promise<string> | string }[] = [
  { note: 'with alg none', make: () => `${encode({ alg: 'none', typ: 'portal+jwt' })}.${encode(claimsOf(bearer))}.` },
  {
    note: 'with alg None and its signature',
    make: () => `${encode({ alg: 'None', typ: 'portal+jwt' })}.${encode(claimsOf(bearer))}.${bearer.split('.')[2]}`,
  },
  { note: 'without signature', make: () => `${bearer.split('.').slice(0, 2).join('.')}.` },
  { note: 'signed with HMAC and the public PEM', make: () => hmacWithPublicKey('pem') },
  { note: 'signed with HMAC and a coordinate', make: () => hmacWithPublicKey('coordinate') },
  {
    note: 'with its own key in the header',
    make: async () => {
      const pair = await generateKeyPair('ES256', { extractable: true });
      const { exportJWK } = await import('jose');
      return new SignJWT(claimsOf(bearer))
        .setProtectedHeader({ alg: 'ES256', typ: 'portal+jwt', jwk: await exportJWK(pair.publicKey) })
        .sign(pair.privateKey);
    },
  },
  {
    note: 'signed with another key, same kid',
    make: async () =>
      new SignJWT(claimsOf(bearer))
        .setProtectedHeader({ ...part(bearer, 0) })
        .sign((await generateKeyPair('ES256')).privateKey),
  },
  {
    note: 'with changed claims, old signature',
    make: () => {
      const [header, , signature] = bearer.split('.');
      return `${header}.${encode({ ...claimsOf(bearer), sub: 'someone', cid: 'someone' })}.${signature}`;
    },
  },
  { note: 'for another audience', make: () => sign({ aud: 'app' }) },
  { note: 'without audience', make: () => sign({ aud: undefined }) },
  { note: 'from another issuer', make: () => sign({ iss: 'https://evil.example' }) },
  { note: 'if it has expired', make: () => sign({ exp: Math.floor(Date.now() / 1000) - 1 }) },
  { note: 'without exp', make: () => sign({ exp: undefined }) },
  { note: 'with another type', make: () => sign({}, { typ: 'JWT' }) },
  { note: 'with an unknown session', make: () => sign({ sid: 'made-up' }) },
  { note: 'without session', make: () => sign({ sid: undefined }) },
  { note: 'if it is an ID token', make: () => idToken },
  { note: 'if it is a token of an application', make: () => accessToken },
  { note: 'if it is malformed', make: () => 'x' },
];

describe('access token of the portal', () => {
  const read = (token: string) =>
    fetch(`${server.origin}/rest/ciudadanos/${citizenId}/`, { headers: { authorization: `Bearer ${token}` } });

  test('[SES-03] reads the data of its citizen', async () => {
    expect((await read(bearer)).status).toBe(200);
    expect((await read(await sign({}))).status).toBe(200);
  });

  test.each(attacks)('[SES-03] is rejected $note', async ({ make }) => {
    expect((await read(await make())).status).toBe(401);
  });

  test.each(attacks.filter(({ note }) => !note.includes('expired')))(
    '[SES-03] is not renewed $note',
    async ({ make }) => {
      expect((await browser.post('/jwt/refresh/', { token: await make() })).status).toBe(401);
    },
  );

  test('[SES-03] does not read another citizen than the one of its session, even with a valid signature', async () => {
    const other = await server.parts.store.db
      .selectFrom('citizens')
      .select('id')
      .where('number', '=', '29458715')
      .executeTakeFirstOrThrow();
    const token = await sign({ sub: other.id, cid: other.id });
    const answer = await fetch(`${server.origin}/rest/ciudadanos/${other.id}/`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(404);
  });
});

describe('access token at userinfo', () => {
  const read = (token: string) =>
    fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } });

  test('[SES-08 ASVS-16.2.1] returns the claims, and the log line has the client and the account', async () => {
    const answer = await read(accessToken);
    expect(answer.status).toBe(200);
    expect(await server.logOf(answer.headers.get('x-request-id'))).toEqual([
      expect.objectContaining({ client_id: 'app', account: citizenId, network: '127.0.x.x', status: 200 }),
    ]);
  });

  test.each([
    { note: 'an access token of the portal', make: () => bearer },
    { note: 'an ID token', make: () => idToken },
    { note: 'an unknown token', make: () => 'x'.repeat(43) },
    { note: 'the token in upper case', make: () => accessToken.toUpperCase() },
  ])('[SES-08] is rejected as invalid_token: $note', async ({ make }) => {
    const answer = await read(make());
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
  });

  test('[SES-08] is rejected if it is sent in the query', async () => {
    expect(
      (await fetch(`${server.origin}/oidc/v1/userinfo?access_token=${accessToken}`)).status,
    ).toBeGreaterThanOrEqual(400);
  });
});

describe('access token for a resource server (RFC 8707)', () => {
  const [api, other] = ['https://api.example/personas', 'https://api.example/otra'];
  let config: client.Configuration;
  beforeAll(async () => {
    const scopes = ['personal_info', 'email', 'offline_access'] as const;
    const registration = { id: 'api', name: 'Api', redirectUris: [callback], scopes: [...scopes], resources: [api] };
    config = await configureRelyingParty(server.origin, 'api', await server.register(registration));
  });
  const request = async (resource: string) => {
    const request = await beginFlow(config, { scope: 'openid email offline_access', prompt: 'consent', resource });
    return { request, address: await followRedirects(browser, request.url.href, server.origin) };
  };
  const read = (token: string) => jwtVerify(token, createRemoteJWKSet(new URL(`${server.origin}/oidc/v1/jwks`)));
  const exchange = async () => {
    const { request: begun, address } = await request(api);
    const back = new URL(await answerConsent(browser, address, server.origin));
    return client.authorizationCodeGrant(config, back, begun.checks, { resource: api });
  };

  test('[SEC-06 ASVS-10.3.1] has resource, client, citizen and scopes as claims, also after a refresh', async () => {
    const tokens = await exchange();
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', { resource: api });
    for (const token of [tokens.access_token, refreshed.access_token]) {
      const { payload, protectedHeader } = await read(token);
      expect(protectedHeader.typ).toBe('at+jwt');
      expect(payload).toMatchObject({
        ...{ iss: server.origin, aud: api, client_id: 'api', scope: 'email' },
        ...{ sub: tokens.claims()?.sub, nid: expect.any(Number) },
      });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    }
  });

  test('[SEC-06 ASVS-10.3.1] is rejected by userinfo and the portal', async () => {
    const headers = { authorization: `Bearer ${(await exchange()).access_token}` };
    for (const path of ['/oidc/v1/userinfo', `/rest/ciudadanos/${citizenId}/`])
      expect([path, (await fetch(`${server.origin}${path}`, { headers })).status]).toEqual([path, 401]);
  });

  test('[SEC-06 ASVS-10.3.1] is rejected for a resource that the client is not registered for', async () => {
    expect(new URL((await request(other)).address).searchParams.get('error')).toBe('invalid_target');
    const { request: begun, address } = await request(api);
    const back = new URL(await answerConsent(browser, address, server.origin));
    await expect(client.authorizationCodeGrant(config, back, begun.checks, { resource: other })).rejects.toMatchObject({
      error: 'invalid_target',
    });
  });
});
