import type { RetryLoop } from './state-space.ts';

interface Failure extends Pick<RetryLoop, 'node' | 'branch'> {
  readonly from: string;
  readonly to: string;
}

/** Graph of transitions between nodes that happen without a user action or delay. Finds the retry loops in it. */
export class RetryLoopFinder {
  readonly #next = new Map<string, Set<string>>();
  readonly #stateOf = new Map<string, string>();
  readonly #failures: Failure[] = [];

  addTransition(from: string, to: string, state: string): void {
    this.#stateOf.set(to, state);
    const known = this.#next.get(from);
    if (known) known.add(to);
    else this.#next.set(from, new Set([to]));
  }

  addFailure(failure: Failure): void {
    this.#failures.push(failure);
  }

  findLoops(): readonly RetryLoop[] {
    return this.#failures.flatMap(({ from, to, node, branch }): readonly RetryLoop[] => {
      const between = this.#between(to, from);
      return between ? [{ node, branch, states: [node.state, ...between] }] : [];
    });
  }

  #between(from: string, to: string): readonly string[] | null {
    const before = new Map<string, string | null>([[from, null]]);
    for (const one of before.keys()) {
      if (one === to) break;
      for (const next of this.#next.get(one) ?? []) if (!before.has(next)) before.set(next, one);
    }
    if (!before.has(to)) return null;
    const states: string[] = [];
    for (let one = before.get(to) ?? null; one !== null; one = before.get(one) ?? null) {
      const state = this.#stateOf.get(one) ?? '';
      if (states[0] !== state) states.unshift(state);
    }
    return states.at(-1) === this.#stateOf.get(to) ? states.slice(0, -1) : states;
  }
}
