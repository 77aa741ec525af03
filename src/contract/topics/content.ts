import { get, allRoles, type Operation } from '../operation.ts';
import { list, object, optionalText, text } from '../schema-builders.ts';

/** Help and static pages (sections 2.3 and 7.1), in the language of the request. */
export const operations = {
  getFaqs: get('/rest/faqs/', {
    query: ['slug'],
    answer: 'faqs',
    roles: allRoles,
    shared: true,
    summary: 'The frequent questions by category; with a slug that one alone, 404 for an unknown one.',
  }),
  getStaticPage: get('/rest/paginas-estaticas/:page/', {
    answer: 'staticPage',
    roles: allRoles,
    shared: true,
    summary: 'A static page in Markdown; 404 for an unknown one.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

const related = object({ id: text, slug: text, titulo: text });

export const answers = {
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
    /**
     * `contenido`: Markdown. `disposicion`: layout, where `metodos` lists the available methods. `actualizada`: date of the last change in ISO 8601.
     */
    titulo: text,
    resumen: optionalText,
    contenido: text,
    disposicion: { enum: ['tarjeta', 'metodos'] },
    actualizada: optionalText,
  }),
} as const;
