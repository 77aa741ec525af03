import { fieldsOf, text, titled, type Sample } from './sample.ts';

const animal = { type: 'string', enum: ['gato', 'pez'] } as const;
const animalNames = { 'ui:enumNames': ['Gato', 'Pez'] };
const is = (field: string, value: unknown) => ({ '==': [{ var: `form.${field}` }, value] });

/** Samples of what depends on what, which `visible` says. */
export const conditionSamples: readonly Sample[] = [
  {
    name: 'If Then Else',
    note: '`visible` in ui.json: what is hidden is neither required nor sent',
    refused: {
      schema: {
        ...fieldsOf({ animal }),
        if: fieldsOf({ animal: { const: 'gato' } }),
        then: fieldsOf({ comida: text }, ['comida']),
        else: fieldsOf({ agua: text }),
      },
      ui: { fields: titled({ animal: 'Animal' }, { animal: animalNames }) },
      because: [
        ['schema', '/if', /"if" cannot stand/, /Show fields by "visible"/],
        ['schema', '/then', /"then" cannot stand/, /Show fields by "visible"/],
        ['schema', '/else', /"else" cannot stand/, /Show fields by "visible"/],
      ],
    },
    form: {
      schema: fieldsOf({ animal, comida: text, agua: text }, ['animal', 'comida', 'agua']),
      ui: {
        fields: titled({ animal: 'Animal', comida: 'Comida', agua: 'Agua' }, { animal: animalNames }),
        visible: { comida: is('animal', 'gato'), agua: is('animal', 'pez') },
      },
    },
    tries: [
      { drawn: ['animal'], errors: { animal: 'Falta' } },
      { typed: [['Animal', 'Gato']], drawn: ['animal', 'comida'], errors: { comida: 'Falta' } },
      { typed: [['Comida', 'carne']], sent: { animal: 'gato', comida: 'carne' } },
      {
        typed: [
          ['Animal', 'Pez'],
          ['Agua', 'salada'],
        ],
        drawn: ['animal', 'agua'],
        sent: { animal: 'pez', agua: 'salada' },
      },
    ],
  },
  {
    name: 'Property dependencies',
    note: '`required` and `visible`',
    refused: {
      schema: {
        ...fieldsOf({ tarjeta: text, factura: text }),
        dependentRequired: { tarjeta: ['factura'] },
        dependencies: { tarjeta: ['factura'] },
      },
      ui: { fields: titled({ tarjeta: 'Tarjeta', factura: 'Factura' }) },
      because: [
        ['schema', '/dependentRequired', /cannot stand/, /required and show it by "visible"/],
        ['schema', '/dependencies', /cannot stand/, /by "visible"/],
      ],
    },
    form: {
      schema: fieldsOf({ tarjeta: text, factura: text }, ['factura']),
      ui: {
        fields: titled({ tarjeta: 'Tarjeta', factura: 'Factura' }),
        visible: { factura: { var: 'form.tarjeta' } },
      },
    },
    tries: [
      { drawn: ['tarjeta'], sent: {} },
      { typed: [['Tarjeta', '1']], drawn: ['tarjeta', 'factura'], errors: { factura: 'Falta' } },
      { typed: [['Factura', 'a mí']], sent: { tarjeta: '1', factura: 'a mí' } },
      { typed: [['Tarjeta', '']], drawn: ['tarjeta'], sent: {} },
    ],
  },
  {
    name: 'Schema dependencies',
    note: '`visible`, of a whole section too, and in the items of a list by `item`',
    refused: {
      schema: {
        ...fieldsOf({ mascotas: { type: 'boolean' } }),
        dependentSchemas: { mascotas: fieldsOf({ cuantas: { type: 'integer' } }) },
      },
      ui: { fields: titled({ mascotas: 'Tengo mascotas' }) },
      because: [['schema', '/dependentSchemas', /cannot stand/, /Show fields by "visible"/]],
    },
    form: {
      schema: fieldsOf(
        {
          mascotas: { type: 'boolean' },
          cuantas: { type: 'integer', minimum: 1 },
          lista: { type: 'array', maxItems: 3, items: fieldsOf({ animal, agua: text }, ['animal', 'agua']) },
        },
        ['cuantas'],
      ),
      ui: {
        sections: [{ title: 'Mascotas', fields: ['cuantas', 'lista'], visible: { var: 'form.mascotas' } }],
        fields: {
          ...titled({ mascotas: 'Tengo mascotas', cuantas: 'Cuántas' }),
          lista: {
            'ui:title': 'Cuáles',
            items: { 'ui:title': 'Mascota', ...titled({ animal: 'Animal', agua: 'Agua' }, { animal: animalNames }) },
          },
        },
        visible: { 'lista.items.agua': { '==': [{ var: 'item.animal' }, 'pez'] } },
      },
    },
    tries: [
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
  ...(['oneOf', 'anyOf'] as const).map((keyword): Sample => ({
    name: keyword === 'oneOf' ? 'One Of' : 'Any Of',
    note: 'a field for the choice and `visible` for what each asks for',
    refused: {
      schema: {
        ...fieldsOf({ edad: { type: 'integer' } }),
        [keyword]: [fieldsOf({ cedula: text }), fieldsOf({ pasaporte: text })],
      },
      ui: { fields: titled({ edad: 'Edad' }) },
      because: [['schema', `/${keyword}`, /cannot stand/, /"enum" for choices and "visible"/]],
    },
    form: {
      schema: fieldsOf(
        { edad: { type: 'integer' }, tipo: { type: 'string', enum: ['ci', 'psp'] }, cedula: text, pasaporte: text },
        ['tipo', 'cedula', 'pasaporte'],
      ),
      ui: {
        fields: titled(
          { edad: 'Edad', tipo: 'Tipo', cedula: 'Cédula', pasaporte: 'Pasaporte' },
          { tipo: { 'ui:widget': 'radio', 'ui:enumNames': ['Con cédula', 'Con pasaporte'] } },
        ),
        visible: { cedula: is('tipo', 'ci'), pasaporte: is('tipo', 'psp') },
      },
    },
    tries: [
      { drawn: ['edad', 'tipo'], errors: { tipo: 'Falta' } },
      { typed: [['Con cédula'], ['Cédula', '1']], sent: { tipo: 'ci', cedula: '1' } },
      {
        typed: [['Con pasaporte'], ['Pasaporte', 'A1']],
        drawn: ['edad', 'tipo', 'pasaporte'],
        sent: { tipo: 'psp', pasaporte: 'A1' },
      },
    ],
  })),
  {
    name: 'All Of',
    note: 'the keywords in the field itself, or a `$ref` with others beside it',
    refused: {
      schema: fieldsOf({ nombre: { allOf: [{ type: 'string' }, { minLength: 2 }, { maxLength: 5 }] } }),
      ui: { fields: titled({ nombre: 'Nombre' }) },
      because: [
        ['schema', '/properties/nombre/allOf', /cannot stand/, /Write the keywords into the field itself/],
        ['schema', '/properties/nombre', /no "type" that can be drawn/, /Use string/],
      ],
    },
    form: {
      schema: {
        ...fieldsOf({ nombre: { $ref: '#/$defs/corto', minLength: 2 } }, ['nombre']),
        $defs: { corto: { type: 'string', maxLength: 5 } },
      },
      ui: { fields: titled({ nombre: 'Nombre' }) },
    },
    tries: [
      { typed: [['Nombre', 'A']], errors: { nombre: 'Mínimo 2' } },
      { typed: [['Nombre', 'Anabela']], errors: { nombre: 'Máximo 5' } },
      { typed: [['Nombre', 'Ana']], sent: { nombre: 'Ana' } },
    ],
  },
];
