import type { GallerySample } from './galleries.ts';
import { createObjectSchema, text, createTitledFields } from './sample-types.ts';

const of = 'This engine';
const number = { type: 'number' } as const;
const price = { '-': [{ var: 'form.precio' }, { var: 'form.descuento' }] };

/** Samples about parsing of input, which the other galleries lack. */
export const answerSamples: readonly GallerySample[] = [
  {
    of,
    name: 'Numbers as people write them',
    note: 'numbers are read with the separators of the language of the page; a number that cannot be stored exactly is rejected, and none is changed',
    form: {
      schema: createObjectSchema({ importe: number, cantidad: { type: 'integer' } }),
      ui: { fields: createTitledFields({ importe: 'Importe', cantidad: 'Cantidad' }) },
    },
    attempts: [
      {
        typed: [
          ['Importe', '1.234.567,89'],
          ['Cantidad', '12.000'],
        ],
        sent: { importe: 1234567.89, cantidad: 12000 },
      },
      { typed: [['Cantidad', '9007199254740993']], errors: { cantidad: 'Tipo' } },
      { typed: [['Cantidad', '1e3']], errors: { cantidad: 'Tipo' } },
    ],
  },
  {
    of,
    name: 'Texts as they are pasted',
    note: 'invisible characters and outer blanks are removed, and accents are composed; blanks do not satisfy `required`',
    form: {
      schema: createObjectSchema({ correo: { type: 'string', format: 'email' }, nombre: { ...text, maxLength: 4 } }, [
        'nombre',
      ]),
      ui: { fields: createTitledFields({ correo: 'Correo', nombre: 'Nombre' }, { correo: { 'ui:widget': 'email' } }) },
    },
    attempts: [
      { typed: [['Nombre', '\u00a0 \u200b']], errors: { nombre: 'Falta' } },
      {
        typed: [
          ['Correo', '\u200bana@b.uy\u00a0'],
          ['Nombre', ' Jose\u0301 '],
        ],
        sent: { correo: 'ana@b.uy', nombre: 'José' },
      },
    ],
  },
  {
    of,
    name: 'Answers that are missing',
    note: 'a comparison or calculation with a missing answer has no result: nothing is shown or computed until the answer exists',
    form: {
      schema: {
        ...createObjectSchema(
          { edad: { type: 'integer' }, tutor: text, precio: number, descuento: number, total: number },
          ['tutor'],
        ),
        computed: { total: price },
      },
      ui: {
        fields: createTitledFields({
          edad: 'Edad',
          tutor: 'Persona a cargo',
          precio: 'Precio',
          descuento: 'Descuento',
          total: 'Total',
        }),
        visible: { tutor: { '<': [{ var: 'form.edad' }, 18] } },
      },
    },
    attempts: [
      { typed: [['Precio', '5']], drawn: ['edad', 'precio', 'descuento', 'total'], sent: { precio: 5 } },
      {
        typed: [
          ['Descuento', '2'],
          ['Edad', '12'],
        ],
        drawn: ['edad', 'tutor', 'precio', 'descuento', 'total'],
        errors: { tutor: 'Falta' },
      },
      { typed: [['Edad', '30']], sent: { edad: 30, precio: 5, descuento: 2, total: 3 } },
    ],
  },
  {
    of,
    name: 'Amounts with cents',
    note: 'multiples of 0.01 are exact in any amount, and numbers are shown with the decimal comma of the page',
    form: {
      schema: createObjectSchema({ importe: { ...number, multipleOf: 0.01, default: 1234.5 } }),
      ui: { fields: createTitledFields({ importe: 'Importe' }) },
    },
    attempts: [
      { shown: { Importe: '1234,5' }, sent: { importe: 1234.5 } },
      { typed: [['Importe', '1.234.567,89']], sent: { importe: 1234567.89 } },
      { typed: [['Importe', '0,0100000001']], errors: { importe: 'De 0,01 en 0,01' } },
    ],
  },
  {
    of,
    name: 'Limits of characters',
    note: '`maxLength` counts what people see as characters of Unicode, with or without `limitTyping`',
    form: {
      schema: createObjectSchema({ codigo: { ...text, maxLength: 4 }, corto: { ...text, maxLength: 4 } }),
      ui: {
        fields: createTitledFields(
          { codigo: 'Código', corto: 'Corto' },
          { corto: { 'ui:options': { limitTyping: true } } },
        ),
      },
    },
    attempts: [
      { typed: [['Código', '😀😀😀😀😀']], errors: { codigo: 'Máximo 4' } },
      {
        typed: [
          ['Código', '😀😀😀😀'],
          ['Corto', '😀😀😀😀'],
        ],
        sent: { codigo: '😀😀😀😀', corto: '😀😀😀😀' },
      },
    ],
  },
  {
    of,
    name: 'Names of files',
    note: 'letters of any language stay in the name of a file',
    form: {
      schema: createObjectSchema({ cedula: { type: 'string', format: 'file', file: { maxKb: 10 } } }),
      ui: { fields: createTitledFields({ cedula: 'Cédula' }, { cedula: { 'ui:widget': 'file' } }) },
    },
    attempts: [
      {
        typed: [['Cédula', new File(['hola'], 'Cédula de María 証明.pdf')]],
        sent: {
          cedula: `data:application/octet-stream;name=${encodeURIComponent('Cédula de María 証明.pdf')};base64,aG9sYQ==`,
        },
      },
    ],
  },
  {
    of,
    name: 'National phone number',
    note: 'the widget `phone` of a plugin adds the country code to a number in any common notation',
    form: {
      schema: createObjectSchema({ telefono: { ...text, phone: true } }),
      ui: { fields: createTitledFields({ telefono: 'Teléfono' }, { telefono: { 'ui:widget': 'phone' } }) },
    },
    attempts: [{ typed: [['Teléfono', '(099) 123-456']], sent: { telefono: '+598 99123456' } }],
  },
  {
    of,
    name: 'Schemas of other tools',
    note: 'needless escapes in patterns, choices without a type, references to fields, formats of numbers, a type in a list',
    form: {
      schema: createObjectSchema({
        placa: { type: 'string', title: 'Placa', pattern: '^[A-Z]{2}\\-[0-9]{3}$' },
        acceso: { title: 'Acceso', enum: ['público', 'restringido'] },
        otra: { $ref: '#/properties/placa', title: 'Otra placa' },
        cuenta: { type: 'integer', title: 'Cuenta', format: 'int64' },
        nota: { type: ['string'], title: 'Nota' },
      }),
      ui: {},
    },
    attempts: [
      { typed: [['Placa', 'AB123']], errors: { placa: 'Forma' } },
      {
        typed: [
          ['Placa', 'AB-123'],
          ['Acceso', 'restringido'],
          ['Otra placa', 'CD-456'],
          ['Cuenta', '7'],
          ['Nota', 'x'],
        ],
        sent: { placa: 'AB-123', acceso: 'restringido', otra: 'CD-456', cuenta: 7, nota: 'x' },
      },
    ],
  },
  {
    of,
    name: 'Schemas of other tools, rejected',
    note: 'name the correct keyword, one type, a format that is checked, and a list of names and values instead of an open object',
    refused: {
      schema: createObjectSchema({
        lugar: { ...createObjectSchema({ calle: { ...text, title: 'Calle' } }), title: 'Lugar', require: ['calle'] },
        dato: { type: ['string', 'integer'], title: 'Dato' },
        correo: { type: 'string', title: 'Correo', format: 'idn-email' },
        extra: { type: 'object', title: 'Extra', additionalProperties: { type: 'string' } },
      }),
      ui: {},
      because: [
        ['schema', '/properties/lugar/require', /Unknown keyword "require"/, /Did you mean "required"\?/],
        ['schema', '/properties/dato/type', /several types/, /./],
        ['schema', '/properties/correo/format', /"idn-email" exists but is not checked here/, /Write "email"/],
        [
          'schema',
          '/properties/extra/additionalProperties',
          /must be false/,
          /a list of objects with a name and a value/,
        ],
      ],
    },
    form: {
      schema: createObjectSchema({
        lugar: createObjectSchema({ calle: text }, ['calle']),
        dato: text,
        correo: { ...text, format: 'email' },
        extra: { type: 'array', maxItems: 3, items: createObjectSchema({ nombre: text, valor: text }, ['nombre']) },
      }),
      ui: {
        fields: {
          ...createTitledFields({ dato: 'Dato', correo: 'Correo' }, { correo: { 'ui:widget': 'email' } }),
          lugar: { 'ui:title': 'Lugar', calle: { 'ui:title': 'Calle' } },
          extra: {
            'ui:title': 'Extra',
            items: { 'ui:title': 'Par', ...createTitledFields({ nombre: 'Nombre', valor: 'Valor' }) },
          },
        },
      },
    },
    attempts: [
      {
        typed: [['Correo', 'ana@b.uy'], ['Agregar Par'], ['Par 1 > Nombre', 'color'], ['Par 1 > Valor', 'rojo']],
        sent: { correo: 'ana@b.uy', extra: [{ nombre: 'color', valor: 'rojo' }] },
      },
    ],
  },
];
