import { baseLanguage, languages, type Language } from '../../contract/portal-config.ts';
import { fillPlaceholders } from '../../engine/core/messages.ts';
import type { FileChange, StudioDocument, StudioDefinitions } from '../studio-data.ts';
import { t } from '../texts.ts';
import { findFileVersion } from './definition-set.ts';
import type { ReorderableList } from './tasks/orders.ts';

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

function readFrontMatterKey(text: string, key: string): string {
  const value = new RegExp(`^${key}: *(.*)$`, 'm').exec(readFrontMatter(text))?.[1]?.trim() ?? '';
  return value.replace(/^(["'])(.*)\1$/, '$2');
}

export function fillPage({ title, markdown }: Page, values: Readonly<Record<string, string | number>>): Page {
  return { title: fillPlaceholders(title, values), markdown: fillPlaceholders(markdown, values) };
}

export function listReorderableHelpLists(set: StudioDefinitions, document: StudioDocument): readonly ReorderableList[] {
  const category = readKey(set, document, 'categoria');
  const questions = set.documents
    .filter((own) => own.kind === 'help' && category !== '' && readKey(set, own, 'categoria') === category)
    .map((question) => ({ question, place: Number(readKey(set, question, 'orden')) }))
    .toSorted((one, other) => one.place - other.place);
  const related = readKey(set, document, 'relacionadas').match(/[\w-]+/g) ?? [];
  const findQuestion = (slug: string) => set.documents.find(({ name }) => name === `preguntas/${slug}`);
  const orders: readonly ReorderableList[] = [
    {
      name: t('orderQuestions', { name: category }),
      items: questions.map(({ question }) => ({ key: question.name, label: resolveDocumentTitle(set, question) })),
      change: (keys) =>
        keys.flatMap((key, index) => {
          const moved = questions.find(({ question }) => question.name === key);
          const place = questions[index]?.place;
          return moved && place !== undefined && moved.place !== place
            ? createKeyChanges(set, moved.question, 'orden', String(place))
            : [];
        }),
    },
    {
      name: t('orderRelated'),
      items: related.map((slug) => {
        const question = findQuestion(slug);
        return { key: slug, label: question ? resolveDocumentTitle(set, question) : slug };
      }),
      change: (keys) => createKeyChanges(set, document, 'relacionadas', `[${keys.join(', ')}]`),
    },
  ];
  return orders.filter(({ items }) => items.length > 1);
}

function readKey(set: StudioDefinitions, { files }: StudioDocument, key: string): string {
  return readFrontMatterKey(set.files[files.es]?.text ?? '', key);
}

function createKeyChanges(
  set: StudioDefinitions,
  { files }: StudioDocument,
  key: string,
  value: string,
): readonly FileChange[] {
  return languages.map((language) => {
    const file = files[language];
    const text = (set.files[file]?.text ?? '').replace(new RegExp(`^${key}: .*$`, 'm'), () => `${key}: ${value}`);
    return { file, base: findFileVersion(set, file), text };
  });
}
