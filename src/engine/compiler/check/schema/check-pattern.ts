import { findInvalidPatternEscape } from '../../json-schema/normalize-schema.ts';
import { explain, localize, type LocalizedText } from '../../sources/localized-text.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
/** JavaScript equivalents of anchors and classes of other regular expression dialects. */
const javascriptEquivalents: Readonly<Record<string, string>> = {
  '\\A': '^',
  '\\Z': '$',
  '\\z': '$',
  '[:alpha:]': 'A-Za-z',
  '[:alnum:]': 'A-Za-z0-9',
  '[:digit:]': '0-9',
  '[:lower:]': 'a-z',
  '[:upper:]': 'A-Z',
  '[:space:]': '\\s',
};

/** Translations of the regular expression errors of V8, by their first words. */
const patternErrors: readonly (readonly [start: string, LocalizedText])[] = [
  ['Unterminated group', localize`a parenthesis is not closed`],
  ['Unmatched', localize`a parenthesis closes nothing`],
  ['Unterminated character class', localize`a [ is not closed`],
  ['Nothing to repeat', localize`a *, + or ? has nothing before it`],
  ['Lone quantifier', localize`a bracket has no counterpart`],
  ['Incomplete quantifier', localize`a { is not closed`],
  ['Range out of order', localize`a range within [ ] is reversed`],
  ['numbers out of order', localize`the first number within { } is the larger one`],
  ['Invalid group', localize`the sign after (? is wrong`],
];

/** Checks that a pattern is a regular expression of JavaScript. */
export function checkPattern(report: ProblemReporter, at: string, pattern: string): void {
  try {
    void new RegExp(pattern, 'u');
  } catch (error) {
    const escape = findInvalidPatternEscape(pattern);
    const letter = escape?.replace('\\', '') ?? '';
    if (escape !== undefined)
      return report(at)({
        message: localize`The pattern has "${escape}", which means nothing in JSON Schema.`,
        hint: Object.hasOwn(javascriptEquivalents, escape)
          ? localize`Write ${javascriptEquivalents[escape] ?? ''} in its place.`
          : localize`Write "${letter}" for the letter itself, or a class such as [a-z].`,
      });
    const flags = /\(\?[a-z]+\)/.exec(pattern)?.[0];
    if (flags !== undefined)
      return report(at)(explain`The pattern contains "${flags}": a pattern cannot contain flags.
        Remove it. To ignore case, write both letters, e.g. [Aa].`);
    const reason = String(error).split(': ').at(-1) ?? '';
    const translated = patternErrors.find(([start]) => reason.startsWith(start))?.[1] ?? localize`${reason}`;
    report(at)(explain`The pattern is not a valid regular expression: ${translated}.
      Correct it: patterns use the syntax of JavaScript, with the flag u.`);
  }
}
