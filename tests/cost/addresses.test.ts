import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { identityBrokerPaths, apiContract } from '../../src/contract/contract.ts';
import { pagePaths } from '../../src/contract/page-paths.ts';
import { oidcPaths } from '../../src/server/trust/federation/oidc/oidc-paths.ts';
import { samlPaths } from '../../src/server/trust/federation/saml/saml-constants.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';
import { startLiveServer } from '../server/support/live-server.ts';
import { callback } from '../server/support/relying-party.ts';
import { listHardAddresses, listHardHeaders, type Address, type HardRequest } from './support/addresses.ts';
import { findCostliest, printTable, type Candidate } from './support/cost.ts';

/**
 * Maximum CPU time of a request that anybody can send, in milliseconds, including the cost of sending it in this
 * process. It is scaled by `measureSlowness`.
 */
const maxMs = 20;
/**
 * CPU time of a request without its costly part, in milliseconds, including the cost of sending it and its database
 * queries.
 */
const fixedMs = 8;

const server = await startLiveServer(
  { TRUST_PROXY: 'loopback' },
  { definitions: await productDefinitions, content: {} },
);
const client = 'cost';
await server.register({ id: client, name: 'Costo', redirectUris: [callback] });
const agent = new Agent({ keepAlive: true });

const saml = { reads: ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'] };
const authorization = {
  client_id: client,
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid',
  state: 'x',
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
};

const addresses: Readonly<Record<string, Address>> = {
  'home page': { path: pagePaths.home, reads: ['lang'] },
  'page without parameters': { path: pagePaths.register, reads: ['lang', 'forceLogin', 'redirectUrl'] },
  'page with a parameter': { path: `${pagePaths.help}/x` },
  'unknown page': { path: '/nada' },
  'operation without parameters': { path: apiContract.getFaqs.path, reads: apiContract.getFaqs.query },
  'operation with a parameter': { path: '/rest/ciudadanos/x/' },
  'list of bookable days': { path: apiContract.getSupportDates.path, reads: apiContract.getSupportDates.query },
  'unknown operation': { path: '/rest/nada' },
  'definitions module': { path: '/definitions/manifest.json', reads: ['lang'] },
  'logo of an application': { path: '/logos/x' },
  health: { path: '/healthz' },
  'security.txt': { path: '/.well-known/security.txt' },
  OpenAPI: { path: '/openapi.json' },
  'OpenID discovery document': { path: oidcPaths.discovery },
  'OpenID authorization endpoint': {
    path: oidcPaths.authorize,
    query: authorization,
    reads: ['claims', 'request', 'acr_values', 'prompt', 'id_token_hint'],
  },
  'step of an OpenID authorization': { path: `${oidcPaths.authorize}/x` },
  'OpenID userinfo endpoint': { path: oidcPaths.userinfo, reads: ['access_token'] },
  'OpenID keys': { path: oidcPaths.jwks },
  'OpenID logout': {
    path: oidcPaths.logout,
    reads: ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'],
  },
  consent: { path: identityBrokerPaths.consent },
  'SAML single sign-on': { path: samlPaths.ssoByRedirect, ...saml },
  'SAML single logout': { path: samlPaths.sloByRedirect, ...saml },
  'SAML metadata': { path: samlPaths.metadata },
  'SAML response': { path: samlPaths.send, reads: ['process_state'] },
  'sign-in with an identity provider': {
    path: identityBrokerPaths.providerLogin,
    reads: ['idp', 'process_state', 'redirectUrl'],
  },
  'sign-in form': { path: identityBrokerPaths.login, reads: ['process_state'] },
  logout: { path: identityBrokerPaths.logout, reads: ['redirect_uri'] },
  'identity card ticket': { path: identityBrokerPaths.card, reads: ['ticket'] },
  'wallet request': { path: identityBrokerPaths.walletRequest, reads: ['id'] },
  'identity provider callback': { path: '/idp/x/callback', reads: ['state', 'code'] },
  'cancelled sign-in': { path: identityBrokerPaths.cancelLogin, reads: ['process_state'] },
};
/**
 * Paths that are also tested with costly headers and oversized URLs. All paths in one part of the server treat
 * these alike.
 */
const representative = new Set([
  'page without parameters',
  'operation without parameters',
  'definitions module',
  'OpenID authorization endpoint',
  'SAML single sign-on',
  'sign-in with an identity provider',
  'logout',
]);

const rows: string[][] = [];
afterAll(async () => {
  printTable(['address', 'costliest', 'ms', 'ms of half'], rows);
  agent.destroy();
  await server.close();
});

let senders = 0;
async function send({ target, headers }: HardRequest): Promise<number> {
  senders += 1;
  const sender = `198.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`; // a new client address for each request, so that no rate limit applies
  const asked = request(server.origin, {
    agent,
    maxHeaderSize: 64 * 1024, // large enough for a redirect that repeats the long query in its Location header
    path: target,
    headers: { accept: 'text/html', 'x-forwarded-for': sender, ...headers },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

describe('[SEC-03] CPU cost of requests that anybody can send', () => {
  test.each(Object.entries(addresses))(
    'handles the costliest URLs and headers within 20 ms, in at most linear time: %s',
    async (title, address) => {
      expect(await send({ target: address.path, headers: {} })).toBeLessThan(500);
      const isWhole = representative.has(title);
      const hard = [...listHardAddresses(address), ...(isWhole ? listHardHeaders(address) : [])];
      const candidates = hard.flatMap(({ kind, sizes, createOfSize }) =>
        (isWhole ? sizes : sizes.slice(0, 1)).map((size): Candidate => {
          const prepare = (bytes: number) => {
            const made = createOfSize(bytes);
            return async () => {
              const status = await send(made).catch((cause: unknown) => {
                throw new Error(kind, { cause });
              });
              expect(status, kind).toBeLessThan(500);
            };
          };
          return { kind: `${kind} of ${size}`, size, screened: size, prepare };
        }),
      );
      const worst = await findCostliest(candidates, { maxMs, fixedMs });
      rows.push([title, worst.kind, worst.whole.toFixed(1), worst.half.toFixed(1)]);
    },
  );
});
