import { generateSync } from 'otplib';
import { challengeNames } from '../../src/server/trust/identity/challenge-names.ts';
import { createAuthenticator } from '../server/support/authenticator.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import type { LiveServer } from '../server/support/live-server.ts';
import { expectForm, registerProvider, requestSamlSignIn } from '../server/support/service-provider.ts';
import { readReply } from '../chaos/retry-requests.ts';
import { password } from './fill-database.ts';

/** Returns the body of a successful response. Throws for any other response. */
export async function expectSuccess(answered: Promise<Response>): Promise<Readonly<Record<string, unknown>>> {
  const response = await answered;
  const { status, body } = await readReply(Promise.resolve(response));
  if (status >= 300) throw new Error(`${response.url}: ${status} ${JSON.stringify(body)}`);
  return body;
}

interface Step {
  readonly token: string;
  readonly options?: unknown;
}

const now = (): number => Math.floor(Date.now() / 1000);

/**
 * Lists operations of a citizen who has only a password: they set up second factors and passkeys, sign in with each of
 * them, and sign in to a SAML service provider.
 */
export function listSecondFactorOperations(server: LiveServer, document: string) {
  const browser = openBrowser(server.origin);
  const authenticator = createAuthenticator(server.origin);
  let bearer: Record<string, string> = {};
  let secret = '';
  const step = async (own: Browser, challenge: string, data: object, token: string | null) =>
    (await expectSuccess(
      own.post('/auth/login', { challenge, data_challenge: data, extra: null, token }),
    )) as unknown as Step;
  const authenticators = (path: string, body: object) =>
    expectSuccess(browser.post(`/rest/ciudadanos/authenticators/${path}`, body, bearer));
  const bySecondFactor = async (name: string, answer: (options: unknown) => object) => {
    const own = openBrowser(server.origin);
    const first = await step(own, challengeNames.username, { username: document }, null);
    const { token, options } = await step(own, challengeNames.password, { password }, first.token);
    await step(own, name, answer(options), token);
    if (!own.cookies.has('portal-session')) throw new Error(`not signed in by ${name}`);
  };
  return {
    'set up an authenticator app': async () => {
      await browser.signIn({ document, password });
      bearer = { authorization: `Bearer ${await browser.bearer()}` };
      const { cid } = JSON.parse(Buffer.from(bearer['authorization']?.split('.')[1] ?? '', 'base64url').toString()) as {
        cid: string;
      };
      await expectSuccess(browser.post(`/rest/ciudadanos/${cid}/verify_password/`, { pwd: password }, bearer));
      const made = await authenticators('totp/', {});
      secret = String(made['secret']);
      await authenticators(`totp/${String(made['id'])}/verify/`, { code: generateSync({ secret, epoch: now() - 30 }) });
    },
    'sign in by an authenticator app': () =>
      bySecondFactor(challengeNames.totp, () => ({
        totp: generateSync({ secret, epoch: now() }), // the current code, because the set-up used the previous one
      })),
    'set up a passkey': async () => {
      const { options } = await authenticators('llaves/opciones/', {});
      await authenticators('llaves/', { nombre: 'Mi llave', credential: authenticator.create(options) });
    },
    'sign in by a passkey after the password': () =>
      bySecondFactor(challengeNames.passkey, (options) => ({ credential: authenticator.use(options) })),
    'sign in by a passkey alone': async () => {
      const own = openBrowser(server.origin);
      const { token, options } = await step(own, challengeNames.passkeySignIn, {}, null);
      await step(own, challengeNames.passkeySignIn, { credential: authenticator.use(options) }, token);
    },
    'sign in for a service provider': async () => {
      expectForm(await requestSamlSignIn(await registerProvider(server), browser, server.origin));
    },
  };
}
