import type { Flow } from '../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../core/json.ts';
import { fillPathParameters } from '../core/route.ts';
import { readQueryVariables, type StateEntryOptions } from './flow-state.ts';
import type { FlowServices, HistoryState, JourneyHistoryState } from './flow-services.ts';
import type { FlowStore } from './flow-store.ts';

export class FlowHistory {
  readonly #flow: Flow;
  readonly #services: FlowServices;
  readonly #store: FlowStore;
  readonly #steps: () => JourneyHistoryState | null;
  depth = 0;
  /** Variables in the current history entry, e.g. from the query. */
  carriedVariables: ValuesByName = {};
  /** Persisted variables and step forms of the current entry, as JSON to detect changes. */
  #lastWritten = '';
  #endEntry: HistoryState | null = null;

  constructor(flow: Flow, services: FlowServices, store: FlowStore, steps: () => JourneyHistoryState | null) {
    this.#flow = flow;
    this.#services = services;
    this.#store = store;
    this.#steps = steps;
  }

  /** Writes the URL and the history entry of a state, unless the browser has just navigated to this URL. */
  writeState(name: string, { variables, search, replace, redirected }: StateEntryOptions): void {
    this.carriedVariables = variables;
    const persisted = this.#pickPersisted();
    this.#lastWritten = JSON.stringify([persisted, this.#steps()?.forms]);
    const hasQuery = Object.keys(readQueryVariables(this.#flow, search ?? '')).length > 0;
    if (search !== undefined && !hasQuery && !redirected) return; // the browser has just navigated to this URL, and it has no variables to remove
    if (!replace) this.depth += 1;
    this.#services.navigate(this.buildStateUrl(name), {
      replace,
      state: this.#createEntry(name, { ...persisted, ...variables }),
    });
  }

  buildStateUrl(name: string): string {
    const { path = '*' } = this.#flow.states[name] ?? {};
    return path === '*' ? '' : fillPathParameters(path, this.#store.state.context);
  }

  /** Replaces the current history entry if persisted variables or step forms have changed without a navigation. */
  updateEntry(name: string): void {
    const persisted = this.#pickPersisted();
    const entered = JSON.stringify([persisted, this.#steps()?.forms]);
    if (entered === this.#lastWritten) return;
    this.#lastWritten = entered;
    this.#services.navigate('', {
      replace: true,
      state: this.#createEntry(name, { ...this.carriedVariables, ...persisted }),
    });
  }

  /** Replaces the current history entry at the end of a journey. The new entry contains no input, and its `endedDepth` marks the journey as ended. */
  writeEndEntry(name: string): void {
    this.#endEntry = this.#createEntry(name, {});
    this.#services.navigate('', { replace: true, state: this.#endEntry });
  }

  /** Whether this is the object that `writeEndEntry` has just written. Compares by identity: if the user returns with Back, the browser delivers a copy. */
  isEndEntry(history: unknown): boolean {
    return history !== null && history === this.#endEntry;
  }

  /** Whether an entry belongs to another user, whose data Back would show after a logout. */
  belongsToAnotherUser({ owner }: HistoryState): boolean {
    const holder = this.#services.getUserId?.();
    return owner !== undefined && holder !== undefined && owner !== holder;
  }

  #createEntry(step: string, variables: ValuesByName): HistoryState {
    const { done = [], endedDepth = -1, forms = {} } = this.#steps() ?? {};
    const owner = this.#services.getUserId?.() ?? undefined;
    return {
      ...{ flow: this.#flow.id, step, variables, depth: this.depth },
      ...(done.length > 0 ? { done } : {}),
      ...(Object.keys(forms).length > 0 ? { forms } : {}),
      ...(endedDepth >= 0 ? { endedDepth } : {}),
      ...(owner === undefined ? {} : { owner }),
    };
  }

  #pickPersisted(): ValuesByName {
    return Object.fromEntries(
      Object.entries(this.#store.state.context).filter(
        ([name, value]) => value !== null && this.#flow.context?.[name]?.persist === 'entry',
      ),
    );
  }
}
