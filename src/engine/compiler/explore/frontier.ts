import type { Node } from './node.ts';
import type { Assignment } from './assignment.ts';

const mostMoments = 20_000;
/** Number of nodes of one state after which constraints are dropped, and after which assignments are joined. */
const many = { forget: 60, join: 120 } as const;
/** Queue of discovered nodes, without duplicates. First in, first out, so each node is reached by a shortest path. */
export class Frontier {
  readonly taken: Node[] = [];
  /** Whether nodes were dropped because of the limit. */
  capped = false;
  readonly #cap: number;
  readonly #queue: Node[] = [];
  readonly #seen = new Set<string>();
  readonly #ofState = new Map<string, { count: number; joined: Assignment | null }>();

  constructor(cap = mostMoments) {
    this.#cap = cap;
  }

  next(): Node | undefined {
    const node = this.#queue.shift();
    if (node) this.taken.push(node);
    return node;
  }

  /** Returns the key of the node. */
  add(node: Node): string {
    const { state, assignment } = node;
    const { count, joined } = this.#ofState.get(state) ?? { count: 0, joined: null };
    const known = count < many.forget ? assignment : assignment.withoutAnswers();
    const kept = count < many.join ? known : (joined?.or(known) ?? known);
    const key = keyOf({ ...node, assignment: kept });
    if (this.#seen.has(key)) return key;
    this.#ofState.set(state, { count: count + 1, joined: joined?.or(assignment) ?? assignment });
    if (this.#seen.size >= this.#cap) {
      this.capped = true;
      return key;
    }
    this.#seen.add(key);
    this.#queue.push({ ...node, assignment: kept, rough: node.rough || count >= many.forget, key });
    return key;
  }
}

function keyOf({ state, open, notice, assignment }: Node): string {
  return [state, open, notice?.name ?? '', assignment.key].join('|');
}
