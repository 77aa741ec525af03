import * as client from 'openid-client';
import type { Browser } from './browser.ts';

export interface RelyingRequest {
  readonly config: client.Configuration;
  readonly url: URL;
  readonly checks: {
    readonly pkceCodeVerifier: string;
    readonly expectedState: string;
    readonly expectedNonce: string;
  };
}

export const callback = 'http://127.0.0.1:9/callback';

/** Configures an off-the-shelf relying party for the issuer. */
export function configureRelyingParty(origin: string, id: string, secret: string): Promise<client.Configuration> {
  return client.discovery(
    new URL(origin),
    id,
    secret === '' ? undefined : secret,
    secret === '' ? client.None() : client.ClientSecretBasic(secret),
    { execute: [client.allowInsecureRequests] },
  );
}

/** Configures an off-the-shelf relying party that authenticates with its keys. */
export function configureKeyedRelyingParty(
  origin: string,
  id: string,
  authentication: client.ClientAuth,
  idTokenAlg: string,
): Promise<client.Configuration> {
  const metadata = { id_token_signed_response_alg: idTokenAlg };
  return client.discovery(new URL(origin), id, metadata, authentication, { execute: [client.allowInsecureRequests] });
}

/** Starts a code flow with PKCE, state and nonce. */
export async function beginFlow(
  config: client.Configuration,
  parameters: Record<string, string> = {},
  build: (
    config: client.Configuration,
    parameters: Record<string, string>,
  ) => URL | Promise<URL> = client.buildAuthorizationUrl,
): Promise<RelyingRequest> {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  const url = await build(config, {
    redirect_uri: callback,
    scope: 'openid personal_info',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { config, url, checks };
}

/** Exchanges the code for tokens. */
export function finishFlow({ config, checks }: RelyingRequest, location: string, options: client.DPoPOptions = {}) {
  return client.authorizationCodeGrant(config, new URL(location), checks, undefined, options);
}

/** Follows redirects until they leave the broker or reach a page. Returns the final URL. */
export async function followRedirects(browser: Browser, address: string, origin: string): Promise<string> {
  let next = new URL(address, origin).href;
  for (let hops = 0; hops < 10; hops++) {
    const url = new URL(next);
    if (url.origin !== origin || !url.pathname.startsWith('/oidc/')) return next;
    const response = await browser.get(next);
    const location = response.headers.get('location');
    if (location === null) return `${next} -> ${response.status} ${await response.text()}`;
    next = new URL(location, origin).href;
  }
  throw new Error(`too many redirects at ${next}`);
}

/** Follows an authorization request of a signed-in browser, and allows the consent if there is a prompt. Returns the final URL. */
export async function completeAuthorization(browser: Browser, address: string, origin: string): Promise<string> {
  const page = await followRedirects(browser, address, origin);
  return page.includes('/autorizacion?') ? answerConsent(browser, page, origin) : page;
}

/** Runs a code flow of a signed-in browser. Returns the tokens. */
export async function obtainTokens(
  browser: Browser,
  config: client.Configuration,
  parameters: Record<string, string> = {},
) {
  const request = await beginFlow(config, parameters);
  return finishFlow(request, await completeAuthorization(browser, request.url.href, config.serverMetadata().issuer));
}

/** Submits the consent page at `address`. Returns the final URL. */
export async function answerConsent(browser: Browser, address: string, origin: string, allow = true): Promise<string> {
  const { searchParams } = new URL(address, origin);
  const answer = await browser.post(
    '/oidc/v1/consent',
    {
      client_id: searchParams.get('client_id'),
      next: searchParams.get('next'),
      allow,
      es_extranjero: false,
      rid_alto_sin_2do_factor: false,
    },
    { authorization: `Bearer ${await browser.bearer()}` },
  );
  const { location } = await answer.json();
  return followRedirects(browser, location, origin);
}
