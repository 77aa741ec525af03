/**
 * Work whose answer is never older than the question: who asks while it runs hears of the run after that one, which all of them share.
 */
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
      .catch(() => undefined) // whoever asked for that one hears of it
      .then(() => {
        next = null;
        return run();
      });
    return next;
  };
}
