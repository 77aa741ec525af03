import type { OperationFailure } from '../core/operation-result.ts';
import type { ValuesByName } from '../core/json.ts';

/** Event whose operation the server rejects until the user has visited another page, at the URL in the failure's `next`. */
export interface InterruptedEvent {
  readonly flow: string;
  readonly state: string;
  /** Event whose operation was rejected. `null` if it was the state's own operation. */
  readonly event: string | null;
  readonly form: ValuesByName;
  readonly context: ValuesByName;
}

type UserId = string | null | undefined;

/** Stores one interrupted event in memory, to repeat it when the user returns directly from the required page. */
export class InterruptedEventStore {
  readonly #isAcceptableNow: (failure: OperationFailure) => boolean;
  #stored: { readonly event: InterruptedEvent; readonly failure: OperationFailure; readonly owner: UserId } | null =
    null;
  /** First state entered after the failure, as "flow/state". */
  #first: string | null = null;

  /** `isAcceptableNow` returns whether the server would now accept the operation that failed with this error. */
  constructor(isAcceptableNow: (failure: OperationFailure) => boolean) {
    this.#isAcceptableNow = isAcceptableNow;
  }

  storeEvent(event: InterruptedEvent, failure: OperationFailure, owner: UserId): void {
    this.#stored = { event, failure, owner };
    this.#first = null;
  }

  /** Returns the event to repeat in the entered state, or `null`. Discards the event if the user has visited any page besides the required one. */
  takeEventOnArrival(flow: string, state: string, owner: UserId): InterruptedEvent | null {
    const arrived = `${flow}/${state}`;
    const stored = this.#stored;
    if (stored === null || this.#first === arrived) return null;
    if (this.#first === null) {
      this.#first = arrived;
      return null;
    }
    this.#stored = null;
    return stored.event.flow === flow && stored.owner === owner && this.#isAcceptableNow(stored.failure)
      ? stored.event
      : null;
  }
}
