import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { localize } from '../localized-output.ts';
import type { ProjectText } from './read-project-texts.ts';
import type { TextChange } from './text-changes.ts';
import { toProblem } from './texts-outside-definitions.ts';
import { buttonPointer, listQuotedNames } from './unknown-button-names.ts';

/** Finds texts that quote a button or label by its name before a change. `listTexts` returns all texts of the project. */
export async function findRenamedNames(
  changes: readonly TextChange[],
  language: string,
  listTexts: () => Promise<readonly ProjectText[]>,
): Promise<readonly DefinitionProblem[]> {
  const renamed = changes.filter(({ pointer }) => pointer !== '');
  if (renamed.length === 0) return [];
  const texts = await listTexts();
  return renamed.flatMap(({ file, pointer, before, text: now, language: own }) => {
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
