import type { Language } from '../../../contract/portal-config.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import subjects from '../content/reference/contact-subjects.json' with { type: 'json' };

/** The subjects of the contact form, in the reader's language. */
export function getContactSubjects(): Handler<'getContactSubjects'> {
  return async ({ origin: { language } }) => ({
    body: subjects.map((subject) => ({ id: subject.id, nombre: subject[language] })),
  });
}

/** The id of a subject by its id or its name in either language; null of one that is not on the list. */
export function findSubject(named: string): string | null {
  return subjects.find(({ id, es, pt }) => [id, es, pt].includes(named))?.id ?? null;
}

/** The name of a subject; null of one that is not on the list. */
export function subjectName(id: string, language: Language): string | null {
  return subjects.find((subject) => subject.id === id)?.[language] ?? null;
}
