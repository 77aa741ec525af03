import { randomBytes, randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { exportJWK, generateKeyPair } from 'jose';
import type { Provider } from 'oidc-provider';
import { escapeHtml } from '../engine/core/values/escape-html.ts';
import { nameIdFormats } from '../server/trust/federation/saml/saml-constants.ts';
import { generateSamlMessageId, writeSamlResponse } from '../server/trust/federation/saml/saml-response.ts';
import type { SigningCredential } from '../server/trust/federation/saml/xml-signature.ts';
import sample from './identity-provider.json' with { type: 'json' };
import { listenOnOrigin, createSampleApplicationServer, sendHtmlPage } from './sample-application-server.ts';

/** Options of the sample identity providers. Both origins use HTTP and contain a port. */
interface IdentityProviderOptions extends Readonly<Record<'portal' | 'origin', string>> {
  readonly credential: SigningCredential;
}

/** Creates the IDPS_FILE entries of both providers. `metadata` is the path of the file from `buildIdentityProviderMetadata`. */
export function buildIdentityProviderEntries(origin: string, metadata: string): readonly object[] {
  const [brazil, abitab] = sample.entries;
  return [
    { ...brazil, oidc: { issuer: `${origin}/br`, clientId: 'portal' } },
    { ...abitab, saml: { metadata } },
  ];
}

export function buildIdentityProviderMetadata({ origin, credential }: Omit<IdentityProviderOptions, 'portal'>): string {
  const base64 = credential.certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${origin}/abitab"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}/abitab/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
}

/** Starts a foreign OpenID provider and a national SAML provider, whose users sign in with a click. */
export async function startIdentityProviders(options: IdentityProviderOptions): Promise<FastifyInstance> {
  const { portal, origin, credential } = options;
  const provider = await createOpenIdProvider(options);
  const passOn = provider.callback();
  const app = createSampleApplicationServer();
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null)); // leaves the request body to oidc-provider, which parses it itself
    scope.all('/br/*', ({ raw }, reply) => {
      reply.hijack();
      const { url = '' } = raw;
      return passOn(Object.assign(raw, { originalUrl: url, url: url.slice('/br'.length) }), reply.raw); // removes the prefix, as Express does for mounted applications
    });
  });

  app.get<{ Querystring: { person?: string } }>('/people/:uid', async (request, reply) => {
    const { person } = request.query;
    if (person === undefined) return sendChoicePage(reply, request.url, 'gov.br', sample.brazilians);
    const chosen = sample.brazilians.find(({ sub }) => sub === person);
    reply.hijack();
    return provider.interactionFinished(
      request.raw,
      reply.raw,
      chosen ? { login: { accountId: chosen.sub, acr: chosen.level, remember: false } } : { error: 'access_denied' },
    );
  });

  app.get<{ Querystring: Record<string, string> }>('/abitab/sso', async (request, reply) => {
    const { person, SAMLRequest = '', RelayState = '' } = request.query;
    if (person === undefined) return sendChoicePage(reply, request.url, 'Identidad Abitab', sample.nationals);
    const chosen = sample.nationals.find(({ sub }) => sub === person);
    const back = `<p><a href="${escapeHtml(portal)}/login">${sample.back}</a></p>`;
    if (!chosen) return sendHtmlPage(reply, 'Identidad Abitab', back);
    const now = new Date();
    const inResponseTo = / ID="([^"]*)"/.exec(inflateRawSync(Buffer.from(SAMLRequest, 'base64')).toString())?.[1];
    const consumer = `${portal}/idp/abitab/acs`; // always the registered URL, whatever URL the request contains
    const xml = await writeSamlResponse(
      {
        issuer: `${origin}/abitab`,
        audience: `${portal}/idp/abitab/metadata`,
        consumer,
        now,
        credential,
        inResponseTo: inResponseTo ?? generateSamlMessageId(),
        encryption: null,
      },
      {
        nameId: { value: chosen.sub, format: nameIdFormats.persistent },
        sessionIndex: randomUUID(),
        contextClass: chosen.level,
        signedInAt: now,
        sessionEndsAt: new Date(now.getTime() + 3_600_000),
        attributes: Object.entries(chosen.claims),
      },
    );
    const inputs = Object.entries({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState })
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
      .join('');
    const button = `<button>${sample.goOn} ${escapeHtml(chosen.label)}</button>`;
    const form = `<form method="post" action="${consumer}">${inputs}${button}</form>`;
    return sendHtmlPage(reply, 'Identidad Abitab', form);
  });
  return listenOnOrigin(app, origin);
}

async function createOpenIdProvider({ portal, origin }: IdentityProviderOptions): Promise<Provider> {
  const { interactionPolicy, Provider } = await import('oidc-provider'); // imported dynamically, because oidc-provider prints warnings when it is loaded
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const callback = `${portal}/idp/br/callback`;
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const isChosen = new interactionPolicy.Check('choice', 'at each sign-in', ({ oidc }) => !oidc.result?.login);
  policy.get('login')?.checks.add(isChosen);
  return new Provider(`${origin}/br`, {
    clients: [{ client_id: 'portal', redirect_uris: [callback], token_endpoint_auth_method: 'none' }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('base64url')] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `/people/${uid}` },
    claims: { openid: ['sub', 'acr'], profile: ['name', 'cpf'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => {
      const person = sample.brazilians.find(({ sub }) => sub === id);
      return person && { accountId: id, claims: () => ({ sub: id, ...person.claims }) };
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: 'portal', accountId: oidc.account?.accountId ?? '' });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
}

function sendChoicePage(
  reply: FastifyReply,
  url: string,
  title: string,
  people: readonly { sub: string; label: string }[],
) {
  const links = [...people, { sub: '', label: sample.nobody }].map(({ sub, label }) => {
    const address = `${url}${url.includes('?') ? '&' : '?'}person=${sub}`;
    return `<li><a href="${escapeHtml(address)}">${escapeHtml(label)}</a></li>`;
  });
  return sendHtmlPage(reply, title, `<ul>${links.join('')}</ul>`);
}
