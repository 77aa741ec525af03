import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DefinitionProblem, FileTextOverrides } from '../../../engine/compiler/definitions.ts';
import { findMarkup } from '../../../engine/compiler/sources/find-markup.ts';
import type { WordingRules } from '../../../engine/compiler/lint/wording/wording-faults.ts';
import { createWordFinder } from '../../../engine/compiler/lint/wording/words.ts';
import type { ProblemExplanation } from '../../../engine/compiler/sources/localized-text.ts';
import { listFiles } from '../../project.ts';
import { explain, explainExchanged, localize } from '../localized-output.ts';
import {
  explainUnknownPlaceholder,
  listMailPlaceholders,
  listUnknownPlaceholders,
  mailByTextTable,
  readDeclaredPlaceholders,
} from './mail-placeholders.ts';
import { listParagraphs } from './paragraphs.ts';
import { toProblem } from './texts-outside-definitions.ts';
import { findUnmatchedParagraph, type DocumentPair } from './unmatched-paragraph.ts';

const mailFilePattern = /^(.*\/mails\/[\w-]+)\.(\w+)\.txt$/;
const linkLine = /^\[.+\]\(\{\{\w+\}\}\)$/;
/** Matches parts of a link that is incomplete or not on its own line, and URLs. */
const linkPart = /\]\s*[({]|\(\{\{\w+\}\}|https?:\/\//;

interface Mail {
  readonly file: string;
  readonly language: string;
  readonly text: string;
}

type Report = (index: number, rule: string, problem: ProblemExplanation) => DefinitionProblem;

/**
 * Finds invalid placeholders, links and layouts in mails, and differences between their languages. `wording` has the
 * wording rules for each language of the mails. The findings are in `language`. `changed` has the texts to check instead
 * of those on disk.
 */
export async function findMailProblems(
  root: string,
  baseLanguage: string,
  language: string,
  wording: Readonly<Record<string, WordingRules>> = {},
  changed: FileTextOverrides = new Map(),
): Promise<readonly DefinitionProblem[]> {
  const mails = await readMails(root, changed);
  const declaredOf = await readDeclaredPlaceholders(root);
  const languages = [...new Set([...mails.values()].flat().map((mail) => mail.language))];
  const pairs = [...mails.values()].flatMap((versions) => {
    const base = versions.find((mail) => mail.language === baseLanguage);
    const others = versions.filter((mail) => base && mail !== base);
    return others.map((mail): DocumentPair => [base ?? mail, mail]);
  });
  return [...mails].flatMap(([name, versions]) => {
    const declared = declaredOf(basename(name));
    const base = versions.find((mail) => mail.language === baseLanguage);
    const found = versions.flatMap((mail) => {
      const report = createMailTextReporter(mail, language);
      const unknown = declared ? listUnknownPlaceholders(mail.text, declared) : [];
      return [
        ...findFaults(mail, report, wording[mail.language], [...mails.values()].flat()),
        ...unknown.map((own) =>
          report(mail.text.indexOf(own), 'text/placeholder', explainUnknownPlaceholder(own, declared ?? [])),
        ),
      ];
    });
    const copied = versions.flatMap((mail) => findCopiedSubject(mail, [...mails.values()].flat(), language));
    if (found.length + copied.length > 0) return [...found, ...copied.slice(0, 1)];
    const missing = languages.filter((own) => !versions.some((mail) => mail.language === own));
    const [first] = versions;
    const report = first && createMailTextReporter(first, language);
    if (report && missing.length > 0)
      return missing.map((own) => {
        const fault = explain`There is no ${name}.${own}.txt: the mail cannot be sent in this language.
          Translate this file, or restore the missing one.`;
        return report(0, 'text/pair', fault);
      });
    const unused = listUnusedPlaceholders(basename(name), versions, declared ?? []);
    const written = base && unused.length > 0 ? findWrittenValue(base, '', wording[base.language]) : undefined;
    if (base && written) {
      const others = languages.filter((own) => own !== base.language).map((own) => `.${own}.txt`);
      const fault = explain`This mail says "${written.value}" and does not use ${unused.join(', ')}.
        Write ${unused.join(', ')} here and in the ${others.join(', ')}.`;
      return createMailTextReporter(base, language)(written.index, 'text/placeholder', fault);
    }
    if (report && unused.length > 0) {
      const fault = explain`This mail says ${unused.join(', ')} in no language.
        Write it in place of the value, which may change.`;
      return report(0, 'text/placeholder', fault);
    }
    return versions.flatMap((mail) =>
      base && mail !== base ? findDifference(base, mail, wording, pairs, language) : [],
    );
  });
}

/** Finds the subject of a mail in an earlier mail of another folder, from which it was probably copied. */
function findCopiedSubject(mail: Mail, all: readonly Mail[], language: string): readonly DefinitionProblem[] {
  const getSubject = ({ text }: Mail) => text.split('\n')[0] ?? '';
  const original = all.find(
    (other) =>
      other.language === mail.language &&
      other.file < mail.file &&
      dirname(other.file) !== dirname(mail.file) &&
      getSubject(other) === getSubject(mail),
  );
  if (!original || /^\s*$|^\{\{\w+\}\}$/.test(getSubject(mail))) return []; // the subject is in a table
  const fault = explain`"${getSubject(mail)}" is also the subject of ${original.file}.
    Write in each subject what its mail is about.`;
  return [createMailTextReporter(mail, language)(0, 'ui/twice', fault)];
}

/** Returns the declared placeholders that no version of a mail contains. Skips mails whose sentences come from a table. */
function listUnusedPlaceholders(name: string, versions: readonly Mail[], declared: readonly string[]) {
  if (Object.values(mailByTextTable).includes(name)) return [];
  const used = versions.flatMap(({ text }) => listMailPlaceholders(text)).map((own) => own.replace('>', ''));
  return declared.filter((placeholder) => placeholder !== '{{product}}' && !used.includes(placeholder));
}

/** Finds the first duration, e-mail address, date or number that a mail contains and `other` does not. */
function findWrittenValue(mail: Mail, other: string, { spans = {}, counts = [] }: Partial<WordingRules> = {}) {
  const number = [String.raw`\d+`, ...counts].join('|');
  const units = Object.keys(spans).join('|');
  const duration = String.raw`(?<![\p{L}\d])(?:${number})\s+(?:${units})(?!\p{L})`;
  const value = String.raw`[\w.+-]+@[\w-]+\.[\w.-]*\w|(?<![\p{L}\d])\d(?:[\d/.:-]*\d)?(?![\p{L}\d])`;
  return (units === '' ? [value] : [duration, value])
    .flatMap((pattern) => [...mail.text.matchAll(new RegExp(pattern, 'giu'))])
    .map(({ 0: found, index }) => ({ value: found, index }))
    .find((found) => !other.includes(found.value));
}

async function readMails(root: string, changed: FileTextOverrides): Promise<ReadonlyMap<string, readonly Mail[]>> {
  const mails = new Map<string, Mail[]>();
  for (const file of await listFiles(root, ['src/server'], (path) => mailFilePattern.test(path))) {
    const [, name = '', language = ''] = mailFilePattern.exec(file) ?? [];
    const text = changed.get(file) ?? (await readFile(join(root, file), 'utf8'));
    mails.set(name, [...(mails.get(name) ?? []), { file, language, text }]);
  }
  return mails;
}

export function createMailTextReporter({ file, text }: Pick<Mail, 'file' | 'text'>, language: string): Report {
  return (index, rule, problem) => {
    const before = text.slice(0, index).split('\n');
    const place = { file, line: before.length, column: (before.at(-1) ?? '').length + 1, pointer: '' };
    return toProblem(place, { rule, ...problem }, language);
  };
}

function* findFaults(
  mail: Mail,
  report: Report,
  wording: WordingRules | undefined,
  all: readonly Mail[],
): Iterable<DefinitionProblem> {
  const { text } = mail;
  const lines = text.split('\n');
  const [subject = '', second = ''] = lines;
  if (subject.trim() === '')
    yield report(
      0,
      'text/unfinished',
      explain`The mail has no subject.
      Write it on the first line, followed by a blank line.`,
    );
  else if (isInBody(subject, mail, all))
    return yield report(
      0,
      'text/unfinished',
      explain`The mail has no subject: its first line is "${subject}".
      Write it on the first line, followed by a blank line.`,
    );
  else if (second.trim() !== '' && !/\{\{?code\}/.test(subject))
    // after a subject with the one-use code, the second line may be a heading
    yield report(
      subject.length + 1,
      'text/unfinished',
      explain`"${second}" is directly below the subject.
      Put a blank line after the subject.`,
    );
  for (const [number, line] of lines.entries())
    yield* findMailLineFaults(line, lines.slice(0, number).join('\n').length + (number > 0 ? 1 : 0), report, {
      isAlone: !lines[number - 1]?.trim() && !lines[number + 1]?.trim(),
    });
  const [announced] = linkPart.test(text) ? [] : createWordFinder(wording?.links ?? [])(text);
  if (announced)
    yield report(
      announced.at,
      'text/link',
      explain`The text says "${announced.word}", but this mail has no link.
      Write it on its own line: [What it does]({{link}}).`,
    );
}

/** Whether another mail has the first line of a mail below its subject. Such a line is a salutation. */
function isInBody(line: string, mail: Mail, all: readonly Mail[]): boolean {
  return all.some(
    ({ file, language, text }) =>
      file !== mail.file && language === mail.language && text.split('\n').indexOf(line) > 0,
  );
}

/** Finds the first fault of a line: braces, links or markup that are displayed as written. `start` is the index of the line in the mail. */
export function* findMailLineFaults(
  line: string,
  start: number,
  report: Report,
  { isAlone }: { readonly isAlone: boolean },
): Iterable<DefinitionProblem> {
  const braces = [...line.matchAll(/\{+[^{}]*\}+|\{\{\w+|\w+\}\}/g)].find(([part]) => !/^\{\{>?\w+\}\}$/.test(part));
  if (braces) {
    const [part] = braces;
    return yield report(start + braces.index, 'text/braces', {
      message: localize`"${part}" is not a placeholder: it is displayed as text.`,
      hint: localize`In a mail, write {{${part.replaceAll(/[{}\s]/g, '')}}}, with two braces on each side and no spaces.`,
    });
  }
  const isLink = linkLine.test(line);
  const part = isLink && isAlone ? null : linkPart.exec(line);
  if (isLink ? !isAlone : part)
    return yield report(
      start + (part?.index ?? 0),
      'text/link',
      explain`"${line}" is not a link of a mail: it is displayed as text.
      Write it on its own line, with a blank line before and after: [What it does]({{link}}).`,
    );
  const markup = isLink ? null : findMarkup(line);
  if (markup)
    yield report(
      start + markup.index,
      'text/markup',
      explain`Mails are displayed as written: "${markup.sign}" appears with its markup.
      Write plain text.`,
    );
}

/** Finds the first difference between a mail and its translation: placeholders, paragraphs, or the order of either. */
function findDifference(
  base: Mail,
  other: Mail,
  wording: Readonly<Record<string, WordingRules>>,
  pairs: readonly DocumentPair[],
  language: string,
): readonly DefinitionProblem[] {
  for (const [from, to] of [
    [base, other],
    [other, base],
  ] as const) {
    const report = createMailTextReporter(to, language);
    const missing = listMailPlaceholders(from.text).filter((own) => !listMailPlaceholders(to.text).includes(own));
    if (missing.length === 0) continue;
    const written = findWrittenValue(to, from.text, wording[to.language]);
    if (written) {
      const fault = explain`This mail says "${written.value}" and does not use ${missing.join(', ')}.
        Write ${missing.join(', ')} here, as in ${from.file}.`;
      return [report(written.index, 'text/placeholder', fault)];
    }
    const line = from.text.split('\n').findIndex((text) => text.includes(missing[0] ?? ''));
    const index = to.text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0);
    const fault = explain`${missing.join(', ')} is missing here: ${from.file} has it.
      Write it where that file has it, or remove it there.`;
    return [report(index, 'text/pair', fault)];
  }
  const unmatched = findUnmatchedParagraph([base, other], pairs, language);
  if (unmatched.length > 0) return unmatched;
  const list = (paragraph: string) => [...listMailPlaceholders(paragraph)].sort().join(', ') || '–';
  const [there, own] = [listParagraphs(base.text), listParagraphs(other.text)];
  const lists = own.map(({ text }, index) => ({ text, here: list(text), there: list(there[index]?.text ?? '') }));
  const at = lists.findIndex((paragraph, index) => index > 0 && paragraph.here !== paragraph.there);
  const found = lists[at];
  if (!found) return [];
  const index = other.text.indexOf(found.text) + Math.max(0, found.text.indexOf('{{'));
  const isExchanged = lists.slice(at).some((second) => second.here === found.there && second.there === found.here);
  const report = createMailTextReporter(other, language);
  return isExchanged
    ? [report(index, 'text/exchanged', explainExchanged(found.here, found.there, base.file))]
    : [
        report(
          index,
          'text/pair',
          explain`This paragraph has ${found.here}, and in ${base.file} it has ${found.there}.
          Write the same placeholders in both.`,
        ),
      ];
}
