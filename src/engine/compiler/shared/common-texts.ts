import { escapePointer } from '../../core/json-pointer.ts';
import { asObject } from '../../core/json.ts';
import { listPlaceholders } from '../../core/messages.ts';
import { pickTextEntries } from '../files/index-plugins.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import { explain, findRenamed, suggestSimilarName } from '../sources/localized-text.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import type { SourceFile } from '../sources/source-file.ts';
import { explainRenamedKey } from './translation.ts';

/** Checks keys and placeholders of texts outside screens, and keys of catalogues, whose translation may have further keys. The translation of a file may be missing. */
export function checkCommonTexts(set: DefinitionFiles, problems: ProblemCollector): void {
  const { commonTexts, catalogues, baseLanguage, languages, unusableFiles } = set;
  for (const language of languages.slice(1)) {
    for (const [name, base] of commonTexts) {
      const twin = commonTexts.get(name.replace(/json$/, `${language}.json`));
      if (twin) checkTextTable(base, twin, problems);
    }
    const [base, twin] = [catalogues.get(baseLanguage), catalogues.get(language)];
    if (base && twin && !unusableFiles.includes(twin.path))
      reportMissingTexts(base, twin, listMissingKeys(base, twin), problems);
  }
}

/** Reports the keys that only one of two text tables has. A renamed key is reported once. */
function checkKeys(base: SourceFile, twin: SourceFile, problems: ProblemCollector): void {
  const there = pickTextEntries(base);
  const missing = new Set(listMissingKeys(base, twin));
  for (const key of Object.keys(asObject(twin.value))) {
    if (Object.hasOwn(there, key)) continue;
    const report = problems.report(twin)(`/${escapePointer(key)}`);
    const now = findRenamed(key, [...missing]);
    if (now === undefined)
      report(explain`${base.path} has no text of this key.
        ${suggestSimilarName(key, Object.keys(there))}Correct the key, or add it there.`);
    else {
      missing.delete(now);
      report(explainRenamedKey(key, now, base));
    }
  }
  reportMissingTexts(base, twin, missing, problems);
}

function listMissingKeys(base: SourceFile, twin: SourceFile): readonly string[] {
  const here = pickTextEntries(twin);
  return Object.keys(pickTextEntries(base)).filter((key) => !Object.hasOwn(here, key));
}

function reportMissingTexts(
  base: SourceFile,
  twin: SourceFile,
  keys: Iterable<string>,
  problems: ProblemCollector,
): void {
  for (const key of keys)
    problems.report(twin)(`/${escapePointer(key)}`)(explain`The text of ${`/${escapePointer(key)}`} is missing.
      Translate "${pickTextEntries(base)[key] ?? ''}", which is in ${base.path}.`);
}

function checkTextTable(base: SourceFile, twin: SourceFile, problems: ProblemCollector): void {
  checkKeys(base, twin, problems);
  const [there, here] = [pickTextEntries(base), pickTextEntries(twin)];
  for (const [key, text] of Object.entries(there)) {
    const pointer = `/${escapePointer(key)}`;
    const own = here[key] ?? text;
    const lost = listPlaceholders(text).find((place) => !listPlaceholders(own).includes(place));
    const other = listPlaceholders(own).find((place) => !listPlaceholders(text).includes(place));
    const isUsual = (name: string) => Object.values(there).some((text) => listPlaceholders(text).includes(name));
    if (lost !== undefined && other !== undefined) {
      const [file, twinFile, own, meant] = isUsual(other) ? [base, twin, lost, other] : [twin, base, other, lost];
      problems.report(file)(pointer)(explain`{${own}} is here, but ${twinFile.path} has {${meant}}.
        Write the same name in both: a value takes its place.`);
    } else if (lost !== undefined)
      problems.report(twin)(pointer)(explain`{${lost}} is missing here.
        Write it as in ${base.path}: it is replaced with a value.`);
    else if (other !== undefined)
      problems.report(twin)(pointer)(explain`{${other}} has no value here.
        Use the placeholders of ${base.path}.`);
  }
}
