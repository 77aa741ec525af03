import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testServiceProviderPaths } from '../../../../src/server/trust/federation/saml/test-service-provider.ts';
import { openBrowser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { followSaml, obtainAssertion, readForm, registerProvider } from '../../support/service-provider.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer({ FLAGS: 'saml_index=on' });
});
afterAll(() => server.close());

const readFacts = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, name = '', value = '']) => [name, value]),
  );
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('[SES-07] test application at /saml-index', () => {
  test('signs in, shows the attributes, and logs out', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn();
    const request = (await browser.get(testServiceProviderPaths.request)).headers.get('location') ?? '';
    const outcome = await followSaml(browser, request, server.origin);
    if (typeof outcome === 'string') throw new Error(outcome);
    expect(outcome.action).toBe(`${server.origin}${testServiceProviderPaths.consumer}`);
    const shown = await fetch(outcome.action, {
      method: 'POST',
      headers: form,
      body: new URLSearchParams(outcome.fields),
    });
    expect(readFacts(await shown.text())).toMatchObject({
      Status: 'Success',
      NameID: 'uy-ci-45123784',
      PrimerNombre: 'Ana',
      nid: '1',
    });

    const foreign = await browser.get(testServiceProviderPaths.logout, { 'sec-fetch-site': 'cross-site' });
    expect([foreign.status, foreign.headers.get('location')]).toEqual([200, null]);
    expect(await foreign.text()).toContain(`<a href="${testServiceProviderPaths.logout}">Cerrar sesi\u00f3n</a>`);
    const logout = (await browser.get(testServiceProviderPaths.logout)).headers.get('location') ?? '';
    const answered = String(await followSaml(browser, logout, server.origin));
    expect(answered).toContain(`${server.origin}${testServiceProviderPaths.service}?SAMLResponse=`);
    expect(readFacts(await (await browser.get(answered)).text())).toEqual({ Status: 'Success' });
    expect((await browser.get('/jwt/obtain/')).status).toBe(401);
    expect(await (await browser.get(testServiceProviderPaths.logout)).text()).toContain('no tiene ninguna sesión');
  });

  test('responds to a logout request that another service provider started', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn();
    const other = await registerProvider(server, { logout: 'redirect' });
    const profile = await obtainAssertion(other, browser, server.origin);
    const request = (await browser.get(testServiceProviderPaths.request)).headers.get('location') ?? '';
    await followSaml(browser, request, server.origin);
    const wish = await other.saml.getLogoutUrlAsync(profile, '', {});
    const page = String(await followSaml(browser, wish, server.origin));
    const processState = new URL(page, server.origin).searchParams.get('process_state') ?? '';
    const next = `/v1.1/idp/profile/SAML2/SLO/next?process_state=${processState}`;
    const asked = String(await followSaml(browser, next, server.origin));
    expect(asked).toContain(`${testServiceProviderPaths.service}?SAMLRequest=`);
    const answer = (await browser.get(asked)).headers.get('location') ?? '';
    const end = new URL(String(await followSaml(browser, answer, server.origin)));
    const { loggedOut } = await other.saml.validateRedirectAsync(
      Object.fromEntries(end.searchParams),
      end.search.slice(1),
    );
    expect(loggedOut).toBe(true);
  });

  test.each([
    ['no message', {}],
    ['an unsigned message', { SAMLResponse: Buffer.from('<a/>').toString('base64') }],
    ['invalid base64', { SAMLResponse: '***' }],
  ])('returns 400 for %s', async (_name, fields) => {
    const response = await fetch(`${server.origin}${testServiceProviderPaths.consumer}`, {
      method: 'POST',
      headers: form,
      body: new URLSearchParams(fields),
    });
    expect(response.status).toBe(400);
    expect(readForm(await response.text())).toContain('avisale a quien la administra');
  });
});

test('[SES-07] test application does not exist without the flag saml_index', async () => {
  const plain = await startLiveServer();
  try {
    for (const path of Object.values(testServiceProviderPaths))
      expect((await fetch(`${plain.origin}${path}`)).status).toBe(404);
    expect(await plain.parts.saml.providers.byId('saml-index')).toBeNull();
  } finally {
    await plain.close();
  }
});
