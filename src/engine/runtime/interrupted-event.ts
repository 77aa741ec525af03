import type { OperationFailure } from '../core/operation.ts';
import type { Values } from '../core/json.ts';
import type { FlowScope } from '../core/transition.ts';

/** An event whose operation the server refuses until the user has visited another page (`next` of the failure). */
export interface InterruptedEvent {
  readonly flow: string;
  readonly state: string;
  /** `null` if the state's own operation was refused. */
  readonly event: string | null;
  readonly form: Values;
  readonly context: Values;
}

interface RefusedCall {
  readonly flow: string;
  readonly view: { readonly name: string };
  readonly scope: Pick<FlowScope, 'form' | 'context'>;
  readonly failure: OperationFailure;
}

interface Owner {
  readonly holder?: () => string | null | undefined;
}

/** Stores one interrupted event in memory, to continue it when the user returns directly from the required page. */
export class InterruptedEvents {
  readonly #isSettled: (failure: OperationFailure) => boolean;
  #kept: { readonly event: InterruptedEvent; readonly failure: OperationFailure; readonly owner: unknown } | null =
    null;
  /** First state that was entered after the refusal, as "flow/state". */
  #first: string | null = null;

  /** `isSettled` returns whether the server would now accept an operation that failed in this way. */
  constructor(isSettled: (failure: OperationFailure) => boolean) {
    this.#isSettled = isSettled;
  }

  keep(
    event: string | null,
    { flow, view, scope: { form = {}, context }, failure }: RefusedCall,
    { holder }: Owner,
  ): void {
    this.#kept = { event: { flow, state: view.name, event, form, context }, failure, owner: holder?.() };
    this.#first = null;
  }

  /** Handles an arrival. Returns the event to continue there, or `null`. Any detour discards the event. */
  take(flow: string, state: string, { holder }: Owner): InterruptedEvent | null {
    const arrived = `${flow}/${state}`;
    const kept = this.#kept;
    if (kept === null || this.#first === arrived) return null;
    if (this.#first === null) {
      this.#first = arrived;
      return null;
    }
    this.#kept = null;
    return kept.event.flow === flow && kept.owner === holder?.() && this.#isSettled(kept.failure) ? kept.event : null;
  }
}
