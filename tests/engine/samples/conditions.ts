import { createObjectSchema, text, createTitledFields, type Sample } from './sample-types.ts';

const animal = { type: 'string', enum: ['gato', 'pez'] } as const;
const animalNames = { 'ui:enumNames': ['Gato', 'Pez'] };

export const conditionSamples: readonly Sample[] = [
  {
    name: 'If Then Else',
    note: '`if`, `then` and `else` control visible fields and offered choices; alternatively `visible` in ui.json',
    form: {
      schema: {
        ...createObjectSchema({ animal }, ['animal']),
        allOf: [
          {
            if: createObjectSchema({ animal: { const: 'gato' } }),
            then: createObjectSchema({ comida: { type: 'string', enum: ['carne', 'pescado'] } }, ['comida']),
          },
          {
            if: createObjectSchema({ animal: { const: 'pez' } }),
            then: createObjectSchema({ comida: { type: 'string', enum: ['insectos', 'pescado'] }, agua: text }, [
              'comida',
              'agua',
            ]),
          },
        ],
      },
      ui: {
        fields: createTitledFields(
          { animal: 'Animal', comida: 'Comida', agua: 'Agua' },
          { animal: animalNames, comida: { 'ui:enumNames': ['Carne', 'Pescado', 'Insectos'] } },
        ),
      },
    },
    attempts: [
      { drawn: ['animal'], errors: { animal: 'Falta' } },
      { typed: [['Animal', 'Gato']], drawn: ['animal', 'comida'], errors: { comida: 'Falta' } },
      { typed: [['Comida', 'Carne']], sent: { animal: 'gato', comida: 'carne' } },
      { typed: [['Animal', 'Pez']], drawn: ['animal', 'comida', 'agua'], errors: { comida: 'Falta', agua: 'Falta' } },
      {
        typed: [
          ['Comida', 'Pescado'],
          ['Agua', 'salada'],
        ],
        sent: { animal: 'pez', comida: 'pescado', agua: 'salada' },
      },
      { typed: [['Animal', 'Gato']], drawn: ['animal', 'comida'], sent: { animal: 'gato', comida: 'pescado' } },
    ],
  },
  {
    name: 'Property dependencies',
    note: '`dependentRequired`, or `dependencies` of older drafts',
    form: {
      schema: {
        ...createObjectSchema({ tarjeta: text, factura: text, rut: text }),
        dependencies: { tarjeta: ['factura'] },
        dependentRequired: { factura: ['rut'] },
      },
      ui: { fields: createTitledFields({ tarjeta: 'Tarjeta', factura: 'Factura', rut: 'RUT' }) },
    },
    attempts: [
      { sent: {} },
      { typed: [['Tarjeta', '1']], errors: { factura: 'Falta' } },
      { typed: [['Factura', 'a mí']], errors: { rut: 'Falta' } },
      { typed: [['RUT', '1']], sent: { tarjeta: '1', factura: 'a mí', rut: '1' } },
      {
        typed: [
          ['Tarjeta', ''],
          ['Factura', ''],
        ],
        sent: { rut: '1' },
      },
    ],
  },
  {
    name: 'Schema dependencies',
    note: '`dependentSchemas`, except in list items: use `visible` with `item` there',
    form: {
      schema: {
        ...createObjectSchema({ mascotas: { type: 'boolean' } }),
        dependentSchemas: {
          mascotas: createObjectSchema(
            {
              cuantas: { type: 'integer', minimum: 1 },
              lista: {
                type: 'array',
                maxItems: 3,
                items: createObjectSchema({ animal, agua: text }, ['animal', 'agua']),
              },
            },
            ['cuantas'],
          ),
        },
      },
      ui: {
        sections: [{ title: 'Mascotas', fields: ['cuantas', 'lista'] }],
        fields: {
          ...createTitledFields({ mascotas: 'Tengo mascotas', cuantas: 'Cuántas' }),
          lista: {
            'ui:title': 'Cuáles',
            items: {
              'ui:title': 'Mascota',
              ...createTitledFields({ animal: 'Animal', agua: 'Agua' }, { animal: animalNames }),
            },
          },
        },
        visible: { 'lista.items.agua': { '==': [{ var: 'item.animal' }, 'pez'] } },
      },
    },
    attempts: [
      { drawn: ['mascotas'], sent: {} },
      {
        typed: [['Tengo mascotas'], ['Cuántas', '2'], ['Agregar Mascota'], ['Mascota 1 > Animal', 'Pez']],
        errors: { 'lista.0.agua': 'Falta' },
      },
      {
        typed: [['Mascota 1 > Agua', 'dulce'], ['Agregar Mascota'], ['Mascota 2 > Animal', 'Gato']],
        sent: { mascotas: true, cuantas: 2, lista: [{ animal: 'pez', agua: 'dulce' }, { animal: 'gato' }] },
      },
      { typed: [['Tengo mascotas']], drawn: ['mascotas'], sent: {} },
    ],
  },
  {
    name: 'One Of',
    note: 'alternatives selected by a field with a different `const` in each. Without such a field, a choice above them that is not sent; each alternative must then require a field that no other has',
    form: {
      schema: {
        ...createObjectSchema({ edad: { type: 'integer', title: 'Edad' } }),
        oneOf: [
          createObjectSchema({ cedula: { ...text, title: 'Cédula' } }, ['cedula']),
          createObjectSchema(
            { pasaporte: { ...text, minLength: 2, title: 'Pasaporte' }, pais: { ...text, title: 'País' } },
            ['pasaporte'],
          ),
        ],
      },
      ui: {},
    },
    attempts: [
      { drawn: ['edad', 'oneOf'], errors: { oneOf: 'Falta' } },
      { typed: [['Opciones', 'Cédula']], drawn: ['edad', 'oneOf', 'cedula'], errors: { cedula: 'Falta' } },
      { typed: [['Cédula', '1']], sent: { cedula: '1' } },
      {
        typed: [
          ['Opciones', 'Pasaporte, País'],
          ['Pasaporte', 'A'],
          ['País', 'UY'],
        ],
        drawn: ['edad', 'oneOf', 'pasaporte', 'pais'],
        errors: { pasaporte: 'Mínimo 2' },
      },
      { typed: [['Pasaporte', 'A1']], sent: { pasaporte: 'A1', pais: 'UY' } },
    ],
  },
  {
    name: 'Any Of',
    note: 'as One Of; the choice may be empty if an alternative requires nothing',
    form: {
      schema: {
        ...createObjectSchema({ edad: { type: 'integer', title: 'Edad' } }, ['edad']),
        anyOf: [
          {
            title: 'Por el nombre',
            ...createObjectSchema(
              { nombre: { ...text, title: 'Nombre', default: 'Ana' }, apellido: { ...text, title: 'Apellido' } },
              ['nombre'],
            ),
          },
          { title: 'Por el documento', ...createObjectSchema({ documento: { ...text, title: 'Documento' } }) },
        ],
      },
      ui: { fields: { anyOf: { 'ui:title': 'Cómo te encontramos', 'ui:widget': 'radio' } } },
    },
    attempts: [
      { drawn: ['edad', 'anyOf', 'nombre', 'apellido'], errors: { edad: 'Falta' } },
      {
        typed: [
          ['Edad', '41'],
          ['Nombre', ''],
        ],
        errors: { nombre: 'Falta' },
      },
      {
        typed: [['Cómo te encontramos > Por el documento'], ['Documento', 'CI']],
        drawn: ['edad', 'anyOf', 'documento'],
        sent: { edad: 41, documento: 'CI' },
      },
      { typed: [['Documento', '']], sent: { edad: 41 } },
    ],
  },
  {
    name: 'All Of',
    note: 'parts of a field or of the whole schema that do not contradict each other',
    form: {
      schema: {
        type: 'object',
        allOf: [
          createObjectSchema({ nombre: { allOf: [{ $ref: '#/definitions/corto' }, { minLength: 2 }] } }),
          { required: ['nombre'] },
        ],
        definitions: { corto: { type: 'string', maxLength: 5 } },
      },
      ui: { fields: createTitledFields({ nombre: 'Nombre' }) },
    },
    attempts: [
      { typed: [['Nombre', 'A']], errors: { nombre: 'Mínimo 2' } },
      { typed: [['Nombre', 'Anabela']], errors: { nombre: 'Máximo 5' } },
      { typed: [['Nombre', 'Ana']], sent: { nombre: 'Ana' } },
    ],
  },
];
