/** The database cannot answer now, but a retry may succeed soon. `cause` is the driver's error. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the database does not answer: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
  }
}

/** Seconds after which a caller may retry. */
export const databaseRetryS = 5;

/** Limits the duration of work, and throws `late()` when it is exceeded. A later failure of the work is ignored. */
export async function within<Result>(limitMs: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
