import { fieldsOf, text, titled, type Sample } from './sample.ts';

const colours = ['rojo', 'verde', 'azul'];
const colourNames = ['Rojo', 'Verde', 'Azul'];

/** Samples of arrays and of files. */
export const listSamples: readonly Sample[] = [
  {
    name: 'Arrays',
    note: 'choices of several, and lists of texts, numbers or objects: `maxItems` says their end',
    form: {
      schema: fieldsOf({
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
    tries: [
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
    note: 'single values, each by its place; a yes and a no are chosen',
    form: {
      schema: fieldsOf({
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
    tries: [
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
    note: 'one list, or a step for each',
    refused: {
      schema: fieldsOf({
        filas: { type: 'array', maxItems: 3, items: { type: 'array', maxItems: 3, items: { type: 'string' } } },
      }),
      ui: { fields: { filas: { 'ui:title': 'Filas', items: { 'ui:title': 'Fila' } } } },
      because: [
        [
          'schema',
          '/properties/filas/items',
          /A list inside of a list is not drawn/,
          /a step of its own, or in one list/,
        ],
      ],
    },
    form: {
      schema: fieldsOf({
        celdas: {
          type: 'array',
          maxItems: 9,
          items: fieldsOf({ fila: { type: 'integer' }, valor: text }, ['fila', 'valor']),
        },
      }),
      ui: {
        fields: {
          celdas: { 'ui:title': 'Celdas', items: { 'ui:title': 'Celda', ...titled({ fila: 'Fila', valor: 'Valor' }) } },
        },
      },
    },
    tries: [
      {
        typed: [['Agregar Celda'], ['Fila', '1'], ['Valor', 'x']],
        sent: { celdas: [{ fila: 1, valor: 'x' }] },
      },
    ],
  },
  {
    name: 'Custom array',
    note: "what a list lets do is among its options; its look is the theme's",
    refused: {
      schema: fieldsOf({ textos: { type: 'array', maxItems: 2, items: text } }),
      ui: {
        fields: {
          textos: { 'ui:title': 'Textos', 'ui:ArrayFieldTemplate': 'Own', items: { 'ui:title': 'Texto' } },
        },
      },
      because: [['ui', '/fields/textos/ui:ArrayFieldTemplate', /Unknown key "ui:ArrayFieldTemplate"/, /the theme's/]],
    },
    form: {
      schema: fieldsOf({ textos: { type: 'array', maxItems: 1, items: text } }),
      ui: {
        fields: {
          textos: { 'ui:title': 'Textos', 'ui:options': { orderable: false }, items: { 'ui:title': 'Texto' } },
        },
      },
    },
    tries: [{ typed: [['Agregar Texto'], ['Texto 1 > Texto', 'a']], sent: { textos: ['a'] } }],
  },
  {
    name: 'Files',
    note: '`data-url`, also in a list; with the rule `file` beside it a limit',
    form: {
      schema: fieldsOf(
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
    tries: [
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
