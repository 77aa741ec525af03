import { generateSync } from 'otplib';
import type { OperationRequest, OperationReply } from '../../../src/server/platform/base/operation-request.ts';
import { recordProofOfIdentity } from '../../../src/server/trust/sessions/identity-proof.ts';
import { authenticateBearerToken } from '../../../src/server/trust/sessions/access-tokens.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import type { TestServer } from './test-server.ts';

type Request = OperationRequest<'answerChallenge'>;

/** Challenge names of the sign-in protocol. They are repeated here, so that a test fails if the server changes them. */
export const steps = {
  password: 'urn:iduruguay:am:password',
  institutional: 'institutional_email',
  totp: 'urn:iduruguay:am:totp',
  mailed: 'urn:iduruguay:am:recoverycode',
  backup: 'urn:iduruguay:am:recoverycode:backup',
} as const;

/** A simulated browser for sign-ins. */
export interface Browser {
  /** Responds to a challenge with the token and cookies of this browser. */
  answer(
    challenge: string,
    data: Request['body']['data_challenge'],
    changes?: Partial<Request['body']>,
  ): Promise<OperationReply<'answerChallenge'>>;
  /** Starts a sign-in with a passport of the tests' country. */
  start(number: string, extra?: Request['body']['extra']): ReturnType<Browser['answer']>;
  readonly token: string | null;
  readonly address: string;
  /** Cookies of the browser. Mutable, so that a test can copy or remove cookies. */
  cookies: { challenge?: string; session?: string; device?: string };
  /** Returns the caller of the browser's session. Obtains a bearer token to resolve it. */
  caller(): Promise<Caller | null>;
}

/** Opens a browser without cookies. `address` is its IP address. */
export function openBrowser(server: TestServer, address = '203.0.113.7'): Browser {
  let token: string | null = null;
  const browser: Browser = {
    address,
    cookies: {},
    get token() {
      return token;
    },
    async answer(challenge, data, changes = {}) {
      const reply = await server.call('answerChallenge', {
        address,
        cookies: browser.cookies,
        body: { challenge, data_challenge: data, extra: null, token, ...changes },
      });
      token = reply.body.token;
      for (const name of ['challenge', 'session', 'device'] as const) {
        const cookie = reply.cookies?.[name];
        if (cookie === null) delete browser.cookies[name];
        else if (cookie) browser.cookies[name] = cookie.value;
      }
      return reply;
    },
    start: (number, extra = null) => {
      token = null;
      return browser.answer('username', { username: number, pais_emisor: 'ar', tipo_documento: 'psp' }, { extra });
    },
    async caller() {
      const { session } = browser.cookies;
      if (session === undefined) return null;
      const { body } = await server
        .call('obtainToken', { cookies: { session } })
        .catch(() => ({ body: { token: '' } }));
      return authenticateBearerToken(server.parts, body.token);
    },
  };
  return browser;
}

/** Returns the code of an authenticator app at the server's time. */
export function computeAppCode(server: TestServer, secret: string, offsetS = 0): string {
  return generateSync({ secret, epoch: server.clock.now().getTime() / 1000 + offsetS });
}

/** Returns the latest code mailed to an e-mail address. */
export async function readMailedCode(server: TestServer, recipient: string): Promise<string> {
  const mails = (await server.mails()).filter((mail) => mail.recipient === recipient);
  const code = mails.flatMap(({ text }) => /^([0-9A-Z]{6})$/m.exec(text)?.[1] ?? []).at(-1);
  if (code === undefined) throw new Error(`no code was mailed to ${recipient}`);
  return code;
}

/** Signs in a citizen without a second factor. */
export async function signInCitizen(
  server: TestServer,
  number: string,
  password: string,
): Promise<{ browser: Browser; caller: Caller; location: string | undefined }> {
  const browser = openBrowser(server);
  await browser.start(number);
  const { location } = (await browser.answer(steps.password, { password })).body;
  const caller = await browser.caller();
  if (caller === null) throw new Error(`${number} is not signed in`);
  return { browser, caller, location };
}

/** Records a proof of identity for the caller's session, as of now. */
export async function recordIdentityProof(server: TestServer, caller: Caller): Promise<void> {
  await server.parts.store.transaction((tx) => recordProofOfIdentity(tx, caller.sessionId, server.clock.now()));
}

/** Sets up an authenticator app for a caller, which uses the first code. Returns the secret and the recovery codes. */
export async function setUpTotp(
  server: TestServer,
  caller: Caller,
): Promise<{ id: string; secret: string; codes: readonly string[] }> {
  const { id, secret } = (await server.call('createTotp', { caller })).body;
  const { codigos = [] } = (
    await server.call('verifyTotp', { caller, params: { method: id }, body: { code: computeAppCode(server, secret) } })
  ).body;
  server.clock.advance(30);
  return { id, secret, codes: codigos };
}

export async function setUpEmail(
  server: TestServer,
  caller: Caller,
  recipient: string,
): Promise<{ id: string; codes: readonly string[] }> {
  const { id } = (await server.call('activateEmailMethod', { caller, body: {} })).body;
  const { codigos = [] } = (
    await server.call('verifyEmailMethod', {
      caller,
      params: { method: id },
      body: { code: await readMailedCode(server, recipient) },
    })
  ).body;
  return { id, codes: codigos };
}
