import { baseLanguage, languages, type Language } from '../../contract/portal-config.ts';
import { fillPlaceholders } from '../../engine/core/messages.ts';
import type { StudioDocument, StudioDefinitions } from '../studio-data.ts';

export function listDocumentTexts(
  { files }: Pick<StudioDefinitions, 'files'>,
  { files: own, template, texts }: StudioDocument,
): readonly (readonly [Language, string])[] {
  return languages.flatMap((language) =>
    template === null
      ? [[language, files[own[language]]?.text ?? ''] as const]
      : texts.map((text) => [language, text.texts[language] ?? ''] as const),
  );
}

/** Returns the subject of a mail or the title of a help page. Returns the name if the subject comes from a table. */
export function resolveDocumentTitle(set: Pick<StudioDefinitions, 'files'>, document: StudioDocument): string {
  const text = listDocumentTexts(set, document).find(([language]) => language === baseLanguage)?.[1] ?? '';
  if (document.kind === 'help') return readPage(text).title || document.name;
  const [subject = ''] = text.split('\n');
  return /^(\{\{\w+\}\})?$/.test(subject) ? document.name : subject;
}

interface Page {
  readonly title: string;
  readonly markdown: string;
}

/** Reads the title and the body of a help page. Includes lines that are shown only under a condition. */
export function readPage(text: string): Page {
  return {
    title: readFrontMatterKey(text, 'titulo'),
    markdown: text.slice(readFrontMatter(text).length).replaceAll(/ *\{si (?:no )?\w+\}$/gm, ''),
  };
}

function readFrontMatter(text: string): string {
  return /^---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? '';
}

export function readFrontMatterKey(text: string, key: string): string {
  const value = new RegExp(`^${key}: *(.*)$`, 'm').exec(readFrontMatter(text))?.[1]?.trim() ?? '';
  return value.replace(/^(["'])(.*)\1$/, '$2');
}

export function fillPage({ title, markdown }: Page, values: Readonly<Record<string, string | number>>): Page {
  return { title: fillPlaceholders(title, values), markdown: fillPlaceholders(markdown, values) };
}
