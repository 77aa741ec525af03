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
];
