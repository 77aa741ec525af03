import type { Config } from '../../platform/config/config.ts';
import { listOffers } from './content-values.ts';
import type { Texts } from './content.ts';

/** `{si x}` or `{si no x}` at the end of a line. The line is only shown if the portal offers feature x (with `no`: if it does not). */
export const conditionPattern = / *\{si (no )?(\w+)\}$/;

/** Removes the texts whose conditions the portal does not meet. */
export function offeredTexts({ categories, pages }: Texts, config: Config): Texts {
  const offers = listOffers(config);
  const asked = categories.map((category) => ({
    ...category,
    questions: category.questions
      .filter(({ only }) => only === null || offers.has(only))
      .map((question) => ({ ...question, answer: offeredLines(question.answer, offers) })),
  }));
  return {
    categories: asked.filter(({ questions }) => questions.length > 0),
    pages: pages.map((page) => ({ ...page, body: offeredLines(page.body, offers) })),
  };
}

function offeredLines(text: string, offers: ReadonlySet<string>): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [, not, name = ''] = conditionPattern.exec(line) ?? [];
      if (name === '') return [line];
      return offers.has(name) === (not === undefined) ? [line.replace(conditionPattern, '')] : [];
    })
    .join('\n');
}
