import type { OperationFailure } from '../core/operation.ts';
import type { Values } from '../core/json.ts';

/** An event whose operation the server refused until the user has visited another page, at the failure's `next`. */
export interface InterruptedEvent {
  readonly flow: string;
  readonly state: string;
  /** Event whose operation was refused. `null` if it was the state's own operation. */
  readonly event: string | null;
  readonly form: Values;
  readonly context: Values;
}

type UserId = string | null | undefined;

/** Stores one interrupted event in memory, to continue it when the user returns directly from the required page. */
export class InterruptedEventStore {
  readonly #isSettled: (failure: OperationFailure) => boolean;
  #stored: { readonly event: InterruptedEvent; readonly failure: OperationFailure; readonly owner: UserId } | null =
    null;
  /** First state that was entered after the refusal, as "flow/state". */
  #first: string | null = null;

  /** `isSettled` returns whether the server would now accept an operation that failed with this error. */
  constructor(isSettled: (failure: OperationFailure) => boolean) {
    this.#isSettled = isSettled;
  }

  /** Stores an interrupted event. `owner` is the id of the signed-in user. */
  keep(event: InterruptedEvent, failure: OperationFailure, owner: UserId): void {
    this.#stored = { event, failure, owner };
    this.#first = null;
  }

  /** Handles an arrival. Returns the event to continue there, or `null`. Any detour discards the event. */
  take(flow: string, state: string, owner: UserId): InterruptedEvent | null {
    const arrived = `${flow}/${state}`;
    const kept = this.#stored;
    if (kept === null || this.#first === arrived) return null;
    if (this.#first === null) {
      this.#first = arrived;
      return null;
    }
    this.#stored = null;
    return kept.event.flow === flow && kept.owner === owner && this.#isSettled(kept.failure) ? kept.event : null;
  }
}
