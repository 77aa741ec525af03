import type { Values } from '../core/json.ts';

/** An event with what a block sends along. */
interface Raised {
  readonly event: string;
  readonly values: Values;
}

/** The event that began what is under way, and the last other one that was raised meanwhile. */
export class WaitingEvent {
  #running: string | null = null;
  #kept: Raised | null = null;

  /** What runs from now on was begun by this event; null: by an arrival. Nothing waits for it yet. */
  begin(event: string | null): void {
    this.#running = event;
    if (event === null) this.#kept = null;
  }

  /** Keeps an event for the end of what runs, unless that is the very same. */
  keep(raised: Raised): void {
    if (raised.event !== this.#running) this.#kept = raised;
  }

  /** What waited; it waits no longer. */
  take(): Raised | null {
    const kept = this.#kept;
    this.#kept = null;
    return kept;
  }
}
