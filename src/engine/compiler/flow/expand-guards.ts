import type { Logic } from '../../core/definition.ts';
import { type Json, isObject } from '../../core/json.ts';
import type { Report } from '../sources/report.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { expandCondition, reading } from './short-forms.ts';
import { explain, say } from '../sources/say.ts';
import type { Localized } from '../localized.ts';
import { instead } from '../sources/suggest-name.ts';
import type { NamedDefinitions, WrittenFlow } from './written-flow.ts';

/** Placeholder for a missing guard. It counts as a condition, so that no further problems of the branch are reported. */
const unknown: Logic = { '!': [false] };

/** Syntax of guard and fact names. */
const name = /^[a-z][\w-]*$/i;

/** Expands guards: resolves names and writes out short forms. */
export class GuardExpander {
  readonly #names: FlowNames;
  readonly #facts: readonly string[] | undefined;
  readonly #report: Report;
  /** Named guards being expanded, to detect recursion. */
  readonly #open = new Set<string>();

  /** Without `facts`, any unknown name counts as a fact, because an earlier version may have had other facts. */
  constructor(names: FlowNames, facts: readonly string[] | undefined, report: Report) {
    this.#names = names;
    this.#facts = facts;
    this.#report = report;
  }

  /** Expands a guard: a rule, or the name of a value, of a guard in `guards`, or of a fact. */
  guard(written: Logic, at: string): Logic {
    return expandCondition(written, at, (text, place) => this.#ofText(text, place));
  }

  #ofText(text: string, at: string): Logic {
    const defined = this.#names.find('guards', text);
    if (defined !== undefined) return this.#named(text, defined, at);
    if (this.#facts ? this.#facts.includes(text) : name.test(text)) return { var: text };
    if (name.test(text))
      this.#names.reportMissing(
        'guards',
        text,
        at,
        this.#facts?.filter((fact) => !fact.includes('.')),
      );
    else
      this.#report(at)({
        message:
          text === ''
            ? say`${JSON.stringify(text)} is no condition: it would never hold.`
            : say`${JSON.stringify(text)} is no condition: it would always hold.`,
        hint: suggestGuard(text),
      });
    return unknown;
  }

  #named(text: string, defined: Logic, at: string): Logic {
    if (this.#open.has(text)) {
      this.#report(at)(explain`The guard "${text}" stands in itself.
        Name another, or write out what must hold.`);
      return unknown;
    }
    this.#open.add(text);
    const own = `/guards/${escapePointer(text)}`;
    if (this.#facts?.includes(text))
      this.#report(own)(explain`"${text}" is a fact already.
        Give the guard another name: nobody could tell which is meant.`);
    const [guard, place]: readonly [Json, string] =
      isObject(defined) && defined.guard !== undefined ? [defined.guard as Json, `${own}/guard`] : [defined, own]; // the definition also has a description
    const made = this.guard(guard, place);
    this.#open.delete(text);
    return made;
  }
}

function suggestGuard(text: string): Localized {
  const bare = text.trim().replace(/^!+\s*/, '');
  const isNot = text.trim().startsWith('!');
  if (reading.test(bare) || name.test(bare)) return say`Write ${isNot ? `{ "!": "${bare}" }` : `"${bare}"`}.`;
  return say`Write the name of a value ("context.token": letters, digits and _), of one of "guards", or a rule in JSON-logic.`;
}

type Kind = keyof NamedDefinitions;

/** Usage of each kind, for the hint about unused definitions. */
const uses: Readonly<Record<Kind, (name: string) => string>> = {
  guards: (name) => `"guard": "${name}"`,
  params: (name) => `"params": "${name}"`,
  inputs: (name) => `"input": "${name}"`,
  assigns: (name) => `"assign": "${name}"`,
  branches: (name) => `{ "branches": "${name}" }`,
  operations: (name) => `"src": "${name}"`,
  delays: (name) => `"after": { "${name}": … }`,
};

/** Named definitions at the top of a flow. Reports missing and unused names. */
export class FlowNames {
  readonly #flow: WrittenFlow;
  readonly #report: Report;
  readonly #used = new Set<string>();

  constructor(flow: WrittenFlow, report: Report) {
    this.#flow = flow;
    this.#report = report;
  }

  /** Returns a definition, or reports that it is missing. */
  take<K extends Kind>(kind: K, name: string, pointer: string): NamedDefinitions[K] | undefined {
    const found = this.find(kind, name);
    if (found === undefined) this.reportMissing(kind, name, pointer);
    return found;
  }

  /** `others` are valid names in addition to the definitions. */
  reportMissing(kind: Kind, name: string, pointer: string, others: readonly string[] = []): void {
    const known = [...Object.keys(this.#flow[kind] ?? {}), ...others];
    this.#report(pointer)(explain`The flow has no ${kind} "${name}".
      ${instead(name, known)}`);
  }

  find<K extends Kind>(kind: K, name: string): NamedDefinitions[K] | undefined {
    this.#used.add(`${kind} ${name}`);
    const known = (this.#flow[kind] ?? {}) as Readonly<Record<string, NamedDefinitions[K]>>; // TypeScript does not see that kind and table belong together
    return Object.hasOwn(known, name) ? known[name] : undefined;
  }

  reportUnused(): void {
    for (const kind of Object.keys(uses) as Kind[]) {
      for (const name of Object.keys(this.#flow[kind] ?? {})) {
        if (this.#used.has(`${kind} ${name}`)) continue;
        this.#report(`/${kind}/${escapePointer(name)}`)(explain`Nothing uses "${name}" of "${kind}".
          Use it as ${uses[kind](name)}, or remove it.`);
      }
    }
  }
}
