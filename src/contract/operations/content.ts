import { get, allRoles, type Operation } from '../operation.ts';
import { list, object, optionalText, text } from '../schema-builders.ts';

/** Help and static pages (sections 2.3 and 7.1), in the language of the request. */
export const operations = {
  getFaqs: get('/rest/faqs/', {
    query: ['slug'],
    answer: 'faqs',
    roles: allRoles,
    shared: true,
    summary:
      'Returns the frequent questions by category, or only the question with the given slug. An unknown slug returns 404.',
  }),
  getStaticPage: get('/rest/paginas-estaticas/:page/', {
    answer: 'staticPage',
    roles: allRoles,
    shared: true,
    summary: 'Returns a static page in Markdown, or 404 if it does not exist.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

const related = object({ id: text, slug: text, titulo: text });

export const responses = {
  faqs: list(
    object({
      nombre: text,
      faqs: list(
        object({
          /** `respuesta` is Markdown. */
          id: text,
          slug: text,
          titulo: text,
          respuesta: text,
          categorias: object({ nombre: text }),
          faqs_relacionadas: list(related),
        }),
      ),
    }),
  ),
  staticPage: object({
    titulo: text,
    resumen: optionalText,
    /** Markdown. */
    contenido: text,
    /** Layout. `metodos` is the page that compares the sign-in methods. */
    disposicion: { enum: ['tarjeta', 'metodos'] },
    /** Date of the last change in ISO 8601. */
    actualizada: optionalText,
  }),
} as const;
