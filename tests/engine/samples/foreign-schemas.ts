/** A field from a schema that another tool generated. */
interface ForeignField {
  readonly name: string;
  readonly field: object;
}

/** A rejected field: the pointer into it, and the message with its hint in both languages. */
export interface RejectionCase extends ForeignField {
  readonly at: string;
  readonly en: string;
  readonly es: string;
}

const text = { type: 'string', title: 'T' } as const;
const array = { type: 'array', title: 'T', maxItems: 3 } as const;
const open = { type: 'object', title: 'T', additionalProperties: { type: 'string' } } as const;
const group = { type: 'object', title: 'T', properties: { inner: text } } as const;
const number = { type: 'number', title: 'T' } as const;
const createLettersField = (name: string) => [
  `The format "${name}" exists but is not checked here.`,
  `El formato "${name}" existe, pero acá no se revisa.`,
];
const createUnknownKeyword = (name: string, near: string) => ({
  at: `/${name}`,
  en: `Unknown keyword "${name}". Did you mean "${near}"?`,
  es: `Palabra desconocida: "${name}". ¿Quisiste decir "${near}"?`,
});
const openObject = {
  at: '/additionalProperties',
  en: '"additionalProperties" must be false: a form never accepts unknown fields. For fields that people name themselves, use a list of objects with a name and a value.',
  es: '"additionalProperties" tiene que ser false: un formulario nunca acepta campos desconocidos. Para campos cuyo nombre escribe la persona, usá una lista de objetos con nombre y valor.',
};
const severalTypes = {
  en: 'The field has several types: string, number. Leave one of them.',
  es: 'El campo tiene varios tipos: string, number. Dejá uno.',
};

/** Fields that the compiler rejects, each for a different reason. */
export const rejectedFields: readonly RejectionCase[] = [
  {
    name: 'an anchor of another regex dialect',
    field: { ...text, pattern: '\\A[a-z]+$' },
    at: '/pattern',
    en: 'The pattern has "\\A", which means nothing in JSON Schema. Write ^ in its place.',
    es: 'El patrón tiene "\\A", que en JSON Schema no significa nada. Escribí ^ en su lugar.',
  },
  {
    name: 'an escape of another regex dialect',
    field: { ...text, pattern: '^\\h+$' },
    at: '/pattern',
    en: 'The pattern has "\\h", which means nothing in JSON Schema. Write "h" for the letter itself, or a class such as [a-z].',
    es: 'El patrón tiene "\\h", que en JSON Schema no significa nada. Escribí "h" para la letra misma, o una clase como [a-z].',
  },
  {
    name: 'a class of another regex dialect',
    field: { ...text, pattern: '^[[:alpha:]]+$' },
    at: '/pattern',
    en: 'The pattern has "[:alpha:]", which means nothing in JSON Schema. Write A-Za-z in its place.',
    es: 'El patrón tiene "[:alpha:]", que en JSON Schema no significa nada. Escribí A-Za-z en su lugar.',
  },
  {
    name: 'flags in a pattern',
    field: { ...text, pattern: '^(?i)abc$' },
    at: '/pattern',
    en: 'The pattern contains "(?i)": a pattern cannot contain flags. Remove it. To ignore case, write both letters, e.g. [Aa].',
    es: 'El patrón tiene "(?i)": un patrón no lleva marcas. Quitalo. Si no importan las mayúsculas, escribí las dos letras, por ejemplo [Aa].',
  },
  {
    name: 'a bracket that is not closed',
    field: { ...text, pattern: '^(a' },
    at: '/pattern',
    en: 'The pattern is not a valid regular expression: a parenthesis is not closed. Correct it: patterns use the syntax of JavaScript, with the flag u.',
    es: 'El patrón no es una expresión regular válida: falta cerrar un paréntesis. Corregilo: los patrones usan la sintaxis de JavaScript, con la marca u.',
  },
  {
    name: 'choices of several types',
    field: { title: 'T', enum: ['a', 1, 2] },
    at: '/enum',
    en: 'The choices are of several types: string, number. Write all of them as texts, or all as numbers.',
    es: 'Las opciones son de varios tipos: string, number. Escribilas todas como textos, o todas como números.',
  },
  {
    name: 'choices of another type than the field',
    field: { ...text, enum: [1, 2, 3] },
    at: '/enum/0',
    en: 'The choice 1 is not of type string. Write it in quotes: "1".',
    es: 'La opción 1 no es del tipo string. Escribilo entre comillas: "1".',
  },
  {
    name: 'a missing type',
    field: { title: 'T' },
    at: '',
    en: 'The field has no "type". Write its "type": string or number or integer or boolean or array or object.',
    es: 'El campo no tiene "type". Escribí su "type": string o number o integer o boolean o array o object.',
  },
  {
    name: 'a rule without a type',
    field: { title: 'T', minLength: 2 },
    at: '',
    en: 'The field has no "type". Write its "type": string.',
    es: 'El campo no tiene "type". Escribí su "type": string.',
  },
  {
    name: 'a reference to no definition',
    field: { title: 'T', $ref: '#/definitions/nothing' },
    at: '/$ref',
    en: 'The reference "#/definitions/nothing" has no target. Name a definition of this file, "#/$defs/…", or one of its fields, "#/properties/…".',
    es: 'La referencia "#/definitions/nothing" no lleva a nada. Nombrá una definición de este archivo, "#/$defs/…", o uno de sus campos, "#/properties/…".',
  },
  {
    name: 'a reference to another site',
    field: { $ref: 'https://example.org/schema.json' },
    at: '/$ref',
    en: 'The reference "https://example.org/schema.json" has no target. Copy the definition into "$defs" of this file: nothing is loaded from elsewhere.',
    es: 'La referencia "https://example.org/schema.json" no lleva a nada. Copiá la definición en "$defs" de este archivo: de afuera no se carga nada.',
  },
  {
    name: 'a format of numbers on a text',
    field: { ...text, format: 'int64' },
    at: '/format',
    en: 'The format "int64" is for numbers, and the field is of type string. Write "type": "integer" or "number", or remove the format.',
    es: 'El formato "int64" es para números, y el campo es de tipo string. Escribí "type": "integer" o "number", o quitá el formato.',
  },
  {
    name: 'a format of texts on a number',
    field: { ...number, format: 'date' },
    at: '/format',
    en: 'The format "date" is for texts, and the field is of type number. Write "type": "string", or remove the format.',
    es: 'El formato "date" es para textos, y el campo es de tipo number. Escribí "type": "string", o quitá el formato.',
  },
  ...(['idn-email', 'iri', 'idn-hostname', 'iri-reference'] as const).map((format): RejectionCase => {
    const plain = { 'idn-email': 'email', iri: 'uri', 'idn-hostname': 'hostname', 'iri-reference': 'uri-reference' }[
      format
    ];
    const [en, es] = createLettersField(format);
    const [what, que] = plain === 'hostname' ? ['a name', 'el nombre'] : ['an address', 'la dirección'];
    return {
      name: `the format ${format}`,
      field: { ...text, format },
      at: '/format',
      en: `${en} Write "${plain}", or a "pattern" where ${what} may have other letters than a to z.`,
      es: `${es} Escribí "${plain}", o un "pattern" si ${que} puede tener otras letras que las de la a a la z.`,
    };
  }),
  {
    name: 'the format byte',
    field: { ...text, format: 'byte' },
    at: '/format',
    en: `${createLettersField('byte')[0]} For a file, write "format": "file" with the widget and the rule "file" of a plugin. For a short text, remove it.`,
    es: `${createLettersField('byte')[1]} Para un archivo, escribí "format": "file" con el control y la regla "file" de un plugin. Para un texto corto, quitalo.`,
  },
  {
    name: 'the format duration',
    field: { ...text, format: 'duration' },
    at: '/format',
    en: `The format "duration" cannot be displayed. Remove it, or write a "pattern".`,
    es: `El formato "duration" no se puede mostrar. Quitalo, o escribí un "pattern".`,
  },
  {
    name: 'an unknown format',
    field: { ...text, format: 'e-mail' },
    at: '/format',
    en: 'Unknown format "e-mail". Did you mean "email"?',
    es: 'Formato desconocido: "e-mail". ¿Quisiste decir "email"?',
  },
  { name: 'a misspelt keyword', field: { ...text, minlength: 2 }, ...createUnknownKeyword('minlength', 'minLength') },
  { name: 'OpenAPI\'s "example"', field: { ...text, example: 'x' }, ...createUnknownKeyword('example', 'examples') },
  {
    name: 'a misspelt "required"',
    field: { ...group, requred: ['inner'] },
    ...createUnknownKeyword('requred', 'required'),
  },
  {
    name: '"require" beside an extension',
    field: { ...group, require: ['inner'], 'x-order': 1 },
    ...createUnknownKeyword('require', 'required'),
  },
  { name: 'a misspelt "type"', field: { title: 'T', tpye: 'string' }, ...createUnknownKeyword('tpye', 'type') },
  {
    name: 'misspelt "properties"',
    field: { type: 'object', title: 'T', propertis: {} },
    ...createUnknownKeyword('propertis', 'properties'),
  },
  { name: 'misspelt "items"', field: { ...array, itmes: text }, ...createUnknownKeyword('itmes', 'items') },
  {
    name: 'a misspelt keyword of an item',
    field: { ...array, items: { title: 'I', tpye: 'string' } },
    ...createUnknownKeyword('tpye', 'type'),
    at: '/items/tpye',
  },
  {
    name: '"required" of a field itself',
    field: { ...text, required: true },
    at: '/required',
    en: '"required" is not allowed in a field. List the field in "required" beside its "properties".',
    es: '"required" no va en un campo. Nombrá el campo en el "required" que va al lado de sus "properties".',
  },
  { name: 'two types', field: { title: 'T', type: ['string', 'number'] }, at: '/type', ...severalTypes },
  {
    name: 'two types and null',
    field: { title: 'T', type: ['null', 'string', 'number'] },
    at: '/type',
    ...severalTypes,
  },
  {
    name: 'alternatives of two types',
    field: { title: 'T', anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    at: '/anyOf',
    ...severalTypes,
  },
  {
    name: 'two types of an item',
    field: { ...array, items: { title: 'I', type: ['string', 'number'] } },
    at: '/items/type',
    ...severalTypes,
  },
  { name: 'an open object', field: open, ...openObject },
  { name: 'an open object with fields', field: { ...open, properties: { inner: text } }, ...openObject },
  { name: 'an open object without fields', field: { ...open, additionalProperties: true }, ...openObject },
  {
    name: 'open objects in a list',
    field: { ...array, items: { ...open, title: 'I' } },
    ...openObject,
    at: '/items/additionalProperties',
  },
  {
    name: 'an object with additional fields',
    field: { ...group, additionalProperties: true },
    at: '/additionalProperties',
    en: '"additionalProperties" must be false: a form never accepts unknown fields. Remove it.',
    es: '"additionalProperties" tiene que ser false: un formulario nunca acepta campos desconocidos. Quitala.',
  },
  {
    name: 'fields by a pattern of their names',
    field: { type: 'object', title: 'T', patternProperties: { '^x': text } },
    at: '/patternProperties',
    en: '"patternProperties" is not allowed in a field. Name each field in "properties".',
    es: '"patternProperties" no va en un campo. Nombrá cada campo en "properties".',
  },
  {
    name: 'a condition of a field itself',
    field: { ...text, if: { const: 'x' }, then: { minLength: 2 } },
    at: '/if',
    en: '"if" is not allowed in a field. Write it beside the "properties" of the whole screen, or show fields with "visible" in ui.json.',
    es: '"if" no va en un campo. Escribilo al lado de "properties" de toda la pantalla, o mostrá campos con "visible" en ui.json.',
  },
  {
    name: 'an array without items',
    field: array,
    at: '',
    en: 'The array has no "items". Describe one item there: its "type" and, for a multiple choice, its "enum".',
    es: 'El array no tiene "items". Describí ahí un elemento: su "type" y, si es una elección de varias, su "enum".',
  },
];

/** Fields in an unusual notation that compile. */
export const acceptedFields: readonly ForeignField[] = [
  { name: 'a needless escape', field: { ...text, pattern: '^[A-Z]{2}\\-[0-9]{3}$' } },
  { name: 'a hyphen beside a set', field: { ...text, pattern: '^[\\w-.]+$' } },
  { name: 'choices without a type', field: { title: 'T', enum: ['a', 'b'] } },
  { name: 'numbers to choose without a type', field: { title: 'T', enum: [1, 2.5] } },
  { name: 'a choice that is null', field: { title: 'T', type: ['string', 'null'], enum: ['a', null] } },
  { name: 'one value without a type', field: { title: 'T', const: 'a' } },
  { name: 'an object without its type', field: { title: 'T', properties: { inner: text } } },
  { name: 'a 64-bit number', field: { type: 'integer', title: 'T', format: 'int64' } },
  { name: 'a 32-bit number', field: { type: 'integer', title: 'T', format: 'int32' } },
  { name: 'decimals', field: { ...number, format: 'double' } },
  { name: 'one type in a list', field: { title: 'T', type: ['string'] } },
  { name: 'a type or null', field: { title: 'T', type: ['null', 'integer'] } },
  {
    name: 'null as an alternative',
    field: { title: 'T', anyOf: [{ type: 'string', maxLength: 4 }, { type: 'null' }], default: null },
  },
  { name: 'an object or null', field: { title: 'T', oneOf: [{ type: 'null' }, group] } },
  { name: 'constants or null', field: { title: 'T', oneOf: [{ const: 'a', title: 'A' }, { const: null }] } },
  { name: 'an extension', field: { ...text, 'x-order': 1 } },
  { name: 'a format of the standard that is checked', field: { ...text, format: 'uri-reference' } },
  { name: 'a boolean exclusiveMinimum', field: { ...number, minimum: 1, exclusiveMinimum: true } },
  { name: 'a read-only object', field: { ...group, readOnly: true } },
];
