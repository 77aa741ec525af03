import { createObjectSchema, text, createTitledFields, type Sample } from './sample-types.ts';

const colours = ['rojo', 'verde', 'azul'];
const colourNames = ['Rojo', 'Verde', 'Azul'];

export const listSamples: readonly Sample[] = [
  {
    name: 'Arrays',
    note: 'multiple choices, and lists of texts, numbers or objects with `maxItems`',
    form: {
      schema: createObjectSchema({
        textos: { type: 'array', maxItems: 4, items: text },
        numeros: { type: 'array', minItems: 2, maxItems: 2, uniqueItems: true, items: { type: 'number' } },
        colores: { type: 'array', maxItems: 2, uniqueItems: true, items: { type: 'string', enum: colours } },
        fijos: { type: 'array', maxItems: 2, items: text },
      }),
      ui: {
        fields: {
          textos: { 'ui:title': 'Textos', items: { 'ui:title': 'Texto' } },
          numeros: { 'ui:title': 'Números', items: { 'ui:title': 'Número' } },
          colores: { 'ui:title': 'Colores', 'ui:widget': 'checkboxes', 'ui:enumNames': colourNames },
          fijos: {
            'ui:title': 'Fijos',
            'ui:options': { addable: false, removable: false, orderable: false },
            items: { 'ui:title': 'Fijo' },
          },
        },
      },
      prefill: { fijos: ['a', 'b'], textos: ['uno', 'dos'] },
    },
    attempts: [
      {
        typed: [['Agregar Número'], ['Número 1 > Número', '2,5'], ['Rojo'], ['Verde'], ['Azul'], ['Agregar Texto']],
        errors: { 'textos.2': 'Falta', numeros: 'Agregá al menos 2', colores: 'Hasta 2' },
      },
      {
        typed: [
          ['Texto 3 > Texto', 'tres'],
          ['Subir Texto 3'],
          ['Quitar Texto 1'],
          ['Agregar Número'],
          ['Número 2 > Número', '2.5'],
          ['Rojo'],
          ['Fijo 1 > Fijo', 'c'],
        ],
        errors: { numeros: 'Hay dos iguales' },
      },
      {
        typed: [['Número 2 > Número', '7']],
        sent: { textos: ['tres', 'dos'], numeros: [2.5, 7], colores: ['verde', 'azul'], fijos: ['c', 'b'] },
      },
    ],
  },
  {
    name: 'Arrays, fixed items',
    note: 'single values identified by their position; booleans are rendered as choices',
    form: {
      schema: createObjectSchema({
        par: {
          type: 'array',
          title: 'Par',
          items: [
            { ...text, title: 'Texto' },
            { type: 'boolean', title: 'Marca' },
          ],
          additionalItems: false,
        },
        punto: {
          type: 'array',
          title: 'Punto',
          minItems: 2,
          prefixItems: [
            { type: 'number', title: 'X', default: 1 },
            { type: 'number', title: 'Y' },
          ],
          items: false,
        },
      }),
      ui: { fields: { par: { items: [{ 'ui:widget': 'textarea' }, { 'ui:widget': 'radio' }] } } },
    },
    attempts: [
      { typed: [['Par > Marca > No']], errors: { 'par.0': 'Falta', 'punto.1': 'Falta' } },
      {
        typed: [
          ['Par > Texto', 'a'],
          ['Punto > Y', '2,5'],
        ],
        sent: { par: ['a', false], punto: [1, 2.5] },
      },
      {
        typed: [
          ['Punto > X', ''],
          ['Punto > Y', ''],
        ],
        sent: { par: ['a', false] },
      },
    ],
  },
  {
    name: 'Arrays, nested',
    note: 'lists of lists, and lists inside the objects of a list, but no third level',
    form: {
      schema: createObjectSchema({
        filas: { type: 'array', maxItems: 3, items: { type: 'array', maxItems: 3, items: text } },
        personas: {
          type: 'array',
          maxItems: 3,
          items: createObjectSchema(
            { nombre: text, telefonos: { type: 'array', minItems: 1, maxItems: 2, items: text } },
            ['nombre', 'telefonos'],
          ),
        },
      }),
      ui: {
        fields: {
          filas: { 'ui:title': 'Filas', items: { 'ui:title': 'Fila', items: { 'ui:title': 'Celda' } } },
          personas: {
            'ui:title': 'Personas',
            items: {
              'ui:title': 'Persona',
              ...createTitledFields({ nombre: 'Nombre' }),
              telefonos: { 'ui:title': 'Teléfonos', items: { 'ui:title': 'Teléfono' } },
            },
          },
        },
      },
      prefill: { filas: [['a', 'b'], ['c']] },
    },
    attempts: [
      {
        typed: [
          ['Fila 2 > Agregar Celda'],
          ['Agregar Fila'],
          ['Agregar Persona'],
          ['Persona 1 > Nombre', 'Ana'],
          ['Bajar Fila 1'],
        ],
        errors: { 'filas.0.1': 'Falta', 'filas.2': 'Falta', 'personas.0.telefonos': 'Falta' },
      },
      {
        typed: [
          ['Fila 1 > Celda 2 > Celda', 'd'],
          ['Quitar Fila 3'],
          ['Persona 1 > Agregar Teléfono'],
          ['Persona 1 > Teléfono 1 > Teléfono', '099'],
        ],
        sent: {
          filas: [
            ['c', 'd'],
            ['a', 'b'],
          ],
          personas: [{ nombre: 'Ana', telefonos: ['099'] }],
        },
      },
    ],
  },
  {
    name: 'Custom array',
    note: 'use the options of a list for its actions; the theme defines its appearance',
    refused: {
      schema: createObjectSchema({ textos: { type: 'array', maxItems: 2, items: text } }),
      ui: {
        fields: {
          textos: { 'ui:title': 'Textos', 'ui:ArrayFieldTemplate': 'Own', items: { 'ui:title': 'Texto' } },
        },
      },
      because: [
        ['ui', '/fields/textos/ui:ArrayFieldTemplate', /Unknown key "ui:ArrayFieldTemplate"/, /The theme determines/],
      ],
    },
    form: {
      schema: createObjectSchema({ textos: { type: 'array', maxItems: 1, items: text } }),
      ui: {
        fields: {
          textos: { 'ui:title': 'Textos', 'ui:options': { orderable: false }, items: { 'ui:title': 'Texto' } },
        },
      },
    },
    attempts: [{ typed: [['Agregar Texto'], ['Texto 1 > Texto', 'a']], sent: { textos: ['a'] } }],
  },
  {
    name: 'Files',
    note: '`data-url`, also in a list; the rule `file` adds a size limit',
    form: {
      schema: createObjectSchema(
        {
          archivo: { type: 'string', format: 'data-url', title: 'Archivo', writeOnly: true },
          anexos: {
            type: 'array',
            maxItems: 2,
            title: 'Anexos',
            items: { type: 'string', format: 'data-url', title: 'Anexo' },
          },
          foto: { type: 'string', title: 'Foto', file: { maxKb: 1 } },
        },
        ['archivo'],
      ),
      ui: {
        fields: { archivo: { 'ui:widget': 'file', 'ui:options': { accept: '.txt' } }, foto: { 'ui:widget': 'file' } },
        messages: { foto: { file: 'No se lee' } },
      },
    },
    attempts: [
      { errors: { archivo: 'Falta' } },
      {
        typed: [
          ['Archivo', new File(['hola'], 'a.txt')],
          ['Agregar Anexo'],
          ['Anexo 1 > Anexo', new File(['chau'], 'b.txt')],
        ],
        sent: {
          archivo: 'data:application/octet-stream;name=a.txt;base64,aG9sYQ==',
          anexos: ['data:application/octet-stream;name=b.txt;base64,Y2hhdQ=='],
        },
      },
    ],
  },
];
