import { readCommittedFile } from '../../cli/definitions/changes-since.ts';
import { listMailPlaceholders, reportUnknownPlaceholders } from '../../cli/definitions/mail-placeholders.ts';
import { findMailProblems } from '../../cli/definitions/texts-outside-definitions.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import {
  DefinitionError,
  type Definitions,
  type DefinitionProblem,
  type FileTextOverrides,
} from '../../engine/compiler/definitions.ts';
import { loadContent } from '../../server/features/content/open-content.ts';
import type { VersionedFile } from '../studio-data.ts';
import { readVersionedFile } from './definition-files.ts';
import { isHelpFile, isMailFile, listDocuments } from './documents.ts';

/**
 * Returns the problems that changed texts cause in mails and help pages: new ones of the checker, and placeholders to
 * which the code assigns no value. `definitions` has the paths to which help pages may link.
 */
export async function findDocumentProblems(
  root: string,
  texts: FileTextOverrides,
  definitions: Definitions | null,
): Promise<readonly DefinitionProblem[]> {
  const mails = [...texts.keys()].filter(isMailFile);
  const find = async (changed: FileTextOverrides) => [
    ...(mails.length > 0 ? await findMailProblems(root, baseLanguage, baseLanguage, {}, changed) : []),
    ...(definitions && [...texts.keys()].some(isHelpFile) ? await findHelpProblems(root, definitions, changed) : []),
  ];
  const createKey = ({ file, message }: DefinitionProblem): string => `${file} ${message}`;
  const known = new Set((await find(new Map())).map(createKey));
  const found = (await find(texts)).filter((problem) => !known.has(createKey(problem)));
  return [...found, ...(await findUnknownPlaceholders(root, mails, texts))];
}

async function findHelpProblems(
  root: string,
  definitions: Definitions,
  texts: FileTextOverrides,
): Promise<readonly DefinitionProblem[]> {
  const { routes } = definitions.manifest(baseLanguage);
  try {
    await loadContent({ root, routes, languages, language: baseLanguage, texts });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

/** Finds placeholders that a mail has neither on disk nor in the last commit. Only code can add a value. */
async function findUnknownPlaceholders(
  root: string,
  changed: readonly string[],
  texts: FileTextOverrides,
): Promise<readonly DefinitionProblem[]> {
  const files = new Set(
    changed.flatMap((file) => languages.map((language) => file.replace(/\.[a-z]{2}\.txt$/, `.${language}.txt`))),
  );
  const saved = await Promise.all([...files].map((file) => readVersionedFile(root, file)));
  const committed = saved.map((own) => ({ ...own, text: readCommittedFile(root, own.file) ?? '' }));
  const after = saved.map((own) => ({ ...own, text: texts.get(own.file) ?? own.text }));
  const [before = [], past = [], now = []] = [saved, committed, after].map(listMailTexts);
  return now.flatMap(({ mail, file, text }) => {
    const known = [...before, ...past].filter((own) => own.mail === mail).map((own) => own.text);
    const used = listMailPlaceholders(text);
    const whole = texts.get(file) ?? '';
    const allowed = listMailPlaceholders([...known, '{{product}}'].join('\n'));
    return reportUnknownPlaceholders({ file, text: whole, used }, allowed, baseLanguage);
  });
}

interface MailText {
  readonly mail: string;
  readonly file: string;
  readonly text: string;
}

function listMailTexts(files: readonly VersionedFile[]): readonly MailText[] {
  const byName = Object.fromEntries(files.map((file) => [file.file, file]));
  return listDocuments(byName).flatMap(({ name, files: own, template, texts }): readonly MailText[] => {
    if (template === null)
      return languages.map((language) => {
        const file = own[language];
        return { mail: name, file, text: byName[file]?.text ?? '' };
      });
    const list = texts.flatMap((text) => Object.values(text.texts));
    return [{ mail: name, file: own[baseLanguage], text: list.join('\n') }];
  });
}
