import { randomBytes } from 'node:crypto';
import { SAML, type Profile } from '@node-saml/node-saml';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { escapeHtml } from '../engine/core/values/escape-html.ts';
import { samlPaths } from '../server/trust/federation/saml/saml-constants.ts';
import type { generateSamlCredential } from '../server/trust/federation/saml/open-saml.ts';
import { listenOnOrigin, createSampleApplicationServer, sendHtmlPage } from './sample-application-server.ts';

/** A session of a sample. `pending` has the secrets of an unfinished sign-in. */
interface Session<User> {
  user?: User;
  pending?: Readonly<Record<'pkceCodeVerifier' | 'expectedState' | 'expectedNonce', string>>;
}

/** Creates an application with a home page and a logout. The cookie's name contains the port, because all ports of a host share their cookies. */
function createApplication<User>(
  { issuer, origin, title }: Readonly<Record<'issuer' | 'origin' | 'title', string>>,
  { show, logout }: { show: (user: User) => string; logout: (user: User) => Promise<string> | string },
) {
  const app = createSampleApplicationServer();
  const sessions = new Map<string, Session<User>>();
  const cookieName = `demo-${new URL(origin).port}`;
  const open = ({ cookies }: FastifyRequest, reply: FastifyReply): Session<User> => {
    const id = cookies[cookieName] ?? randomBytes(16).toString('base64url');
    void reply.setCookie(cookieName, id, { httpOnly: true, sameSite: 'lax', path: '/' });
    const session = sessions.get(id) ?? {};
    sessions.set(id, session);
    return session;
  };
  app.get('/', (request, reply) => {
    const { user } = open(request, reply);
    if (user) return sendHtmlPage(reply, 'Signed in', `${show(user)}<p><a href="/logout">Sign out</a></p>`);
    const link = `<a href="/login">Sign in at ${escapeHtml(issuer)}</a>`;
    return sendHtmlPage(reply, title, `<p>Nobody is signed in.</p><p>${link}</p>`);
  });
  app.get('/logout', async (request, reply) => {
    const session = open(request, reply);
    const { user } = session;
    delete session.user;
    return reply.redirect(user ? await logout(user) : '/');
  });
  return { app, sessions, open };
}

function renderPreformatted(id: string, value: unknown): string {
  return `<pre id="${id}">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

/** Starts a public client that supports step-up and every kind of logout. `origin` uses HTTP and contains a port. */
export async function startRelyingParty({
  issuer,
  origin,
  clientId,
}: Readonly<Record<'issuer' | 'origin' | 'clientId', string>>): Promise<FastifyInstance> {
  const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), { execute: insecure });
  type User = { idToken: string; claims: oidc.IDToken; info: oidc.UserInfoResponse };
  const titled = { issuer, origin, title: 'Sample relying party' };
  const { app, sessions, open } = createApplication<User>(titled, {
    show: ({ claims, info }) =>
      `${renderPreformatted('claims', { id_token: claims, userinfo: info })}<p><a href="/step-up">Ask for level 2</a></p>`,
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
    if (error !== null) return sendHtmlPage(reply, 'The sign-in was refused', `<p id="error">${escapeHtml(error)}</p>`);
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
  return listenOnOrigin(app, origin);
}

/** `issuer` is the portal's origin. `origin` is the sample's origin: HTTP, with a port. */
interface ServiceProviderOptions {
  readonly issuer: string;
  readonly origin: string;
  readonly credential: Awaited<ReturnType<typeof generateSamlCredential>>;
}

export function buildServiceProviderMetadata(options: Omit<ServiceProviderOptions, 'issuer'>): string {
  return createSaml({ ...options, issuer: 'http://localhost' }, options.credential.certificate)
    .generateServiceProviderMetadata(null, options.credential.certificate)
    .replace(/(<SingleLogoutService Binding="[^"]*HTTP-)POST/, '$1Redirect'); // declares the redirect binding, because a cross-site POST would not carry the Lax cookie
}

/** Starts an application that shows the attributes of the assertion and supports logout from either side. */
export async function startServiceProvider(options: ServiceProviderOptions): Promise<FastifyInstance> {
  const { issuer, origin } = options;
  const metadata = await (await fetch(`${issuer}${samlPaths.metadata}`)).text();
  const certificate = /<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1];
  if (certificate === undefined) throw new Error('The metadata of the portal has no certificate.');
  const saml = createSaml(options, certificate);
  const titled = { issuer, origin, title: 'Sample service provider' };
  const { app, sessions, open } = createApplication<Profile>(titled, {
    show: ({ nameID, attributes }) => renderPreformatted('attributes', { nameID, attributes }),
    logout: (user) => saml.getLogoutUrlAsync(user, '', {}),
  });

  app.get('/login', async (_request, reply) => reply.redirect(await saml.getAuthorizeUrlAsync('', undefined, {})));
  // The cross-site POST does not carry the Lax cookie, so a redirect passes the session key to a same-site request.
  app.post<{ Body: Record<string, string> }>('/acs', async ({ body }, reply) => {
    const { profile } = await saml.validatePostResponseAsync(body);
    if (!profile) throw new Error('The response has no profile.');
    const key = randomBytes(16).toString('base64url');
    sessions.set(key, { user: profile });
    return reply.redirect(`/session?key=${key}`);
  });
  app.get<{ Querystring: { key: string } }>('/session', (request, reply) => {
    Object.assign(open(request, reply), sessions.get(request.query.key));
    sessions.delete(request.query.key);
    return reply.redirect('/');
  });
  app.get<{ Querystring: Record<string, string> }>('/slo', async (request, reply) => {
    const { query, url } = request;
    const { profile, loggedOut } = await saml.validateRedirectAsync(query, new URL(url, origin).search.slice(1));
    delete open(request, reply).user;
    if (loggedOut && query['SAMLResponse'] !== undefined) return reply.redirect('/');
    const relayState = query['RelayState'] ?? '';
    return reply.redirect(await saml.getLogoutResponseUrlAsync(profile as Profile, relayState, {}, true));
  });
  return listenOnOrigin(app, origin);
}

function createSaml({ issuer, origin, credential }: ServiceProviderOptions, idpCert: string): SAML {
  return new SAML({
    entryPoint: `${issuer}${samlPaths.ssoByRedirect}`,
    logoutUrl: `${issuer}${samlPaths.sloByRedirect}`,
    issuer: `${origin}/metadata`,
    audience: `${origin}/metadata`,
    callbackUrl: `${origin}/acs`,
    logoutCallbackUrl: `${origin}/slo`,
    idpCert,
    idpIssuer: `${issuer}${samlPaths.metadata}`,
    privateKey: credential.privateKey,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
  });
}
