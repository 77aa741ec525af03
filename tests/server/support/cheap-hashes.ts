/** The cheapest argon2id: tests make thousands of hashes. `passwords.test.ts` holds the real cost, the browser tests pay it. */
export const cheapHashes = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
