import { isObject } from '../../src/engine/core/json.ts';

/** A solved challenge. `expiresAt` is in milliseconds since 1970, or `null` if the solution does not expire. */
export interface CaptchaSolution {
  readonly payload: string;
  readonly expiresAt: number | null;
}

export type CaptchaWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** Solves a challenge in a worker. Rejects without challenge or solution, or if `signal` aborts. The payload is Base64 JSON for altcha-lib on the server. */
export async function requestCaptchaSolution(
  load: () => Promise<unknown>,
  startWorker: () => CaptchaWorker,
  signal: AbortSignal,
): Promise<CaptchaSolution> {
  const challenge = readChallenge(await load());
  signal.throwIfAborted();
  const solution = await runSolver(startWorker(), challenge, signal);
  const expiresAt = challenge.parameters.expiresAt;
  return {
    payload: btoa(JSON.stringify({ challenge, solution })),
    expiresAt: typeof expiresAt === 'number' ? expiresAt * 1000 : null,
  };
}

interface Challenge {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signature: string;
}

function runSolver(worker: CaptchaWorker, challenge: Challenge, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onmessage = ({ data }) => (data === null ? reject(new Error('No solution.')) : resolve(data));
    worker.onerror = () => reject(new Error('The solver failed.'));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

function readChallenge(answer: unknown): Challenge {
  const challenge = isObject(answer) ? answer.challenge : undefined;
  if (!isObject(challenge) || !isObject(challenge.parameters) || typeof challenge.signature !== 'string')
    throw new Error('No challenge.');
  return { parameters: challenge.parameters, signature: challenge.signature };
}
