import { isObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { placeholders } from '../../core/messages.ts';
import type { FileSet } from '../files/read-set.ts';
import { textTable } from '../files/text-table.ts';
import { say } from '../sources/say.ts';
import type { Problems, SourceFile } from '../sources/source-file.ts';

/** Checks that translations of texts outside screens have the same keys and placeholders. A file may have no translation. */
export function checkCommonTexts({ commonTexts, languages }: FileSet, problems: Problems): void {
  for (const [name, base] of commonTexts)
    for (const language of languages.slice(1)) {
      const twin = commonTexts.get(name.replace(/json$/, `${language}.json`));
      if (twin) checkTwin(base, twin, problems);
    }
}

function checkTwin(base: SourceFile, twin: SourceFile, problems: Problems): void {
  const [there, here] = [textTable(base), textTable(twin)];
  for (const [key, text] of Object.entries(there)) {
    const pointer = `/${escapePointer(key)}`;
    const own = here[key];
    if (own === undefined) {
      problems.add(
        twin,
        pointer,
        say`The text of ${pointer} is missing.`,
        say`Translate the text that stands in ${base.path}.`,
      );
      continue;
    }
    const lost = placeholders(text).find((place) => !placeholders(own).includes(place));
    const other = placeholders(own).find((place) => !placeholders(text).includes(place));
    if (lost !== undefined)
      problems.add(
        twin,
        pointer,
        say`{${lost}} is missing here.`,
        say`Write it as in ${base.path}: a value is put in its place.`,
      );
    if (other !== undefined)
      problems.add(twin, pointer, say`{${other}} has no value here.`, say`Take the placeholders of ${base.path}.`);
  }
  for (const key of Object.keys(isObject(twin.value) ? twin.value : {}))
    if (!Object.hasOwn(there, key))
      problems.add(
        twin,
        `/${escapePointer(key)}`,
        say`${base.path} has no text of this key.`,
        say`Remove it, or add it there.`,
      );
}
