import { baseLanguage, languages, type Language } from '../../contract/portal-config.ts';
import { fillPlaceholders } from '../../engine/core/messages.ts';
import type { MailOrHelpPage, StudioDefinitions } from '../studio-api-types.ts';
import { t } from '../texts.ts';
import { findFileVersion } from './definition-set.ts';
import type { ReorderableList } from './tasks/reorderable-list.ts';

export function listMailOrHelpPageTexts(
  { files }: Pick<StudioDefinitions, 'files'>,
  { files: own, template, texts }: MailOrHelpPage,
): readonly (readonly [Language, string])[] {
  return languages.flatMap((language) =>
    template === null
      ? [[language, files[own[language]]?.text ?? ''] as const]
      : texts.map((text) => [language, text.texts[language] ?? ''] as const),
  );
}

/** Returns the subject of a mail or the title of a help page. Returns the name if the subject comes from a table. */
export function resolveMailOrHelpPageTitle(set: Pick<StudioDefinitions, 'files'>, document: MailOrHelpPage): string {
  const text = listMailOrHelpPageTexts(set, document).find(([language]) => language === baseLanguage)?.[1] ?? '';
  if (document.kind === 'help') return parseHelpPage(text).title || document.name;
  const [subject = ''] = text.split('\n');
  return /^(\{\{\w+\}\})?$/.test(subject) ? document.name : subject;
}

interface Page {
  readonly title: string;
  readonly markdown: string;
}

/** Reads the title and the body of a help page. Includes lines that are shown only under a condition. */
export function parseHelpPage(text: string): Page {
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

export function fillHelpPagePlaceholders(
  { title, markdown }: Page,
  values: Readonly<Record<string, string | number>>,
): Page {
  return { title: fillPlaceholders(title, values), markdown: fillPlaceholders(markdown, values) };
}

export function listReorderableHelpLists(set: StudioDefinitions, document: MailOrHelpPage): readonly ReorderableList[] {
  const category = readKey(set, document, 'categoria');
  const questions = set.documents
    .filter((own) => own.kind === 'help' && category !== '' && readKey(set, own, 'categoria') === category)
    .map((question) => ({ question, place: Number(readKey(set, question, 'orden')) }))
    .sort((one, other) => one.place - other.place);
  const related = readKey(set, document, 'relacionadas').match(/[\w-]+/g) ?? [];
  const findQuestion = (slug: string) => set.documents.find(({ name }) => name === `preguntas/${slug}`);
  const orders: readonly ReorderableList[] = [
    {
      name: t('orderQuestions', { name: category }),
      items: questions.map(({ question }) => ({
        key: question.name,
        label: resolveMailOrHelpPageTitle(set, question),
      })),
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
        return { key: slug, label: question ? resolveMailOrHelpPageTitle(set, question) : slug };
      }),
      change: (keys) => createKeyChanges(set, document, 'relacionadas', `[${keys.join(', ')}]`),
    },
  ];
  return orders.filter(({ items }) => items.length > 1);
}

function readKey(set: StudioDefinitions, { files }: MailOrHelpPage, key: string): string {
  return readFrontMatterKey(set.files[files.es]?.text ?? '', key);
}

function createKeyChanges(set: StudioDefinitions, { files }: MailOrHelpPage, key: string, value: string) {
  return languages.map((language) => {
    const file = files[language];
    const text = (set.files[file]?.text ?? '').replace(new RegExp(`^${key}: .*$`, 'm'), () => `${key}: ${value}`);
    return { file, base: findFileVersion(set, file), text };
  });
}
