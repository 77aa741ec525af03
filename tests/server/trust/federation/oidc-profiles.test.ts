import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientRegistration } from '../../../../src/server/trust/federation/clients/client-registration.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  finishFlow,
  followRedirects,
  configureKeyedRelyingParty,
  configureRelyingParty,
  completeAuthorization,
} from '../../support/relying-party.ts';

let server: LiveServer;
let browser: Browser;
/** Server of the JWKS of each client, at `/<id>`. */
let keyServer: Server;
let keyOrigin: string;
const published = new Map<string, JWK>();
const pairs = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>();
const pairOf = (id: string) => pairs.get(id) ?? expect.fail(id);
/** Emitter of the logout tokens received at `/logout`. */
const logouts = new EventEmitter();

beforeAll(async () => {
  server = await startLiveServer({ BACKCHANNEL_PRIVATE: 'on' });
  const port = await findFreePort();
  keyOrigin = `http://127.0.0.1:${port}`;
  keyServer = createServer((request, response) => {
    const { url = '' } = request;
    if (url === '/logout')
      void readText(request).then((body) => logouts.emit('token', new URLSearchParams(body).get('logout_token')));
    response.end(JSON.stringify({ keys: [published.get(url.slice(1))].filter((key) => key !== undefined) }));
  }).listen(port, '127.0.0.1');
  browser = openBrowser(server.origin);
});
afterAll(async () => {
  keyServer.close();
  await server.close();
});

const home = 'http://127.0.0.1:9/';
const scopes = ['personal_info', 'offline_access'];

interface Party {
  readonly config: client.Configuration;
  readonly build?: (config: client.Configuration, parameters: Record<string, string>) => URL | Promise<URL>;
  readonly dpop?: client.DPoPOptions;
}

/** Registers a client with a new key of the given algorithm. */
async function configureKeyed(
  id: string,
  alg: string,
  more: Partial<ClientRegistration>,
  where: 'jwks' | 'jwksUri' = 'jwks',
): Promise<client.Configuration> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  pairs.set(id, { privateKey, publicKey });
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg, use: 'sig', kty: alg === 'ES256' ? 'EC' : 'RSA' };
  published.set(id, key);
  const keys = where === 'jwks' ? { jwks: { keys: [key] } } : { jwksUri: `${keyOrigin}/${id}` };
  const registration = { id, name: id, redirectUris: [callback], postLogoutRedirectUris: [home], scopes };
  await server.register({ ...registration, tokenEndpointAuthMethod: 'private_key_jwt', ...keys, ...more });
  const idTokenAlg = more.signingAlg ?? ((more.profile ?? 'specification') === 'specification' ? 'RS256' : 'ES256');
  return configureKeyedRelyingParty(
    server.origin,
    id,
    client.PrivateKeyJwt({ key: privateKey, kid: 'one' }),
    idTokenAlg,
  );
}

async function configureFapi(alg: 'ES256' | 'PS256', id = `fapi-${alg}`): Promise<Party> {
  const config = await configureKeyed(id, alg, { profile: 'fapi2', signingAlg: alg });
  const dpop = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256')) };
  return { config, dpop, build: (own, parameters) => client.buildAuthorizationUrlWithPAR(own, parameters, dpop) };
}

const parties: readonly { note: string; alg: string; open: () => Promise<Party> }[] = [
  {
    note: 'specification and a secret',
    alg: 'RS256',
    open: async () => {
      const registration = { id: 'secret', name: 'Secret', redirectUris: [callback], postLogoutRedirectUris: [home] };
      return {
        config: await configureRelyingParty(
          server.origin,
          'secret',
          await server.register({ ...registration, scopes }),
        ),
      };
    },
  },
  {
    note: 'specification and its own key',
    alg: 'RS256',
    open: async () => ({ config: await configureKeyed('keyed', 'RS256', {}) }),
  },
  {
    note: 'oidc and a key at jwksUri [ASVS-11.6.1]',
    alg: 'ES256',
    open: async () => ({ config: await configureKeyed('address', 'ES256', { profile: 'oidc' }, 'jwksUri') }),
  },
  {
    note: 'oidc, PS256 and pushed requests',
    alg: 'PS256',
    open: async () => ({
      config: await configureKeyed('pushed', 'PS256', {
        profile: 'oidc',
        signingAlg: 'PS256',
        requirePushedAuthorizationRequests: true,
      }),
      build: client.buildAuthorizationUrlWithPAR,
    }),
  },
  { note: 'fapi2 and ES256', alg: 'ES256', open: () => configureFapi('ES256') },
  { note: 'fapi2 and PS256', alg: 'PS256', open: () => configureFapi('PS256') },
];

/** Signs the citizen in at a relying party. */
async function signIn({ config, build, dpop }: Party) {
  await browser.signIn();
  const request = await beginFlow(
    config,
    { scope: ['openid', ...scopes].join(' '), prompt: 'consent', response_mode: 'query' },
    build,
  );
  const back = await completeAuthorization(browser, request.url.href, server.origin);
  return { request, back, tokens: await finishFlow(request, back, dpop) };
}

describe.each(parties)('client with profile $note', ({ alg, open }) => {
  test(`[SEC-06 ASVS-10.4.16] signs in, reads userinfo, refreshes and logs out, with ID tokens signed with ${alg}`, async () => {
    const party = await open();
    const { config, dpop } = party;
    const { tokens } = await signIn(party);
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe(alg);
    const sub = tokens.claims()?.sub ?? '';
    const read = (token: string) => client.fetchUserInfo(config, token, sub, dpop);
    expect(await read(tokens.access_token)).toMatchObject({ sub, primer_nombre: 'Ana' });
    expect(tokens.token_type).toBe(dpop === undefined ? 'bearer' : 'dpop');

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, dpop);
    expect(await read(renewed.access_token)).toMatchObject({ sub, primer_nombre: 'Ana' });

    const hint = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: home };
    const left = await browser.get(client.buildEndSessionUrl(config, hint).href);
    expect([left.status, left.headers.get('location')]).toEqual([303, home]);
    expect((await browser.get('/jwt/obtain/')).status).toBe(401);
    expect(decodeJwt(tokens.id_token ?? '').iss).toBe(server.origin);
  });
});

describe('request object', () => {
  const build = (key: CryptoKey) => (own: client.Configuration, parameters: Record<string, string>) =>
    client.buildAuthorizationUrlWithJAR(own, parameters, { key, kid: 'one' });

  test.each(['RS256', 'PS256', 'ES256'] as const)(
    '[SEC-06 ASVS-4.1.5] signed with %s is accepted',
    async (signingAlg) => {
      const id = `jar-${signingAlg}`;
      const config = await configureKeyed(id, signingAlg, { signingAlg, requireSignedRequestObject: true });
      const { tokens } = await signIn({ config, build: build(pairOf(id).privateKey) });
      expect(tokens.claims()).toMatchObject({ aud: id });
    },
  );

  test('[ASVS-4.1.5] is rejected if it is missing, signed with another key, unsigned, or has wrong claims or a wrong type', async () => {
    const config = await configureKeyed('jar', 'ES256', { requireSignedRequestObject: true });
    const answer = async ({ url }: { url: URL }) => {
      const address = await followRedirects(browser, url.href, server.origin);
      return address.includes(' -> 400') ? 'a page' : new URL(address).searchParams.get('error');
    };
    expect(await answer(await beginFlow(config))).toBe('invalid_request');
    const { privateKey } = await generateKeyPair('ES256');
    expect(await answer(await beginFlow(config, {}, build(privateKey)))).toBe('a page');
    const own = pairOf('jar').privateKey;
    const iat = Math.floor(Date.now() / 1000);
    const object = (claims: object, header: object = {}) =>
      new SignJWT({
        iss: 'jar',
        aud: server.origin,
        client_id: 'jar',
        redirect_uri: callback,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        prompt: 'none',
        iat,
        exp: iat + 60,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign(own);
    const refused = /a page|invalid_request_object/;
    const direct = async (request: string) => {
      const query = { client_id: 'jar', redirect_uri: callback, response_type: 'code', scope: 'openid', request };
      return answer({ url: new URL(`${server.origin}/oidc/v1/authorize?${new URLSearchParams(query)}`) });
    };
    for (const typ of [undefined, 'JWT', 'oauth-authz-req+jwt'])
      expect([typ, await direct(await object({}, { typ }))]).toEqual([typ, expect.stringMatching(/^(login|consent)_/)]);
    const wrong: readonly [object, object?][] = [
      [{ aud: 'https://evil.example' }],
      [{ iss: 'other' }],
      [{ exp: 1 }],
      [{ exp: undefined }],
      [{ iat: undefined }],
      [{ exp: iat + 86_400 }],
      [{ sub: 'jar' }],
      [{}, { typ: 'client-authentication+jwt' }],
      [{}, { typ: 'dpop+jwt' }],
    ];
    for (const [claims, header] of wrong)
      expect([claims, header, await direct(await object(claims, header))]).toEqual([
        claims,
        header,
        expect.stringMatching(refused),
      ]);
    const unsigned = new UnsecuredJWT({ iss: 'jar', aud: server.origin, client_id: 'jar' }).encode();
    expect(await direct(unsigned)).toMatch(refused);
  });
});

test.each([
  { note: 'a string', member: '"x"' },
  { note: 'a list', member: '[]' },
  { note: 'a deeply nested object', member: `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
])(
  '[SEC-06] pushed authorization request is rejected if its claims parameter has $note as a member',
  async ({ member }) => {
    const id = `claims-${member.length}`;
    const config = await configureKeyed(id, 'ES256', { profile: 'oidc' });
    for (const part of ['userinfo', 'id_token'])
      await expect(
        beginFlow(config, { claims: `{"${part}":{"name":${member}}}` }, client.buildAuthorizationUrlWithPAR),
      ).rejects.toMatchObject({ error: 'invalid_request' });
  },
);

describe('pairwise subject', () => {
  const subjectAt = async (id: string, more: Partial<ClientRegistration>) => {
    const config = await configureKeyed(id, 'ES256', more);
    const { tokens } = await signIn({ config });
    const { sub } = tokens.claims() ?? expect.fail('no claims');
    return (await client.fetchUserInfo(config, tokens.access_token, sub)).sub;
  };

  test('[SEC-06] is the same for clients of one sector, differs between sectors, and is not the public subject', async () => {
    await browser.signIn();
    const citizen = decodeJwt(await browser.bearer()).sub;
    const sector = (host: string) =>
      ({ profile: 'oidc', sectorIdentifierUri: `https://${host}/redirects.json` }) as const;
    const [one, two, other, byHost, open] = [
      await subjectAt('one', sector('a.example')),
      await subjectAt('two', sector('a.example')),
      await subjectAt('other', sector('b.example')),
      await subjectAt('host', { profile: 'oidc' }),
      await subjectAt('open', { profile: 'oidc', subjectType: 'public' }),
    ];
    expect([two, open]).toEqual([one, citizen]);
    expect(new Set([one, other, byHost, citizen]).size).toBe(4);
  });

  test('[SEC-06] is compared with id_token_hint and the sub claim of a request, instead of the public subject', async () => {
    const config = await configureKeyed('hinted', 'ES256', { profile: 'oidc' });
    const { tokens } = await signIn({ config });
    const citizen = decodeJwt(await browser.bearer()).sub ?? '';
    const own = tokens.claims()?.sub ?? '';
    const ask = async (more: Record<string, string>) =>
      new URL(
        await followRedirects(browser, (await beginFlow(config, { prompt: 'none', ...more })).url.href, server.origin),
      ).searchParams;
    const claim = (sub: string) => ({ claims: JSON.stringify({ id_token: { sub: { value: sub } } }) });
    expect((await ask({ id_token_hint: tokens.id_token ?? '' })).get('code')).toBeTruthy();
    expect((await ask(claim(own))).get('code')).toBeTruthy();
    expect((await ask(claim(citizen))).get('error')).toBe('login_required');
  });

  test('[SEC-06] is used in logout tokens and introspection responses', async () => {
    const tokensAtClient = new Promise<string>((done) => logouts.once('token', done));
    const config = await configureKeyed('told', 'ES256', {
      profile: 'oidc',
      signingAlg: 'ES256',
      backchannelLogoutUri: `${keyOrigin}/logout`,
    });
    const { tokens } = await signIn({ config });
    const { sub } = tokens.claims() ?? expect.fail('no claims');
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, sub });
    await browser.get(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' }).href);
    const told = await tokensAtClient;
    expect([decodeJwt(told).sub, decodeProtectedHeader(told).alg]).toEqual([sub, 'ES256']);
  });
});

describe('token revocation and introspection', () => {
  test("[SEC-06] work for a client's own tokens, and treat the tokens of other clients as unknown", async () => {
    const [config, stranger] = [
      await configureKeyed('owner', 'ES256', {}),
      await configureKeyed('stranger', 'ES256', {}),
    ];
    const { tokens } = await signIn({ config });
    const refresh = tokens.refresh_token ?? '';
    const scope = ['openid', ...scopes].join(' ');
    const seen = await client.tokenIntrospection(config, tokens.access_token);
    expect(seen).toMatchObject({ active: true, client_id: 'owner', scope, token_type: 'Bearer' });
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['nid']));
    expect(await client.tokenIntrospection(config, refresh)).toMatchObject({ active: true, client_id: 'owner' });
    for (const token of [tokens.access_token, refresh, 'x'.repeat(43)])
      expect(await client.tokenIntrospection(stranger, token)).toEqual({ active: false });

    await client.tokenRevocation(stranger, refresh);
    expect(await client.tokenIntrospection(config, refresh)).toMatchObject({ active: true });
    await client.tokenRevocation(config, refresh);
    for (const token of [tokens.access_token, refresh])
      expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
    await expect(client.refreshTokenGrant(config, refresh)).rejects.toMatchObject({ error: 'invalid_grant' });
    const read = client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
    await expect(read).rejects.toMatchObject({ status: 401 });
  });

  test('[ASVS-10.4.16] reject a client assertion with several audiences', async () => {
    await configureKeyed('several', 'ES256', { profile: 'oidc' });
    const toSeveral = client.PrivateKeyJwt(
      { key: pairOf('several').privateKey, kid: 'one' },
      { [client.modifyAssertion]: (_header, payload) => (payload.aud = [server.origin, 'https://evil.example']) },
    );
    const config = await configureKeyedRelyingParty(server.origin, 'several', toSeveral, 'ES256');
    await expect(client.tokenIntrospection(config, 'x')).rejects.toMatchObject({ error: 'invalid_client' });
  });

  test.each(['introspect', 'revoke'])('[SEC-06] reject an unauthenticated client at /oidc/v1/%s', async (path) => {
    const send = (fields: Record<string, string>) =>
      fetch(`${server.origin}/oidc/v1/${path}`, { method: 'POST', body: new URLSearchParams(fields) });
    expect((await send({ token: 'x' })).status).toBe(400);
    expect((await send({ token: 'x', client_id: 'owner' })).status).toBe(401);
  });
});

test.each([
  { profile: 'oidc', kind: 'public', again: true },
  { profile: 'oidc', kind: 'confidential', again: false },
  { profile: 'specification', kind: 'public', again: false },
] as const)(
  '[ASVS-10.7.1] $kind client with profile $profile asks for consent again: $again',
  async ({ profile, kind, again }) => {
    const id = `${profile}-${kind}`;
    const secret = await server.register({ id, name: id, redirectUris: [callback], profile }, kind);
    const config = await configureRelyingParty(server.origin, id, secret);
    await browser.signIn();
    const ask = async () => followRedirects(browser, (await beginFlow(config)).url.href, server.origin);
    expect(new URL(await answerConsent(browser, await ask(), server.origin)).searchParams.get('code')).toBeTruthy();
    expect((await ask()).includes('/autorizacion')).toBe(again);
  },
);

test('[SEC-06] prompt=select_account requires a new sign-in, and rejects the existing session', async () => {
  const config = await configureKeyed('select', 'ES256', {});
  await signIn({ config });
  await new Promise((done) => setTimeout(done, 1100)); // `auth_time` has a resolution of one second
  const request = await beginFlow(config, { prompt: 'select_account' });
  const stateOf = (address: string) => /\/login\?process_state=(.*)$/.exec(address)?.[1] ?? expect.fail(address);
  const resume = (state: string) => followRedirects(browser, `/oidc/v1/authorize/${state}`, server.origin);
  const first = stateOf(await followRedirects(browser, request.url.href, server.origin));
  const processState = stateOf(await resume(first));
  await browser.signIn({ processState });
  const back = await resume(processState);
  expect((await finishFlow(request, back)).access_token).toEqual(expect.any(String));
});

const modes: readonly {
  readonly profile: 'oidc' | 'specification';
  readonly responseModes?: NonNullable<ClientRegistration['responseModes']>;
  readonly allowed: readonly string[];
}[] = [
  { profile: 'oidc', allowed: ['query'] },
  { profile: 'oidc', responseModes: ['form_post'], allowed: ['form_post'] },
  { profile: 'specification', responseModes: ['query'], allowed: ['query'] },
  { profile: 'specification', allowed: ['query', 'fragment', 'form_post'] },
];
test.each(modes)(
  '[ASVS-10.4.12] client with profile $profile accepts only its own response modes: $allowed',
  async (row) => {
    const { profile, responseModes, allowed } = row;
    const id = ['modes', profile, ...(responseModes ?? ['default'])].join('-');
    const own = responseModes && { responseModes };
    const secret = await server.register({ id, name: id, redirectUris: [callback], profile, ...own });
    const config = await configureRelyingParty(server.origin, id, secret);
    for (const response_mode of ['query', 'fragment', 'form_post']) {
      const { url } = await beginFlow(config, { response_mode, prompt: 'none' });
      const response = await openBrowser(server.origin).get(url.href);
      const answer = `${response.headers.get('location')} ${await response.text()}`;
      const isAllowed = allowed.includes(response_mode);
      expect([response_mode, /error[^a-z]+(?:value=")?(\w+)/.exec(answer)?.[1]]).toEqual([
        response_mode,
        isAllowed ? 'login_required' : 'invalid_request',
      ]);
    }
  },
);

test('[ASVS-10.3.5 ASVS-10.4.3 ASVS-10.4.6 ASVS-10.4.13 ASVS-10.4.14 ASVS-10.4.16] CLIENTS_STRICT rejects every client without profile fapi2, and announces its requirements in discovery', async () => {
  const strict = await startLiveServer({ CLIENTS_STRICT: 'on' });
  try {
    const jwks = { keys: [{ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kty: 'EC' }] };
    const common = { name: 'App', redirectUris: [callback] };
    const ask = async (id: string) => {
      const query = { client_id: id, redirect_uri: callback, response_type: 'code', scope: 'openid' };
      const { status } = await fetch(`${strict.origin}/oidc/v1/authorize?${new URLSearchParams(query)}`, {
        redirect: 'manual',
      });
      return status;
    };
    await strict.register({ ...common, id: 'plain' });
    await strict.register({ ...common, id: 'legacy', legacy: true, legacyUntil: '2099-12-31' });
    await strict.register({ ...common, id: 'oidc', profile: 'oidc' });
    await strict.register({
      ...common,
      id: 'fapi',
      profile: 'fapi2',
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks,
    });
    for (const id of ['plain', 'legacy', 'oidc', 'demo-rp']) expect([id, await ask(id)]).toEqual([id, 400]);
    expect(await ask('fapi'), 'error redirect: a pushed request is required').toBe(303);
    expect(await (await fetch(`${strict.origin}/.well-known/openid-configuration`)).json()).toMatchObject({
      require_pushed_authorization_requests: true,
      request_object_signing_alg_values_supported: ['PS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256'],
    });
  } finally {
    await strict.close();
  }
});

test('[ASVS-11.6.1] RS256 is rejected outside the profile specification', async () => {
  const common = { name: 'App', redirectUris: [callback] };
  for (const profile of ['oidc', 'fapi2'] as const)
    await expect(server.register({ ...common, id: 'pkcs1', profile, signingAlg: 'RS256' })).rejects.toThrow(
      'signingAlg RS256 needs the profile specification',
    );
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  await server.register({
    ...{ ...common, id: 'assertion', profile: 'oidc', tokenEndpointAuthMethod: 'private_key_jwt' },
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kty: 'RSA', kid: 'one' }] },
  });
  const key = client.PrivateKeyJwt({ key: privateKey, kid: 'one' });
  const config = await configureKeyedRelyingParty(server.origin, 'assertion', key, 'ES256');
  await expect(client.tokenIntrospection(config, 'x')).rejects.toMatchObject({ error: 'invalid_client' });
});
