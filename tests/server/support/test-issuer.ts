import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';

/** An OpenID provider whose responses the test controls. */
export interface TestIssuer {
  readonly origin: string;
  /** Claims of the next ID Token. */
  claims: JWTPayload;
  /** Changes to the next ID Token. If `other` is set, a different key signs it. */
  forge: { claims?: JWTPayload; other?: boolean; alg?: string };
  /** Replacement of the handler for all requests. */
  broken: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** Returns the redirect to the portal that follows an authorization request. */
  authorizationResponse(location: string, changes?: Record<string, string | null>): string;
  close(): Promise<void>;
}

/**
 * Starts an issuer that supports the authorization code flow with PKCE, and `iss` in its responses. Each path of its
 * origin is a separate issuer with the same users.
 */
export async function startIssuer(port: number): Promise<TestIssuer> {
  const origin = `http://127.0.0.1:${port}`;
  const own = await generateKeyPair('RS256', { extractable: true });
  const other = await generateKeyPair('RS256', { extractable: true });
  const jwk: JWK = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, { nonce: string; clientId: string }>();
  const baseOf = (address: string, path: string): string => new URL(address, origin).href.split(path)[0] ?? origin;
  const issuer: TestIssuer = {
    origin,
    claims: { sub: 'a-1', name: 'João Souza', cpf: '12345678909', acr: 'gold' },
    forge: {},
    broken: null,
    authorizationResponse(location, changes = {}) {
      const { searchParams } = new URL(location);
      const code = randomUUID();
      codes.set(code, { nonce: searchParams.get('nonce') ?? '', clientId: searchParams.get('client_id') ?? '' });
      const answer = new URL(searchParams.get('redirect_uri') ?? '');
      const values = { code, state: searchParams.get('state'), iss: baseOf(location, '/authorize'), ...changes };
      for (const [name, value] of Object.entries(values)) if (value !== null) answer.searchParams.set(name, value);
      return answer.href;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const json = (response: ServerResponse, body: object, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (issuer.broken !== null) return issuer.broken(request, response);
    if (pathname.endsWith('/.well-known/openid-configuration')) {
      const base = baseOf(pathname, '/.well-known/');
      return json(response, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/jwks`,
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      });
    }
    if (pathname.endsWith('/jwks')) return json(response, { keys: [jwk] });
    void answerToken(request, response);
  });
  const answerToken = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '';
    const known = codes.get(code);
    codes.delete(code);
    if (known === undefined) return json(response, { error: 'invalid_grant' }, 400);
    const { forge, claims } = issuer;
    issuer.forge = {};
    const idToken = await new SignJWT({ nonce: known.nonce, ...claims, ...forge.claims })
      .setProtectedHeader({ alg: forge.alg ?? 'RS256', kid: 'one' })
      .setIssuer(typeof forge.claims?.iss === 'string' ? forge.claims.iss : baseOf(request.url ?? '/', '/token'))
      .setAudience(typeof forge.claims?.aud === 'string' ? forge.claims.aud : known.clientId)
      .setIssuedAt()
      .setExpirationTime(forge.claims?.exp ?? '5m')
      .sign(
        forge.alg === 'HS256'
          ? new TextEncoder().encode(JSON.stringify(jwk))
          : (forge.other === true ? other : own).privateKey,
      );
    json(response, { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken });
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return issuer;
}

const written: string[] = [];
process.once('exit', () => written.forEach((path) => rmSync(path, { force: true })));

/** Writes the file of providers for IDPS_FILE. Returns its path. */
export function writeProvidersFile(entries: readonly object[]): string {
  const path = join(tmpdir(), `idps-${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(entries));
  written.push(path);
  return path;
}

/** Creates the configuration of Brazil's provider, with optional changes. */
export function createBrazilEntry(issuer: string, changes: object = {}): object {
  return {
    identificador: 'br',
    nombre: 'gov.br',
    descripcion: 'Com a sua conta do Brasil.',
    nivel_seguridad: 'avanzado',
    logo: '',
    idioma: 'pt',
    oidc: { issuer, clientId: 'portal' },
    claims: { type: 'cpf', number: { var: 'cpf' }, firstName: { var: 'name' } },
    levels: { bronze: 1, silver: 2, gold: 3 },
    maxLevel: 3,
    ...changes,
  };
}

/** Creates the configuration of a national provider, with optional changes. `issuer` is the origin of `startIssuer`. */
export function createAbitabEntry(issuer: string, changes: object = {}): object {
  return {
    ...createBrazilEntry(`${issuer}/abitab`),
    identificador: 'abitab',
    nombre: 'Identidad Abitab',
    descripcion: 'Con tu celular y tu PIN.',
    federated: false,
    idioma: 'es',
    claims: {
      country: { var: 'country' },
      number: { var: 'document' },
      firstName: { var: 'given_name' },
      firstSurname: { var: 'family_name' },
    },
    levels: { low: 1, substantial: 2 },
    maxLevel: 2,
    ...changes,
  };
}
