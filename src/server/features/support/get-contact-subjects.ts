import type { Language } from '../../../contract/portal-config.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import subjects from '../content/reference/contact-subjects.json' with { type: 'json' };

export function getContactSubjects(): Handler<'getContactSubjects'> {
  return async ({ origin: { language } }) => ({
    body: subjects.map((subject) => ({ id: subject.id, nombre: subject[language] })),
  });
}

/** Returns the id of a subject by its id or its name in either language. Returns `null` if there is none. */
export function findSubject(named: string): string | null {
  return subjects.find(({ id, es, pt }) => [id, es, pt].includes(named))?.id ?? null;
}

/** Returns the name of a subject. Returns `null` for an unknown id. */
export function subjectName(id: string, language: Language): string | null {
  return subjects.find((subject) => subject.id === id)?.[language] ?? null;
}
