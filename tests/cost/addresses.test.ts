import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { brokerPages, contract } from '../../src/contract/contract.ts';
import { pages } from '../../src/contract/pages.ts';
import { oidcPaths } from '../../src/server/trust/federation/oidc/addresses.ts';
import { samlPaths } from '../../src/server/trust/federation/saml/names.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';
import { startLiveServer } from '../server/support/live-server.ts';
import { callback } from '../server/support/relying-party.ts';
import { hardAddresses, hardHeaders, type Address, type HardAddress, type HardRequest } from './support/addresses.ts';
import { costMs, isLinear, printTable, slowness } from './support/cost.ts';

/** What anybody may send costs at most that, with what its sender here costs (see `slowness`). */
const mostMs = 20;
/** What any request costs beside its hard part: with its sender, and where it asks the database. */
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

/** Each kind of address. */
const addresses: Readonly<Record<string, Address>> = {
  'the home page': { path: pages.home, reads: ['lang'] },
  'a page': { path: pages.register, reads: ['lang', 'forceLogin', 'redirectUrl'] },
  'a page with a parameter': { path: `${pages.help}/x` },
  'a page that does not exist': { path: '/nada' },
  'an operation': { path: contract.getFaqs.path, reads: contract.getFaqs.query },
  'an operation with a parameter': { path: '/rest/ciudadanos/x/' },
  'the list of bookable days': { path: contract.getSupportDates.path, reads: contract.getSupportDates.query },
  'an operation that does not exist': { path: '/rest/nada' },
  'a module of definitions': { path: '/definitions/manifest.json', reads: ['lang'] },
  'a logo': { path: '/logos/x' },
  health: { path: '/healthz' },
  'the contact for vulnerabilities': { path: '/.well-known/security.txt' },
  OpenAPI: { path: '/openapi.json' },
  'discovery of OpenID': { path: oidcPaths.discovery },
  'authorization of OpenID': {
    path: oidcPaths.authorize,
    query: authorization,
    reads: ['claims', 'request', 'acr_values', 'prompt', 'id_token_hint'],
  },
  'a step of authorization': { path: `${oidcPaths.authorize}/x` },
  'user info of OpenID': { path: oidcPaths.userinfo, reads: ['access_token'] },
  'keys of OpenID': { path: oidcPaths.jwks },
  'logout of OpenID': {
    path: oidcPaths.logout,
    reads: ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'],
  },
  consent: { path: brokerPages.consent },
  'single sign-on of SAML': { path: samlPaths.ssoByRedirect, ...saml },
  'single logout of SAML': { path: samlPaths.sloByRedirect, ...saml },
  'metadata of SAML': { path: samlPaths.metadata },
  'a response of SAML': { path: samlPaths.send, reads: ['process_state'] },
  'sign-in by a provider': { path: brokerPages.providerLogin, reads: ['idp', 'process_state', 'redirectUrl'] },
  'sign-in by a form': { path: brokerPages.login, reads: ['process_state'] },
  logout: { path: brokerPages.logout, reads: ['redirect_uri'] },
  'a ticket of a card': { path: brokerPages.card, reads: ['ticket'] },
  'a request of a wallet': { path: brokerPages.walletRequest, reads: ['id'] },
  'a callback of a provider': { path: '/idp/x/callback', reads: ['state', 'code'] },
  'cancelling a sign-in': { path: brokerPages.cancelLogin, reads: ['process_state'] },
};
/** Headers are read alike at addresses of one part of the server. */
const withHeaders = new Set([
  'a page',
  'an operation',
  'a module of definitions',
  'authorization of OpenID',
  'single sign-on of SAML',
  'sign-in by a provider',
  'logout',
]);

const rows: string[][] = [];
afterAll(async () => {
  printTable(['address', 'costliest', 'status', 'ms', 'ms of half'], rows);
  agent.destroy();
  await server.close();
});

let senders = 0;
async function send({ target, headers }: HardRequest): Promise<number> {
  senders += 1;
  const sender = `198.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`; // limits count another one each time
  const asked = request(server.origin, {
    agent,
    maxHeaderSize: 64 * 1024, // some answers lead to an address that repeats the query
    path: target,
    headers: { accept: 'text/html', 'x-forwarded-for': sender, ...headers },
  });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

describe('[SEC-03] what an address or a header holds costs at most 20 ms, and not more than linear', () => {
  test.each(Object.entries(addresses))('%s', async (title, address) => {
    expect(await send({ target: address.path, headers: {} })).toBeLessThan(500);
    const hard = [...hardAddresses(address), ...(withHeaders.has(title) ? hardHeaders(address) : [])];
    const tried: { one: HardAddress; size: number; ms: number; status: number }[] = [];
    for (const one of hard) {
      for (const size of one.sizes) {
        const made = one.ofBytes(size);
        let status = 0;
        const ms = await costMs(
          async () =>
            (status = await send(made).catch((cause: unknown) => {
              throw new Error(one.kind, { cause });
            })),
          mostMs * 0.4,
          4,
        );
        expect(status, one.kind).toBeLessThan(500);
        tried.push({ one, size, ms, status });
      }
    }
    let worst = { kind: '', status: 0, whole: 0, half: 0 };
    for (const { one, size, status } of tried.sort((a, b) => b.ms - a.ms).slice(0, 3)) {
      const whole = await costMs(() => send(one.ofBytes(size)), mostMs / 2);
      if (whole > worst.whole)
        worst = {
          kind: `${one.kind} of ${size}`,
          status,
          whole,
          half: await costMs(() => send(one.ofBytes(size / 2)), whole / 2),
        };
    }
    rows.push([title, worst.kind, String(worst.status), worst.whole.toFixed(1), worst.half.toFixed(1)]);
    const factor = worst.whole <= mostMs ? 1 : await slowness();
    expect(worst.whole, worst.kind).toBeLessThanOrEqual(mostMs * factor);
    expect(isLinear(worst, fixedMs), `twice the size costs ${worst.whole} ms, not ${worst.half}: ${worst.kind}`).toBe(
      true,
    );
  });
});
