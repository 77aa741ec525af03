import { explain } from '../../../sources/localized-text.ts';
import {
  checkEachTextWith,
  createFindingAt,
  createTextLintRule,
  createTextsLintRule,
  type FindViolations,
} from '../../lint-rule.ts';
import type { TextLintInput } from '../../lint-input.ts';
import { maskUncheckedTextParts } from '../../wording/words.ts';
import { listLocatedTexts } from '../../wording/list-located-texts.ts';

/** Reports a closing punctuation mark without its opening mark, in languages whose texts have opening marks. */
const reportUnopenedMarks: FindViolations<TextLintInput> = (subject) =>
  subject.set.languages.flatMap((language) => {
    const quoted = subject.contract.wording?.[language]?.quoted ?? [];
    const texts = listLocatedTexts(language, subject).map((placed) => ({
      ...placed,
      text: maskUncheckedTextParts(placed.text, quoted),
    }));
    return openings.flatMap(([open, close]) => {
      const closing = new RegExp(String.raw`[${close}](?=\s|$)`, 'g');
      const opened = texts.filter(({ text }) => text.includes(open));
      if (opened.length * 2 < texts.filter(({ text }) => text.match(closing)).length)
        return opened.map(({ file, pointer, text }) =>
          createFindingAt({
            file,
            pointer,
            value: text.replaceAll(open, ''),
          })(explain`"${open}" is not used in this language.
            Remove the mark.`),
        );
      return texts.flatMap(({ file, pointer, text }) => {
        if ((text.match(closing) ?? []).length <= text.split(open).length - 1) return [];
        return createFindingAt({ file, pointer })(explain`"${close}" has no "${open}".
          Write both, or neither.`);
      });
    });
  });

/** Kinds of quotation marks, as a pattern and an example. */
const quotationMarks = [
  [/«([^»]*)»/g, '«$1»'],
  [/“([^”]*)”/g, '“$1”'],
  [/"([^"]*)"/g, '"$1"'],
] as const;
/** Minimum number of texts from which a kind of quotation marks is the usual one. */
const minQuotingTexts = 3;

/** Reports quotation marks of another kind than in most texts of the language. */
const reportUnusualQuotationMarks: FindViolations<TextLintInput> = (subject) =>
  subject.set.languages.flatMap((language) => {
    const texts = listLocatedTexts(language, subject);
    const kinds = quotationMarks.map(([pattern, example]) => ({
      pattern,
      example,
      users: texts.filter(({ text }) => text.search(pattern) >= 0),
    }));
    const [usual, ...others] = kinds.toSorted((a, b) => b.users.length - a.users.length);
    if (!usual || usual.users.length < minQuotingTexts) return [];
    return others.flatMap(({ pattern, users }) =>
      users.map(({ file, pointer, text }) => {
        const value = text.replaceAll(pattern, usual.example);
        return createFindingAt({
          file,
          pointer,
          value,
        })(explain`The other texts quote like this: ${usual.example.replace('$1', '…')}.
          Write "${value}".`);
      }),
    );
  });

export const quotationMarkLintRule = createTextsLintRule(
  'text/quotes',
  'W',
  reportUnopenedMarks,
  reportUnusualQuotationMarks,
  checkEachTextWith('text/quotes', ({ file, pointer, text }) => {
    const count = (sign: string) => text.split(sign).length - 1;
    const all = [...markPairs, ...openings, ...markPairs.map(([begin, end]) => [end, begin] as const)];
    const [there, lacking] = all.find(([one, other]) => count(one) > count(other)) ?? [];
    if (there === undefined) return null;
    return createFindingAt({ file, pointer })(explain`"${there}" has no "${lacking ?? ''}".
    Write both, or neither.`);
  }),
);

const markPairs = ['«»', '“”', '()', '[]'].map(([begin = '', end = '']) => [begin, end] as const);
/** Opening and closing punctuation marks of Spanish. Other languages only have the closing marks. */
const openings = [
  [String.fromCodePoint(0xbf), '?'],
  [String.fromCodePoint(0xa1), '!'],
] as const;

export const braceLintRule = createTextLintRule('text/braces', 'E', ({ file, pointer, text }) => {
  const parts = [...text.matchAll(/\{+[^{}]*\}+|[{}]/g)].map(String);
  const wrong = parts.find((part) => !/^\{\w+\}$/.test(part));
  if (wrong === undefined) return null;
  const name = wrong.replaceAll(/[{}\s]/g, '');
  const value = /^\w+$/.test(name) ? text.replace(wrong, `{${name}}`) : undefined;
  return createFindingAt({ file, pointer, value })(explain`"${wrong}" is not a placeholder: it is displayed as text.
    Write {${name === '' ? 'x' : name}}, with one brace on each side and no spaces.`);
});
