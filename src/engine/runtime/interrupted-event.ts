import type { OperationFailure } from '../core/operation.ts';
import type { Values } from '../core/json.ts';
import type { FlowScope } from '../core/transition.ts';

/** An event whose operation was refused with the address of a page that has to come first. */
export interface InterruptedEvent {
  readonly flow: string;
  readonly state: string;
  /** `null`: the state's own operation was refused. */
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

/** Keeps the interrupted event of a page, to continue it on the way straight back from the page that came first. It is kept in memory only. */
export class InterruptedEvents {
  readonly #isSettled: (failure: OperationFailure) => boolean;
  #kept: { readonly event: InterruptedEvent; readonly failure: OperationFailure; readonly owner: unknown } | null =
    null;
  /** The state that the refusal led to. */
  #first: string | null = null;

  /** `isSettled`: whether an operation with this refusal would be let through now. */
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

  /** Notes an arrival. Returns the event to continue there, or `null`. Any detour forgets it. */
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
