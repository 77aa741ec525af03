import { setTimeout as sleep } from 'node:timers/promises';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Browser } from '../server/support/browser.ts';
import type { CitizenAction, ResponseLog } from './response-log.ts';

/** JSON body of a response. An empty object if the body is not JSON. */
type Answer = Readonly<Record<string, unknown>>;

/** A response. Its status is 0 if there was none. */
export interface Reply {
  readonly status: number;
  readonly body: Answer;
}

/** Error for an action that cannot continue, because a preparatory request got no response. */
export class NoResponseError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

const tries = 8;
const longestWaitMs = 3_000;

/**
 * Creates a function that performs an action, and retries it like a citizen whose request fails: the same request after
 * a pause that doubles. It returns the body of the last response, or `null` after the last attempt. `done` is the error
 * code that means that a previous attempt succeeded.
 */
export function createRetry(book: ResponseLog, random: () => number) {
  return async (act: CitizenAction, send: () => Promise<Reply>, done?: string): Promise<Answer | null> => {
    for (let count = 0; count < tries; count += 1) {
      act.attempts += 1;
      const { status, body } = await send().catch((error: unknown) => toReply(error));
      const isDone = act.attempts > 1 && done !== undefined && body['code'] === done;
      if (status === 200 || status === 201 || isDone) {
        act.acknowledged = true;
        return body;
      }
      if (status > 0 && status < 500 && status !== 429) {
        const said = `${status} ${JSON.stringify(body)}`;
        book.find('error', `${act.action} of ${act.person.number}, attempt ${act.attempts}: ${said}`);
        return null;
      }
      await sleep(Math.min(longestWaitMs, 300 * 2 ** count) * (0.5 + random()));
    }
    return null;
  };
}

function toReply(error: unknown): Reply {
  return { status: error instanceof NoResponseError ? error.status : 0, body: {} };
}

export async function readReply(answered: Promise<Response>): Promise<Reply> {
  const response = await answered;
  const body = (await response.json().catch(() => ({}))) as Answer;
  return { status: response.status, body };
}

/** Requests a captcha. Returns its solution. */
export async function solveCaptcha(browser: Browser): Promise<string> {
  const { status, body } = await readReply(browser.get('/rest/captcha/'));
  if (status !== 200) throw new NoResponseError(status);
  const challenge = body['challenge'] as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
