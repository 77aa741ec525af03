import type { Report } from '../sources/report.ts';
import type { State } from '../../core/definition.ts';
import { escapePointer, pointerSteps } from '../../core/json-pointer.ts';
import type { WrittenState } from './written-flow.ts';
import { say } from '../sources/say.ts';

/** A state as it is written in one place, and what it is made into. */
interface Layer {
  readonly own: WrittenState;
  readonly at: string;
  readonly made: State;
}

/** The states of a flow, each with those that it stands in: what these say holds in it as well, as in XState. */
export class CompoundStates {
  /** By name; the state itself first, the outermost last. */
  readonly #layers = new Map<string, readonly Layer[]>();
  readonly #make: (own: WrittenState, at: string) => State;
  readonly #report: Report;

  constructor(
    states: Readonly<Record<string, WrittenState>>,
    make: (own: WrittenState, at: string) => State,
    report: Report,
  ) {
    this.#make = make;
    this.#report = report;
    this.#visit(states, '', []);
  }

  /** Each state that can be entered, with all that holds in it. */
  all(): readonly (readonly [name: string, state: State])[] {
    return [...this.#layers].map(([name, layers]) => [name, layers.map(({ made }) => made).reduceRight(within)]);
  }

  /** Where in the file stands what a check found at `/states/<name>/…`: maybe in a state around that one. */
  placeOf(pointer: string): string {
    const [root, name = '', ...rest] = pointerSteps(pointer);
    const layers = root === 'states' ? (this.#layers.get(name) ?? []) : [];
    const [key = '', event = ''] = rest;
    const layer = layers.find(({ own }) => (key === 'on' ? own.on && event in own.on : key in own)) ?? layers[0];
    return layer ? [layer.at, ...rest.map(escapePointer)].join('/') : pointer;
  }

  #visit(states: Readonly<Record<string, WrittenState>>, around: string, outer: readonly Layer[]): void {
    for (const [name, own] of Object.entries(states)) {
      const at = `${around}/states/${escapePointer(name)}`;
      const layers = [{ own, at, made: this.#make(own, at) }, ...outer];
      for (const event of Object.keys(own.on ?? {}).filter((known) => outer.some((layer) => layer.own.on?.[known])))
        this.#report(
          `${at}/on/${escapePointer(event)}`,
          say`A state around this one answers "${event}" already.`,
          say`Remove one of them.`,
        );
      if (own.states) this.#visit(own.states, at, layers);
      else if (!this.#layers.has(name)) this.#layers.set(name, layers);
      else
        this.#report(
          at,
          say`The state "${name}" stands twice.`,
          say`Give each state a name of its own, wherever it stands.`,
        );
    }
  }
}

function within(outer: State, own: State): State {
  const always = [...(own.always ?? []), ...(outer.always ?? [])];
  const on = { ...outer.on, ...own.on };
  return {
    ...outer,
    ...own,
    ...(always.length > 0 ? { always } : {}),
    ...(Object.keys(on).length > 0 ? { on } : {}),
  };
}
