import type { Logic } from '../../core/definition.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Report } from '../sources/report.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { FlowNames } from './flow-names.ts';
import { expandCondition, reading } from './short-forms.ts';
import { explain, say } from '../sources/say.ts';
import type { Localized } from '../localized.ts';

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
