import type { Answer } from '../../../contract/contract.ts';
import { fill } from '../../../engine/core/messages.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Category, Question, Texts } from './content.ts';
import { contentValues } from './content-values.ts';
import { offeredTexts } from './offered.ts';
import type { Parts } from '../parts.ts';

const none: Texts = { categories: [], pages: [] };

type Faq = Answer<'getFaqs'>[number]['faqs'][number];

/** Returns the frequent questions by category, in the language of the request. With a slug, returns only that question. */
export function getFaqs({ content, config }: Parts): Handler<'getFaqs'> {
  const values = contentValues(config);
  const made = new WeakMap<Texts, Map<string | undefined, Answer<'getFaqs'>>>();
  return async ({ query, origin: { language } }) => {
    const written = content()[language] ?? none;
    const bodies = made.get(written) ?? new Map<string | undefined, Answer<'getFaqs'>>();
    made.set(written, bodies);
    const slug = query['slug'];
    const before = bodies.get(slug);
    if (before !== undefined) return { body: before };
    const texts = offeredTexts(written, config);
    const wanted = slug === undefined ? texts.categories : categoriesWith(slug, texts);
    if (slug !== undefined && wanted.length === 0) throw new OperationError(404, 'no_encontrado');
    const body = wanted.map(({ name, questions }) => ({
      nombre: name,
      faqs: questions.map((question) => faqOf(question, name, texts, values)),
    }));
    bodies.set(slug, body); // bounded by the number of questions
    return { body };
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
