export type DatabaseName = 'pglite' | 'postgresql';

/** The databases that the store must serve alike; TEST_DATABASES may name one of them. */
export const databases = (['pglite', 'postgresql'] as const).filter(
  (name) => (process.env['TEST_DATABASES'] ?? name) === name,
);
