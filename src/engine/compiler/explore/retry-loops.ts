import type { Branch } from '../../core/definition.ts';
import type { Node, RetryLoop } from './node.ts';

interface Failure {
  readonly from: string;
  readonly to: string;
  readonly node: Node;
  readonly branch: Branch;
}

/** Graph of nodes that follow each other without user action or delay. */
export class RetryLoops {
  readonly #next = new Map<string, Set<string>>();
  readonly #stateOf = new Map<string, string>();
  readonly #failures: Failure[] = [];

  /** `from` and `to` are keys of nodes. `state` is that of `to`. */
  link(from: string, to: string, state: string): void {
    this.#stateOf.set(to, state);
    const known = this.#next.get(from);
    if (known) known.add(to);
    else this.#next.set(from, new Set([to]));
  }

  fails(failure: Failure): void {
    this.#failures.push(failure);
  }

  /** Returns each failure after which the same operation is called again. */
  found(): readonly RetryLoop[] {
    return this.#failures.flatMap(({ from, to, node, branch }): readonly RetryLoop[] => {
      const between = this.#between(to, from);
      return between ? [{ node, branch, states: [node.state, ...between] }] : [];
    });
  }

  /** Returns the states on a shortest path without repetitions, or `null` if there is no path. */
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
