import { everyone, type Call } from '../call.ts';
import { optionalText, text } from '../shapes.ts';

/** The help and the static pages (sections 2.3 and 7.1 of the specification), in the language of the request. */
export const contentCalls = {
  getFaqs: {
    method: 'GET',
    path: '/rest/faqs/',
    host: 'backend',
    query: ['slug'],
    answer: 'faqs',
    roles: everyone,
    shared: true,
    summary: 'The frequent questions by category; with a slug that one alone, 404 for an unknown one.',
  },
  getStaticPage: {
    method: 'GET',
    path: '/rest/paginas-estaticas/:page/',
    host: 'backend',
    answer: 'staticPage',
    roles: everyone,
    shared: true,
    summary: 'A static page in Markdown; 404 for an unknown one.',
  },
} as const satisfies Readonly<Record<string, Call>>;

const related = {
  type: 'object',
  required: ['id', 'slug', 'titulo'],
  properties: { id: text, slug: text, titulo: text },
  additionalProperties: false,
} as const;

/** Answers of the calls above. */
export const contentAnswers = {
  faqs: {
    type: 'array',
    items: {
      type: 'object',
      required: ['nombre', 'faqs'],
      properties: {
        nombre: text,
        faqs: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'slug', 'titulo', 'respuesta', 'categorias', 'faqs_relacionadas'],
            /** `respuesta`: Markdown. */
            properties: {
              id: text,
              slug: text,
              titulo: text,
              respuesta: text,
              categorias: {
                type: 'object',
                required: ['nombre'],
                properties: { nombre: text },
                additionalProperties: false,
              },
              faqs_relacionadas: { type: 'array', items: related },
            },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
  staticPage: {
    type: 'object',
    required: ['titulo', 'resumen', 'contenido', 'disposicion', 'actualizada'],
    /** `contenido`: Markdown; `metodos`: the layout of the available methods; `actualizada`: the day of the last change, ISO 8601, or null. */
    properties: {
      titulo: text,
      resumen: optionalText,
      contenido: text,
      disposicion: { enum: ['tarjeta', 'metodos'] },
      actualizada: optionalText,
    },
    additionalProperties: false,
  },
} as const;
