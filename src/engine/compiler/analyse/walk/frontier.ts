import type { Moment } from './moment.ts';
import type { World } from './world.ts';

const mostMoments = 20_000;
/** Moments of one state after which answers to guards are forgotten, and after which its variables are no longer told apart. */
const many = { forget: 60, join: 120 } as const;
/** The moments that a walk came to, each once, and which of them it looks at next: the nearest, so that each is found by a shortest walk. */
export class Frontier {
  /** Those that were looked at. */
  readonly taken: Moment[] = [];
  /** Whether there were more than may be looked at. */
  capped = false;
  readonly #cap: number;
  readonly #queue: Moment[] = [];
  readonly #seen = new Set<string>();
  readonly #ofState = new Map<string, { count: number; joined: World | null }>();

  constructor(cap = mostMoments) {
    this.#cap = cap;
  }

  next(): Moment | undefined {
    const moment = this.#queue.shift();
    if (moment) this.taken.push(moment);
    return moment;
  }

  /** Answers what the moment is known by from then on. */
  add(moment: Moment): string {
    const { state, world } = moment;
    const { count, joined } = this.#ofState.get(state) ?? { count: 0, joined: null };
    const known = count < many.forget ? world : world.withoutAnswers();
    const kept = count < many.join ? known : (joined?.or(known) ?? known);
    const key = keyOf({ ...moment, world: kept });
    if (this.#seen.has(key)) return key;
    this.#ofState.set(state, { count: count + 1, joined: joined?.or(world) ?? world });
    if (this.#seen.size >= this.#cap) {
      this.capped = true;
      return key;
    }
    this.#seen.add(key);
    this.#queue.push({ ...moment, world: kept, rough: moment.rough || count >= many.forget, key });
    return key;
  }
}

/** The same text for moments that are the same. */
function keyOf({ state, open, notice, world }: Moment): string {
  return [state, open, notice?.name ?? '', world.key].join('|');
}
