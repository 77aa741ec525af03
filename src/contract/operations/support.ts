import { defineGetOperation, definePostOperation, allRoles, type OperationDeclaration } from '../operation.ts';
import { listSchema, nullableInputTextSchema, objectSchema, textSchema } from '../schema-builders.ts';

export const operations = {
  getContactSubjects: defineGetOperation('/rest/contacto/asuntos/', {
    answer: 'contactSubjects',
    roles: allRoles,
    summary: 'Returns the subjects available for a contact message.',
  }),
  sendContactMessage: definePostOperation('/contacto/enviar/', {
    screen: 'contacto',
    reads: {
      nombre_completo: 'string',
      pais_emisor: 'string',
      tipo_documento: 'string',
      numero_documento: 'string',
      email: 'string',
      telefono: 'string',
      asunto: 'string',
      mensaje: 'string',
    },
    allowsExtraFields: true,
    answer: 'messageTaken',
    roles: allRoles,
    captcha: true,
    limit: 'contact',
    counts: { document: ['pais_emisor', 'tipo_documento', 'numero_documento'], email: 'email' },
    summary:
      'Sends a message to support. The bearer token determines whether the sender is signed in. The field `logueado` is ignored.',
  }),
  sendFeedback: definePostOperation('/rest/feedback-form/', {
    body: 'feedback',
    aliases: {
      pregunta1: 'pregunta_1',
      pregunta2: 'pregunta_2',
      pregunta3Checkbox1: 'pregunta_3_checkbox_1',
      pregunta3Checkbox2: 'pregunta_3_checkbox_2',
      pregunta3Checkbox3: 'pregunta_3_checkbox_3',
      pregunta3Checkbox4: 'pregunta_3_checkbox_4',
      pregunta3Checkbox5: 'pregunta_3_checkbox_5',
      pregunta3Checkbox6: 'pregunta_3_checkbox_6',
      pregunta4: 'pregunta_4',
      captchaResponse: 'captcha_response',
    },
    validators: {
      feedback: {
        pregunta_1: 'number',
        pregunta_2: 'number',
        pregunta_3_checkbox_1: 'boolean',
        pregunta_3_checkbox_2: 'boolean',
        pregunta_3_checkbox_3: 'boolean',
        pregunta_3_checkbox_4: 'boolean',
        pregunta_3_checkbox_5: 'boolean',
        pregunta_3_checkbox_6: 'boolean',
        pregunta_4: 'string',
        email: 'string',
        captcha_response: 'string',
      },
    },
    answer: 'messageTaken',
    roles: allRoles,
    limit: 'feedback',
    summary:
      'Submits a visitor’s feedback about a page. The names of the newer variant (`pregunta1`, `pregunta3Checkbox1`, `captchaResponse`) are aliases.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  contactSubjects: listSchema(objectSchema({ id: textSchema, nombre: textSchema })),
  /** `next`: page that replaces the confirmation. `numero`: number of the message at the desk. `plazo`: promised date of the answer (`YYYY-MM-DD`). */
  messageTaken: objectSchema({}, { next: textSchema, numero: textSchema, plazo: textSchema }),
} as const;

/** Schema of an integer or the text that a radio button sends for it. */
const integerOrText = { type: ['integer', 'string', 'null'] } as const;
const nullableBoolean = { type: ['boolean', 'null'] } as const;
/** Schema of a text whose length and format are checked by the rules of the screen, which have their own messages. */
const uncheckedText = { type: ['string', 'null'] } as const;

export const requestBodySchemas = {
  /** `util`: answer to the question in the footer. `pagina`: page on which the question was answered. */
  feedback: objectSchema(
    {},
    {
      pregunta_1: integerOrText,
      pregunta_2: integerOrText,
      pregunta_4: uncheckedText,
      email: uncheckedText,
      captcha_response: uncheckedText,
      pregunta_3_checkbox_1: nullableBoolean,
      pregunta_3_checkbox_2: nullableBoolean,
      pregunta_3_checkbox_3: nullableBoolean,
      pregunta_3_checkbox_4: nullableBoolean,
      pregunta_3_checkbox_5: nullableBoolean,
      pregunta_3_checkbox_6: nullableBoolean,
      util: nullableInputTextSchema,
      pagina: nullableInputTextSchema,
    },
  ),
} as const;
