import { createPasswords, type Passwords } from '../../../src/server/trust/credentials/passwords.ts';

/** The cheapest argon2id: tests make thousands of hashes. `passwords.test.ts` holds the real cost, the browser tests pay it. */
export const cheapHashes = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

export function cheapPasswords(): Promise<Passwords> {
  return createPasswords({ running: 4, waiting: 100, cost: cheapHashes });
}
