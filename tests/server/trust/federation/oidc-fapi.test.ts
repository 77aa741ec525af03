import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClientRegistration } from '../../../../src/server/trust/federation/clients/client-registration.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { callback, completeAuthorization } from '../../support/relying-party.ts';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

let server: LiveServer;
let browser: Browser;
const keys: Record<string, Pair> = {};
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

beforeAll(async () => {
  server = await startLiveServer();
  for (const [name, alg] of Object.entries({
    fapi: 'ES256',
    other: 'ES256',
    proof: 'ES256',
    thief: 'ES256',
    rsa: 'RS256',
  }))
    keys[name] = await generateKeyPair(alg, { extractable: true });
  for (const id of ['fapi', 'other'])
    await server.register({
      ...registration,
      id,
      jwks: { keys: [await publicKey(id), await publicKey('rsa')] },
    });
  await server.register({ id: 'public', name: 'Public', redirectUris: [callback], scopes: ['email'] }, 'public');
  browser = openBrowser(server.origin);
  await browser.signIn();
});
afterAll(() => server.close());

const registration = {
  id: 'x',
  name: 'FAPI',
  redirectUris: [callback],
  scopes: ['personal_info', 'offline_access'],
  profile: 'fapi2',
  tokenEndpointAuthMethod: 'private_key_jwt',
} as const satisfies ClientRegistration;

async function publicKey(name: string) {
  const { kty = '', ...jwk } = await exportJWK(pair(name).publicKey);
  return { kty, ...jwk, kid: name };
}
const pair = (name: string): Pair => keys[name] ?? expect.fail(name);
const now = () => Math.floor(Date.now() / 1000);
const at = (path: string) => `${server.origin}/oidc/v1/${path}`;

interface Assertion {
  readonly claims?: JWTPayload;
  readonly alg?: string;
  readonly by?: string;
  readonly typ?: string;
}

/** Creates a client assertion. `claims` override its claims. */
async function assertion(id: string, { claims = {}, alg = 'ES256', by = id, typ }: Assertion = {}): Promise<string> {
  const usual = { iss: id, sub: id, aud: server.origin, jti: randomUUID(), iat: now(), exp: now() + 60, ...claims };
  if (alg === 'none') return new UnsecuredJWT(usual).encode();
  const key = alg.startsWith('HS') ? Buffer.from('s'.repeat(32)) : pair(by).privateKey;
  return new SignJWT(usual).setProtectedHeader({ alg, kid: by, ...(typ && { typ }) }).sign(key);
}

/** Creates a DPoP proof. A change of `undefined` removes a claim. */
async function proof(htm: string, path: string, change: JWTPayload = {}, by = 'proof', header = {}): Promise<string> {
  const usual = { jti: randomUUID(), htm, htu: at(path), iat: now(), ...change };
  const alg = by === 'rsa' ? 'RS256' : 'ES256';
  return new SignJWT(usual)
    .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: await exportJWK(pair(by).publicKey), ...header })
    .sign(pair(by).privateKey);
}

async function post(path: string, fields: Record<string, string>, dpop?: string) {
  const response = await fetch(at(path), {
    method: 'POST',
    headers: dpop === undefined ? {} : { dpop },
    body: new URLSearchParams(fields),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

const shown = async (id = 'fapi', change: Assertion = {}) => ({
  client_assertion_type: assertionType,
  client_assertion: await assertion(id, change),
});

const request = (change: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      client_id: 'fapi',
      response_type: 'code',
      scope: 'openid personal_info offline_access',
      prompt: 'consent',
      redirect_uri: callback,
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...change,
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** Sends a pushed authorization request. */
const push = async (change: Record<string, string | undefined> = {}, dpop?: string) =>
  post('par', { ...request(change), ...(await shown()) }, dpop);

/** Follows an authorization request and allows the consent. Returns the parameters of the final redirect. */
async function authorize(query: Record<string, string>): Promise<URLSearchParams> {
  const back = await completeAuthorization(browser, `/oidc/v1/authorize?${new URLSearchParams(query)}`, server.origin);
  return URL.canParse(back) ? new URL(back).searchParams : new URLSearchParams();
}

async function code(change: Record<string, string | undefined> = {}, dpop?: string): Promise<string> {
  const { body } = await push(change, dpop);
  return (await authorize({ client_id: 'fapi', request_uri: body.request_uri })).get('code') ?? expect.fail('no code');
}

const exchange = async (given: string, change: Record<string, string> = {}, dpop?: string, by: Assertion = {}) =>
  post(
    'token',
    {
      grant_type: 'authorization_code',
      code: given,
      redirect_uri: callback,
      code_verifier: verifier,
      ...(await shown('fapi', by)),
      ...change,
    },
    dpop,
  );

const userinfo = (headers: Record<string, string>, query = '') => fetch(at(`userinfo${query}`), { headers });
const ath = (token: string) => ({ ath: createHash('sha256').update(token).digest('base64url') });
const read = async (token: string) =>
  userinfo({ authorization: `DPoP ${token}`, dpop: await proof('GET', 'userinfo', ath(token)) });

test('[SEC-06] FAPI 2 client gets a DPoP-bound access token, and reads userinfo with it', async () => {
  const { status, body } = await exchange(await code(), {}, await proof('POST', 'token'));
  expect([status, body]).toEqual([200, expect.objectContaining({ token_type: 'DPoP' })]);
  expect((await read(body.access_token)).status).toBe(200);
});

describe('[ASVS-10.4.13] pushed authorization request', () => {
  test('[ASVS-10.4.13] is required: an authorization request that was not pushed is rejected', async () => {
    expect((await authorize(request())).get('error')).toBe('invalid_request');
  });

  test('[ASVS-10.4.13] is not changed by parameters beside its request_uri', async () => {
    const { body } = await push();
    const query = {
      client_id: 'fapi',
      request_uri: body.request_uri,
      redirect_uri: 'https://evil.example/',
      scope: 'email',
    };
    expect((await authorize(query)).get('code')).toEqual(expect.any(String));
  });

  test('[ASVS-10.4.13] works once', async () => {
    const { body } = await push();
    const query = { client_id: 'fapi', request_uri: body.request_uri };
    expect((await authorize(query)).get('code')).toEqual(expect.any(String));
    expect((await authorize(query)).get('code')).toBe(null);
  });

  test('[ASVS-10.4.13] works only for its client, and expires after a minute', async () => {
    const { body } = await push();
    expect(body.expires_in).toBe(60);
    expect((await authorize({ client_id: 'other', request_uri: body.request_uri })).get('code')).toBe(null);
    await server.parts.store.db
      .updateTable('oidc_records')
      .where('model', '=', 'PushedAuthorizationRequest')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await authorize({ client_id: 'fapi', request_uri: body.request_uri })).get('code')).toBe(null);
  });

  test('[ASVS-10.4.13] is deleted after its expiry when the next one arrives', async () => {
    const rows = () =>
      server.parts.store.db.selectFrom('oidc_records').select('id').where('model', '=', 'PushedAuthorizationRequest');
    for (let count = 0; count < 3; count += 1) await push();
    await server.parts.store.db
      .updateTable('oidc_records')
      .where('model', '=', 'PushedAuthorizationRequest')
      .set({ expires_at: new Date(0) })
      .execute();
    await push();
    expect(await rows().execute()).toHaveLength(1);
    await push();
    expect(await rows().execute(), 'valid requests are not deleted').toHaveLength(2);
  });

  test.each([
    { note: 'without PKCE', change: { code_challenge: undefined, code_challenge_method: undefined } },
    { note: 'with the PKCE method plain', change: { code_challenge: verifier, code_challenge_method: 'plain' } },
    { note: 'to an unregistered redirect URI', change: { redirect_uri: 'https://evil.example/' } },
    { note: 'to the redirect URI with a query', change: { redirect_uri: `${callback}?x=1` } },
    { note: 'without a redirect URI', change: { redirect_uri: undefined } },
    { note: 'for response_type token', change: { response_type: 'token' } },
    { note: 'with the request_uri of another one', change: { request_uri: 'urn:ietf:params:oauth:request_uri:x' } },
  ])('[ASVS-10.4.6 ASVS-10.4.13] is rejected $note', async ({ change }) => {
    const { status, body } = await push(change);
    expect([status, body.request_uri]).toEqual([400, undefined]);
  });

  test('[ASVS-10.4.13] is rejected for a public client', async () => {
    const { status, body } = await post('par', { ...request(), scope: 'openid', client_id: 'public' });
    expect([status, body.error]).toEqual([400, 'unauthorized_client']);
  });
});

describe('[ASVS-10.4.16] client assertion', () => {
  const refused: readonly { note: string; change: () => Assertion }[] = [
    { note: 'with the token endpoint as audience', change: () => ({ claims: { aud: at('token') } }) },
    { note: 'with several audiences', change: () => ({ claims: { aud: [server.origin, 'https://evil.example'] } }) },
    { note: 'with another server as audience', change: () => ({ claims: { aud: 'https://evil.example' } }) },
    { note: 'without an audience', change: () => ({ claims: { aud: undefined } }) },
    { note: 'after its expiry', change: () => ({ claims: { exp: now() - 60 } }) },
    { note: 'before it is valid', change: () => ({ claims: { nbf: now() + 60 } }) },
    { note: 'without exp', change: () => ({ claims: { exp: undefined } }) },
    { note: 'with an expiry in a day', change: () => ({ claims: { exp: now() + 86_400 } }) },
    { note: 'with an expiry beyond all dates', change: () => ({ claims: { exp: 1e15 } }) },
    { note: 'without jti', change: () => ({ claims: { jti: undefined } }) },
    { note: 'with the type of a request object', change: () => ({ typ: 'oauth-authz-req+jwt' }) },
    { note: 'with the type of a DPoP proof', change: () => ({ typ: 'dpop+jwt' }) },
    { note: 'from another issuer', change: () => ({ claims: { iss: 'other' } }) },
    { note: 'without a signature', change: () => ({ alg: 'none' }) },
    { note: 'signed with RS256', change: () => ({ alg: 'RS256', by: 'rsa' }) },
    { note: 'signed with HS256', change: () => ({ alg: 'HS256' }) },
    { note: 'signed with another key', change: () => ({ by: 'thief' }) },
  ];

  test.each(refused)('[ASVS-10.4.16] is rejected by the PAR and token endpoints $note', async ({ change }) => {
    const own = { ...(await shown('fapi', change())), client_id: 'fapi' };
    const pushed = await post('par', { ...request(), ...own });
    expect([pushed.status, pushed.body.error]).toEqual([401, 'invalid_client']);
    const { status, body } = await exchange(await code(), {}, await proof('POST', 'token'), change());
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('[ASVS-10.4.16] works once, also for parallel requests', async () => {
    const fields = { ...request(), ...(await shown()) };
    const answers = await Promise.all([1, 2, 3, 4].map(() => post('par', fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
    expect((await post('par', fields)).status).toBe(401);
  });

  test.each(['JWT', 'client-authentication+jwt'])('[ASVS-10.4.16] works with the type %s', async (typ) => {
    expect((await post('par', { ...request(), ...(await shown('fapi', { typ })) })).status).toBe(201);
  });

  test('[ASVS-10.4.16] is required for a client with keys', async () => {
    const [client_id, client_secret] = ['fapi', 'x'.repeat(43)];
    for (const by of [{ client_id }, { client_id, client_secret }] as Record<string, string>[])
      expect((await post('par', { ...request(), ...by })).status).toBe(401);
  });
});

describe('[ASVS-10.4.14] DPoP proof', () => {
  let given: string;
  beforeEach(async () => {
    given = await code();
  });

  test('[ASVS-10.4.14] is required for tokens', async () => {
    expect((await exchange(given)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test.each<{ note: string; make: () => Promise<string> }>([
    { note: 'for another endpoint', make: () => proof('POST', 'par') },
    { note: 'for another server', make: () => proof('POST', 'token', { htu: 'https://evil.example/oidc/v1/token' }) },
    { note: 'for another method', make: () => proof('GET', 'token') },
    { note: 'from an hour ago', make: () => proof('POST', 'token', { iat: now() - 3600 }) },
    { note: 'from the future', make: () => proof('POST', 'token', { iat: now() + 3600 }) },
    { note: 'without jti', make: () => proof('POST', 'token', { jti: undefined }) },
    { note: 'with another type', make: () => proof('POST', 'token', {}, 'proof', { typ: 'JWT' }) },
    { note: 'signed with RS256', make: () => proof('POST', 'token', {}, 'rsa') },
    {
      note: 'signed with another key than its jwk',
      make: async () => proof('POST', 'token', {}, 'thief', { jwk: await exportJWK(pair('proof').publicKey) }),
    },
    {
      note: 'with the private key in its jwk',
      make: async () => proof('POST', 'token', {}, 'proof', { jwk: await exportJWK(pair('proof').privateKey) }),
    },
  ])('[ASVS-10.4.14] is rejected $note', async ({ make }) => {
    const { status, body } = await exchange(given, {}, await make());
    expect([status, body.error]).toEqual([400, 'invalid_dpop_proof']);
  });

  test('[ASVS-10.4.14] works once', async () => {
    const once = await proof('POST', 'token');
    expect((await exchange(given, {}, once)).status).toBe(200);
    expect((await exchange(await code(), {}, once)).body).toMatchObject({ error: 'invalid_grant' });
  });

  test.each<{ note: string; bind: () => Promise<[Record<string, string>, string?]> }>([
    {
      note: 'named by dpop_jkt',
      bind: async () => [{ dpop_jkt: await calculateJwkThumbprint(await exportJWK(pair('proof').publicKey)) }],
    },
    { note: 'of the proof at the PAR endpoint', bind: async () => [{}, await proof('POST', 'par')] },
  ])('[ASVS-10.4.14] must be signed with the key $note to exchange the code', async ({ bind }) => {
    const [stolen, own] = [await code(...(await bind())), await code(...(await bind()))];
    expect((await exchange(stolen, {}, await proof('POST', 'token', {}, 'thief'))).body.error).toBe('invalid_grant');
    expect((await exchange(own, {}, await proof('POST', 'token'))).status).toBe(200);
  });

  test('[ASVS-10.3.5] is required, with the right key, hash and method, to use an access token', async () => {
    const { body } = await exchange(given, {}, await proof('POST', 'token'));
    const token: string = body.access_token;
    const authorization = `DPoP ${token}`;
    const good = await proof('GET', 'userinfo', ath(token));
    const attempts: readonly Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${token}`, dpop: await proof('GET', 'userinfo', ath(token)) },
      { authorization },
      { authorization, dpop: await proof('GET', 'userinfo') },
      { authorization, dpop: await proof('GET', 'userinfo', ath('another')) },
      { authorization, dpop: await proof('POST', 'userinfo', ath(token)) },
      { authorization, dpop: await proof('GET', 'userinfo', ath(token), 'thief') },
    ];
    for (const [index, headers] of attempts.entries())
      expect([index, [400, 401].includes((await userinfo(headers)).status)]).toEqual([index, true]);
    expect((await userinfo({ authorization, dpop: good })).status).toBe(200);
    expect((await userinfo({ authorization, dpop: good })).status, 'the same proof again').toBe(401);
  });

  test('[ASVS-10.3.5] does not allow an access token in the query or the form', async () => {
    const { body } = await exchange(given, {}, await proof('POST', 'token'));
    const dpop = await proof('GET', 'userinfo', ath(body.access_token));
    expect((await userinfo({ dpop }, `?access_token=${body.access_token}`)).status).toBe(400);
    const posted = await proof('POST', 'userinfo', ath(body.access_token));
    expect((await post('userinfo', { access_token: body.access_token }, posted)).status).toBe(400);
  });
});

describe('authorization code and refresh token', () => {
  test('[ASVS-10.4.3] limit the lifetime of a code to a minute', async () => {
    await code();
    const { expires_at } = await server.parts.store.db
      .selectFrom('oidc_records')
      .select('expires_at')
      .where('model', '=', 'AuthorizationCode')
      .where('client_id', '=', 'fapi')
      .orderBy('expires_at', 'desc')
      .executeTakeFirstOrThrow();
    expect((expires_at.getTime() - Date.now()) / 1000).toBeLessThanOrEqual(60);
  });

  test('[ASVS-10.4.2] revoke the access and refresh tokens of a code that is used again', async () => {
    const given = await code();
    const { body } = await exchange(given, {}, await proof('POST', 'token'));
    expect((await read(body.access_token)).status).toBe(200);
    expect((await exchange(given, {}, await proof('POST', 'token'))).body.error).toBe('invalid_grant');
    expect((await read(body.access_token)).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...(await shown()) };
    expect((await post('token', refresh, await proof('POST', 'token'))).body.error).toBe('invalid_grant');
  });

  test.each<{ note: string; change: () => Promise<Record<string, string>> | Record<string, string> }>([
    { note: 'with another redirect URI', change: () => ({ redirect_uri: 'https://evil.example/' }) },
    { note: 'with another PKCE verifier', change: () => ({ code_verifier: 'w'.repeat(43) }) },
    { note: 'from another client', change: () => shown('other') },
  ])('[ASVS-10.4.6] reject the exchange of a code $note', async ({ change }) => {
    const { status, body } = await exchange(await code(), await change(), await proof('POST', 'token'));
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  test('[ASVS-10.4.5] do not rotate the refresh token, which works only for its client with a DPoP proof', async () => {
    const { body } = await exchange(await code(), {}, await proof('POST', 'token'));
    const refresh = async (id: string, dpop?: string) =>
      post('token', { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...(await shown(id)) }, dpop);
    expect((await refresh('other', await proof('POST', 'token'))).body.error).toBe('invalid_grant');
    expect((await refresh('fapi')).body.error).toBe('invalid_grant');
    const renewed = await refresh('fapi', await proof('POST', 'token'));
    expect([renewed.status, renewed.body.refresh_token]).toEqual([200, body.refresh_token]);
  });
});

test('[SEC-06] client with certificate-bound tokens is unknown to a server without a mutual TLS origin', async () => {
  const jwks = { keys: [await publicKey('fapi')] };
  await server.register({ ...registration, id: 'bound', jwks, tlsClientCertificateBoundAccessTokens: true });
  const own = await shown('bound', { by: 'fapi' });
  const { status, body } = await post('par', { ...request({ client_id: 'bound' }), ...own });
  expect([status, body.error]).toEqual([401, 'invalid_client']);
});

describe('registration with profile fapi2', () => {
  const wrong: readonly { note: string; change: Partial<ClientRegistration>; kind?: 'public'; says: RegExp }[] = [
    {
      note: 'with a secret',
      change: { tokenEndpointAuthMethod: undefined },
      says: /tokenEndpointAuthMethod is required/,
    },
    { note: 'without keys', change: { jwks: undefined }, says: /needs jwks or jwksUri/ },
    { note: 'as a public client', change: {}, kind: 'public', says: /public client has no/ },
    {
      note: 'with RS256 as signing algorithm',
      change: { signingAlg: 'RS256' },
      says: /RS256 needs the profile specification/,
    },
    { note: 'with an http redirect URI', change: { redirectUris: ['http://app.example/cb'] }, says: /must be https/ },
    { note: 'with a private scheme', change: { redirectUris: ['uy.example.app:/cb'] }, says: /must be https/ },
    { note: 'as legacy', change: { legacy: true }, says: /legacy need the profile specification/ },
    {
      note: 'with a private key',
      change: { jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
      says: /JSON Web Key Set is invalid/,
    },
  ];
  test.each(wrong)('[SEC-06] is rejected $note', async ({ change, kind, says }) => {
    const { tokenEndpointAuthMethod, jwks, ...rest } = {
      ...registration,
      jwks: { keys: [await publicKey('fapi')] },
      ...change,
    };
    const given = { ...rest, ...(tokenEndpointAuthMethod && { tokenEndpointAuthMethod }), ...(jwks && { jwks }) };
    await expect(server.register(given, kind)).rejects.toThrow(says);
  });
});
