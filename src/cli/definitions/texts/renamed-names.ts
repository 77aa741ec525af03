import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { listModifiedFiles, readCommittedFile } from '../definition-changes.ts';
import { localize } from '../localized-output.ts';
import { indexTextsByAddress } from './outdated-translations.ts';
import { findTextLanguage, type ProjectText } from './read-project-texts.ts';
import { toProblem } from './texts-outside-definitions.ts';
import { buttonPointer, listQuotedNames } from './unknown-button-names.ts';

/** A text with its content in the last commit. */
interface RenamedText {
  readonly file: string;
  readonly language: string;
  readonly pointer: string;
  readonly before: string;
  readonly now: string;
}

/**
 * Finds texts that quote a button or label by its name in the last commit. `languages` has the base language first. `listTexts` returns all texts of the
 * project.
 */
export async function findRenamedNames(
  root: string,
  languages: readonly string[],
  language: string,
  listTexts: () => Promise<readonly ProjectText[]>,
): Promise<readonly DefinitionProblem[]> {
  const changed = listModifiedFiles(root, 'HEAD', ['schemas', 'plugins']).filter((file) => file.endsWith('.json'));
  const renamed = (await Promise.all(changed.map((file) => listRenamedTexts(root, file, languages)))).flat();
  if (renamed.length === 0) return [];
  const texts = await listTexts();
  return renamed.flatMap(({ file, pointer, before, now, language: own }) => {
    const ofLanguage = texts.filter((text) => text.language === own);
    const remaining = ofLanguage.filter(({ text }) => text === before);
    return ofLanguage.flatMap((text) => {
      const mention = listQuotedNames(text).find(({ name }) => name === before);
      const isUnchanged = remaining.some((other) => text.file !== file || other.file === file);
      if (!mention || isUnchanged) return [];
      const message = buttonPointer.test(pointer)
        ? localize`The button "${before}" of ${file} is now called "${now}".`
        : localize`The text "${before}" of ${file} is now "${now}".`;
      const { line, column } = text;
      const place = { ...text, line, column: column + (text.pointer === '' ? mention.index : 0) };
      const fault = { rule: 'text/button', message, hint: localize`Write it like this.` };
      return toProblem(place, fault, language);
    });
  });
}

async function listRenamedTexts(
  root: string,
  file: string,
  languages: readonly string[],
): Promise<readonly RenamedText[]> {
  const before = indexTextsByAddress(readCommittedFile(root, file) ?? '');
  const now = indexTextsByAddress(await readFile(join(root, file), 'utf8'));
  return [...before].flatMap(([pointer, text]) => {
    const current = now.get(pointer);
    if (current === undefined || current === text) return [];
    return { file, language: findTextLanguage({ file, pointer }, languages), pointer, before: text, now: current };
  });
}

/** Omits findings about names that another finding explains. */
export function omitRenamedNames(
  problems: readonly DefinitionProblem[],
  renamed: readonly DefinitionProblem[],
): readonly DefinitionProblem[] {
  const getPlace = ({ rule, file, line, message }: DefinitionProblem) =>
    [rule, file, line, /"[^"]*"/.exec(message)?.[0]].join(' ');
  const places = new Set(renamed.map(getPlace));
  return problems.filter((problem) => !places.has(getPlace(problem)));
}
