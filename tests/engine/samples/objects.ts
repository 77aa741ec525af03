import { createObjectSchema, text, createTitledFields, type Sample } from './sample-types.ts';

const address = createObjectSchema({ calle: text, ciudad: text }, ['calle', 'ciudad']);
const addressUi = createTitledFields({ calle: 'Calle', ciudad: 'Ciudad' });
const lived = { calle: 'Colonia 12', ciudad: 'Salto' };

const nameRow = {
  'ui:row': {
    children: [
      { 'ui:col': { xs: 12, sm: 6, children: ['nombre'] } },
      { 'ui:col': { xs: 12, sm: 6, children: [{ name: 'apellido' }] } },
    ],
  },
};

export const objectSamples: readonly Sample[] = [
  {
    name: 'Nested',
    note: 'nested groups, and lists of objects',
    form: {
      schema: createObjectSchema(
        {
          titulo: text,
          autor: createObjectSchema({ nombre: text, lugar: createObjectSchema({ ciudad: text }) }, ['nombre']),
          tareas: {
            type: 'array',
            maxItems: 5,
            items: createObjectSchema({ tarea: text, detalle: text, hecha: { type: 'boolean' } }, ['tarea']),
          },
        },
        ['titulo', 'autor'],
      ),
      ui: {
        fields: {
          ...createTitledFields({ titulo: 'Título' }),
          autor: {
            'ui:title': 'Autor',
            ...createTitledFields({ nombre: 'Nombre' }),
            lugar: { 'ui:title': 'Lugar', ...createTitledFields({ ciudad: 'Ciudad' }) },
          },
          tareas: {
            'ui:title': 'Tareas',
            items: {
              'ui:title': 'Tarea',
              ...createTitledFields(
                { tarea: 'Qué', detalle: 'Detalle', hecha: 'Hecha' },
                { detalle: { 'ui:widget': 'textarea', 'ui:help': 'En pocas palabras' } },
              ),
            },
          },
        },
      },
    },
    attempts: [
      {
        typed: [['Título', 'Lista'], ['Agregar Tarea'], ['Tarea 1 > Hecha']],
        errors: { 'autor.nombre': 'Falta', 'tareas.0.tarea': 'Falta' },
      },
      {
        typed: [
          ['Autor > Nombre', 'Ana'],
          ['Autor > Lugar > Ciudad', 'Salto'],
          ['Tarea 1 > Qué', 'Comprar'],
          ['Agregar Tarea'],
          ['Tarea 2 > Qué', 'Cocinar'],
          ['Tarea 2 > Detalle', 'Con sal'],
        ],
        sent: {
          titulo: 'Lista',
          autor: { nombre: 'Ana', lugar: { ciudad: 'Salto' } },
          tareas: [
            { tarea: 'Comprar', hecha: true },
            { tarea: 'Cocinar', detalle: 'Con sal' },
          ],
        },
      },
    ],
  },
  {
    name: 'Optional data controls',
    note: 'the required fields of an optional object are required as soon as one of its fields has a value',
    form: {
      schema: createObjectSchema({ domicilio: address }),
      ui: { fields: { domicilio: { 'ui:title': 'Domicilio', ...addressUi } } },
    },
    attempts: [
      { sent: {} },
      { typed: [['Calle', 'Colonia 12']], errors: { 'domicilio.ciudad': 'Falta' } },
      { typed: [['Ciudad', 'Salto']], sent: { domicilio: lived } },
      {
        typed: [
          ['Calle', ''],
          ['Ciudad', ''],
        ],
        sent: {},
      },
    ],
  },
  {
    name: 'References',
    note: '`#/$defs`, and shared definitions of several screens',
    form: {
      schema: {
        ...createObjectSchema(
          {
            factura: { $ref: '#/$defs/domicilio' },
            envio: { $ref: '#/$defs/domicilio' },
            correo: { $ref: '../_shared/person.json#/$defs/correo' },
          },
          ['factura', 'correo'],
        ),
        $defs: { domicilio: address },
      },
      ui: {
        fields: {
          factura: { 'ui:title': 'Facturar a', ...addressUi },
          envio: { 'ui:title': 'Enviar a', ...addressUi },
        },
      },
      shared: {
        correo: {
          type: 'string',
          pattern: '@',
          ui: { 'ui:title': 'Correo', 'ui:widget': 'email' },
          messages: { pattern: 'Sin arroba' },
        },
      },
    },
    attempts: [
      {
        typed: [
          ['Correo', 'ana'],
          ['Enviar a > Calle', 'Rivera 1'],
        ],
        errors: {
          'factura.calle': 'Falta',
          'factura.ciudad': 'Falta',
          'envio.ciudad': 'Falta',
          correo: 'Sin arroba',
        },
      },
      {
        typed: [
          ['Facturar a > Calle', 'Colonia 12'],
          ['Facturar a > Ciudad', 'Salto'],
          ['Enviar a > Ciudad', 'Artigas'],
          ['Correo', 'a@b.uy'],
        ],
        sent: { factura: lived, envio: { calle: 'Rivera 1', ciudad: 'Artigas' }, correo: 'a@b.uy' },
      },
    ],
  },
  {
    name: 'References, a tree',
    note: 'use a list in which each item contains the id of its parent',
    refused: {
      schema: {
        ...createObjectSchema({ raiz: { $ref: '#/$defs/nodo' } }),
        $defs: {
          nodo: createObjectSchema(
            { nombre: text, hijos: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/nodo' } } },
            ['nombre'],
          ),
        },
      },
      ui: { fields: { raiz: { 'ui:title': 'Raíz', ...createTitledFields({ nombre: 'Nombre', hijos: 'Hijos' }) } } },
      because: [
        [
          'schema',
          '/$defs/nodo/properties/hijos/items/$ref',
          /refers to itself/,
          /a list whose items refer to each other/,
        ],
      ],
    },
    form: {
      schema: createObjectSchema({
        nodos: { type: 'array', maxItems: 9, items: createObjectSchema({ nombre: text, padre: text }, ['nombre']) },
      }),
      ui: {
        fields: {
          nodos: {
            'ui:title': 'Nodos',
            items: { 'ui:title': 'Nodo', ...createTitledFields({ nombre: 'Nombre', padre: 'Padre' }) },
          },
        },
      },
    },
    attempts: [
      {
        typed: [
          ['Agregar Nodo'],
          ['Nodo 1 > Nombre', 'a'],
          ['Agregar Nodo'],
          ['Nodo 2 > Nombre', 'b'],
          ['Nodo 2 > Padre', 'a'],
        ],
        sent: { nodos: [{ nombre: 'a' }, { nombre: 'b', padre: 'a' }] },
      },
    ],
  },
  {
    name: 'Bundled schema',
    note: 'references to definitions in `$defs` by their `$id`',
    form: {
      schema: {
        ...createObjectSchema({ domicilio: { $ref: '/schemas/address' } }, ['domicilio']),
        $defs: { domicilio: { $id: '/schemas/address', ...address } },
      },
      ui: { fields: { domicilio: { 'ui:title': 'Domicilio', ...addressUi } } },
    },
    attempts: [
      {
        typed: [
          ['Calle', 'Colonia 12'],
          ['Ciudad', 'Salto'],
        ],
        sent: { domicilio: lived },
      },
    ],
  },
  {
    name: 'Additional properties',
    note: 'use a list of objects with a name and a value',
    refused: {
      schema: { ...createObjectSchema({ nombre: text }), additionalProperties: { type: 'string' } },
      ui: { fields: createTitledFields({ nombre: 'Nombre' }) },
      because: [['schema', '/additionalProperties', /must be false/, /a list of objects with a name and a value/]],
    },
    form: {
      schema: createObjectSchema({
        nombre: text,
        otros: {
          type: 'array',
          maxItems: 9,
          items: createObjectSchema({ dato: text, valor: text }, ['dato', 'valor']),
        },
      }),
      ui: {
        fields: {
          ...createTitledFields({ nombre: 'Nombre' }),
          otros: {
            'ui:title': 'Otros datos',
            items: { 'ui:title': 'Otro', ...createTitledFields({ dato: 'Dato', valor: 'Valor' }) },
          },
        },
      },
    },
    attempts: [
      {
        typed: [['Agregar Otro'], ['Otro 1 > Dato', 'color']],
        errors: { 'otros.0.valor': 'Falta' },
      },
      { typed: [['Otro 1 > Valor', 'rojo']], sent: { otros: [{ dato: 'color', valor: 'rojo' }] } },
    ],
  },
  {
    name: 'Pattern properties',
    note: 'declare each field by its name, or use a list of objects with a name and a value',
    refused: {
      schema: createObjectSchema({ datos: { type: 'object', patternProperties: { '^x_': { type: 'string' } } } }),
      ui: { fields: createTitledFields({ datos: 'Datos' }) },
      because: [
        [
          'schema',
          '/properties/datos/patternProperties',
          /is not allowed in a field/,
          /Name each field in "properties"/,
        ],
      ],
    },
    form: {
      schema: createObjectSchema({ datos: createObjectSchema({ x_uno: text, x_dos: text }) }),
      ui: { fields: { datos: { 'ui:title': 'Datos', ...createTitledFields({ x_uno: 'Uno', x_dos: 'Dos' }) } } },
    },
    attempts: [{ typed: [['Dos', 'b']], sent: { datos: { x_dos: 'b' } } }],
  },
  {
    name: 'Layout grid',
    note: 'rows with one or two fields. For other layouts use `sections` and `"width": "half"`',
    form: {
      schema: createObjectSchema(
        { edad: { type: 'integer' }, apellido: text, nombre: text, barrio: text, ciudad: text },
        ['nombre'],
      ),
      ui: {
        fields: {
          'ui:field': 'LayoutGridField',
          'ui:layoutGrid': {
            'ui:row': {
              children: [
                { 'ui:col': { xs: 12, children: [nameRow] } },
                { 'ui:col': { xs: 12, children: ['edad'] } },
                { 'ui:columns': { size: 12, children: ['ciudad', 'barrio'] } },
              ],
            },
          },
          ...createTitledFields(
            { nombre: 'Nombre', apellido: 'Apellido', edad: 'Edad', barrio: 'Barrio', ciudad: 'Ciudad' },
            { nombre: { 'ui:options': { help: 'De pila' } } },
          ),
        },
      },
    },
    attempts: [
      { errors: { nombre: 'Falta' } },
      {
        typed: [
          ['Nombre', 'Ana'],
          ['Apellido', 'Pérez'],
          ['Edad', '41'],
        ],
        drawn: ['nombre', 'apellido', 'edad', 'ciudad', 'barrio'],
        beside: ['nombre', 'apellido'],
        sent: { nombre: 'Ana', apellido: 'Pérez', edad: 41 },
      },
    ],
  },
];
