/** A delayed event that comes while an operation runs is tried again after so long. */
const againMs = 1_000;

/** Longest single wait: browsers keep none of more than 24 days, and count no time while the machine sleeps. */
const stretchMs = 60_000;

/** What raises the delayed event of a state: once for each time that a state is entered. */
export interface DelayedEvent {
  /** Another state is entered: its event has not been raised. */
  enter(): void;
  /** Raises the event of now in `delayMs`, in the place of one that waits; null: none. */
  wait(delayMs: number | null): void;
}

/** Calls `raise`, but not while `isBusy` answers that an operation runs. */
export function delayedEvent(isBusy: () => boolean, raise: () => void): DelayedEvent {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let raised = false;
  const attempt = (): void => {
    raised = !isBusy(); // before it is raised: what that changes asks for the delay anew
    if (raised) raise();
    else timer = setTimeout(attempt, againMs);
  };
  const countDown = (leftMs: number): void => {
    const began = Date.now();
    const stretch = Math.min(leftMs, stretchMs);
    timer = setTimeout(() => {
      const passed = Math.max(stretch, Date.now() - began);
      if (passed >= leftMs) attempt();
      else countDown(leftMs - passed);
    }, stretch);
  };
  return {
    enter() {
      raised = false;
    },
    wait(delayMs) {
      clearTimeout(timer);
      if (delayMs !== null && !raised) countDown(delayMs);
    },
  };
}
