/** Error for a database that does not respond at the moment. A retry may succeed. `cause` is the driver's error. */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super(`the database does not answer: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
  }
}

export const databaseRetryAfterS = 5;
