import { fieldsOf, text, titled, type Sample } from './sample-types.ts';

const address = fieldsOf({ calle: text, ciudad: text }, ['calle', 'ciudad']);
const addressUi = titled({ calle: 'Calle', ciudad: 'Ciudad' });
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
      schema: fieldsOf(
        {
          titulo: text,
          autor: fieldsOf({ nombre: text, lugar: fieldsOf({ ciudad: text }) }, ['nombre']),
          tareas: {
            type: 'array',
            maxItems: 5,
            items: fieldsOf({ tarea: text, detalle: text, hecha: { type: 'boolean' } }, ['tarea']),
          },
        },
        ['titulo', 'autor'],
      ),
      ui: {
        fields: {
          ...titled({ titulo: 'Título' }),
          autor: {
            'ui:title': 'Autor',
            ...titled({ nombre: 'Nombre' }),
            lugar: { 'ui:title': 'Lugar', ...titled({ ciudad: 'Ciudad' }) },
          },
          tareas: {
            'ui:title': 'Tareas',
            items: {
              'ui:title': 'Tarea',
              ...titled(
                { tarea: 'Qué', detalle: 'Detalle', hecha: 'Hecha' },
                { detalle: { 'ui:widget': 'textarea', 'ui:help': 'En pocas palabras' } },
              ),
            },
          },
        },
      },
    },
    tries: [
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
      schema: fieldsOf({ domicilio: address }),
      ui: { fields: { domicilio: { 'ui:title': 'Domicilio', ...addressUi } } },
    },
    tries: [
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
        ...fieldsOf(
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
    tries: [
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
        ...fieldsOf({ raiz: { $ref: '#/$defs/nodo' } }),
        $defs: {
          nodo: fieldsOf({ nombre: text, hijos: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/nodo' } } }, [
            'nombre',
          ]),
        },
      },
      ui: { fields: { raiz: { 'ui:title': 'Raíz', ...titled({ nombre: 'Nombre', hijos: 'Hijos' }) } } },
      because: [
        ['schema', '/$defs/nodo/properties/hijos/items/$ref', /refers to itself/, /a list whose items name each other/],
      ],
    },
    form: {
      schema: fieldsOf({
        nodos: { type: 'array', maxItems: 9, items: fieldsOf({ nombre: text, padre: text }, ['nombre']) },
      }),
      ui: {
        fields: {
          nodos: {
            'ui:title': 'Nodos',
            items: { 'ui:title': 'Nodo', ...titled({ nombre: 'Nombre', padre: 'Padre' }) },
          },
        },
      },
    },
    tries: [
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
        ...fieldsOf({ domicilio: { $ref: '/schemas/address' } }, ['domicilio']),
        $defs: { domicilio: { $id: '/schemas/address', ...address } },
      },
      ui: { fields: { domicilio: { 'ui:title': 'Domicilio', ...addressUi } } },
    },
    tries: [
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
      schema: { ...fieldsOf({ nombre: text }), additionalProperties: { type: 'string' } },
      ui: { fields: titled({ nombre: 'Nombre' }) },
      because: [
        ['schema', '/additionalProperties', /must be false/, /a list of objects, each with a name and a value/],
      ],
    },
    form: {
      schema: fieldsOf({
        nombre: text,
        otros: { type: 'array', maxItems: 9, items: fieldsOf({ dato: text, valor: text }, ['dato', 'valor']) },
      }),
      ui: {
        fields: {
          ...titled({ nombre: 'Nombre' }),
          otros: {
            'ui:title': 'Otros datos',
            items: { 'ui:title': 'Otro', ...titled({ dato: 'Dato', valor: 'Valor' }) },
          },
        },
      },
    },
    tries: [
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
      schema: fieldsOf({ datos: { type: 'object', patternProperties: { '^x_': { type: 'string' } } } }),
      ui: { fields: titled({ datos: 'Datos' }) },
      because: [
        ['schema', '/properties/datos/patternProperties', /cannot stand in a field/, /Name each field in "properties"/],
      ],
    },
    form: {
      schema: fieldsOf({ datos: fieldsOf({ x_uno: text, x_dos: text }) }),
      ui: { fields: { datos: { 'ui:title': 'Datos', ...titled({ x_uno: 'Uno', x_dos: 'Dos' }) } } },
    },
    tries: [{ typed: [['Dos', 'b']], sent: { datos: { x_dos: 'b' } } }],
  },
  {
    name: 'Layout grid',
    note: 'rows with one or two fields. For other layouts use `sections` and `"width": "half"`',
    form: {
      schema: fieldsOf({ edad: { type: 'integer' }, apellido: text, nombre: text, barrio: text, ciudad: text }, [
        'nombre',
      ]),
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
          ...titled(
            { nombre: 'Nombre', apellido: 'Apellido', edad: 'Edad', barrio: 'Barrio', ciudad: 'Ciudad' },
            { nombre: { 'ui:options': { help: 'De pila' } } },
          ),
        },
      },
    },
    tries: [
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
