import { randomBytes } from 'node:crypto';
import { SAML, type Profile } from '@node-saml/node-saml';
import type { FastifyInstance } from 'fastify';
import { samlPaths } from '../server/trust/federation/saml/names.ts';
import type { SigningCredential } from '../server/trust/federation/saml/signature.ts';
import { listen, newApplication, preformat } from './sample-server.ts';

interface ServiceProviderOptions {
  readonly issuer: string;
  /** Its own origin: http, with a port. */
  readonly origin: string;
  readonly credential: SigningCredential;
}

export function serviceProviderMetadata(options: Omit<ServiceProviderOptions, 'issuer'>): string {
  return newSaml({ ...options, issuer: 'http://localhost' }, options.credential.certificate)
    .generateServiceProviderMetadata(null, options.credential.certificate)
    .replace(/(<SingleLogoutService Binding="[^"]*HTTP-)POST/, '$1Redirect'); // a cross-site POST would not carry the Lax cookie
}

/** Starts an application that signs in with node-saml, shows the attributes, and ends sessions that either side ends. */
export async function startServiceProvider(options: ServiceProviderOptions): Promise<FastifyInstance> {
  const { issuer, origin } = options;
  const metadata = await (await fetch(`${issuer}${samlPaths.metadata}`)).text();
  const certificate = /<ds:X509Certificate>([^<]+)</.exec(metadata)?.[1];
  if (certificate === undefined) throw new Error('The metadata of the portal has no certificate.');
  const saml = newSaml(options, certificate);
  const { app, sessions, open } = newApplication<Profile>({
    ...{ issuer, origin, title: 'Sample service provider' },
    show: ({ nameID, attributes }) => preformat('attributes', { nameID, attributes }),
    logout: (user) => saml.getLogoutUrlAsync(user, '', {}),
  });

  app.get('/login', async (_request, reply) => reply.redirect(await saml.getAuthorizeUrlAsync('', undefined, {})));
  // The cross-site form does not carry the Lax cookie, so a second request fetches the profile.
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
  return listen(app, origin);
}

function newSaml({ issuer, origin, credential }: ServiceProviderOptions, idpCert: string): SAML {
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
