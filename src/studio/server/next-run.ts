/** Shares runs of `work` between callers. A call during a run gets the next run's result, so a result is never older than its request. */
export function nextRun<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let now: Promise<unknown> | null = null;
  let next: Promise<Answer> | null = null;
  const run = (): Promise<Answer> => {
    const own = work().finally(() => {
      now = null;
    });
    now = own;
    return own;
  };
  return () => {
    if (!now) return run();
    next ??= now
      .catch(() => undefined) // reported to the caller of that run
      .then(() => {
        next = null;
        return run();
      });
    return next;
  };
}
