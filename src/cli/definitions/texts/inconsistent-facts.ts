import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import type { WordingRules } from '../../../engine/compiler/lint/wording/wording-faults.ts';
import { maskUncheckedTextParts } from '../../../engine/compiler/lint/wording/words.ts';
import { computeEditDistance } from '../../../engine/compiler/sources/localized-text.ts';
import { explain } from '../localized-output.ts';
import { toProblem } from './texts-outside-definitions.ts';
import type { ProjectText } from './read-project-texts.ts';
import { groupBy } from '../../../engine/core/json.ts';

/** A number or a proper name in a text, with the words around it that identify the fact. */
interface StatedFact {
  readonly text: ProjectText;
  readonly at: number;
  /** The words as written, such as `nivel Intermedio` or `30 días`. */
  readonly phrase: string;
  /** Subject of the fact, such as `nivel` or `días`. */
  readonly topic: string;
  /** `Intermedio` or `30`. */
  readonly value: string;
}

/** A text whose placeholders and quotations are masked. */
interface MaskedText {
  readonly text: ProjectText;
  readonly plain: string;
}

/** Minimum number of texts that state the usual value: for names, and for numbers that differ in one digit. */
const minUses = { name: 6, number: 2 } as const;
/** Maximum number of different names after one word. After a preposition, any name may follow. */
const maxNames = 4;

/** Matches a capitalized word after a noun: `nivel Intermedio`, `oficial de Uruguay`. Acronyms are not matched. */
const namePattern = /(?<![\p{L}\d.-])(\p{Ll}{4,}) (?:\p{Ll}{1,3} )?(\p{Lu}\p{Ll}{2,})(?![\p{L}\d-])/gu;
/** Matches numbers of at least five digits, such as those of laws. */
const numberPattern = /(?<![\p{L}\d.,/:+-])(?=(?:\.?\d){5})\d[\d.]*\d(?![\p{L}\d/-])/gu;

/**
 * Finds names and numbers that differ from what all other texts of their language say. Reports a file and its translation once. The findings are in
 * `language`.
 */
export function findInconsistentFacts(
  texts: readonly ProjectText[],
  wording: Readonly<Record<string, WordingRules>>,
  language: string,
): readonly DefinitionProblem[] {
  const read = texts.filter(({ readers }) => readers === 'everybody');
  const found = Object.entries(wording).flatMap(([name, rules]) => {
    const own = read.filter((text) => text.language === name);
    const masked = own.map((text) => ({ text, plain: maskUncheckedTextParts(text.text, rules.quoted) }));
    const list = (pattern: RegExp) => masked.flatMap(({ text, plain }) => listFacts(text, plain, pattern));
    const all = masked.map(({ plain }) => plain).join('\n');
    const unusual = [...findUnusualNames(list(namePattern), all), ...findUnusualNumbers(list(numberPattern))].map(
      ([{ text, at, phrase }, usual, count]) => {
        const fault = explain`Only this text says "${phrase}": ${count} others say "${usual}".
        Write the same, unless another thing is meant.`;
        return toProblem(locate(text, at), { rule: 'text/fact', severity: 'N', ...fault }, language);
      },
    );
    return [...unusual, ...findContradictions(masked, rules, language)];
  });
  return found.filter(
    ({ file }, index) =>
      !found
        .slice(0, index)
        .some((other) => other.file !== file && removeLanguage(other.file) === removeLanguage(file)),
  );
}

/** Returns the part of a path that a file and its translation share. */
function removeLanguage(path: string): string {
  return path.replace(/[./]\w\w(?=[./])/, '');
}

type Unusual = readonly [fact: StatedFact, usual: string, count: number];

function listFacts(text: ProjectText, plain: string, pattern: RegExp): readonly StatedFact[] {
  return [...plain.matchAll(pattern)].map(({ 0: phrase, 1: topic = '', 2: value = phrase, index: at }) => {
    return { text, at, phrase, topic, value };
  });
}

function locate(text: ProjectText, at: number): ProjectText {
  return { ...text, column: text.column + (text.pointer === '' ? at : 0) };
}

/** Finds names that occur once, after a word that only a few other names follow. `all` has all texts. */
function findUnusualNames(facts: readonly StatedFact[], all: string): readonly Unusual[] {
  return [...groupBy(facts, ({ topic }) => topic).values()].flatMap((ofTopic) => {
    const byName = [...groupBy(ofTopic, ({ value }) => value).values()].toSorted((a, b) => b.length - a.length);
    const [usual = []] = byName;
    if (usual.length < minUses.name || byName.length > maxNames) return [];
    return byName.slice(1).flatMap(([odd, ...more]): readonly Unusual[] => {
      const isOnlyHere = odd && more.length === 0 && all.split(odd.value).length === 2;
      return isOnlyHere ? [[odd, usual[0]?.phrase ?? '', usual.length]] : [];
    });
  });
}

/** Finds numbers that occur once, and differ from a number of other texts by one digit or by exchanged digits. */
function findUnusualNumbers(facts: readonly StatedFact[]): readonly Unusual[] {
  const byNumber = [...groupBy(facts, ({ value }) => value).values()];
  return byNumber.flatMap(([odd, ...more]): readonly Unusual[] => {
    const usual = byNumber.find(([other]) => odd && other && isMiswrittenNumber(odd.value, other.value)) ?? [];
    return odd && more.length === 0 && usual.length >= minUses.number
      ? [[odd, usual[0]?.phrase ?? '', usual.length]]
      : [];
  });
}

function isMiswrittenNumber(number: string, other: string): boolean {
  const sortDigits = (digits: string) => [...digits].sort().join('');
  return number !== other && (computeEditDistance(number, other) === 1 || sortDigits(number) === sortDigits(other));
}

/** Files whose texts are all about one thing, and the folder of the questions, which refer to each other. */
const singleTopic = /^(?:.*\/ui(?:\.\w+)?\.json$|.*\/preguntas\/|.*\.(?:txt|md)$)/;

/**
 * Finds references such as "los 30 días" whose number no text of the screen or document states, although one states another number of days. The
 * questions of the help count as one document.
 */
function findContradictions(
  texts: readonly MaskedText[],
  { articles = [], counts = [] }: WordingRules,
  language: string,
): readonly DefinitionProblem[] {
  const plurals = articles.slice(2).flat();
  if (plurals.length === 0) return [];
  const counted = new RegExp(
    String.raw`(?<![\p{L}\d.,:/])(?:${[String.raw`\d+`, ...counts].join('|')}) (\p{Ll}{3,})`,
    'gu',
  );
  const definite = new RegExp(String.raw`(?<!\p{L})(?:${plurals.join('|')}) $`, 'iu');
  const byTopic = groupBy(texts, ({ text: { file } }) => singleTopic.exec(file)?.[0] ?? '');
  return [...byTopic].flatMap(([topic, own]) => {
    const facts = topic === '' ? [] : own.flatMap(({ text, plain }) => listFacts(text, plain, counted));
    const isReference = ({ text, at }: StatedFact) => definite.test(text.text.slice(0, at));
    return facts.filter(isReference).flatMap(({ text, at, phrase, topic: noun }) => {
      const stated = facts.filter((fact) => fact.topic === noun && !isReference(fact));
      const [other] = stated;
      if (!other || stated.some((fact) => fact.phrase === phrase)) return [];
      const fault = explain`This refers to "${phrase}", but ${other.text.file}:${other.text.line} says "${other.phrase}".
        Write the same number in both, or another name for one of them.`;
      return toProblem(locate(text, at), { rule: 'text/fact', severity: 'N', ...fault }, language);
    });
  });
}
