import { createPrivateKey } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Profile } from '@node-saml/node-saml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samlPaths } from '../../../../src/server/trust/federation/saml/saml-constants.ts';
import { createLocalSigner } from '../../../../src/server/platform/keys/jws-signer.ts';
import { signSamlQuery } from '../../../../src/server/trust/federation/saml/bindings.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  expectForm,
  followSaml,
  listStatuses,
  obtainAssertion,
  registerProvider,
  type SubmittedForm,
  type TestProvider,
} from '../../support/service-provider.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

/** Service providers that declare the redirect or the POST binding for logout. */
const byRedirect = () => registerProvider(server, { logout: 'redirect' });
const byPost = () => registerProvider(server, { logout: 'post' });

/** Signs a new browser in to service providers. Returns the assertion of each. */
async function signInAt(...providers: readonly TestProvider[]): Promise<{ browser: Browser; profiles: Profile[] }> {
  const browser = openBrowser(server.origin);
  await browser.signIn();
  const profiles: Profile[] = [];
  for (const provider of providers) profiles.push(await obtainAssertion(provider, browser, server.origin));
  return { browser, profiles };
}

/** Signs the browser out at a service provider. Returns the final URL. */
async function logOutAt(provider: TestProvider, browser: Browser, profile: Partial<Profile> = {}, relayState = '') {
  const url = await provider.saml.getLogoutUrlAsync(profile as Profile, relayState, {});
  return String(await followSaml(browser, url, new URL(url).origin));
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get('/jwt/obtain/')).status === 200;

/** Continues from a logout page, as its script does. */
const leavePage = (browser: Browser, page: string): Promise<string | SubmittedForm> => {
  expect(page).toContain('/logout-saml?process_state=');
  return followSaml(browser, `${samlPaths.logoutNext}${new URL(page).search}`, server.origin);
};

/** Reads and verifies a message for a service provider in a redirect, using node-saml. */
async function readMessage(provider: TestProvider, address: string) {
  const url = new URL(address);
  expect(url.origin).toBe(new URL(provider.entityId).origin);
  const query = Object.fromEntries(url.searchParams);
  const { profile, loggedOut } = await provider.saml.validateRedirectAsync(query, url.search.slice(1));
  return { profile, loggedOut, relayState: query['RelayState'] ?? '' };
}

/** Returns the status codes of a SAML response in a redirect. */
const statusesIn = (address: string): readonly string[] => {
  const message = new URL(address).searchParams.get('SAMLResponse') ?? '';
  return listStatuses(inflateRawSync(Buffer.from(message, 'base64')).toString());
};

/** Returns node-saml's response to a logout request, as a redirect. */
const answerOf = (provider: TestProvider, profile: Profile | null, relayState: string, success = true) =>
  provider.saml.getLogoutResponseUrlAsync(profile ?? ({} as Profile), relayState, {}, success);

describe('[SES-09 FED-05] logout requested by a service provider', () => {
  test('ends the session and returns Success', async () => {
    const provider = await byRedirect();
    const { browser, profiles } = await signInAt(provider);
    const back = await logOutAt(provider, browser, profiles[0], 'vuelta');
    expect(await readMessage(provider, back)).toMatchObject({ loggedOut: true, relayState: 'vuelta' });
    expect(statusesIn(back)).toEqual(['Success']);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('returns UnknownPrincipal for a replayed request, and does not end a later session', async () => {
    const provider = await byRedirect();
    const { browser, profiles } = await signInAt(provider);
    const { nameID, nameIDFormat } = profiles[0] as Profile;
    const url = await provider.saml.getLogoutUrlAsync({ nameID, nameIDFormat } as Profile, '', {}); // sends no SessionIndex, so that the request ends all sessions
    expect(statusesIn(String(await followSaml(browser, url, server.origin)))).toEqual(['Success']);
    await browser.signIn();
    await obtainAssertion(provider, browser, server.origin);
    const again = String(await followSaml(browser, url, server.origin));
    expect(statusesIn(again)).toEqual(['Requester', 'UnknownPrincipal']);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('ends the session at once, notifies the other service providers in turn, and then returns Success', async () => {
    const [one, two, three] = [await byRedirect(), await byRedirect(), await byPost()];
    const { browser, profiles } = await signInAt(one, two, three);
    const page = await logOutAt(one, browser, profiles[0], 'fin');
    expect(await isSignedIn(browser)).toBe(false);
    const asked = await readMessage(two, String(await leavePage(browser, page)));
    expect(asked.profile).toMatchObject({ nameID: 'uy-ci-45123784', sessionIndex: profiles[1]?.sessionIndex });
    const form = expectForm(
      await followSaml(browser, await answerOf(two, asked.profile, asked.relayState), server.origin),
    );
    expect(form.action).toContain('/slo');
    const { profile } = await three.saml.validatePostRequestAsync({ ...form.fields });
    expect(profile).toMatchObject({ nameID: 'uy-ci-45123784' });
    const answer = await answerOf(three, profile, form.fields['RelayState'] ?? '');
    const back = String(await followSaml(browser, answer, server.origin));
    expect(await readMessage(one, back)).toMatchObject({ loggedOut: true, relayState: 'fin' });
    expect(statusesIn(back)).toEqual(['Success']);
  });

  test('returns PartialLogout if a service provider fails or does not return the browser', async () => {
    const [one, two, three] = [await byRedirect(), await byRedirect(), await byRedirect()];
    const { browser, profiles } = await signInAt(one, two, three);
    const page = await logOutAt(one, browser, profiles[0]);
    const first = String(await leavePage(browser, page));
    expect(first).toContain(new URL(two.entityId).origin);
    const second = String(await leavePage(browser, page)); // the browser has returned to the logout page
    const asked = await readMessage(three, second);
    const answer = await answerOf(three, asked.profile, asked.relayState, false);
    expect(statusesIn(String(await followSaml(browser, answer, server.origin)))).toEqual(['Success', 'PartialLogout']);
  });

  test('notifies each service provider once if two tabs continue in parallel', async () => {
    const [one, two, three] = [await byRedirect(), await byRedirect(), await byRedirect()];
    const { browser, profiles } = await signInAt(one, two, three);
    const page = await logOutAt(one, browser, profiles[0]);
    const asked = await Promise.all([leavePage(browser, page), leavePage(browser, page)]);
    expect(asked.map((address) => new URL(String(address)).origin).sort()).toEqual(
      [two, three].map(({ entityId }) => new URL(entityId).origin).sort(),
    );
  });

  test('shows an error page with a link to continue after a forged response, and ends with PartialLogout', async () => {
    const [one, two, three] = [await byRedirect(), await byRedirect(), await byRedirect()];
    const { browser, profiles } = await signInAt(one, two, three);
    const page = await logOutAt(one, browser, profiles[0]);
    const asked = await readMessage(two, String(await leavePage(browser, page)));
    const forged = new URL(await answerOf(two, asked.profile, asked.relayState));
    forged.searchParams.set('Signature', 'AAAA');
    const nextIn = async (own: Browser, address: string) => {
      const answer = await own.get(address);
      expect(answer.status).toBe(400);
      return /href="([^"]*SLO\/next[^"]*)"/i.exec(await answer.text())?.[1]?.replaceAll('&amp;', '&') ?? null;
    };
    expect(await nextIn(openBrowser(server.origin), forged.href), 'not accepted in another browser').toBeNull();
    const next = await nextIn(browser, forged.href);
    forged.searchParams.set('RelayState', 'inventado');
    expect(await nextIn(browser, forged.href), 'not accepted outside its turn').toBeNull();
    const last = await readMessage(three, String(await followSaml(browser, next ?? '', server.origin)));
    const end = await followSaml(browser, await answerOf(three, last.profile, last.relayState), server.origin);
    expect(statusesIn(String(end))).toEqual(['Success', 'PartialLogout']);
  });

  test('ends nothing for the name or session index of another session, another citizen or nobody', async () => {
    const provider = await byRedirect();
    const mine = await signInAt(provider);
    const other = await signInAt(provider);
    for (const changes of [
      { sessionIndex: other.profiles[0]?.sessionIndex },
      { nameID: 'uy-ci-29458715' },
      { sessionIndex: 'inventado' },
    ]) {
      const back = await logOutAt(provider, mine.browser, { ...mine.profiles[0], ...changes });
      expect(statusesIn(back)).toEqual(['Requester', 'UnknownPrincipal']);
    }
    expect([await isSignedIn(mine.browser), await isSignedIn(other.browser)]).toEqual([true, true]);
  });

  test('ends nothing for a service provider that is not in the session', async () => {
    const [known, stranger] = [await byRedirect(), await byRedirect()];
    const { browser, profiles } = await signInAt(known);
    expect(statusesIn(await logOutAt(stranger, browser, profiles[0]))).toEqual(['Requester', 'UnknownPrincipal']);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('is rejected with an error page if unsigned, expired, or without a destination or NameID', async () => {
    const provider = await byRedirect();
    const { browser, profiles } = await signInAt(provider);
    const url = new URL(await provider.saml.getLogoutUrlAsync(profiles[0] as Profile, '', {}));
    const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    const { privateKey, certificate } = provider;
    const credential = { signer: createLocalSigner(createPrivateKey(privateKey)), certificate };
    const signed = (message: string) =>
      signSamlQuery(
        { name: 'SAMLRequest', message: deflateRawSync(Buffer.from(message)).toString('base64'), relayState: null },
        credential,
      );
    const until = (seconds: number) => {
      const end = new Date(Date.now() + seconds * 1000).toISOString();
      return xml.replace('<samlp:LogoutRequest ', `<samlp:LogoutRequest NotOnOrAfter="${end}" `);
    };
    expect(until(0)).not.toBe(xml);
    const unaddressed = xml.replace(/ Destination="[^"]*"/, '');
    expect(unaddressed).not.toBe(xml);
    url.searchParams.delete('Signature');
    for (const query of [
      url.search.slice(1),
      await signed(until(-240)),
      await signed(unaddressed),
      await signed(xml.replace(/<saml:NameID.*<\/saml:NameID>/s, '')),
    ])
      expect((await browser.get(`${samlPaths.sloByRedirect}?${query}`)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
    const { status } = await browser.get(`${samlPaths.sloByRedirect}?${await signed(until(-150))}`);
    expect([status, await isSignedIn(browser)], 'clock skew of three minutes').toEqual([303, false]);
  });
});

describe('[SES-04 FED-05] logout at the portal', () => {
  const logOut = async (browser: Browser) =>
    (await (await browser.post('/auth/logout', { redirect_uri: '/ayuda' }, { origin: server.origin })).json()) as {
      location: string;
    };

  test('notifies the service providers in turn, and then redirects to redirect_uri', async () => {
    const [one, two] = [await byRedirect(), await byRedirect()];
    const { browser } = await signInAt(one, two);
    const { location } = await logOut(browser);
    const page = new URL(location, server.origin).href;
    const first = await readMessage(one, String(await leavePage(browser, page)));
    const next = await followSaml(browser, await answerOf(one, first.profile, first.relayState), server.origin);
    const second = await readMessage(two, String(next));
    const end = await followSaml(browser, await answerOf(two, second.profile, second.relayState), server.origin);
    expect(end).toBe(`${server.origin}/ayuda`);
  });

  test('redirects directly to redirect_uri without a service provider that supports logout', async () => {
    const deaf = await registerProvider(server, { options: { logoutCallbackUrl: undefined } });
    for (const providers of [[], [deaf]]) {
      const { browser } = await signInAt(...providers);
      const { location } = await logOut(browser);
      const end = location === '/ayuda' ? location : await leavePage(browser, new URL(location, server.origin).href);
      expect(String(end).replace(server.origin, '')).toBe('/ayuda');
    }
  });

  test('continues with the service providers of an earlier session of the same citizen', async () => {
    const provider = await byRedirect();
    const { browser } = await signInAt(provider);
    await browser.signIn();
    const { location } = await logOut(browser);
    expect(location).toContain('/logout-saml');
  });

  test('rejects a response that was not requested, is from another service provider or browser, or is repeated', async () => {
    const [one, two] = [await byRedirect(), await byRedirect()];
    const { browser } = await signInAt(one, two);
    const { location } = await logOut(browser);
    const page = new URL(location, server.origin).href;
    const first = await readMessage(one, String(await leavePage(browser, page)));
    const answer = await answerOf(one, first.profile, first.relayState);
    const ofOther = await answerOf(two, first.profile, first.relayState);
    const unasked = await answerOf(one, { ...first.profile, ID: '_otro' } as Profile, first.relayState);
    for (const url of [ofOther, unasked]) expect((await browser.get(url)).status).toBe(400);
    expect((await openBrowser(server.origin).get(answer)).status).toBe(400);
    expect(String(await followSaml(browser, answer, server.origin))).toContain(new URL(two.entityId).origin);
    expect((await browser.get(answer)).status, 'second use of a response').toBe(400);
  });

  test.each([samlPaths.ssoByPost, samlPaths.sloByPost])(
    'shows an error page at %s for a JSON body and for a form that is too long',
    async (path) => {
      for (const [type, body] of [
        ['application/json', '{"SAMLRequest":"x"}'],
        ['application/x-www-form-urlencoded', `SAMLRequest=${'A'.repeat(300_000)}`],
      ] as const) {
        const answer = await fetch(`${server.origin}${path}`, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain('<h1>Uy! Algo salió mal</h1>');
      }
    },
  );
});

describe('state of a SAML logout (section 3)', () => {
  const stateOf = async (browser: Browser, page: string, finish = false) => {
    const query = `${new URL(page).search}${finish ? '&status=finish' : ''}`;
    return (await browser.get(`/v1.1/idp/profile/SAML2/slo-response${query}`)).json();
  };

  test('[ENT-03 SES-09] has the final response in logout_response once all other service providers were notified', async () => {
    const [one, two] = [await byRedirect(), await byRedirect()];
    const { browser, profiles } = await signInAt(one, two);
    const page = await logOutAt(one, browser, profiles[0], 'fin');
    const first = await stateOf(browser, page, true);
    expect(first).toMatchObject({ logout_requests: [], wait_longer: false, logout_response: null });
    const asked = await readMessage(two, String(await followSaml(browser, first.logout_redirect, server.origin)));
    expect(asked.profile).toMatchObject({ nameID: 'uy-ci-45123784' });
    const last = await stateOf(browser, page, true);
    expect(last.logout_response).toBe(last.logout_redirect);
    const back = String(await followSaml(browser, last.logout_response, server.origin));
    expect(await readMessage(one, back)).toMatchObject({ loggedOut: true, relayState: 'fin' });
  });

  test('[CFG-01 SES-09] lists hidden frames for LogoutRequests with slo_saml off, and the logout ends with PartialLogout', async () => {
    const framing = await startLiveServer({ FLAGS: 'slo_saml=off' });
    try {
      const browser = openBrowser(framing.origin);
      await browser.signIn();
      const [one, two, three, four] = [
        await registerProvider(framing, { logout: 'redirect' }),
        await registerProvider(framing, { logout: 'redirect' }),
        await registerProvider(framing, { logout: 'post' }),
        await registerProvider(framing, { logout: 'redirect' }),
      ];
      const profiles: Profile[] = [];
      for (const provider of [one, two, three, four])
        profiles.push(await obtainAssertion(provider, browser, framing.origin));
      const registration = { id: four.id, name: 'ECDSA', signingAlg: 'ES256' } as const;
      await framing.parts.saml.providers.add({ ...registration, scopes: ['document'] }, four.metadata, new Date());
      const page = await logOutAt(one, browser, profiles[0], 'fin');
      const { logout_requests: frames } = await stateOf(browser, page);
      const frameOf = ({ entityId }: TestProvider): string =>
        frames.find((frame: string) => new URL(frame).origin === new URL(entityId).origin);
      expect(frames).toHaveLength(2);
      expect(new URL(frameOf(four)).searchParams.get('SigAlg')).toMatch(/#ecdsa-sha256$/);
      expect((await readMessage(two, frameOf(two))).profile).toMatchObject({ sessionIndex: profiles[1]?.sessionIndex });
      const next = `${samlPaths.logoutNext}${new URL(page).search}`;
      const form = expectForm(await followSaml(browser, next, framing.origin)); // the page posts this request itself, because an iframe supports only the redirect binding
      const { profile } = await three.saml.validatePostRequestAsync({ ...form.fields });
      const answer = await answerOf(three, profile, form.fields['RelayState'] ?? '');
      const back = String(await followSaml(browser, answer, framing.origin));
      expect(statusesIn(back)).toEqual(['Success', 'PartialLogout']);
    } finally {
      await framing.close();
    }
  });
});

describe('[CFG-03] SAML addresses of the portal (section 7.1)', () => {
  test('redirect /saml-login-{product} to the sign-in with redirectUrl', async () => {
    const answer = await openBrowser(server.origin).get('/saml-login-gubuy?redirectUrl=/seguridad');
    const url = `${server.origin}/auth/login?redirectUrl=%2Fseguridad`;
    expect([answer.status, answer.headers.get('location'), await answer.json()]).toEqual([303, url, { url }]);
  });

  test('return the logout URL at /saml-logout-{product}, and do not end the session', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn();
    const answer = await browser.get('/saml-logout-gubuy');
    const { url } = await answer.json();
    expect([answer.status, url]).toEqual([200, `${server.origin}/auth/logout`]);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.get(url)).status).toBe(200);
  });

  test.each(['/saml-login-', '/saml-logout-', '/saml-login-a/b', '/saml-login-a%2fb'])(
    'do not include %s',
    async (path) => {
      expect((await openBrowser(server.origin).get(path)).status).toBe(404);
    },
  );
});
