import type { StateSpaceNode } from './state-space.ts';
import type { AbstractAssignment } from './abstract-assignment.ts';

const maxNodes = 20_000;
/** Number of nodes of one state after which constraints are dropped (`forget`) or assignments are joined (`join`). */
const widenAfter = { forget: 60, join: 120 } as const;

/** First-in, first-out queue of discovered nodes, without duplicates. Each node is reached on a shortest path. */
export class SearchFrontier {
  readonly visitedNodes: StateSpaceNode[] = [];
  isCapped = false;
  readonly #queue: StateSpaceNode[] = [];
  readonly #seen = new Set<string>();
  readonly #ofState = new Map<string, { count: number; joined: AbstractAssignment | null }>();

  next(): StateSpaceNode | undefined {
    const node = this.#queue.shift();
    if (node) this.visitedNodes.push(node);
    return node;
  }

  add(node: StateSpaceNode): string {
    const { state, assignment } = node;
    const { count, joined } = this.#ofState.get(state) ?? { count: 0, joined: null };
    const known = count < widenAfter.forget ? assignment : assignment.withoutConstraints();
    const widened = count < widenAfter.join ? known : (joined?.joinWith(known) ?? known);
    const key = [state, node.isOperationDone, node.notice?.name ?? '', widened.key].join('|');
    if (this.#seen.has(key)) return key;
    this.#ofState.set(state, { count: count + 1, joined: joined?.joinWith(assignment) ?? assignment });
    if (this.#seen.size >= maxNodes) {
      this.isCapped = true;
      return key;
    }
    this.#seen.add(key);
    this.#queue.push({
      ...node,
      assignment: widened,
      isOverApproximated: node.isOverApproximated || count >= widenAfter.forget,
      key,
    });
    return key;
  }
}
