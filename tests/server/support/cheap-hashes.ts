import { createPasswordHasher, type PasswordHasher } from '../../../src/server/trust/credentials/passwords.ts';

/**
 * Cheapest argon2id parameters, because tests compute thousands of hashes. `passwords.test.ts` and the browser tests
 * use the production cost.
 */
export const cheapHashes = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

export function openCheapPasswords(): Promise<PasswordHasher> {
  return createPasswordHasher({ running: 4, waiting: 100, cost: cheapHashes });
}
