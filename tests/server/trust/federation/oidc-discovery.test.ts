import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  finishFlow,
  configureRelyingParty,
  completeAuthorization,
  obtainTokens,
} from '../../support/relying-party.ts';

let server: LiveServer;
let config: client.Configuration;
let secret: string;
let found: client.ServerMetadata;
let browser: Browser;
beforeAll(async () => {
  server = await startLiveServer();
  secret = await server.register({ id: 'app', name: 'App', redirectUris: [callback] });
  await server.register({ id: 'public', name: 'Public', redirectUris: [callback] }, 'public');
  config = await configureRelyingParty(server.origin, 'app', secret);
  found = config.serverMetadata();
  browser = openBrowser(server.origin);
  await browser.signIn();
});
afterAll(() => server.close());

/** Follows an authorization request until it leaves the broker. Returns the last response of the broker. */
async function followRequest(parameters: Record<string, string>, by = browser) {
  const request = await beginFlow(config, parameters);
  return { request, address: await completeAuthorization(by, request.url.href, server.origin) };
}

/** Returns the form that a page submits automatically, and the content security policy that permits it. */
async function formOf(address: string, language = 'es') {
  const response = await fetch(address, { redirect: 'manual', headers: { 'accept-language': language } });
  return readForm(await response.text(), response);
}

function readForm(html: string, { headers, status }: Response) {
  const fields = Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'),
    ]),
  );
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? 'none';
  return {
    html,
    status,
    fields,
    action: /<form method="post" action="([^"]*)"/.exec(html)?.[1],
    hash: `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    policy: headers.get('content-security-policy') ?? '',
  };
}

describe('OpenID discovery document', () => {
  test('[SES-08] has exactly the expected metadata names', () => {
    expect(Object.keys(found).sort()).toEqual(
      [
        'acr_values_supported',
        'authorization_endpoint',
        'authorization_response_iss_parameter_supported',
        'backchannel_logout_session_supported',
        'backchannel_logout_supported',
        'claim_types_supported',
        'claims_parameter_supported',
        'claims_supported',
        'code_challenge_methods_supported',
        'dpop_signing_alg_values_supported',
        'end_session_endpoint',
        'frontchannel_logout_session_supported',
        'frontchannel_logout_supported',
        'grant_types_supported',
        'id_token_signing_alg_values_supported',
        'introspection_endpoint',
        'issuer',
        'jwks_uri',
        'prompt_values_supported',
        'pushed_authorization_request_endpoint',
        'request_object_signing_alg_values_supported',
        'request_parameter_supported',
        'request_uri_parameter_supported',
        'response_modes_supported',
        'response_types_supported',
        'revocation_endpoint',
        'scopes_supported',
        'subject_types_supported',
        'token_endpoint',
        'token_endpoint_auth_methods_supported',
        'token_endpoint_auth_signing_alg_values_supported',
        'userinfo_endpoint',
      ].sort(),
    );
  });

  test('[SES-08] is the same at the path of the issuer and at that of ID Uruguay', async () => {
    const idUruguay = await fetch(`${server.origin}/oidc/v1/.well-known/openid-configuration`);
    expect(await idUruguay.json()).toEqual({ ...found });
  });

  test('[SES-08] lists endpoints that exist', async () => {
    for (const name of [
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'end_session_endpoint',
      'jwks_uri',
      'pushed_authorization_request_endpoint',
      'revocation_endpoint',
      'introspection_endpoint',
    ] as const) {
      const isPosted = ['token', 'pushed', 'revocation', 'introspection'].some((start) => name.startsWith(start));
      const { status } = await fetch(found[name] ?? '', { method: isPosted ? 'POST' : 'GET', redirect: 'manual' });
      expect([name, [200, 303, 400, 401].includes(status)]).toEqual([name, true]);
    }
  });

  test('[SES-08] lists response modes that work', async () => {
    expect([...(found['response_modes_supported'] as string[])].sort()).toEqual(['form_post', 'fragment', 'query']);
    for (const mode of ['query', 'fragment']) {
      const { request, address } = await followRequest({ response_mode: mode });
      const back = new URL(address);
      const query = mode === 'query' ? back.search : back.hash.replace('#', '?');
      const { access_token } = await finishFlow(request, `${callback}${query}`);
      expect([mode, access_token]).toEqual([mode, expect.any(String)]);
    }
  });

  test('[SES-08] lists token endpoint authentication methods that work', async () => {
    const keys = await generateKeyPair('ES256');
    const key = { kty: 'EC', ...(await exportJWK(keys.publicKey)) };
    await server.register({
      id: 'keyed',
      name: 'Keyed',
      redirectUris: [callback],
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key] },
    });
    const methods: Readonly<Record<string, [string, client.ClientAuth]>> = {
      client_secret_basic: ['app', client.ClientSecretBasic(secret)],
      client_secret_post: ['app', client.ClientSecretPost(secret)],
      private_key_jwt: ['keyed', client.PrivateKeyJwt(keys.privateKey)],
      none: ['public', client.None()],
    };
    expect(found['token_endpoint_auth_methods_supported']).toEqual(Object.keys(methods));
    for (const [name, [id, method]] of Object.entries(methods)) {
      const own = await client.discovery(new URL(server.origin), id, undefined, method, {
        execute: [client.allowInsecureRequests],
      });
      expect([name, (await obtainTokens(browser, own)).access_token]).toEqual([name, expect.any(String)]);
    }
  });

  test('[SES-08 ASVS-10.6.1] lists grants, scopes, claims and algorithms that work in a complete flow', async () => {
    expect(found).toMatchObject({
      grant_types_supported: ['authorization_code', 'refresh_token'],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public', 'pairwise'], // oidc-profiles.test.ts tests subject types and prompts
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    });
    const { request, address } = await followRequest({
      scope: (found['scopes_supported'] as string[]).join(' '),
      prompt: 'consent',
    });
    expect(new URL(address).searchParams.get('iss')).toBe(server.origin); // metadata: authorization_response_iss_parameter_supported
    const tokens = await finishFlow(request, address);
    expect(tokens.scope?.split(' ').sort()).toEqual([...(found['scopes_supported'] as string[])].sort());
    expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).access_token).toEqual(
      expect.any(String),
    );
    const claims = tokens.claims();
    const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    const known = new Set([...Object.keys(claims ?? {}), ...Object.keys(info), 'idp', 'sid']);
    expect((found['claims_supported'] as string[]).filter((name) => !known.has(name))).toEqual([]);
    const header = JSON.parse(Buffer.from((tokens.id_token ?? '').split('.')[0] ?? '', 'base64url').toString());
    const { keys: published } = await (await fetch(found.jwks_uri ?? '')).json();
    expect(header).toMatchObject({ alg: 'RS256', kid: published[0].kid }); // oidc-profiles.test.ts tests the other algorithms
    expect(Object.keys(published[0]).sort(), 'no private parts').toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    for (const name of ['id_token', 'token_endpoint_auth', 'request_object', 'dpop'])
      expect([name, found[`${name}_signing_alg_values_supported`]]).toEqual([
        name,
        name === 'dpop' ? ['ES256'] : ['RS256', 'PS256', 'ES256'],
      ]);
    expect(found['acr_values_supported']).toContain(claims?.['acr']);
  });

  test('[SES-08] excludes request_uri, and an authorization request with it is rejected', async () => {
    expect(found['request_uri_parameter_supported']).toBe(false);
    const { address } = await followRequest({ request_uri: 'https://app.example/request' });
    expect(address).toContain('error=request_uri_not_supported');
  });
});

describe('response mode form_post', () => {
  const state = 'Continue <noscript> "x" & $& Submitting Callback';

  test('[SES-08] posts the code to the application from a page whose policy allows only that form', async () => {
    await followRequest({}); // gives consent, so that the requests below need none
    const request = await beginFlow(config, { response_mode: 'form_post' });
    const response = await browser.get(request.url.href);
    const form = readForm(await response.text(), response);
    expect(form).toMatchObject({ status: 200, action: callback });
    expect(form.policy.split(/; ?/).sort()).toEqual(
      [
        "default-src 'none'",
        `script-src ${form.hash}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
        `form-action https: ${new URL(callback).origin}`,
      ].sort(),
    );
    const tokens = await finishFlow(request, `${callback}?${new URLSearchParams(form.fields)}`);
    expect(tokens.access_token).toEqual(expect.any(String));
  });

  test.each([
    ['es', 'Redirigiendo...', 'Continuar'],
    ['pt', 'Redirecionando...', 'Continuar'],
  ])(
    "[SES-08] shows a page in the citizen's language (%s), with the state unchanged and escaped",
    async (language, title, button) => {
      const { url } = await beginFlow(config, { response_mode: 'form_post', prompt: 'none', state });
      const { html, fields } = await formOf(url.href, language);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain(`<title>${title}</title>`);
      expect(html).toMatch(new RegExp(`<noscript><p>[^<]+</p><button>${button}</button></noscript>`));
      expect(html.replace(/value="[^"]*"/g, '')).not.toMatch(/Callback|Your browser|Continue/);
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(['error', 'state', 'iss']));
      expect(html).toContain('Continue &lt;noscript&gt; &quot;x&quot; &amp; $&amp; Submitting Callback');
    },
  );

  test.each([
    { note: 'with a duplicate parameter', change: (query: URLSearchParams) => query.append('scope', 'email') },
    { note: 'without response_type', change: (query: URLSearchParams) => query.delete('response_type') },
    { note: 'without PKCE', change: (query: URLSearchParams) => query.delete('code_challenge') },
  ])('[SES-08] posts invalid_request for an authorization request $note', async ({ change }) => {
    const { url } = await beginFlow(config, { response_mode: 'form_post' });
    change(url.searchParams);
    const form = await formOf(url.href);
    expect(form).toMatchObject({ action: callback, fields: { error: 'invalid_request' } });
    expect(form.policy).toContain(`script-src ${form.hash}`);
  });

  test('[SES-08] shows an error page, without a form, for an unregistered redirect URI', async () => {
    const { url } = await beginFlow(config, { response_mode: 'form_post', redirect_uri: 'https://evil.example/' });
    const { html, action } = await formOf(url.href);
    expect([action, html.includes('evil.example')]).toEqual([undefined, false]);
  });

  test('[SES-08] redirects to a private scheme with invalid_request', async () => {
    const redirect = 'uy.ejemplo.app:/callback';
    await server.register({ id: 'phone', name: 'App', redirectUris: [redirect] }, 'public');
    const own = await configureRelyingParty(server.origin, 'phone', '');
    const { url } = await beginFlow(own, { response_mode: 'form_post', redirect_uri: redirect });
    const { status, headers } = await fetch(url, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^uy\.ejemplo\.app:\/callback\?error=invalid_request&/),
    ]);
  });
});

describe('error page of an OpenID Connect request', () => {
  const broken: readonly (readonly [string, string])[] = [
    [
      'an unknown client',
      '/oidc/v1/authorize?client_id=nobody&redirect_uri=https://a.example/&response_type=code&scope=openid',
    ],
    ['no client', '/oidc/v1/authorize'],
    [
      'an unregistered redirect URI',
      `/oidc/v1/authorize?client_id=app&redirect_uri=https://evil.example/&response_type=code&scope=openid`,
    ],
    ['an unknown interaction', '/oidc/v1/authorize/nothing-of-this-name'],
    ['no access token', '/oidc/v1/userinfo'],
    ['an unregistered post-logout URI', '/oidc/v1/logout?client_id=app&post_logout_redirect_uri=https://evil.example/'],
  ];

  test.each(broken.flatMap(([note, path]) => ['es', 'pt'].map((language) => ({ note, path, language }))))(
    '[SES-08] shows a sentence and a request number without technical terms for $note, in $language',
    async ({ path, language }) => {
      const response = await fetch(server.origin + path, {
        redirect: 'manual',
        headers: { accept: 'text/html', 'accept-language': language },
      });
      expect([400, 401]).toContain(response.status);
      const text = (await response.text()).replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ');
      expect(text).toMatch(language === 'es' ? /con este número: [\w-]{8,}\./ : /com este número: [\w-]{8,}\./);
      expect(text).not.toMatch(/invalid|client|redirect_uri|session|request|token|not /i);
    },
  );

  test.each([
    [
      '/oidc/v1/authorize?client_id=app',
      { code: 'invalid_request', step: 'authorization', client_id: 'app', reason: /response_type/ },
    ],
    [
      '/oidc/v1/authorize?client_id=nobody&redirect_uri=https://a.example/&response_type=code&scope=openid',
      {
        code: 'invalid_client',
        step: 'authorization',
        client_id: 'nobody',
        reason: /^client is invalid: client not found$/,
      },
    ],
    ['/oidc/v1/authorize/nothing-of-this-name', { code: 'invalid_request', step: 'resume', reason: /has expired/ }],
    ['/oidc/v1/userinfo', { code: 'invalid_token', step: 'userinfo', reason: /^no access token provided$/ }],
    [
      '/oidc/v1/logout?client_id=app&post_logout_redirect_uri=https://evil.example/',
      { code: 'invalid_request', step: 'end_session', reason: /not registered/ },
    ],
  ])('[SES-08] refers to one log line about %s, with code, step and reason', async (path, facts) => {
    const page = await (await fetch(server.origin + path, { headers: { accept: 'text/html' } })).text();
    const [, id] = /número: ([\w-]+)\./.exec(page) ?? [];
    expect(await server.logOf(id)).toEqual([
      expect.objectContaining({
        ...facts,
        reason: expect.stringMatching(facts.reason),
        msg: 'answered',
        network: expect.any(String),
      }),
    ]);
  });
});
