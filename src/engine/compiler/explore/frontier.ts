import type { Node } from './node.ts';
import type { Assignment } from './assignment.ts';

const mostMoments = 20_000;
/** Moments of one state after which answers to guards are forgotten, and after which its variables are no longer told apart. */
const many = { forget: 60, join: 120 } as const;
/** The nodes that a walk came to, each once, and which of them it looks at next: the nearest, so that each is found by a shortest walk. */
export class Frontier {
  /** Those that were looked at. */
  readonly taken: Node[] = [];
  /** Whether there were more than may be looked at. */
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

  /** Answers what the node is known by from then on. */
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

/** The same text for nodes that are the same. */
function keyOf({ state, open, notice, assignment }: Node): string {
  return [state, open, notice?.name ?? '', assignment.key].join('|');
}
