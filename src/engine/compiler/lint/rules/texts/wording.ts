import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { wordingValidator, type WordingRule } from '../../wording/faults.ts';
import { textsIn } from '../../wording/read-texts.ts';
import { countedTexts } from './count.ts';

/** A text in words that the project's guide does not use: long or of the trade, in another voice, by another name, with blame, without advice, in another language. */
export const textWording: readonly LintRule<Subject>[] = (
  [
    'text/plain',
    'text/unfinished',
    'text/voice',
    'text/name',
    'text/blame',
    'text/plural',
    'text/advice',
    'text/language',
  ] satisfies WordingRule[]
).map((id) => ({
  id,
  severity: 'W',
  find: (subject) =>
    id === 'text/plural' ? [...findings(id, subject), ...countedTexts(subject)] : findings(id, subject),
}));

function findings(id: WordingRule, subject: Subject): readonly Finding[] {
  return faultsOf(subject).flatMap(({ rule, finding }) => (rule === id ? [finding] : []));
}

interface Found {
  readonly rule: WordingRule;
  readonly finding: Finding;
}

/** What is wrong with a set is worked out once for all rules. */
const known = new WeakMap<Subject, readonly Found[]>();

function faultsOf(subject: Subject): readonly Found[] {
  const found = known.get(subject) ?? faultsOfSet(subject);
  known.set(subject, found);
  return found;
}

function faultsOfSet(subject: Subject): readonly Found[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, wording]) => {
    const faultsIn = wordingValidator(wording);
    return textsIn(language, subject).flatMap(({ file, pointer, ...text }) =>
      faultsIn(text).map(({ rule, message, hint, mended }): Found => ({
        rule,
        finding: {
          file,
          pointer,
          message,
          hint,
          ...(mended !== undefined && { fix: [{ file: file.path, pointer, value: mended }] }),
        },
      })),
    );
  });
}
