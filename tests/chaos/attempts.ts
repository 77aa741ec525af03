import { setTimeout as sleep } from 'node:timers/promises';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Browser } from '../server/support/browser.ts';
import type { Act, Book } from './book.ts';

/** The JSON of an answer; empty where it is none. */
type Answer = Readonly<Record<string, unknown>>;

/** An answer with its status; 0: there was none. */
export interface Reply {
  readonly status: number;
  readonly body: Answer;
}

/** A request on the way to an act was not answered with what the act needs. */
export class NoAnswer extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

const tries = 8;
const longestWaitMs = 3_000;

/**
 * Does an act as a citizen does who is told to come again, or nothing: the same once more after a pause that doubles. Answers what the server said
 * at last; null: given up. `done`: the code that tells that an attempt before has done it.
 */
export function attempts(book: Book, random: () => number) {
  return async (act: Act, send: () => Promise<Reply>, done?: string): Promise<Answer | null> => {
    for (let count = 0; count < tries; count += 1) {
      act.attempts += 1;
      const { status, body } = await send().catch((error: unknown) => withoutAnswer(error));
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

function withoutAnswer(error: unknown): Reply {
  return { status: error instanceof NoAnswer ? error.status : 0, body: {} };
}

/** Reads an answer. */
export async function reply(answered: Promise<Response>): Promise<Reply> {
  const response = await answered;
  const body = (await response.json().catch(() => ({}))) as Answer;
  return { status: response.status, body };
}

/** A good answer to a new captcha. */
export async function solvedCaptcha(browser: Browser): Promise<string> {
  const { status, body } = await reply(browser.get('/rest/captcha/'));
  if (status !== 200) throw new NoAnswer(status);
  const challenge = body['challenge'] as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
