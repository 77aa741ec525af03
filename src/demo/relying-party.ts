import type { FastifyInstance } from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { escapeHtml } from '../server/platform/base/escape-html.ts';
import { listen, newApplication, page, preformat } from './sample-server.ts';

interface User {
  readonly idToken: string;
  readonly claims: oidc.IDToken;
  readonly info: oidc.UserInfoResponse;
}

/** Starts a public client with openid-client, a higher level on request, and every kind of logout. `origin` is its own: http, with a port. */
export async function startRelyingParty(options: {
  readonly issuer: string;
  readonly origin: string;
  readonly clientId: string;
}): Promise<FastifyInstance> {
  const { issuer, origin, clientId } = options;
  const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), { execute: insecure });
  const { app, sessions, open } = newApplication<User>({
    ...{ issuer, origin, title: 'Sample relying party' },
    show: ({ claims, info }) =>
      `${preformat('claims', { id_token: claims, userinfo: info })}<p><a href="/step-up">Ask for level 2</a></p>`,
    logout: ({ idToken: id_token_hint }) =>
      oidc.buildEndSessionUrl(config, { id_token_hint, post_logout_redirect_uri: `${origin}/` }).href,
  });

  for (const [path, parameters] of [
    ['/login', {}],
    ['/step-up', { acr_values: 'urn:iduruguay:nid:2' }],
  ] as const)
    app.get(path, async (request, reply) => {
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      open(request, reply).pending = { pkceCodeVerifier, expectedState: state, expectedNonce: nonce };
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: `${origin}/callback`,
        scope: 'openid personal_info profile document email auth_info',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        ...parameters,
      });
      return reply.redirect(address.href);
    });
  app.get('/callback', async (request, reply) => {
    const session = open(request, reply);
    const { pending } = session;
    delete session.pending;
    if (!pending) return reply.redirect('/');
    const url = new URL(request.url, origin);
    const error = url.searchParams.get('error');
    if (error !== null) return page(reply, 'The sign-in was refused', `<p id="error">${escapeHtml(error)}</p>`);
    const tokens = await oidc.authorizationCodeGrant(config, url, { ...pending, idTokenExpected: true });
    const claims = tokens.claims();
    if (!claims) throw new Error('The response has no ID token.');
    const info = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
    session.user = { idToken: tokens.id_token ?? '', claims, info };
    return reply.redirect('/');
  });

  const end = (sid: unknown) => {
    for (const session of sessions.values()) if (session.user?.claims['sid'] === sid) delete session.user;
  };
  app.post<{ Body: { logout_token?: string } }>('/backchannel-logout', async ({ body }, reply) => {
    const { jwks_uri: jwks = '', issuer } = config.serverMetadata();
    const expected = { issuer, audience: clientId, typ: 'logout+jwt' };
    const { payload } = await jwtVerify(body.logout_token ?? '', createRemoteJWKSet(new URL(jwks)), expected);
    end(payload['sid']);
    return reply.code(204).send();
  });
  app.get<{ Querystring: { sid?: string } }>('/frontchannel-logout', ({ query }, reply) => {
    end(query.sid ?? null);
    return reply.header('cache-control', 'no-store').send();
  });
  return listen(app, origin);
}
