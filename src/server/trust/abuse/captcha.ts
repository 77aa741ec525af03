import { createChallenge, verifySolution, type Challenge, type Solution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { isObject } from '../../../engine/core/json.ts';
import { addSeconds, type Clock } from '../../platform/base/clock.ts';
import { OperationError, addRefusalLogFacts } from '../../platform/base/errors.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';

const captchaLifeS = 10 * 60;

export type CaptchaService = ReturnType<typeof createCaptchaService>;

/** Creates ALTCHA challenges (PBKDF2 proof of work), each for one use. */
export function createCaptchaService(options: {
  readonly key: Buffer;
  /** Number of iterations per attempt. A solution takes about 256 attempts. */
  readonly cost: number;
  /** Minimum time between a challenge and its solution, in seconds. A person needs longer to complete the form. */
  readonly minS: number;
  readonly clock: Clock;
  readonly store: DatabaseStore;
}) {
  const { key, cost, minS, clock, store } = options;
  const hmacSignatureSecret = key.toString('hex');
  return {
    challenge: (): Promise<Challenge> =>
      createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost,
        deriveKey,
        hmacSignatureSecret,
        expiresAt: addSeconds(clock.now(), captchaLifeS),
      }),
    /** Consumes a solution (JSON in base64). Throws an `OperationError` for `field` if it is missing, malformed, expired, wrong or already used. */
    async verify(answer: string, field: string): Promise<void> {
      const createRefusal = (reason: string) =>
        addRefusalLogFacts(new OperationError(400, 'captcha_invalido', { field }), { reason });
      const payload = parseCaptchaSolution(answer);
      if (payload === null) throw createRefusal(answer === '' ? 'missing' : 'malformed');
      const { challenge, solution } = payload;
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret }).catch(() => ({
        verified: false,
      }));
      const expiresAt = new Date((challenge.parameters.expiresAt ?? 0) * 1000);
      if (expiresAt <= clock.now()) throw createRefusal('expired');
      if (!verified) throw createRefusal('wrong');
      if (addSeconds(clock.now(), captchaLifeS - minS) < expiresAt) throw createRefusal('too-fast');
      const hash = hashSecret(challenge.signature ?? '');
      const first = await store.db
        .insertInto('captcha_replays')
        .values({ hash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .returning('hash')
        .executeTakeFirst();
      if (!first) throw createRefusal('used');
    },
  };
}

function parseCaptchaSolution(answer: string): { challenge: Challenge; solution: Solution } | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(answer, 'base64').toString('utf8'));
    if (!isObject(payload) || !isObject(payload['challenge']) || !isObject(payload['solution'])) return null;
    if (!isObject(payload['challenge']['parameters'])) return null;
    return payload as unknown as { challenge: Challenge; solution: Solution }; // the cast is safe: the signature, which is verified later, covers the other properties
  } catch {
    return null;
  }
}
