import type { Branch, Effect, Flow, State } from '../../core/definition.ts';
import { isObject, type Json } from '../../core/json.ts';
import { anyone } from '../../core/manifest.ts';
import { findRoute } from '../../core/route.ts';
import { routesOf } from '../flow/routes.ts';
import { anything, type Shape } from './shapes.ts';
import type { ExploreOptions } from './node.ts';
import { decide, evaluateTemplate, type Fork } from './evaluate-rules.ts';
import { firstStep } from './entry-points.ts';
import { Screens } from './screens.ts';
import { Assignment } from './assignment.ts';

/** A state that its own address opens, and what holds for certain when it is opened. */
interface Arrival {
  readonly flow: Flow;
  readonly state: string;
  /** It knows facts alone: what a flow kept of an earlier visit may be anything. */
  readonly assignment: Assignment;
  /** By operation, which of its two ends it has each time. */
  readonly ends: ReadonlyMap<string, End>;
}

type End = 'onDone' | 'onError';

/** An arrival that leads to the next one without anybody's doing, by a branch that leaves for an address. */
export interface Departure {
  readonly from: Arrival;
  readonly branch: Branch;
}

/** Circles over addresses: each state leaves for the next one before anything is drawn, and nobody can do anything about it. */
export function circlesOfDepartures(flows: readonly Flow[], around: ExploreOptions): readonly (readonly Departure[])[] {
  const departures = new Departures(flows, around);
  const circles: (readonly Departure[])[] = [];
  const seen = new Set<string>();
  const visit = (from: Arrival, trail: readonly (Departure & { readonly key: string })[]): void => {
    const key = keyOf(from);
    const start = trail.findIndex((one) => one.key === key);
    if (start >= 0) circles.push(trail.slice(start));
    if (seen.has(key)) return;
    seen.add(key);
    for (const [branch, to] of departures.of(from)) visit(to, [...trail, { from, branch, key }]);
  };
  for (const from of departures.starts()) visit(from, []);
  return circles;
}

function keyOf({ flow, state, assignment, ends }: Arrival): string {
  return [flow.id, state, assignment.key, ...[...ends].map((end) => end.join('=')).sort()].join('|');
}

/** The state of a flow on the path from an address, with the states that it came through. */
type Standing = Omit<Arrival, 'flow'> & { readonly passed: readonly string[] };

/** A branch that is taken in one case, which is known to be possible. */
interface Taken extends Omit<Fork, 'holds'> {
  readonly branch: Branch | null;
}

class Departures {
  readonly #flows: readonly Flow[];
  readonly #around: ExploreOptions;
  readonly #screens: Screens;
  readonly #routes;

  constructor(flows: readonly Flow[], around: ExploreOptions) {
    this.#flows = flows;
    this.#around = around;
    this.#screens = new Screens(around.screens);
    this.#routes = flows.flatMap((flow) => routesOf(flow));
  }

  starts(): readonly Arrival[] {
    const facts = Object.entries(this.#around.factShapes ?? {}).map(([root, schema]): [string, Shape] => [
      root,
      { schema, optional: true },
    ]);
    const assignment = new Assignment(new Map(), Object.fromEntries(facts));
    return this.#flows.flatMap((flow) =>
      Object.entries(flow.states)
        .filter(([, { path }]) => path !== undefined)
        .map(([state]) => ({ flow, state, assignment, ends: new Map() })),
    );
  }

  /** Each branch by which an arrival leaves for another address at once, and the arrival there. */
  of({ flow, ...arrival }: Arrival): readonly (readonly [Branch, Arrival])[] {
    const asks = (step: string) => this.#screens.hasFields(flow.states[step]);
    return this.#enter(flow, { ...arrival, state: firstStep(flow, arrival.state, asks), passed: [] });
  }

  #enter(flow: Flow, here: Standing): readonly (readonly [Branch, Arrival])[] {
    const state = flow.states[here.state];
    if (!state || here.passed.includes(here.state)) return [];
    const passed = [...here.passed, here.state];
    const admitted = this.#admitted(state, here);
    if (admitted === null) return [];
    return this.#forks(state.requires?.guard, { ...here, assignment: admitted }).flatMap(({ holds, assignment }) => {
      const now = { ...here, assignment, passed };
      if (!holds) return this.#enter(flow, { ...now, state: state.requires?.else ?? '' });
      return this.#take(state.always ?? [], now).flatMap((taken) =>
        taken.branch || !state.invoke
          ? this.#follow(flow, taken, now)
          : this.#call(flow, state, state.invoke, { ...now, assignment: taken.assignment }),
      );
    });
  }

  /** Null: the portal shows another page there, or may show one. */
  #admitted({ path, access = anyone }: State, here: Standing): Assignment | null {
    const standing = Object.entries((path && this.#around.standing?.[access]) || {});
    return standing.reduce<Assignment | null>((now, [fact, truth]) => {
      const found = now?.isTruthy(now.at(fact));
      if (typeof found === 'object') return this.#mayAsk(fact, here) ? (now?.assume(found, truth) ?? null) : null;
      return found === truth ? now : null;
    }, here.assignment);
  }

  // A block draws itself while the operation runs, and may lead elsewhere.
  #call(flow: Flow, state: State, effect: Effect, here: Standing): readonly (readonly [Branch, Arrival])[] {
    if (state.block !== undefined) return [];
    const known = here.ends.get(effect.src);
    return (['onDone', 'onError'] as const)
      .filter((end) => known === undefined || known === end)
      .flatMap((end) => {
        const { changing = [] } = this.#around;
        const assignment =
          end === 'onDone'
            ? here.assignment.forget((name) => isBelow(name, changing)).enterRoots([['result', anything]])
            : here.assignment.enterRoots([['error', brokenServer]]);
        const now = { ...here, assignment, ends: new Map([...here.ends, [effect.src, end]]) };
        return this.#take(effect[end], now).flatMap((taken) => this.#follow(flow, taken, now));
      });
  }

  #follow(flow: Flow, { branch, assignment }: Taken, here: Standing): readonly (readonly [Branch, Arrival])[] {
    if (branch?.leave !== undefined) {
      const to = this.#arrivalAt(branch.leave);
      const facts = assignment.settle((path) => !path.startsWith('context.'));
      return to ? [[branch, { ...to, assignment: facts, ends: here.ends }]] : [];
    }
    if (branch?.target === undefined || branch.target === here.state) return [];
    const assigned = Object.entries(branch.assign ?? {}).map(
      ([name, template]) => [name, evaluateTemplate(template, assignment)] as const,
    );
    return this.#enter(flow, { ...here, state: branch.target, assignment: assignment.assign(assigned) });
  }

  #arrivalAt(leave: Json): Pick<Arrival, 'flow' | 'state'> | undefined {
    const address = addressOf(leave);
    const route = address === undefined ? undefined : findRoute(this.#routes, address)?.route;
    const flow = this.#flows.find(({ id }) => id === route?.flow);
    return flow && route && { flow, state: route.state };
  }

  /** The branches that are surely taken in some case; those behind a guard of which that cannot be said are left out. */
  #take(branches: readonly Branch[], here: Standing): readonly Taken[] {
    let open: readonly Assignment[] = [here.assignment];
    const taken: Taken[] = [];
    for (const branch of branches) {
      const forks = open.flatMap((now) => this.#forks(branch.guard, { ...here, assignment: now }));
      if (branch.challenge === undefined)
        taken.push(...forks.filter(({ holds }) => holds).map((fork) => ({ branch, assignment: fork.assignment })));
      open = forks.filter(({ holds }) => !holds).map((fork) => fork.assignment);
    }
    return [...taken, ...open.map((now) => ({ branch: null, assignment: now }))];
  }

  /** How a guard may end; not where it asks what nobody knows for certain, such as a comparison, which another one may exclude. */
  #forks(guard: Branch['guard'], here: Standing): readonly Fork[] {
    const verdict = decide(guard, here.assignment);
    if (typeof verdict === 'boolean') return [{ holds: verdict, assignment: here.assignment }];
    if (verdict.of === 'rule' || !this.#mayAsk(verdict.value.unknown, here)) return [];
    return [true, false].flatMap((answer) => {
      const assignment = here.assignment.assume(verdict, answer);
      return assignment ? this.#forks(guard, { ...here, assignment }) : [];
    });
  }

  // A fact is the same all the time, unless an operation may have changed it.
  #mayAsk(path: string, { ends }: Standing): boolean {
    if (/^(context|form|result|error|rule)([.:]|$)/.test(path)) return false;
    return ![...ends.values()].includes('onDone') || !isBelow(path, this.#around.changing ?? []);
  }
}

/** The path of an address of the portal that a `leave` writes out. */
function addressOf(leave: Json): string | undefined {
  const to = isObject(leave) && !('host' in leave) ? leave['to'] : leave;
  if (typeof to !== 'string' || !to.startsWith('/') || /\{\w+\}/.test(to)) return undefined;
  return to.replace(/[?#].*$/, '').normalize('NFC');
}

function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}.`));
}

/** What every operation answers while the server is broken: it names no code. */
const brokenServer: Shape = {
  optional: false,
  schema: {
    type: 'object',
    required: ['status', 'error', 'outdated'],
    properties: { status: { enum: [500] }, error: { type: 'string' }, outdated: { enum: [false] } },
    additionalProperties: false,
  },
};
