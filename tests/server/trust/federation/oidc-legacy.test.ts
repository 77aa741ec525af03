import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateClientRegistration } from '../../../../src/server/trust/federation/clients/client-registration.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { completeAuthorization } from '../../support/relying-party.ts';

let server: LiveServer;
let browser: Browser;
const secrets: Record<string, string> = {};
const redirect = 'https://agenda.example/sae/login';
const legacy = { legacy: true, legacyUntil: '2099-12-31' };
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const scheme = 'sdkIdU.testing://auth';

beforeAll(async () => {
  server = await startLiveServer();
  for (const registration of [
    { id: 'sae', name: 'Agenda', redirectUris: [redirect], ...legacy },
    {
      id: 'pis',
      name: 'Móvil',
      redirectUris: [scheme],
      postLogoutRedirectUris: [scheme],
      ...legacy,
      issuer: `${server.origin}/oidc/v1`,
    },
    { id: 'flat', name: 'Plana', redirectUris: [redirect], ...legacy, flat: true },
    { id: 'ended', name: 'Vencida', redirectUris: [redirect], ...legacy, legacyUntil: yesterday },
    { id: 'modern', name: 'Nueva', redirectUris: [redirect] },
  ])
    secrets[registration.id] = await server.register(registration);
  browser = openBrowser(server.origin);
  await browser.signIn();
});
afterAll(() => server.close());

/**
 * Sends an authorization request like legacy applications: the query as one string, no PKCE, no nonce, a constant
 * state.
 */
async function authorize(id: string, uri: string, scope = 'openid%20email%20personal'): Promise<string> {
  const query = `response_type=code&scope=${scope}&client_id=${id}&redirect_uri=${uri}&state=constante`;
  return completeAuthorization(browser, `/oidc/v1/authorize?${query}`, server.origin);
}

async function token(id: string, fields: Record<string, string>, by: 'basic' | 'post' = 'basic'): Promise<Response> {
  const secret = secrets[id] ?? '';
  return fetch(`${server.origin}/oidc/v1/token`, {
    method: 'POST',
    headers: by === 'basic' ? { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` } : {},
    body: new URLSearchParams({ ...fields, ...(by === 'post' && { client_id: id, client_secret: secret }) }),
  });
}

/** Reads the code by its position in the callback, as legacy applications do. */
const codeOf = (location: string) =>
  /^[^?]+\?code=([^&]+)&state=constante(&|$)/.exec(location)?.[1] ?? expect.fail(location);

/** Returns the lifetime of the latest code of an application, in seconds. */
async function readCodeLifetime(id: string): Promise<number> {
  const { expires_at } = await server.parts.store.db
    .selectFrom('oidc_records')
    .select('expires_at')
    .where('model', '=', 'AuthorizationCode')
    .where('client_id', '=', id)
    .orderBy('expires_at', 'desc')
    .executeTakeFirstOrThrow();
  return (expires_at.getTime() - Date.now()) / 1000;
}

async function exchange(id: string, uri: string, options: { scope?: string; by?: 'basic' | 'post' } = {}) {
  const code = codeOf(await authorize(id, uri, options.scope));
  return (await token(id, { grant_type: 'authorization_code', code, redirect_uri: uri }, options.by)).json();
}

const pkce = { verifier: 'v'.repeat(43), challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url') };
const userinfo = async (accessToken: string) =>
  (await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })).json();

describe('legacy applications of ID Uruguay', () => {
  test.each(['basic', 'post'] as const)(
    '[SES-08] sign in without PKCE, with an unknown scope and client_secret_%s, and get a refresh token',
    async (by) => {
      const tokens = await exchange('sae', redirect, { by });
      expect(tokens).toMatchObject({
        token_type: 'Bearer',
        refresh_token: expect.any(String),
        id_token: expect.any(String),
        scope: 'openid email',
      });
      const renewed = await (
        await token('sae', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, by)
      ).json();
      expect((await userinfo(renewed.access_token)).sub).toBe(decodeJwt(tokens.id_token).sub);
    },
  );

  test('[SES-08] have ten minutes to exchange a code', async () => {
    await authorize('sae', redirect);
    expect(await readCodeLifetime('sae')).toBeGreaterThan(590);
  });

  test('[SES-08] get country and document type as objects, or as codes if registered as flat', async () => {
    const scope = 'openid%20document';
    expect(await userinfo((await exchange('sae', redirect, { scope })).access_token)).toMatchObject({
      pais_documento: { codigo: 'uy', nombre: 'Uruguay' },
      tipo_documento: { codigo: 68909, nombre: expect.any(String) },
      numero_documento: '45123784',
    });
    expect(await userinfo((await exchange('flat', redirect, { scope })).access_token)).toMatchObject({
      pais_documento: 'uy',
      tipo_documento: 'ci',
      numero_documento: '45123784',
    });
  });

  test('[SES-08] can use a private scheme, a scope with a trailing space, an issuer of their own and an empty post-logout URI', async () => {
    const tokens = await exchange('pis', scheme, { scope: 'openid%20' });
    expect(decodeJwt(tokens.id_token)).toMatchObject({ iss: `${server.origin}/oidc/v1`, aud: 'pis' });
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const logout = await fetch(
      `${server.origin}/oidc/v1/logout?id_token_hint=${tokens.id_token}&post_logout_redirect_uri=&state=`,
      {
        headers: { cookie },
        redirect: 'manual',
      },
    );
    expect(logout.status).toBe(200);
    expect((await browser.get('/jwt/obtain/')).status).toBe(401);
    await browser.signIn();
  });

  test('[CFG-06 SES-08] do not see the e-mailed code in amr, and other applications do', async () => {
    await server.parts.store.db
      .updateTable('broker_sessions')
      .where('revoked_at', 'is', null)
      .set({ amr: 'urn:iduruguay:am:password urn:iduruguay:am:recoverycode' })
      .execute();
    expect(decodeJwt((await exchange('sae', redirect)).id_token)['amr']).toEqual(['urn:iduruguay:am:password']);
    const verifier = 'v'.repeat(43);
    const { createHash } = await import('node:crypto');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const pkce = `openid&code_challenge=${challenge}&code_challenge_method=S256`;
    const code = codeOf(await authorize('modern', redirect, pkce));
    const tokens = await (
      await token('modern', { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier })
    ).json();
    expect(decodeJwt(tokens.id_token)['amr']).toEqual(['urn:iduruguay:am:password', 'urn:iduruguay:am:recoverycode']);
    expect(tokens.refresh_token).toBeUndefined();
  });

  test.each([
    { amr: 'urn:iduruguay:am:password urn:iduruguay:am:passkey', known: ['urn:iduruguay:am:password'] },
    { amr: 'urn:iduruguay:am:passkey', known: [] },
  ])('[SEG+PASSKEY] do not see a passkey in amr: $amr', async ({ amr, known }) => {
    await server.parts.store.db.updateTable('broker_sessions').where('revoked_at', 'is', null).set({ amr }).execute();
    const claims = decodeJwt((await exchange('sae', redirect)).id_token);
    expect(claims['amr'] ?? []).toEqual(known);
    expect(claims['acr']).toBe('urn:iduruguay:nid:1');
    expect(claims['sub']).toEqual(expect.any(String));
  });

  test.each([
    { note: 'legacy without legacyUntil', change: { legacy: true }, problem: /legacyUntil/ },
    { note: 'legacyUntil without legacy', change: { legacyUntil: '2099-12-31' }, problem: /legacyUntil/ },
    {
      note: 'an invalid date in legacyUntil',
      change: { ...legacy, legacyUntil: '2099-13-01' },
      problem: /must be a day/,
    },
    { note: 'no scopes', change: { scopes: undefined }, problem: /scopes/ },
  ])('[ASVS-10.4.6 ASVS-10.4.11] cannot be registered with $note', async ({ change, problem }) => {
    const given = { id: 'x', name: 'X', redirectUris: [redirect], scopes: ['email'], ...change };
    const registration: unknown = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    expect(() => validateClientRegistration(registration)).toThrow(problem);
  });

  test('[ASVS-10.4.3 ASVS-10.4.6] need PKCE after legacyUntil, have a minute to exchange a code, and get a new refresh token at each use', async () => {
    expect(await authorize('ended', redirect)).toContain('error=invalid_request');
    const query = `openid%20document&code_challenge=${pkce.challenge}&code_challenge_method=S256`;
    const code = codeOf(await authorize('ended', redirect, query));
    expect(await readCodeLifetime('ended')).toBeLessThanOrEqual(60);
    const exchanged = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: pkce.verifier };
    const tokens = await (await token('ended', exchanged)).json();
    expect(await userinfo(tokens.access_token)).toMatchObject({ tipo_documento: { codigo: 68909 } }); // the claims have the legacy format
    const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await (await token('ended', refreshed)).json()).refresh_token).not.toBe(tokens.refresh_token);
  });

  test('[ASVS-10.4.4] differ from others, which get a refresh token only if registered for offline_access', async () => {
    const id = 'online';
    secrets[id] = await server.register({ id, name: 'Online', redirectUris: [redirect], scopes: ['email'] });
    const query = `openid%20email%20offline_access&prompt=consent&code_challenge=${pkce.challenge}&code_challenge_method=S256`;
    const code = codeOf(await authorize(id, redirect, query));
    const exchanged = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: pkce.verifier };
    const tokens = await (await token(id, exchanged)).json();
    expect([tokens.scope, tokens.refresh_token]).toEqual(['openid email', undefined]);
    const refused = await token(id, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect(await refused.json()).toMatchObject({
      error_description: 'requested grant type is not allowed for this client',
    });
  });

  test('[SES-08] differ from others, which cannot omit PKCE', async () => {
    expect(await authorize('modern', redirect)).toContain('error=invalid_request');
  });

  test('[SES-08] without a secret need PKCE, have a minute to exchange a code, and can use a refresh token once', async () => {
    const id = 'publica';
    await server.register({ id, name: 'Pública', redirectUris: [redirect], ...legacy }, 'public');
    expect(await authorize(id, redirect)).toContain('error=invalid_request');
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = `openid&code_challenge=${challenge}&code_challenge_method=S256`;
    const ask = async (fields: Record<string, string>): Promise<Response> =>
      fetch(`${server.origin}/oidc/v1/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: id, redirect_uri: redirect, ...fields }),
      });
    const code = codeOf(await authorize(id, redirect, query));
    expect(await readCodeLifetime(id)).toBeLessThanOrEqual(60);
    const tokens = await (await ask({ grant_type: 'authorization_code', code, code_verifier: verifier })).json();
    const renew = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await ask(renew)).status).toBe(200);
    const { db } = server.parts.store;
    await db
      .updateTable('oidc_records')
      .where('model', '=', 'RefreshToken')
      .set({ consumed_at: new Date(0) })
      .where('consumed_at', 'is not', null)
      .execute();
    expect((await ask(renew)).status, 'after the grace period').toBe(400);
  });
});

describe('client without a browser (section 5 of the profile)', () => {
  test('[SES-08 SES-10] gets a code from the authorization endpoint through the challenges', async () => {
    await exchange('sae', redirect); // gives consent in advance, because a client without a browser cannot
    const app = openBrowser(server.origin);
    const address = `/oidc/v1/authorize?response_type=code&scope=openid%20personal%20email&client_id=sae&redirect_uri=${redirect}&state=constante`;
    const begun = (await app.get(address)).headers.get('location') ?? '';
    expect(begun).toMatch(/[?&]process_state=[^&]+$/);
    const post = async (body: object) => (await app.post('/auth/login', body)).json();
    const { token: chain } = await post({
      challenge: 'username',
      data_challenge: { username: '45123784', pais_emisor: null, tipo_documento: null },
      extra: { agnt: null, process_state: begun.split('process_state=')[1] },
    });
    const { location } = await post({
      challenge: 'urn:iduruguay:am:password',
      data_challenge: { password: 'tres-tazas-de-mate' },
      extra: null,
      token: chain,
    });
    const back = (await app.get(location)).headers.get('location') ?? '';
    expect(back).toMatch(/^https:\/\/agenda\.example\/sae\/login\?code=[^&]+&state=constante/);
    const answer = await token('sae', { grant_type: 'authorization_code', code: codeOf(back), redirect_uri: redirect });
    expect(answer.status).toBe(200);
  });

  test("[SES-10] is redirected from the broker's old addresses to its pages", async () => {
    const at = async (path: string) =>
      (await fetch(server.origin + path, { redirect: 'manual' })).headers.get('location');
    expect(await at('/auth/login?redirect_url=%2Fseguridad&process_state=p')).toBe(
      '/login?redirect_url=%2Fseguridad&process_state=p',
    );
    expect(await at('/auth/login-con-ci?process_state=p')).toBe('/login?process_state=p&ae=ci');
    expect(await at('/oidc/v1/consent?client_id=a&scope=openid&next=n')).toBe(
      '/autorizacion?client_id=a&scope=openid&next=n',
    );
  });
});
