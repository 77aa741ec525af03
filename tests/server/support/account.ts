import { createNoThrottle } from './no-throttle.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import { createActiveCitizen } from './citizen-data.ts';
import { signInCitizen, type Browser } from './sign-in-browser.ts';
import type { TestServer } from './test-server.ts';

/** Password of every citizen in the tests. */
export const password = 'la-frase-correcta';

export interface Owner {
  readonly id: string;
  readonly number: string;
  readonly email: string;
  readonly browser: Browser;
  readonly caller: Caller;
}

export async function createOwner(server: TestServer, number: string): Promise<Owner> {
  const id = await createActiveCitizen(server, number, password);
  return {
    id,
    number,
    email: `${number.toLowerCase()}@example.com`,
    ...(await signInCitizen(server, number, password)),
  };
}

/** Confirms the current password, which permits operations that require a recent proof. */
export async function confirmPassword(server: TestServer, caller: Caller): Promise<void> {
  await server.call('verifyPassword', { caller, params: { id: caller.citizenId }, body: { pwd: password } });
}

/** Returns the subjects of the mails to an e-mail address, oldest first. */
export async function listMailSubjects(server: TestServer, email: string): Promise<readonly string[]> {
  return (await server.mails()).filter(({ recipient }) => recipient === email).map(({ subject }) => subject);
}

/** Returns the links in the mails to an e-mail address whose path contains `part`, oldest first. */
export async function listMailLinks(server: TestServer, email: string, part: string): Promise<readonly URL[]> {
  const mails = (await server.mails()).filter(({ recipient }) => recipient === email);
  return mails
    .flatMap(({ text }) => text.match(/https?:\S+/g) ?? [])
    .filter((link) => link.includes(part))
    .map((link) => new URL(link));
}

/** Returns the server's parts without rate limits, for concurrent requests. */
export function withoutLimits(parts: HandlerContext): HandlerContext {
  return { ...parts, throttle: createNoThrottle(parts.store) };
}

export function countRejections(results: readonly PromiseSettledResult<unknown>[]): number {
  return results.filter(({ status }) => status === 'rejected').length;
}
