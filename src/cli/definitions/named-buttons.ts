import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suggestName, type ProblemExplanation } from '../../engine/compiler/sources/localized-text.ts';
import { explain } from './localized-output.ts';

/** Names in mails and help pages: in quotation marks, or in bold that does not end with punctuation, as the beginning of a list item does. */
const quotedName = /[«“]([^»”\n{]+)[»”]/gu;
const boldName = /\*\*([^*\n]+)\*\*/gu;
const leadIn = /[.,:;?!]$|\{/u;

interface FileText {
  readonly file: string;
  readonly text: string;
}

interface UnknownName<Text extends FileText> extends ProblemExplanation {
  readonly text: Text;
  readonly index: number;
}

/** Finds the names in mails and help pages that no text of the portal has. */
export async function findUnknownNames<Text extends FileText>(
  root: string,
  texts: readonly Text[],
): Promise<readonly UnknownName<Text>[]> {
  const mentions = texts.flatMap((text) => {
    const isQuestion = text.file.includes('/preguntas/');
    const isDocument = isQuestion || text.file.endsWith('.txt');
    const found = isDocument ? [...text.text.matchAll(quotedName)] : [];
    const bold = isQuestion ? [...text.text.matchAll(boldName)].filter(([, name = '']) => !leadIn.test(name)) : [];
    return [...found, ...bold].map(({ 1: name = '', index }) => ({ text, name, index }));
  });
  if (mentions.length === 0) return [];
  const labels = texts.flatMap(({ text }) =>
    [...text.matchAll(/\[([^\]]+)\]\(/g)].map(([, label = '']) => `"${label}"`),
  );
  const known = [...(await readTextFiles(root, ['schemas', 'plugins', 'src/server'])), ...labels].join('\n');
  const names = [...known.matchAll(/"(\p{L}[^"{\n]{1,40})"(?!\s*:)/gu)].map(([, name = '']) => name);
  return mentions
    .filter(({ name }) => !known.includes(`"${name}"`))
    .map(({ text, name, index }) => ({
      text,
      index,
      ...explain`No button or text is called "${name}".
        ${suggestName(name, new Set(names))}Write the exact text of the button.`,
    }));
}

/** Reads the JSON files of folders, except schemas. */
export async function readTextFiles(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const files = folders.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true }).catch(() => []))
      .filter((name) => name.endsWith('.json') && !name.endsWith('schema.json'))
      .map((name) => readFile(join(root, folder, name), 'utf8')),
  );
  return Promise.all((await Promise.all(files)).flat());
}
