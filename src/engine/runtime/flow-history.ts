import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';
import { fillPath } from '../core/route.ts';
import { queryVariables } from './flow-variables.ts';
import type { FlowServices, HistoryState, StepMarks } from './flow-services.ts';
import type { Entrance } from './flow-state.ts';
import type { FlowStore } from './flow-store.ts';

/** What the address bar and the history entry of now say of a flow. */
export class FlowHistory {
  readonly #flow: Flow;
  readonly #services: Pick<FlowServices, 'navigate' | 'holder'>;
  readonly #store: FlowStore;
  readonly #steps: () => StepMarks | null;
  /** Of the entry of now. */
  depth = 0;
  /** Query variables that the entry of now carries. */
  carried: Values = {};
  /** What the entry of now keeps, as text. */
  #entered = '';
  #closing: HistoryState | null = null;

  constructor(
    flow: Flow,
    services: Pick<FlowServices, 'navigate' | 'holder'>,
    store: FlowStore,
    steps: () => StepMarks | null,
  ) {
    this.#flow = flow;
    this.#services = services;
    this.#store = store;
    this.#steps = steps;
  }

  /** Shows where the flow is, if the address does not say it yet. */
  show(name: string, { variables, search, replace, redirected }: Entrance): void {
    this.carried = variables;
    const kept = this.#kept();
    this.#entered = JSON.stringify([kept, this.#steps()?.forms]);
    const hasQuery = Object.keys(queryVariables(this.#flow, search ?? '')).length > 0;
    if (search !== undefined && !hasQuery && !redirected) return; // an arrival: the address is right
    if (!replace) this.depth += 1;
    this.#services.navigate(this.formatAddress(name), {
      replace,
      state: this.#entry(name, { ...kept, ...variables }),
    });
  }

  /** The address of a state; empty where it has none of its own. */
  formatAddress(name: string): string {
    const { path = '*' } = this.#flow.states[name] ?? {};
    return path === '*' ? '' : fillPath(path, this.#store.state.context);
  }

  /** What changed without a move is kept in the entry of now. */
  keep(name: string): void {
    const kept = this.#kept();
    const entered = JSON.stringify([kept, this.#steps()?.forms]);
    if (entered === this.#entered) return;
    this.#entered = entered;
    this.#services.navigate('', { replace: true, state: this.#entry(name, { ...this.carried, ...kept }) });
  }

  /** Writes over the entry of now: of the journey that ends there it holds nothing but that it has ended. */
  close(name: string): void {
    this.#closing = this.#entry(name, {});
    this.#services.navigate('', { replace: true, state: this.#closing });
  }

  /** Whether an arrival is at the entry that was written over just now; Back to it brings a copy. */
  isClosing(history: unknown): boolean {
    return history !== null && history === this.#closing;
  }

  /** Whether an entry is of somebody else than who is signed in: of one who has signed out, Back would show the data. */
  isForeign({ owner }: HistoryState): boolean {
    const holder = this.#services.holder?.();
    return owner !== undefined && holder !== undefined && owner !== holder;
  }

  #entry(step: string, variables: Values): HistoryState {
    const { done = [], spent = -1, forms = {} } = this.#steps() ?? {};
    const owner = this.#services.holder?.() ?? undefined;
    return {
      ...{ flow: this.#flow.id, step, variables, depth: this.depth },
      ...(done.length > 0 ? { done } : {}),
      ...(Object.keys(forms).length > 0 ? { forms } : {}),
      ...(spent >= 0 ? { spent } : {}),
      ...(owner === undefined ? {} : { owner }),
    };
  }

  /** The variables that the entry keeps. */
  #kept(): Values {
    return Object.fromEntries(
      Object.entries(this.#store.state.context).filter(
        ([name, value]) => value !== null && this.#flow.context?.[name]?.persist === 'entry',
      ),
    );
  }
}
