import type { Branch, Effect, Flow, State, Transition, Ui } from '../core/definition.ts';
import type { JsonObject } from '../core/json.ts';
import { variablesOf } from '../core/logic.ts';
import { pathNames } from '../core/route.ts';
import { branchesOf, effectOf } from '../core/transition.ts';
import { circlesOf } from './check-circles.ts';
import { lostAddresses } from './check-leave.ts';
import { checkLogic, checkTemplate, type Readable } from './check-logic.ts';
import { propertiesOf } from './check-schema.ts';
import { linksOf } from './check-ui.ts';
import { expandFlow, isUnconditional } from './expand-flow.ts';
import { escapePointer, type Problems, type SourceFile } from './source-file.ts';
import type { SpreadFlow } from './spread-branches.ts';

/** What flows are checked against. */
export interface FlowSurroundings {
  readonly calls: readonly string[];
  readonly blocks: readonly string[];
  readonly facts: readonly string[];
  /** Paths of all flows. */
  readonly paths: ReadonlySet<string>;
  /** Schema (null: no fields) and ui by screen. */
  readonly screens: ReadonlyMap<string, { readonly schema: JsonObject | null; readonly ui: Ui }>;
}

/** Checks one flow whose form is right. */
export function checkFlow(file: SourceFile, flow: SpreadFlow, around: FlowSurroundings, problems: Problems): void {
  new FlowCheck(file, flow, around, problems).run();
}

class FlowCheck {
  readonly #file: SourceFile;
  readonly #flow: Flow;
  readonly #pointers: SpreadFlow['pointers'];
  readonly #around: FlowSurroundings;
  readonly #problems: Problems;
  readonly #context: ReadonlySet<string>;

  constructor(file: SourceFile, { flow, pointers }: SpreadFlow, around: FlowSurroundings, problems: Problems) {
    this.#file = file;
    this.#flow = flow;
    this.#pointers = pointers;
    this.#around = around;
    this.#problems = problems;
    this.#context = new Set(Object.keys(flow.context ?? {}));
  }

  run(): void {
    const { initial, states, steps = {} } = this.#flow;
    this.#target('/initial', initial);
    for (const [name, target] of Object.entries(steps)) this.#target(`/steps/${escapePointer(name)}`, target);
    for (const [name, state] of Object.entries(states)) this.#state(name, state);
    this.#pathVariables();
    for (const [first = '', ...more] of circlesOf(this.#flow)) {
      this.#say(
        `/states/${escapePointer(first)}`,
        `The flow goes round: ${[first, ...more, first].join(' → ')}.`,
        'Let one of these states be drawn, or lead elsewhere.',
      );
    }
    const reached = this.#reached();
    for (const name of Object.keys(states)) {
      if (!reached.has(name))
        this.#say(
          `/states/${escapePointer(name)}`,
          `No way leads to the state "${name}".`,
          'Give it a path, target it, or remove it.',
        );
    }
  }

  // A parameter of a path is a variable of the flow, so that rules and calls can read it.
  #pathVariables(): void {
    const named = new Set<string>();
    for (const [state, { path = '' }] of Object.entries(this.#flow.states)) {
      for (const name of pathNames(path)) {
        named.add(name);
        if (this.#flow.context?.[name]?.from === 'path') continue;
        this.#say(
          `/states/${escapePointer(state)}/path`,
          `The parameter ":${name}" is no variable of the flow.`,
          `Declare "${name}": { "from": "path" } in "context".`,
        );
      }
    }
    for (const [name, { from }] of Object.entries(this.#flow.context ?? {})) {
      if (from === 'path' && !named.has(name))
        this.#say(
          `/context/${escapePointer(name)}`,
          `No path has the parameter ":${name}".`,
          'Add it to a path, or remove the variable.',
        );
    }
  }

  #source(at: string, { block, source }: State, readable: Readable): void {
    if (source === undefined) return;
    if (block === undefined)
      this.#say(
        `${at}/source`,
        'Only a block shows a source.',
        'Add a "block", or name the source in the fields of the screen.',
      );
    if (!this.#around.calls.includes(source.call))
      this.#say(`${at}/source/call`, `There is no call "${source.call}".`, 'Name a GET call of the contract.');
    for (const [name, template] of Object.entries(source.params ?? {}))
      checkTemplate(this.#file, `${at}/source/params/${escapePointer(name)}`, template, readable, this.#problems);
  }

  #state(name: string, state: State): void {
    const at = `/states/${escapePointer(name)}`;
    const ui = state.screen === undefined ? undefined : this.#around.screens.get(state.screen);
    if (state.screen !== undefined && !ui)
      this.#say(`${at}/screen`, `There is no screen "${state.screen}".`, 'Name a folder of schemas/.');
    if (state.block !== undefined && !this.#around.blocks.includes(state.block)) {
      this.#say(`${at}/block`, `There is no block "${state.block}".`, `Known: ${this.#around.blocks.join(', ')}.`);
    }
    if (state.permissions && state.access !== 'citizen' && state.access !== 'account')
      this.#say(
        `${at}/permissions`,
        'Permissions are asked of who is signed in.',
        'Add "access": "citizen" or "account".',
      );
    const fields = state.block !== undefined ? null : new Set(ui?.schema ? Object.keys(propertiesOf(ui.schema)) : []);
    const readable = this.#readable(fields, []);
    this.#source(at, state, readable);
    if (state.entry) {
      checkLogic(this.#file, `${at}/entry/guard`, state.entry.guard, readable, this.#problems);
      this.#target(`${at}/entry/else`, state.entry.else);
    }
    if (state.chrome !== undefined)
      checkLogic(this.#file, `${at}/chrome`, state.chrome, this.#readable(new Set(), []), this.#problems);
    if (state.modal && state.path !== undefined)
      this.#say(`${at}/modal`, 'A dialog has no address.', 'Remove "path" or "modal".');
    if (state.always) this.#branches(`${at}/always`, state.always, state, readable, { decides: false });
    if (state.invoke) this.#effect(`${at}/invoke`, state.invoke, state, fields);
    for (const [event, transition] of Object.entries(state.on ?? {}))
      this.#transition(`${at}/on/${escapePointer(event)}`, transition, state, fields);
    if (state.after)
      checkLogic(this.#file, `${at}/after/at`, state.after.at, this.#readable(new Set(), []), this.#problems);
    if (state.after && !Object.hasOwn(state.on ?? {}, state.after.event)) {
      this.#say(
        `${at}/after/event`,
        `The state does not answer its own delayed event "${state.after.event}".`,
        'Add it to "on".',
      );
    }
    for (const [field, template] of Object.entries(state.prefill ?? {})) {
      const pointer = `${at}/prefill/${escapePointer(field)}`;
      if (fields && !fields.has(field))
        this.#say(pointer, `The screen has no field "${field}".`, `Fields: ${[...fields].join(', ')}.`);
      checkTemplate(this.#file, pointer, template, readable, this.#problems);
    }
    if (state.back !== undefined && !['history', 'none'].includes(state.back)) this.#target(`${at}/back`, state.back);
    this.#clear(`${at}/clear`, state.clear, null);
    if (ui) this.#events(at, state, ui.ui);
    this.#deadEnd(at, state, ui?.ui);
  }

  #transition(at: string, transition: Transition, state: State, fields: ReadonlySet<string> | null): void {
    const effect = effectOf(transition);
    if (effect) return this.#effect(at, effect, state, fields);
    this.#branches(at, branchesOf(transition), state, this.#readable(fields, []), { list: Array.isArray(transition) });
  }

  #effect(at: string, effect: Effect, state: State, fields: ReadonlySet<string> | null): void {
    if (!this.#around.calls.includes(effect.invoke))
      this.#say(`${at}/invoke`, `There is no call "${effect.invoke}".`, 'Name a call of the contract.');
    const readable = this.#readable(fields, []);
    if (effect.input !== undefined) checkTemplate(this.#file, `${at}/input`, effect.input, readable, this.#problems);
    for (const [name, template] of Object.entries(effect.params ?? {}))
      checkTemplate(this.#file, `${at}/params/${escapePointer(name)}`, template, readable, this.#problems);
    this.#branches(`${at}/onDone`, effect.onDone, state, this.#readable(fields, ['result']));
    this.#errors(at, effect.onError ?? [], state, this.#readable(fields, ['error']));
  }

  // An effect decides every error itself, or leaves the rest to the flow's own onError.
  #errors(at: string, own: readonly Branch[], state: State, readable: Readable): void {
    const rest = this.#flow.onError ?? [];
    this.#branches(`${at}/onError`, own, state, readable, { decides: rest.length === 0 });
    if (own.length === 0 && rest.length === 0)
      this.#say(
        at,
        'The effect has no "onError".',
        'Add one whose last branch has no guard, e.g. [{ "field": true }].',
      );
    if (!own.some(isUnconditional)) this.#branches('/onError', rest, state, readable);
  }

  #branches(
    at: string,
    branches: readonly Branch[],
    state: State,
    readable: Readable,
    { list = true, decides = true } = {},
  ): void {
    const places = branches.map((branch, index) => this.#pointers.get(branch) ?? (list ? `${at}/${index}` : at));
    branches.forEach((branch, index) => {
      const pointer = places[index] ?? at;
      this.#branch(pointer, branch, state, readable);
      const unconditional = isUnconditional(branch);
      if (index === branches.length - 1 && !unconditional && decides) {
        this.#say(
          pointer,
          'The last branch is not unconditional.',
          'Add a branch without "guard" as the last: what happens otherwise.',
        );
      }
      if (unconditional && index < branches.length - 1) {
        this.#say(
          places[index + 1] ?? at,
          'This branch is never taken: the one before it has no guard.',
          'Order the branches, the unconditional one last.',
        );
      }
    });
  }

  #branch(at: string, branch: Branch, state: State, readable: Readable): void {
    if (branch.guard !== undefined) checkLogic(this.#file, `${at}/guard`, branch.guard, readable, this.#problems);
    for (const part of ['step', 'leave'] as const) {
      const template = branch[part];
      if (template !== undefined) checkTemplate(this.#file, `${at}/${part}`, template, readable, this.#problems);
    }
    for (const address of branch.leave === undefined ? [] : lostAddresses(branch.leave, this.#around.paths)) {
      this.#say(
        `${at}/leave`,
        `No flow has the path "${address}".`,
        'Leave to a path of flows/, or to a whole address.',
      );
    }
    for (const [name, template] of Object.entries(branch.assign ?? {})) {
      const pointer = `${at}/assign/${escapePointer(name)}`;
      if (!this.#context.has(name))
        this.#say(pointer, `The context has no variable "${name}".`, 'Declare it in "context".');
      checkTemplate(this.#file, pointer, template, readable, this.#problems);
      this.#secret(pointer, name, template, state);
    }
    if (branch.target !== undefined) this.#target(`${at}/target`, branch.target);
    if (branch.step !== undefined && !this.#flow.steps)
      this.#say(`${at}/step`, 'The flow has no "steps".', 'Map each challenge name to a state in "steps".');
    this.#clear(`${at}/clear`, branch.clear, readable.form);
    if (branch.notice !== undefined) this.#notice(`${at}/notice`, branch, state);
  }

  #secret(pointer: string, name: string, template: unknown, state: State): void {
    if (!this.#flow.context?.[name]?.persist) return;
    const schema = this.#around.screens.get(state.screen ?? '')?.schema;
    for (const path of variablesOf(template as never)) {
      // a template is JSON: it comes from a file
      const field = path.startsWith('form.') ? propertiesOf(schema ?? {})[path.slice(5)] : undefined;
      if (field?.writeOnly === true || path === 'form')
        this.#say(
          pointer,
          `The secret "${path}" would be stored.`,
          'Remove "persist" from the variable, or do not assign the secret.',
        );
    }
  }

  #notice(pointer: string, branch: Branch, state: State): void {
    const shown = branch.target === undefined ? state.screen : this.#flow.states[branch.target]?.screen;
    const ui = this.#around.screens.get(shown ?? '')?.ui;
    if (ui && !Object.hasOwn(ui.notices ?? {}, branch.notice ?? '')) {
      this.#say(
        pointer,
        `The screen "${shown ?? ''}" has no notice "${branch.notice ?? ''}".`,
        'Add it to "notices" of its ui.json.',
      );
    }
  }

  #clear(at: string, pointers: readonly string[] | undefined, fields: ReadonlySet<string> | null): void {
    (pointers ?? []).forEach((pointer, index) => {
      if (fields && !fields.has(pointer.slice(1)))
        this.#say(`${at}/${index}`, `The screen has no field "${pointer.slice(1)}".`, 'Name a field of the screen.');
    });
  }

  #events(at: string, state: State, ui: Ui): void {
    const links = linksOf(ui).flatMap(([, { event }]) => (event === undefined ? [] : [event]));
    const raised = [
      ...(ui.actions ?? []).map(({ event }) => event),
      ...links,
      ...(state.after ? [state.after.event] : []),
    ];
    const handled = Object.keys(state.on ?? {});
    for (const event of new Set(raised)) {
      if (event !== 'back' && !handled.includes(event))
        this.#say(
          `${at}/on`,
          `The screen "${state.screen ?? ''}" raises "${event}", which the state does not answer.`,
          'Add it to "on".',
        );
    }
    for (const event of state.block === undefined ? handled : []) {
      // a block raises events by its code
      if (!raised.includes(event))
        this.#say(
          `${at}/on/${escapePointer(event)}`,
          `Nothing on the screen "${state.screen ?? ''}" raises "${event}".`,
          'Add a button or link with this event to its ui.json, or remove it here.',
        );
    }
  }

  #deadEnd(at: string, state: State, ui: Ui | undefined): void {
    const waysOut =
      Object.keys(state.on ?? {}).length +
      (ui?.links?.length ?? 0) +
      (ui?.actions ?? []).filter(({ event }) => event === 'back').length;
    if (
      state.type === 'final' ||
      state.block !== undefined ||
      state.always !== undefined ||
      state.invoke !== undefined ||
      waysOut > 0
    )
      return;
    this.#say(at, 'This state is a dead end.', 'Give it an event, a link on its screen, or "type": "final".');
  }

  #target(pointer: string, target: string): void {
    if (!Object.hasOwn(this.#flow.states, target))
      this.#say(pointer, `There is no state "${target}".`, `States: ${Object.keys(this.#flow.states).join(', ')}.`);
  }

  #reached(): ReadonlySet<string> {
    const { initial, states, steps = {} } = expandFlow(this.#flow);
    const reached = new Set<string>();
    const visit = (name: string) => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const next of nextStates(states[name], steps)) visit(next);
    };
    [initial, ...Object.keys(states).filter((name) => states[name]?.path !== undefined)].forEach(visit);
    return reached;
  }

  #readable(form: ReadonlySet<string> | null, more: readonly string[]): Readable {
    return { form, context: this.#context, facts: [...this.#around.facts, ...more] };
  }

  #say(pointer: string, message: string, hint: string): void {
    this.#problems.add(this.#file, pointer, message, hint);
  }
}

function nextStates(state: State | undefined, steps: Readonly<Record<string, string>>): readonly string[] {
  if (!state) return [];
  const effects = [
    ...(state.invoke ? [state.invoke] : []),
    ...Object.values(state.on ?? {}).flatMap((transition) => effectOf(transition) ?? []),
  ];
  const branches = [
    ...(state.always ?? []),
    ...effects.flatMap(({ onDone, onError }) => [...onDone, ...onError]),
    ...Object.values(state.on ?? {}).flatMap(branchesOf),
  ];
  const targets = branches.flatMap(({ target, step }) => [
    ...(target === undefined ? [] : [target]),
    ...(step === undefined ? [] : Object.values(steps)),
  ]);
  const back = state.back === undefined || ['history', 'none'].includes(state.back) ? [] : [state.back];
  return [...targets, ...back, ...(state.entry ? [state.entry.else] : [])];
}
