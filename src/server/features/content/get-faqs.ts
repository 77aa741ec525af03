import type { Answer } from '../../../contract/contract.ts';
import { fill } from '../../../engine/core/messages.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Category, Content, Question, Texts } from './content.ts';
import { contentValues } from './content-values.ts';
import { offeredTexts } from './offered.ts';

type Faq = Answer<'getFaqs'>[number]['faqs'][number];

/** The frequent questions by category, in the language of the request; with a slug that question alone. */
export function getFaqs({ content, config }: { content: () => Content; config: Config }): Handler<'getFaqs'> {
  const values = contentValues(config);
  return async ({ query, origin: { language } }) => {
    const texts = offeredTexts(content()[language] ?? { categories: [], pages: [] }, config);
    const wanted = query['slug'] === undefined ? texts.categories : categoriesWith(query['slug'], texts);
    if (query['slug'] !== undefined && wanted.length === 0) throw new OperationError(404, 'no_encontrado');
    return {
      body: wanted.map(({ name, questions }) => ({
        nombre: name,
        faqs: questions.map((question) => faqOf(question, name, texts, values)),
      })),
    };
  };
}

function categoriesWith(slug: string, { categories }: Texts): readonly Category[] {
  return categories
    .map((category) => ({ ...category, questions: category.questions.filter((question) => question.slug === slug) }))
    .filter(({ questions }) => questions.length > 0);
}

function faqOf(
  question: Question,
  category: string,
  { categories }: Texts,
  values: ReturnType<typeof contentValues>,
): Faq {
  const all = categories.flatMap(({ questions }) => questions);
  const related = question.related.flatMap((slug) => all.find((other) => other.slug === slug) ?? []);
  return {
    ...nameOf(question, values),
    respuesta: fill(question.answer, values),
    categorias: { nombre: category },
    faqs_relacionadas: related.map((other) => nameOf(other, values)),
  };
}

function nameOf(
  { slug, title }: Question,
  values: ReturnType<typeof contentValues>,
): Pick<Faq, 'id' | 'slug' | 'titulo'> {
  return { id: slug, slug, titulo: fill(title, values) };
}
