import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SAML, type Profile } from '@node-saml/node-saml';
import { samlPaths } from '../../server/trust/federation/saml/names.ts';
import type { SigningCredential } from '../../server/trust/federation/saml/signature.ts';
import { escapeHtml } from '../../server/platform/base/escape-html.ts';
import { page, redirect, serve, type SampleServer } from './sample-server.ts';

export interface ServiceProviderOptions {
  readonly issuer: string;
  /** Where it listens itself: http, with a port. */
  readonly origin: string;
  readonly credential: SigningCredential;
}

/** The metadata by which a portal knows such a service provider. */
export function serviceProviderMetadata(options: Omit<ServiceProviderOptions, 'issuer'>): string {
  return samlOf({ ...options, issuer: 'http://localhost' }, options.credential.certificate)
    .generateServiceProviderMetadata(null, options.credential.certificate)
    .replace(/(<SingleLogoutService Binding="[^"]*HTTP-)POST/, '$1Redirect'); // it takes both, and a redirect brings its cookie along
}

/** Starts a small application on an off-the-shelf SAML library: sign in, attributes, logout from either side. */
export async function startServiceProvider(options: ServiceProviderOptions): Promise<SampleServer> {
  const metadata = await (await fetch(`${options.issuer}${samlPaths.metadata}`)).text();
  const certificate = /<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1];
  if (certificate === undefined) throw new Error('the portal shows no metadata');
  const context = { options, saml: samlOf(options, certificate), visits: new Map<string, Visit>() };
  return serve(options.origin, (request, response) => answer(request, response, context));
}

function samlOf({ issuer, origin, credential }: ServiceProviderOptions, idpCert: string): SAML {
  return new SAML({
    entryPoint: `${issuer}${samlPaths.ssoByRedirect}`,
    logoutUrl: `${issuer}${samlPaths.sloByRedirect}`,
    issuer: `${origin}/metadata`,
    audience: `${origin}/metadata`,
    callbackUrl: `${origin}/acs`,
    logoutCallbackUrl: `${origin}/slo`,
    idpCert,
    idpIssuer: `${issuer}${samlPaths.metadata}`,
    privateKey: credential.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
  });
}

interface Visit {
  user?: Profile;
}

interface Context {
  readonly options: ServiceProviderOptions;
  readonly saml: SAML;
  readonly visits: Map<string, Visit>;
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { options, saml, visits } = context;
  const url = new URL(request.url ?? '/', options.origin);
  if (url.pathname === '/acs') return finish(request, response, context); // from another site: its cookie stays behind
  const cookieName = `demo-sp-${url.port}`; // cookies know no port
  const found = new RegExp(`${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
  const id = found ?? randomBytes(16).toString('base64url');
  const visit = visits.get(id) ?? {};
  visits.set(id, visit);
  if (found === undefined) response.setHeader('set-cookie', `${cookieName}=${id}; HttpOnly; SameSite=Lax; Path=/`);
  switch (url.pathname) {
    case '/':
      return home(response, options, visit);
    case '/metadata':
      response.writeHead(200, { 'content-type': 'application/samlmetadata+xml' }).end(serviceProviderMetadata(options));
      return;
    case '/login':
      return redirect(response, await saml.getAuthorizeUrlAsync('', undefined, {}));
    case '/session':
      Object.assign(visit, visits.get(url.searchParams.get('key') ?? ''));
      visits.delete(url.searchParams.get('key') ?? '');
      return redirect(response, '/');
    case '/logout': {
      const { user } = visit;
      delete visit.user;
      return redirect(response, user ? await saml.getLogoutUrlAsync(user, '', {}) : '/');
    }
    case '/slo':
      return hear(response, url, context, visit);
    default:
      return page(response, 404, 'Not found', '<p><a href="/">Home</a></p>');
  }
}

/** A form of another site brings no cookie along: what it says is fetched in a second step. */
async function finish(request: IncomingMessage, response: ServerResponse, { saml, visits }: Context): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  const { profile } = await saml.validatePostResponseAsync(fields);
  if (!profile) throw new Error('the response holds nobody');
  const key = randomBytes(16).toString('base64url');
  visits.set(key, { user: profile });
  redirect(response, `/session?key=${key}`);
}

/** The portal's wish, or its answer to ours. */
async function hear(response: ServerResponse, url: URL, { saml }: Context, visit: Visit): Promise<void> {
  const query = Object.fromEntries(url.searchParams);
  const { profile, loggedOut } = await saml.validateRedirectAsync(query, url.search.slice(1));
  delete visit.user;
  if (loggedOut && query['SAMLResponse'] !== undefined) return redirect(response, '/');
  redirect(response, await saml.getLogoutResponseUrlAsync(profile as Profile, query['RelayState'] ?? '', {}, true));
}

function home(response: ServerResponse, { issuer }: ServiceProviderOptions, { user }: Visit): void {
  if (!user)
    return page(
      response,
      200,
      'Sample service provider',
      `<p>Nobody is signed in.</p><p><a href="/login">Sign in at ${escapeHtml(issuer)}</a></p>`,
    );
  const { attributes, nameID } = user;
  page(
    response,
    200,
    'Signed in',
    `<pre id="attributes">${escapeHtml(JSON.stringify({ nameID, attributes }, null, 2))}</pre><p><a href="/logout">Sign out</a></p>`,
  );
}
