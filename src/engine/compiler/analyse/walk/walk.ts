import { anyone } from '../../../core/manifest.ts';
import type { Branch, Effect, Flow, State } from '../../../core/definition.ts';
import { branchesOf, effectOf } from '../../../core/transition.ts';
import { anything, errorShape, type Shape } from '../shapes.ts';
import { Choices } from './choices.ts';
import { Frontier } from './frontier.ts';
import type { Moment, Raised, Walked, WalkSurroundings } from './moment.ts';
import { readLater } from './read-later.ts';
import { Rounds } from './rounds.ts';
import { forksOf } from './rules-of-world.ts';
import { Screens } from './screens.ts';
import { firstStep, startsOf, wayOf } from './starts.ts';
import { unknown, type World } from './world.ts';

/**
 * Walks a flow every way at once, by the engine's own order of steps: what nobody knows (an address, an answer, a fact) is asked where a guard
 * reads it, and remembered. The nearest moments come first, so that each is found by a shortest walk.
 */
export function walk(flow: Flow, around: WalkSurroundings): Walked {
  return new Walker(flow, around).walked();
}

/** The states that were entered and led on at once, the last one last. */
type Trail = readonly { readonly name: string; readonly key: string }[];

class Walker {
  readonly #flow: Flow;
  readonly #around: WalkSurroundings;
  readonly #isReadLater;
  readonly #frontier: Frontier;
  readonly #midway: { readonly name: string; readonly world: World }[] = [];
  readonly #entered = new Map<string, 'entering' | 'entered'>();
  readonly #tried = new Set<string>();
  readonly #choices: Choices;
  readonly #passed = new Set<string>();
  readonly #circles: { moment: Moment; states: readonly string[] }[] = [];
  readonly #rounds = new Rounds();
  readonly #blank: { moment: Moment; by: string }[] = [];
  readonly #calls: { moment: Moment; effect: Effect; world: World }[] = [];
  readonly #screens: Screens;

  constructor(flow: Flow, around: WalkSurroundings) {
    this.#flow = flow;
    this.#around = around;
    this.#choices = new Choices(flow);
    this.#frontier = new Frontier(around.cap);
    this.#screens = new Screens(around.screens);
    this.#isReadLater = readLater(flow, (state) => this.#screens.readsOf(state));
  }

  walked(): Walked {
    this.#start();
    this.#run();
    if (!this.#isComplete()) this.#goBack();
    return {
      moments: this.#frontier.taken,
      taken: this.#choices.taken,
      asked: this.#choices.asked,
      insteadOf: this.#choices.insteadOf,
      open: this.#choices.open,
      passed: this.#passed,
      tried: this.#tried,
      circles: this.#circles,
      rounds: this.#rounds.found(),
      blank: this.#blank,
      operations: this.#calls,
      capped: this.#frontier.capped,
    };
  }

  #start(): void {
    for (const { name, world, isReload } of startsOf(this.#flow, this.#around.factShapes ?? {})) {
      const first = firstStep(this.#flow, name, (step) => this.#screens.hasFields(this.#flow.states[step]));
      if (!isReload) this.#enter(first, world, null, '');
      // Amid a way it depends on what each form kept.
      else if (first === name) this.#enter(name, world, null, 'reload');
      else this.#midway.push({ name, world });
    }
  }

  #run(): void {
    for (let moment = this.#frontier.next(); moment; moment = this.#frontier.next()) {
      const state = this.#flow.states[moment.state];
      if (!state) continue;
      if (!moment.open && state.invoke) this.#call(moment, state.invoke, '', moment.world);
      else this.#use(moment, state);
    }
  }

  #isComplete(): boolean {
    return (
      Object.keys(this.#flow.states).every((name) => this.#passed.has(name)) &&
      this.#choices.asked.size === this.#choices.taken.size
    );
  }

  // Where something was never met: whoever goes back in the browser comes to where they were with what they know now.
  #goBack(): void {
    const [first, ...rest] = this.#frontier.taken.filter(({ state }) => !this.#isPassage(state));
    if (!first) return;
    const world = rest.reduce((joined, moment) => joined.or(this.#whole(moment.world)), this.#whole(first.world));
    const before = { ...first, world, rough: true };
    for (const { name, world: kept } of this.#midway) this.#enter(name, kept, { ...before, world: kept }, 'reload');
    for (const name of new Set([first, ...rest].map(({ state }) => state))) this.#enter(name, world, before, 'back');
    this.#run();
  }

  // With every variable of the flow, those that a state had no use for unknown.
  #whole(world: World): World {
    const forgotten = Object.keys(this.#flow.context ?? {}).filter((name) => !world.variables.has(name));
    return world.assign(forgotten.map((name) => [name, unknown(`context.${name}`)] as const));
  }

  #isPassage(name: string): boolean {
    const { screen, block } = this.#flow.states[name] ?? {};
    return screen === undefined && block === undefined;
  }

  /** Answers what the walk knows this entry by. */
  #enter(name: string, given: World, before: Moment | null, by: string, notice?: Raised, trail: Trail = []): string {
    const state = this.#flow.states[name];
    if (!state) return '';
    this.#tried.add(name);
    const world = this.#settled(name, given);
    const rough = before?.rough ?? false;
    const key = [name, notice?.name ?? '', rough, world.key].join('|');
    const from = trail.at(-1)?.key ?? (before?.open === false ? before.key : undefined);
    if (from !== undefined) this.#rounds.link(from, key, name);
    const known = this.#entered.get(key);
    if (known === 'entering') {
      const moment = { state: name, world, open: false, rough, before, by };
      this.#circles.push({
        moment,
        states: trail.map((step) => step.name).slice(trail.findLastIndex((step) => step.name === name)),
      });
    }
    if (known) return key;
    this.#entered.set(key, 'entering');
    this.#pass(name, state, world, { before, by, notice, trail: [...trail, { name, key }] });
    this.#entered.set(key, 'entered');
    return key;
  }

  // Past the state's requirement and what it always decides.
  #pass(
    name: string,
    state: State,
    world: World,
    { before, by, notice, trail }: { before: Moment | null; by: string; notice: Raised | undefined; trail: Trail },
  ): void {
    const rough = before?.rough ?? false;
    const standing = Object.entries((state.path && this.#around.standing?.[state.access ?? anyone]) || {});
    const admitted = standing.reduce<World | null>((now, [fact, truth]) => {
      const found = now?.truthOf(now.at(fact));
      return now && (typeof found === 'object' ? now.assume(found, truth) : found === truth ? now : null);
    }, world);
    if (!admitted) return; // the portal shows another page there
    for (const fork of state.requires ? forksOf(state.requires.guard, admitted) : [{ holds: true, world: admitted }]) {
      if (!fork.holds) {
        this.#enter(state.requires?.else ?? '', fork.world, before, by, notice, trail);
        continue;
      }
      this.#passed.add(name);
      const inside = this.#isSignedIn(fork.world) ? fork.world.behindDoor() : fork.world;
      const moment = { state: name, world: inside, open: false, rough, before, by };
      this.#choices.choose(state.always ?? [], inside, moment, (branch, now, target) => {
        const raised = branch?.notice === undefined ? notice : { branch, name: branch.notice };
        if (branch?.leave !== undefined) return;
        if (target !== undefined) this.#enter(target, now, before, by, raised, trail);
        else {
          const key = this.#arrive(name, now, before, by, raised);
          if (state.invoke) this.#rounds.link(trail.at(-1)?.key ?? '', key, name); // what can be used waits for somebody
        }
      });
    }
  }

  #isSignedIn(world: World): boolean {
    return (this.#around.signedIn ?? []).some((fact) => world.truthOf(world.at(fact)) === true);
  }

  #arrive(name: string, world: World, before: Moment | null, by: string, notice?: Raised): string {
    const state = this.#flow.states[name];
    const open = state?.invoke === undefined;
    const moment = {
      state: name,
      world,
      open,
      rough: before?.rough ?? false,
      before,
      by,
      ...(notice ? { notice } : {}),
    };
    if (open && this.#isPassage(name)) this.#blank.push({ moment, by: '' });
    return this.#add(moment);
  }

  #settled(name: string, world: World): World {
    return world.settle(this.#isReadLater(name));
  }

  #add(moment: Moment): string {
    return this.#frontier.add({ ...moment, world: this.#settled(moment.state, moment.world) });
  }

  // A state that is drawn: every event that something visible may raise.
  #use(moment: Moment, state: State): void {
    const events = this.#screens.raisedBy(state, moment.world);
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      if (events && !events.has(event)) continue;
      const world = moment.world.enterRoots([['form', this.#screens.formOf(state, event)]]);
      const effect = effectOf(transition);
      if (effect) this.#call(moment, effect, event, world);
      else
        this.#choices.choose(branchesOf(transition), world, moment, (branch, now, target) =>
          this.#follow(moment, branch, now, target, event, null),
        );
    }
    const before = this.#backOf(moment.state, state);
    if (!state.on?.['back'] && before !== undefined) this.#enter(before, moment.world, moment, 'back');
  }

  #backOf(name: string, { back }: State): string | undefined {
    if (back !== undefined) return back === 'none' || back === 'history' ? undefined : back;
    const way = wayOf(this.#flow, name);
    return way[way.indexOf(name) - 1];
  }

  #call(moment: Moment, effect: Effect, event: string, world: World): void {
    this.#calls.push({ moment, effect, world: this.#isSignedIn(world) ? world.behindDoor() : world });
    const { changing = [], operations } = this.#around;
    const after = world.forget((name) => changing.some((root) => name === root || name.startsWith(`${root}.`)));
    const form: readonly (readonly [string, Shape])[] = [...after.roots].filter(([root]) => root === 'form');
    const answer = operations[effect.src]?.answer;
    const result: Shape = answer ? { schema: answer, optional: false } : anything;
    const by = event === '' ? '' : `${event}.`;
    this.#choices.choose(
      effect.onDone,
      after.enterRoots([...form, ['result', result]]),
      moment,
      (branch, now, target) => this.#follow(moment, branch, now, target, `${by}onDone`, null),
    );
    this.#choices.choose(
      effect.onError,
      after.enterRoots([...form, ['error', errorShape]]),
      moment,
      (branch, now, target) => this.#follow(moment, branch, now, target, `${by}onError`, effect),
    );
  }

  #follow(
    moment: Moment,
    branch: Branch | null,
    world: World,
    target: string | undefined,
    by: string,
    failed: Effect | null,
  ): void {
    if (branch?.leave !== undefined) return;
    const raised = branch?.notice === undefined ? undefined : { branch, name: branch.notice };
    if (target !== undefined && target !== moment.state) {
      const to = this.#enter(target, world, moment, by, raised);
      if (failed && branch && !moment.open && moment.key !== undefined)
        this.#rounds.fails({ from: moment.key, to, moment, branch });
      return;
    }
    const state = this.#flow.states[moment.state];
    if (this.#isPassage(moment.state)) {
      if (!failed) this.#blank.push({ moment, by });
      return; // what fails there is told on a page of its own
    }
    const waits = !moment.open && state?.block === undefined;
    if (failed && waits && !raised) return;
    if (failed?.progress && branch?.field)
      for (const step of wayOf(this.#flow, moment.state))
        if (step !== moment.state) this.#enter(step, world, moment, by);
    this.#add({
      state: moment.state,
      world,
      open: true,
      rough: moment.rough,
      before: moment,
      by,
      ...(raised ? { notice: raised } : {}),
    });
  }
}
