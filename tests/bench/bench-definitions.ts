import type { BenchField, BenchForm } from './bench-forms.ts';

const texts = {
  required: 'Este es un dato requerido',
  type: 'Tipo',
  additionalProperties: 'Sobra',
  pattern: 'El formato no es válido',
  enum: 'El formato no es válido',
  const: 'Requerido',
};

/** Generates definition files for bench forms, as an analyst would write them. */
export function createDefinitionFiles(forms: readonly BenchForm[]): Readonly<Record<string, unknown>> {
  return Object.assign({ 'schemas/_shared/messages.json': texts }, ...forms.map(filesOf)) as Record<string, unknown>; // Object.assign returns `any` for spread arguments
}

function filesOf({ id, title, fields }: BenchForm): Record<string, unknown> {
  const screen = `form-${id.toLowerCase()}`;
  const document = fields.find(({ rule }) => rule === 'documento');
  return {
    [`schemas/${screen}/schema.json`]: {
      type: 'object',
      required: fields.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
      ...(document ? { documentNumber: { country: 'paisEmisor', type: 'tipoDocumento', number: document.name } } : {}),
    },
    [`schemas/${screen}/ui.json`]: {
      title,
      showErrors: 'change',
      fields: Object.fromEntries(fields.map((field) => [field.name, uiOf(field)])),
      visible: Object.fromEntries(
        fields.flatMap(({ name, showIf }) =>
          showIf ? [[name, { '==': [{ var: `form.${showIf.field}` }, showIf.equals] }]] : [],
        ),
      ),
      messages: Object.fromEntries(
        fields.flatMap(({ name, message }) =>
          message ? [[name, { pattern: message, matches: message, documentNumber: message }]] : [],
        ),
      ),
      actions: [{ event: 'submit', text: 'Enviar', primary: true }],
    },
    [`flows/${screen}.json`]: {
      id: screen,
      initial: 'form',
      states: {
        form: {
          path: `/${screen}`,
          screen,
          on: { submit: { src: 'save', onDone: [{ target: 'form' }], onError: [{ field: true }] } },
        },
      },
    },
  };
}

function schemaOf({ type, pattern, options, mustBeTrue, sameAs }: BenchField): Record<string, unknown> {
  if (type === 'checkbox') return { type: 'boolean', ...(mustBeTrue ? { const: true } : {}) };
  return {
    type: 'string',
    ...(pattern === undefined ? {} : { pattern: toUnicodePattern(pattern) }),
    ...(options ? { enum: options.map(({ value }) => value) } : {}),
    ...(sameAs === undefined ? {} : { matches: sameAs }),
    ...(type === 'password' ? { writeOnly: true } : {}),
  };
}

// Removes escapes that are invalid in a regular expression with the `u` flag. Forms from other sources contain them.
function toUnicodePattern(pattern: string): string {
  return pattern.replaceAll("' \\-]", "' -]").replaceAll('.\\-]', '.-]');
}

function uiOf({ label, type, options }: BenchField): Record<string, unknown> {
  return {
    'ui:title': label,
    ...(type === 'password' ? { 'ui:widget': 'password', 'ui:autocomplete': 'new-password' } : {}),
    ...(type === 'email' ? { 'ui:widget': 'email' } : {}),
    ...(options ? { 'ui:enumNames': options.map((option) => option.label) } : {}),
  };
}
