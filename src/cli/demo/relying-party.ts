import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { escapeHtml } from '../../server/platform/base/escape-html.ts';
import { page, redirect, serve, type SampleServer } from './sample-server.ts';

export interface RelyingPartyOptions {
  readonly issuer: string;
  /** Where it listens itself: http, with a port. */
  readonly origin: string;
  readonly clientId: string;
  /** Absent: a public application. */
  readonly clientSecret?: string;
}

interface Visit {
  pending?: { readonly verifier: string; readonly state: string; readonly nonce: string };
  user?: { readonly idToken: string; readonly claims: oidc.IDToken; readonly info: oidc.UserInfoResponse };
}

const cookieName = 'demo-rp';
const scope = 'openid personal_info profile document email auth_info';

/** Starts a small application on an off-the-shelf OIDC library: sign in, claims, a higher level, logout of every kind. */
export async function startRelyingParty(options: RelyingPartyOptions): Promise<SampleServer> {
  const { issuer, origin, clientId, clientSecret } = options;
  const config = await oidc.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
    { execute: issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [] },
  );
  const visits = new Map<string, Visit>();
  return serve(origin, (request, response) => answer(request, response, { config, options, visits }));
}

interface Context {
  readonly config: oidc.Configuration;
  readonly options: RelyingPartyOptions;
  readonly visits: Map<string, Visit>;
}

type Page = (
  request: IncomingMessage,
  response: ServerResponse,
  context: Context,
  visit: Visit,
) => Promise<void> | void;

const pages: Readonly<Record<string, Page>> = {
  '/': home,
  '/login': (_request, response, context, visit) => begin(response, context, visit, {}),
  '/step-up': (_request, response, context, visit) =>
    begin(response, context, visit, { acr_values: 'urn:iduruguay:nid:2' }),
  '/callback': finish,
  '/logout': end,
  '/backchannel-logout': hear,
  '/frontchannel-logout': (request, response, { visits }) => {
    forget(visits, ({ claims }) => claims['sid'] === new URL(request.url ?? '/', 'http://x').searchParams.get('sid'));
    response.writeHead(200, { 'cache-control': 'no-store' }).end();
  },
};

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', context.options.origin);
  const serve = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
  if (!serve) return page(response, 404, 'Not found', '<p><a href="/">Home</a></p>');
  const found = new RegExp(`${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
  const id = found ?? randomBytes(16).toString('base64url');
  const visit = context.visits.get(id) ?? {};
  context.visits.set(id, visit);
  if (found === undefined) response.setHeader('set-cookie', `${cookieName}=${id}; HttpOnly; SameSite=Lax; Path=/`);
  await serve(request, response, context, visit);
}

function home(_request: IncomingMessage, response: ServerResponse, { options }: Context, { user }: Visit): void {
  if (!user)
    return page(
      response,
      200,
      'Sample relying party',
      `<p>Nobody is signed in.</p><p><a href="/login">Sign in at ${escapeHtml(options.issuer)}</a></p>`,
    );
  const claims = escapeHtml(JSON.stringify({ id_token: user.claims, userinfo: user.info }, null, 2));
  page(
    response,
    200,
    'Signed in',
    `<pre id="claims">${claims}</pre>
<p><a href="/step-up">Ask for level 2</a></p><p><a href="/logout">Sign out</a></p>`,
  );
}

async function begin(
  response: ServerResponse,
  { config, options }: Context,
  visit: Visit,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  const verifier = oidc.randomPKCECodeVerifier();
  const pending = { verifier, state: oidc.randomState(), nonce: oidc.randomNonce() };
  visit.pending = pending;
  redirect(
    response,
    oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${options.origin}/callback`,
      scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...extra,
    }).href,
  );
}

async function finish(
  request: IncomingMessage,
  response: ServerResponse,
  { config, options }: Context,
  visit: Visit,
): Promise<void> {
  const url = new URL(request.url ?? '/', options.origin);
  const { pending } = visit;
  delete visit.pending;
  if (!pending) return redirect(response, '/');
  if (url.searchParams.has('error')) {
    const error = escapeHtml(url.searchParams.get('error') ?? '');
    return page(response, 200, 'The sign-in was refused', `<p id="error">${error}</p><p><a href="/">Home</a></p>`);
  }
  const tokens = await oidc.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('no ID Token came');
  visit.user = {
    idToken: tokens.id_token ?? '',
    claims,
    info: await oidc.fetchUserInfo(config, tokens.access_token, claims.sub),
  };
  redirect(response, '/');
}

function end(_request: IncomingMessage, response: ServerResponse, { config, options }: Context, visit: Visit): void {
  const { user } = visit;
  delete visit.user;
  redirect(
    response,
    user
      ? oidc.buildEndSessionUrl(config, { id_token_hint: user.idToken, post_logout_redirect_uri: `${options.origin}/` })
          .href
      : '/',
  );
}

/** Back-channel logout: the provider's signed word that a session ended. */
async function hear(
  request: IncomingMessage,
  response: ServerResponse,
  { config, options, visits }: Context,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const token = new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? '';
  const { jwks_uri: jwks = '', issuer } = config.serverMetadata();
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwks)), {
    issuer,
    audience: options.clientId,
    typ: 'logout+jwt',
  });
  forget(visits, ({ claims }) => claims['sid'] === payload['sid']);
  response.writeHead(204).end();
}

function forget(visits: Map<string, Visit>, isOver: (user: NonNullable<Visit['user']>) => boolean): void {
  for (const visit of visits.values()) if (visit.user && isOver(visit.user)) delete visit.user;
}
