import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import sample from './identity-provider.json' with { type: 'json' };
import { newId, writeResponse } from '../../server/trust/federation/saml/response.ts';
import type { SigningCredential } from '../../server/trust/federation/saml/signature.ts';
import { nameIdFormats } from '../../server/trust/federation/saml/names.ts';
import { escapeHtml } from '../../server/platform/base/escape-html.ts';
import { serve, type SampleServer } from './sample-server.ts';

/** Where the portal stands, and where the providers do: http, with a port. */
export interface IdentityProviderOptions {
  readonly portal: string;
  readonly origin: string;
  readonly credential: SigningCredential;
}

interface Person {
  readonly sub: string;
  readonly label: string;
  readonly level: string;
  readonly claims: Readonly<Record<string, string>>;
}

const brazilians: readonly Person[] = sample.brazilians;
const nationals: readonly Person[] = sample.nationals;

/** The entries by which a portal knows both, for IDPS_FILE; `metadata`: where the metadata below stand. */
export function providerEntries(origin: string, metadata: string): readonly object[] {
  const [brazil, abitab] = sample.entries;
  return [
    { ...brazil, oidc: { issuer: `${origin}/br`, clientId: 'portal' } },
    { ...abitab, saml: { metadata } },
  ];
}

export function identityProviderMetadata({
  origin,
  credential,
}: Pick<IdentityProviderOptions, 'origin' | 'credential'>): string {
  const base64 = credential.certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${origin}/abitab"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}/abitab/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
}

interface Context {
  readonly options: IdentityProviderOptions;
  readonly key: CryptoKey;
  readonly jwk: JWK;
  readonly codes: Map<string, { readonly person: Person; readonly nonce: string; readonly challenge: string }>;
}

/** Starts a foreign provider of OpenID Connect and a national one of SAML, whose people sign in by a click. */
export async function startIdentityProviders(options: IdentityProviderOptions): Promise<SampleServer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'demo', alg: 'RS256', use: 'sig' };
  const context: Context = { options, key: privateKey, jwk, codes: new Map() };
  return serve(options.origin, (request, response) => answer(request, response, context));
}

async function answer(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { origin } = context.options;
  const url = new URL(request.url ?? '/', origin);
  const chosen = url.searchParams.get('person');
  switch (url.pathname) {
    case '/br/.well-known/openid-configuration':
      return json(response, discovery(`${origin}/br`));
    case '/br/jwks':
      return json(response, { keys: [context.jwk] });
    case '/br/authorize':
      return chosen === null ? choose(response, url, 'gov.br', brazilians) : sendCode(response, url, chosen, context);
    case '/br/token':
      return json(response, ...(await token(request, context)));
    case '/abitab/sso':
      return chosen === null
        ? choose(response, url, 'Identidad Abitab', nationals)
        : sendAssertion(response, url, chosen, context);
    default:
      response.writeHead(404).end();
  }
}

function discovery(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** The people of a provider, each a link; one leads back without anybody. */
function choose(response: ServerResponse, url: URL, title: string, people: readonly Person[]): void {
  const link = (person: string, text: string): string => {
    const next = new URL(url);
    next.searchParams.set('person', person);
    return `<li><a href="${escapeHtml(next.pathname + next.search)}">${escapeHtml(text)}</a></li>`;
  };
  const lines = [...people.map(({ sub, label }) => link(sub, label)), link('', sample.nobody)].join('');
  styled(response, title, `<ul>${lines}</ul>`);
}

function styled(response: ServerResponse, title: string, body: string): void {
  const brazil = title === 'gov.br';
  const style = `body{font:1.125rem/1.5 sans-serif;margin:0}header{background:${brazil ? '#1351b4' : '#0a5c36'};color:#fff;padding:1rem;border-bottom:.5rem solid ${brazil ? '#ffcd07' : '#9ad0b3'}}main{max-width:30rem;margin:2rem auto;padding:0 1rem}li{list-style:none;margin:.75rem 0}ul{padding:0}a,button{display:block;width:100%;box-sizing:border-box;padding:.75rem 1rem;border:1px solid #1351b4;border-radius:2rem;color:#0c326f;background:#fff;font:inherit}`;
  const hash = createHash('sha256').update(style).digest('base64');
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${hash}'`,
      'cache-control': 'no-store',
    })
    .end(
      `<!doctype html><html lang="${brazil ? 'pt' : 'es'}"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>${title}</title><style>${style}</style><header><h1>${title}</h1></header><main>${body}</main></html>`,
    );
}

function sendCode(response: ServerResponse, url: URL, chosen: string, { options, codes }: Context): void {
  const asked = url.searchParams;
  const back = new URL(asked.get('redirect_uri') ?? 'about:blank');
  if (back.href !== `${options.portal}/idp/br/callback`) throw new Error('the redirect_uri is not registered');
  const person = brazilians.find(({ sub }) => sub === chosen);
  const code = randomUUID();
  if (person)
    codes.set(code, { person, nonce: asked.get('nonce') ?? '', challenge: asked.get('code_challenge') ?? '' });
  const values = {
    ...(person ? { code } : { error: 'access_denied' }),
    state: asked.get('state') ?? '',
    iss: `${options.origin}/br`,
  };
  for (const [name, value] of Object.entries(values)) back.searchParams.set(name, value);
  response.writeHead(302, { location: back.href }).end();
}

async function token(request: IncomingMessage, { options, key, codes }: Context): Promise<[object, number]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = new URLSearchParams(Buffer.concat(chunks).toString());
  const code = body.get('code') ?? '';
  const known = codes.get(code);
  codes.delete(code);
  const challenge = createHash('sha256')
    .update(body.get('code_verifier') ?? '')
    .digest('base64url');
  if (known === undefined || known.challenge !== challenge) return [{ error: 'invalid_grant' }, 400];
  const { person, nonce } = known;
  const idToken = await new SignJWT({ ...person.claims, nonce, acr: person.level })
    .setProtectedHeader({ alg: 'RS256', kid: 'demo' })
    .setIssuer(`${options.origin}/br`)
    .setAudience('portal')
    .setSubject(person.sub)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key);
  return [{ access_token: randomUUID(), token_type: 'Bearer', id_token: idToken }, 200];
}

async function sendAssertion(response: ServerResponse, url: URL, chosen: string, context: Context): Promise<void> {
  const { portal, origin, credential } = context.options;
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const inResponseTo = / ID="([^"]*)"/.exec(request)?.[1] ?? newId();
  const consumer = `${portal}/idp/abitab/acs`; // whatever the request says: this is where its answers are taken
  const person = nationals.find(({ sub }) => sub === chosen);
  if (!person)
    return styled(response, 'Identidad Abitab', `<p><a href="${escapeHtml(portal)}/login">${sample.back}</a></p>`);
  const now = new Date();
  const xml = await writeResponse(
    {
      issuer: `${origin}/abitab`,
      audience: `${portal}/idp/abitab/metadata`,
      consumer,
      inResponseTo,
      now,
      credential,
      encryption: null,
    },
    {
      nameId: { value: person.sub, format: nameIdFormats.persistent },
      sessionIndex: randomUUID(),
      contextClass: person.level,
      signedInAt: now,
      sessionEndsAt: new Date(now.getTime() + 3_600_000),
      attributes: Object.entries(person.claims),
    },
  );
  const fields = {
    SAMLResponse: Buffer.from(xml).toString('base64'),
    RelayState: url.searchParams.get('RelayState') ?? '',
  };
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  styled(
    response,
    'Identidad Abitab',
    `<form method="post" action="${escapeHtml(consumer)}">${inputs}<button>${sample.goOn} ${escapeHtml(person.label)}</button></form>`,
  );
}

function json(response: ServerResponse, body: object, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
