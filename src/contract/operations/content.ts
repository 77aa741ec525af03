import { defineGetOperation, allRoles, type OperationDeclaration } from '../operation.ts';
import { listSchema, objectSchema, nullableTextSchema, textSchema } from '../schema-builders.ts';

/** Help and static pages (sections 2.3 and 7.1 of the specification), in the language of the request. */
export const operations = {
  getFaqs: defineGetOperation('/rest/faqs/', {
    query: ['slug'],
    answer: 'faqs',
    roles: allRoles,
    shared: true,
    summary:
      'Returns the frequent questions by category, or only the question with the given slug. An unknown slug returns 404.',
  }),
  getStaticPage: defineGetOperation('/rest/paginas-estaticas/:page/', {
    answer: 'staticPage',
    roles: allRoles,
    shared: true,
    summary: 'Returns a static page in Markdown, or 404 if it does not exist.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

const related = objectSchema({ id: textSchema, slug: textSchema, titulo: textSchema });

export const responseSchemas = {
  faqs: listSchema(
    objectSchema({
      nombre: textSchema,
      faqs: listSchema(
        objectSchema({
          /** `respuesta` is Markdown. */
          id: textSchema,
          slug: textSchema,
          titulo: textSchema,
          respuesta: textSchema,
          categorias: objectSchema({ nombre: textSchema }),
          faqs_relacionadas: listSchema(related),
        }),
      ),
    }),
  ),
  staticPage: objectSchema({
    titulo: textSchema,
    resumen: nullableTextSchema,
    /** Markdown. */
    contenido: textSchema,
    /** Layout. `metodos` is the page that compares the sign-in methods. */
    disposicion: { enum: ['tarjeta', 'metodos'] },
    /** Date of the last change in ISO 8601. */
    actualizada: nullableTextSchema,
  }),
} as const;
