import { languages } from '../../../contract/portal-config.ts';
import type { FileChange, StudioDocument, StudioDefinitions } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { findFileVersion } from '../definition-set.ts';
import { readFrontMatterKey, resolveDocumentTitle } from '../documents.ts';
import type { ReorderableList } from './orders.ts';

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
