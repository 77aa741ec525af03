import type { Branch } from '../../core/definition.ts';
import type { Node, RetryLoop } from './node.ts';

interface Failure {
  readonly from: string;
  readonly to: string;
  readonly node: Node;
  readonly branch: Branch;
}

/** What follows by itself on what: nobody presses anything, and no time passes. */
export class RetryLoops {
  readonly #next = new Map<string, Set<string>>();
  readonly #stateOf = new Map<string, string>();
  readonly #failures: Failure[] = [];

  /** `from`, `to`: whatever the walk knows the two by; `state`: in which one `to` is. */
  link(from: string, to: string, state: string): void {
    this.#stateOf.set(to, state);
    const known = this.#next.get(from);
    if (known) known.add(to);
    else this.#next.set(from, new Set([to]));
  }

  fails(failure: Failure): void {
    this.#failures.push(failure);
  }

  /** Each failure from which its own operation is called again. */
  found(): readonly RetryLoop[] {
    return this.#failures.flatMap(({ from, to, node, branch }): readonly RetryLoop[] => {
      const between = this.#between(to, from);
      return between ? [{ node, branch, states: [node.state, ...between] }] : [];
    });
  }

  /** The states on a shortest path, each once; null: there is none. */
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
