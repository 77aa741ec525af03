import { findRenamed } from '../../../engine/compiler/sources/localized-text.ts';
import { fileStart, localize, buildContentPath, type ReportContentProblem, type ContentFile } from './content-file.ts';

/** Reports each language in which a content file has no translation. A file that was renamed in one language is reported once, in the first language. */
export function checkTranslationsExist(
  file: ContentFile,
  { files, languages }: { readonly files: readonly ContentFile[]; readonly languages: readonly string[] },
  reportProblem: ReportContentProblem,
): void {
  for (const language of languages.filter((other) => other !== file.language)) {
    const twin = buildContentPath({ ...file, language });
    if (files.some(({ path }) => path === twin)) continue;
    const name = findRenamedTwin(file, language, files);
    if (name === undefined)
      reportProblem(fileStart, localize`There is no ${twin}.`, localize`Translate the file, or remove it.`);
    else if (file.language === languages[0])
      reportProblem(
        fileStart,
        localize`There is no ${twin}, and ${buildContentPath({ ...file, language, name })} has no counterpart either: did you rename one of the two?`,
        localize`Give both files the same name, or translate each of them.`,
      );
  }
}

/** Returns the name that the translation of a file without one probably has: that of a file in `language` without an original. */
function findRenamedTwin({ kind, name, language: own }: ContentFile, language: string, files: readonly ContentFile[]) {
  const listSingleNames = (from: string, to: string) =>
    files
      .filter((file) => file.kind === kind && file.language === from)
      .filter((file) => !files.some(({ path }) => path === buildContentPath({ ...file, language: to })))
      .map((file) => file.name);
  const found = findRenamed(name, listSingleNames(language, own));
  return found !== undefined && findRenamed(found, listSingleNames(own, language)) === name ? found : undefined;
}
