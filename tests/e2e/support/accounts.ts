import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { generateSync } from 'otplib';
import { openBrowser } from '../../server/support/browser.ts';
import { findLink, waitForMail } from './outbox.ts';
import { portalHost, type Portal } from './portal.ts';
import type { Person } from './registration.ts';

type Headers = Readonly<Record<string, string>>;

export function post(portal: Portal, path: string, body: unknown, headers: Headers = {}): Promise<Response> {
  return fetch(portal.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export async function requestCaptchaSolution(portal: Portal): Promise<string> {
  const { challenge } = (await (await fetch(`${portal.url}/rest/captcha/`)).json()) as { challenge: Challenge };
  return Buffer.from(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })).toString(
    'base64',
  );
}

/**
 * Registers a person over HTTP, each from a different network. Use it in tests that do not need the form. Throws if the
 * server rejects the registration.
 */
export async function registerByHttp(portal: Portal, person: Person, headers?: Headers): Promise<void> {
  const { firstName, surname, country, type, document, email, password } = person;
  await expectOk(
    await post(
      portal,
      '/rest/ciudadanos/',
      {
        primer_nombre: firstName,
        primer_apellido: surname,
        pais_emisor: country,
        tipo_documento: type,
        numero_documento: document,
        email,
        repetir_email: email,
        password,
        repetir_password: password,
        terminos: true,
        captcha_response: await requestCaptchaSolution(portal),
      },
      { 'x-forwarded-for': createAddress(), ...headers },
    ),
  );
}

function createAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

/** Activates a registered account with the mailed link. Throws if the server rejects it. */
export async function activateByHttp(portal: Portal, { email }: Person, headers?: Headers): Promise<void> {
  const link = new URL(findLink(await waitForMail(portal.outboxUrl, email), 'uuid='));
  await expectOk(await post(portal, '/account/activate_account/', { uuid: link.searchParams.get('uuid') }, headers));
}

export async function createAccount(portal: Portal, person: Person): Promise<void> {
  await registerByHttp(portal, person);
  await activateByHttp(portal, person);
}

/**
 * Signs a citizen in over HTTP, and opens `address` in a browser that has no session yet. The default is not a page of
 * the portal, because loading one costs a second. Use `signIn` to test the form.
 */
export async function openSignedIn(page: Page, portal: Portal, person: Person, address = '/healthz'): Promise<void> {
  const browser = openBrowser(portal.url);
  await browser.signIn(person);
  const { hostname: domain } = new URL(portal.url);
  const token = await browser.bearer();
  await page.context().setStorageState({
    cookies: [...browser.cookies].map(([name, { value, path }]) => ({
      ...{ name, value, domain, path, expires: -1 },
      ...{ httpOnly: true, secure: false, sameSite: 'Lax' as const },
    })),
    origins: [{ origin: portal.url, localStorage: [{ name: 'portal', value: JSON.stringify({ token, flows: {} }) }] }],
  });
  await page.goto(address);
}

/**
 * Runs a subcommand of `portal account` such as `block` or `elevate` on a person's account while the server runs.
 * `more` has further arguments and settings.
 */
export async function runOperatorCommand(
  portal: Portal,
  act: string,
  { country, type, document }: Person,
  more: { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> } = { words: [], env: {} },
): Promise<void> {
  const words = [act, `${country}-${type}-${document}`, ...more.words, '--reason', 'Pedido del juzgado'];
  await expectOk(
    await fetch(process.env[portalHost] ?? '', {
      method: 'PUT',
      body: JSON.stringify({ words, env: { ...portal.operator, ...more.env } }),
    }),
  );
}

/** Sets up an authenticator app for a citizen with a Uruguayan document. Returns its secret and the recovery codes. */
export async function addAuthenticator(
  portal: Portal,
  { document, password }: Person,
): Promise<{ secret: string; codes: readonly string[] }> {
  const browser = openBrowser(portal.url);
  await browser.signIn({ document, password });
  const headers = { authorization: `Bearer ${await browser.bearer()}` };
  const { id, secret } = await (
    await expectOk(await browser.post('/rest/ciudadanos/authenticators/totp/', {}, headers))
  ).json();
  const verify = `/rest/ciudadanos/authenticators/totp/${id}/verify/`;
  const restMs = 30_000 - (Date.now() % 30_000);
  if (restMs < 5_000) await setTimeout(restMs); // the server must still accept the previous code
  const { codigos } = await (
    await expectOk(
      // the previous code, because each code is valid once and the sign-in needs the current one
      await browser.post(verify, { code: generateSync({ secret, epoch: Date.now() / 1000 - 30 }) }, headers),
    )
  ).json();
  return { secret, codes: codigos };
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response;
}
