import { answerSamples } from './answers.ts';
import { createObjectSchema, text, createTitledFields, type Sample } from './sample-types.ts';

/** A sample that corresponds to one in another public gallery. `of` is the name of that gallery. */
export interface GallerySample extends Sample {
  readonly of: string;
}

const createVisibleRule = (field: string, value: unknown) => ({ '==': [{ var: `form.${field}` }, value] });
const grades = { type: 'string', enum: ['mala', 'buena'] } as const;
const gradeNames = ['Mala', 'Buena'];
const means = { type: 'string', enum: ['bus', 'bici', 'auto'] } as const;
const meanNames = ['Ómnibus', 'Bicicleta', 'Auto'];
const amounts = { type: 'number', minimum: 0 } as const;

/** Samples that rjsf's playground lacks: capabilities in five other galleries, and capabilities of only this engine. */
export const gallerySamples: readonly GallerySample[] = [
  {
    of: 'JSON Forms',
    name: 'Layouts',
    note: 'use `fields`, `ui:order`, `sections`, and `"width": "half"` for two fields in a row',
    refused: {
      schema: createObjectSchema({ nombre: text, apellido: text, barrio: text }),
      ui: { elements: [{ scope: '#/properties/nombre' }] },
      because: [['ui', '/elements', /Unknown key "elements"/, /"ui:order" and "sections"/]],
    },
    form: {
      schema: createObjectSchema({ barrio: text, nombre: text, apellido: text }),
      ui: {
        fields: {
          'ui:order': ['nombre', 'apellido', '*'],
          ...createTitledFields(
            { nombre: 'Nombre', apellido: 'Apellido', barrio: 'Barrio' },
            { nombre: { 'ui:options': { width: 'half' } }, apellido: { 'ui:options': { width: 'half' } } },
          ),
        },
        sections: [{ title: 'Dónde', fields: ['barrio'] }],
      },
    },
    attempts: [
      {
        typed: [
          ['Nombre', 'Ana'],
          ['Dónde > Barrio', 'Aguada'],
        ],
        drawn: ['nombre', 'apellido', 'barrio'],
        sent: { nombre: 'Ana', barrio: 'Aguada' },
      },
    ],
  },
  {
    of: 'JSON Forms',
    name: 'Rule',
    note: 'use `visible` beside `fields`',
    refused: {
      schema: createObjectSchema({ huerta: { type: 'boolean' }, cultivo: text }),
      ui: {
        fields: {
          ...createTitledFields({ huerta: 'Tengo huerta' }),
          cultivo: { 'ui:title': 'Cultivo', rule: { effect: 'SHOW', condition: 'huerta' } },
        },
      },
      because: [
        ['ui', '/fields/cultivo/rule/effect', /Unknown key "effect"/, /"visible" in ui.json/],
        ['ui', '/fields/cultivo/rule/condition', /Unknown key "condition"/, /"visible" in ui.json/],
      ],
    },
    form: {
      schema: createObjectSchema({ huerta: { type: 'boolean' }, cultivo: text }, ['cultivo']),
      ui: {
        fields: createTitledFields({ huerta: 'Tengo huerta', cultivo: 'Cultivo' }),
        visible: { cultivo: { var: 'form.huerta' } },
      },
    },
    attempts: [
      { drawn: ['huerta'], sent: {} },
      { typed: [['Tengo huerta']], drawn: ['huerta', 'cultivo'], errors: { cultivo: 'Falta' } },
      { typed: [['Cultivo', 'tomate']], sent: { huerta: true, cultivo: 'tomate' } },
    ],
  },
  {
    of: 'SurveyJS',
    name: 'Matrix',
    note: 'an object of fields with the same choices and `"ui:widget": "matrix"`',
    form: {
      schema: createObjectSchema(
        { servicio: createObjectSchema({ rapidez: grades, trato: grades, lugar: grades }, ['rapidez', 'trato']) },
        ['servicio'],
      ),
      ui: {
        fields: {
          servicio: {
            'ui:title': 'Servicio',
            'ui:widget': 'matrix',
            'ui:enumNames': gradeNames,
            ...createTitledFields(
              { rapidez: 'Rapidez', trato: 'Trato', lugar: 'Lugar' },
              { trato: { 'ui:help': 'De la gente' } },
            ),
          },
        },
        visible: { 'servicio.lugar': createVisibleRule('servicio.trato', 'mala') },
      },
    },
    attempts: [
      { typed: [['Servicio > Rapidez > Buena']], errors: { 'servicio.trato': 'Falta' } },
      {
        typed: [['Servicio > Trato > Mala']],
        drawn: ['servicio.rapidez', 'servicio.trato', 'servicio.lugar'],
        sent: { servicio: { rapidez: 'buena', trato: 'mala' } },
      },
    ],
  },
  {
    of: 'SurveyJS',
    name: 'Ranking',
    note: 'use a list of objects that initially contains every choice and can be reordered',
    refused: {
      schema: createObjectSchema({ orden: { type: 'array', uniqueItems: true, items: means } }),
      ui: {
        fields: createTitledFields(
          { orden: 'Orden' },
          { orden: { 'ui:widget': 'ranking', 'ui:enumNames': meanNames } },
        ),
      },
      because: [['ui', '/fields/orden/ui:widget', /Unknown widget "ranking"/, /without "addable" and "removable"/]],
    },
    form: {
      schema: createObjectSchema({
        orden: {
          type: 'array',
          minItems: 3,
          maxItems: 3,
          uniqueItems: true,
          items: createObjectSchema({ medio: means }, ['medio']),
        },
      }),
      ui: {
        fields: {
          orden: {
            'ui:title': 'Orden',
            'ui:options': { addable: false, removable: false },
            items: {
              'ui:title': 'Lugar',
              medio: { 'ui:title': 'Medio', 'ui:enumNames': meanNames, 'ui:readonly': true },
            },
          },
        },
      },
      prefill: { orden: means.enum.map((medio) => ({ medio })) },
    },
    attempts: [
      {
        typed: [['Subir Lugar 3'], ['Subir Lugar 2'], ['Bajar Lugar 2']],
        sent: { orden: [{ medio: 'auto' }, { medio: 'bici' }, { medio: 'bus' }] },
      },
    ],
  },
  {
    of: 'SurveyJS',
    name: 'Choices from another question',
    note: 'use a `select` whose choices an operation returns, with `source` and `params`',
    refused: {
      schema: createObjectSchema({ region: text, pais: { type: 'string', choicesFromQuestion: 'region' } }),
      ui: { fields: createTitledFields({ region: 'Región', pais: 'País' }) },
      because: [['schema', '/properties/pais/choicesFromQuestion', /is not allowed/, /"source" and "params"/]],
    },
    form: {
      schema: createObjectSchema({ region: { type: 'string', enum: ['sur', 'norte'] }, pais: text }, ['pais']),
      ui: {
        fields: createTitledFields(
          { region: 'Región', pais: 'País' },
          {
            region: { 'ui:enumNames': ['Sur', 'Norte'] },
            pais: {
              'ui:widget': 'select',
              'ui:options': { source: 'list', params: { region: { var: 'form.region' } } },
            },
          },
        ),
      },
    },
    attempts: [
      { typed: [['Región', 'Sur']], errors: { pais: 'Falta' } },
      { typed: [['País', 'Argentina']], sent: { region: 'sur', pais: 'ar' } },
    ],
  },
  {
    of: 'SurveyJS',
    name: 'Choices by an answer',
    note: '`if` and `then` with the choices that remain after an answer',
    form: {
      schema: {
        ...createObjectSchema({ medio: means, clase: { type: 'string', enum: ['turista', 'ejecutiva'] } }, [
          'medio',
          'clase',
        ]),
        if: createObjectSchema({ medio: { enum: ['bici', 'bus'] } }),
        then: createObjectSchema({ clase: { enum: ['turista'] } }),
      },
      ui: {
        fields: createTitledFields(
          { medio: 'Medio', clase: 'Clase' },
          {
            medio: { 'ui:enumNames': meanNames },
            clase: { 'ui:widget': 'radio', 'ui:enumNames': ['Turista', 'Ejecutiva'] },
          },
        ),
      },
    },
    attempts: [
      { typed: [['Medio', 'Auto'], ['Ejecutiva']], sent: { medio: 'auto', clase: 'ejecutiva' } },
      { typed: [['Medio', 'Ómnibus']], errors: { clase: 'Falta' } },
      { typed: [['Turista']], sent: { medio: 'bus', clase: 'turista' } },
    ],
  },
  {
    of: 'SurveyJS',
    name: 'Rating',
    note: 'use `radio` and an `enum` with the ratings',
    refused: {
      schema: createObjectSchema({ nota: { type: 'integer', minimum: 1, maximum: 3 } }),
      ui: { fields: createTitledFields({ nota: 'Nota' }, { nota: { 'ui:widget': 'rating' } }) },
      because: [['ui', '/fields/nota/ui:widget', /Unknown widget "rating"/, /"radio" and an "enum"/]],
    },
    form: {
      schema: createObjectSchema({ nota: { type: 'integer', enum: [1, 2, 3] }, porque: text }, ['nota', 'porque']),
      ui: {
        fields: createTitledFields(
          { nota: 'Nota', porque: 'Por qué' },
          { nota: { 'ui:widget': 'radio', 'ui:enumNames': ['1', '2', '3'] } },
        ),
        visible: { porque: { '<': [{ var: 'form.nota' }, 2] } },
      },
    },
    attempts: [
      { typed: [['3']], drawn: ['nota'], sent: { nota: 3 } },
      { typed: [['1']], drawn: ['nota', 'porque'], errors: { porque: 'Falta' } },
    ],
  },
  {
    of: 'Form.io',
    name: 'Calculated value',
    note: 'use `computed` beside `properties`; the server computes it as well',
    refused: {
      schema: createObjectSchema({ precio: amounts, total: { ...amounts, calculateValue: 'data.precio * 2' } }),
      ui: { fields: createTitledFields({ precio: 'Precio', total: 'Total' }) },
      because: [['schema', '/properties/total/calculateValue', /is not allowed/, /"computed" beside "properties"/]],
    },
    form: {
      schema: {
        ...createObjectSchema({ precio: amounts, cantidad: amounts, total: { type: 'number' } }, [
          'precio',
          'cantidad',
        ]),
        computed: { total: { '*': [{ var: 'form.precio' }, { var: 'form.cantidad' }] } },
      },
      ui: { fields: createTitledFields({ precio: 'Precio', cantidad: 'Cantidad', total: 'Total' }) },
    },
    attempts: [
      {
        typed: [
          ['Precio', '2,5'],
          ['Cantidad', '4'],
        ],
        sent: { precio: 2.5, cantidad: 4, total: 10 },
      },
    ],
  },
  {
    of: 'Form.io',
    name: 'Conditional',
    note: 'use `visible` beside `fields`, also for a whole section',
    refused: {
      schema: createObjectSchema({
        trabajo: { type: 'boolean' },
        empresa: { ...text, conditional: { when: 'trabajo' } },
      }),
      ui: { fields: createTitledFields({ trabajo: 'Trabajo', empresa: 'Empresa' }) },
      because: [['schema', '/properties/empresa/conditional', /is not allowed/, /"visible" in ui.json/]],
    },
    form: {
      schema: createObjectSchema({ trabajo: { type: 'boolean' }, empresa: text, cargo: text }, ['empresa']),
      ui: {
        fields: createTitledFields({ trabajo: 'Trabajo', empresa: 'Empresa', cargo: 'Cargo' }),
        sections: [{ title: 'Empleo', fields: ['empresa', 'cargo'], visible: { var: 'form.trabajo' } }],
      },
    },
    attempts: [
      { drawn: ['trabajo'], sent: {} },
      { typed: [['Trabajo'], ['Empleo > Empresa', 'UTE']], sent: { trabajo: true, empresa: 'UTE' } },
    ],
  },
  {
    of: 'Form.io',
    name: 'Data Grid',
    note: 'a list of objects',
    form: {
      schema: createObjectSchema({
        gastos: {
          type: 'array',
          minItems: 1,
          maxItems: 5,
          items: createObjectSchema({ concepto: text, monto: amounts }, ['concepto', 'monto']),
        },
      }),
      ui: {
        fields: {
          gastos: {
            'ui:title': 'Gastos',
            items: {
              'ui:title': 'Gasto',
              ...createTitledFields(
                { concepto: 'Concepto', monto: 'Monto' },
                { concepto: { 'ui:options': { width: 'half' } }, monto: { 'ui:options': { width: 'half' } } },
              ),
            },
          },
        },
      },
    },
    attempts: [
      {
        typed: [['Agregar Gasto'], ['Gasto 1 > Concepto', 'Papel'], ['Gasto 1 > Monto', '-1']],
        errors: { 'gastos.0.monto': 'Desde 0' },
      },
      { typed: [['Gasto 1 > Monto', '90']], sent: { gastos: [{ concepto: 'Papel', monto: 90 }] } },
    ],
  },
  {
    of: 'GOV.UK Design System',
    name: 'Conditional reveal',
    note: '`radio`, and `visible` for the fields of each choice',
    form: {
      schema: createObjectSchema({ medio: { type: 'string', enum: ['correo', 'carta'] }, correo: text, calle: text }, [
        'medio',
        'correo',
        'calle',
      ]),
      ui: {
        fields: createTitledFields(
          { medio: 'Cómo te avisamos', correo: 'Correo', calle: 'Calle' },
          {
            medio: { 'ui:widget': 'radio', 'ui:enumNames': ['Por correo electrónico', 'Por carta'] },
            correo: { 'ui:widget': 'email' },
          },
        ),
        visible: { correo: createVisibleRule('medio', 'correo'), calle: createVisibleRule('medio', 'carta') },
      },
    },
    attempts: [
      { errors: { medio: 'Falta' }, drawn: ['medio'] },
      { typed: [['Por carta']], drawn: ['medio', 'calle'], errors: { calle: 'Falta' } },
      {
        typed: [['Por correo electrónico'], ['Correo', 'a@b.uy']],
        drawn: ['medio', 'correo'],
        sent: { medio: 'correo', correo: 'a@b.uy' },
      },
    ],
  },
  {
    of: 'GOV.UK Design System',
    name: 'Date input',
    note: 'the widget `date-parts` and its rule `calendarDate`',
    form: {
      schema: createObjectSchema({ nacimiento: { type: 'string', calendarDate: {} } }, ['nacimiento']),
      ui: {
        fields: createTitledFields(
          { nacimiento: 'Nacimiento' },
          { nacimiento: { 'ui:widget': 'date-parts', 'ui:options': { labelled: 'self' } } },
        ),
      },
    },
    attempts: [
      {
        typed: [
          ['Nacimiento > Día', '7'],
          ['Nacimiento > Mes', '3'],
          ['Nacimiento > Año', '1990'],
        ],
        sent: { nacimiento: '1990-03-07' },
      },
    ],
  },
  {
    of: 'FormKit',
    name: 'Repeater',
    note: 'a list of objects whose items can be moved, removed and restored',
    form: {
      schema: createObjectSchema({
        tareas: {
          type: 'array',
          maxItems: 4,
          items: createObjectSchema({ que: text, urgente: { type: 'boolean' } }, ['que']),
        },
      }),
      ui: {
        fields: {
          tareas: {
            'ui:title': 'Tareas',
            items: { 'ui:title': 'Tarea', ...createTitledFields({ que: 'Qué', urgente: 'Urgente' }) },
          },
        },
      },
      prefill: { tareas: [{ que: 'Barrer' }, { que: 'Lavar' }] },
    },
    attempts: [
      {
        typed: [['Subir Tarea 2'], ['Tarea 1 > Urgente'], ['Quitar Tarea 2']],
        sent: { tareas: [{ que: 'Lavar', urgente: true }] },
      },
    ],
  },
  {
    of: 'FormKit',
    name: 'Confirm',
    note: 'the rule `matches` of a plugin',
    form: {
      schema: createObjectSchema({ correo: text, otra: { ...text, matches: 'correo' } }, ['correo', 'otra']),
      ui: {
        fields: createTitledFields({ correo: 'Correo', otra: 'Correo otra vez' }, { correo: { 'ui:widget': 'email' } }),
        messages: { otra: { matches: 'No es igual' } },
      },
    },
    attempts: [
      {
        typed: [
          ['Correo', 'a@b.uy'],
          ['Correo otra vez', 'a@b.u'],
        ],
        errors: { otra: 'No es igual' },
      },
      { typed: [['Correo otra vez', 'a@b.uy']], sent: { correo: 'a@b.uy', otra: 'a@b.uy' } },
    ],
  },
  ...answerSamples,
];
