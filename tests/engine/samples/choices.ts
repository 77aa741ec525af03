import { createObjectSchema, text, createTitledFields, type Sample } from './sample-types.ts';

const drinks = { type: 'string', enum: ['mate', 'cafe'] } as const;
const drinkNames = { 'ui:enumNames': ['Mate', 'Café'] };
const unknown = /Unknown key "ui:/;

export const choiceSamples: readonly Sample[] = [
  {
    name: 'Widgets',
    note: '`text`, `email`, `tel`, `textarea`, `date`, `number`, `checkbox`, `select`, `radio`, `checkboxes`, `hidden`, or a widget of a plugin',
    form: {
      schema: createObjectSchema({
        correo: { type: 'string', format: 'email' },
        sitio: { type: 'string', format: 'uri' },
        nota: text,
        fijo: text,
        acepto: { type: 'boolean' },
        lista: drinks,
        radio: drinks,
        oculto: text,
      }),
      ui: {
        fields: createTitledFields(
          {
            correo: 'Correo',
            sitio: 'Sitio',
            nota: 'Nota',
            fijo: 'Fijo',
            acepto: 'Acepto',
            lista: 'Lista',
            radio: 'Radio',
            oculto: 'Oculto',
          },
          {
            correo: { 'ui:widget': 'email' },
            nota: { 'ui:widget': 'textarea', 'ui:options': { rows: 3 } },
            fijo: { 'ui:readonly': true },
            acepto: { 'ui:widget': 'checkbox' },
            lista: { ...drinkNames, 'ui:placeholder': 'Elegí' },
            radio: { ...drinkNames, 'ui:widget': 'radio' },
            oculto: { 'ui:widget': 'hidden' },
          },
        ),
      },
      prefill: { fijo: 'así', oculto: 'x' },
    },
    attempts: [
      {
        typed: [
          ['Correo', 'ana'],
          ['Sitio', 'ana'],
        ],
        errors: { correo: 'Formato', sitio: 'Formato' },
      },
      {
        typed: [
          ['Correo', 'a@b.uy'],
          ['Sitio', 'https://b.uy'],
          ['Nota', 'a\nb'],
          ['Acepto'],
          ['Lista', 'Café'],
          ['Radio > Mate'],
        ],
        sent: {
          correo: 'a@b.uy',
          sitio: 'https://b.uy',
          nota: 'a\nb',
          fijo: 'así',
          acepto: true,
          lista: 'cafe',
          radio: 'mate',
          oculto: 'x',
        },
      },
      {
        typed: [['Acepto'], ['Lista', 'Elegí']],
        sent: { correo: 'a@b.uy', sitio: 'https://b.uy', nota: 'a\nb', fijo: 'así', radio: 'mate', oculto: 'x' },
      },
    ],
  },
  {
    name: 'Widgets, others',
    note: '`updown` and `range` are rendered as `number`, `color` as a text field for its code, booleans as `radio` or `select`',
    form: {
      schema: createObjectSchema(
        {
          color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
          tramo: { type: 'integer', minimum: 0, maximum: 9 },
          paso: { type: 'number' },
          opcion: { type: 'boolean', enum: [true, false] },
          lista: { type: 'boolean' },
          quiero: {
            type: 'boolean',
            oneOf: [
              { const: true, title: 'Quiero' },
              { const: false, title: 'No quiero' },
            ],
          },
        },
        ['lista'],
      ),
      ui: {
        fields: createTitledFields(
          { color: 'Color', tramo: 'Tramo', paso: 'Paso', opcion: 'Opción', lista: 'Lista', quiero: 'Quiero' },
          {
            color: { 'ui:widget': 'color' },
            tramo: { 'ui:widget': 'range' },
            paso: { 'ui:widget': 'updown' },
            opcion: { 'ui:enumNames': ['A favor', 'En contra'] },
            lista: { 'ui:widget': 'radio' },
            quiero: { 'ui:widget': 'radio' },
          },
        ),
      },
    },
    attempts: [
      {
        typed: [
          ['Color', 'rojo'],
          ['Tramo', '12'],
        ],
        errors: { color: 'Forma', tramo: 'Hasta 9', lista: 'Falta' },
      },
      {
        typed: [
          ['Color', '#ff0000'],
          ['Tramo', '3'],
          ['Paso', '0,5'],
          ['Opción', 'En contra'],
          ['Lista > No'],
          ['Quiero > No quiero'],
        ],
        sent: { color: '#ff0000', tramo: 3, paso: 0.5, opcion: false, lista: false, quiero: false },
      },
      {
        typed: [['Opción', 'A favor'], ['Lista > Sí'], ['Quiero > Quiero']],
        sent: { color: '#ff0000', tramo: 3, paso: 0.5, opcion: true, lista: true, quiero: true },
      },
    ],
  },
  {
    name: 'Custom widgets',
    note: 'the name of a plugin, which may be a widget written for rjsf',
    form: {
      schema: createObjectSchema({ telefono: { type: 'string', maxLength: 20, phone: true } }, ['telefono']),
      ui: {
        fields: createTitledFields({ telefono: 'Teléfono' }, { telefono: { 'ui:widget': 'phone' } }),
        messages: { telefono: { phone: 'No es un teléfono' } },
      },
    },
    attempts: [
      { typed: [['Teléfono', '+598123']], errors: { telefono: 'No es un teléfono' } },
      { typed: [['Teléfono', '+59899123456']], sent: { telefono: '+59899123456' } },
    ],
  },
  {
    name: 'Custom field',
    note: 'use a widget of a plugin, or an object of fields for several values',
    refused: {
      schema: createObjectSchema({ lugar: createObjectSchema({ lat: { type: 'number' }, lon: { type: 'number' } }) }),
      ui: {
        fields: {
          lugar: { 'ui:title': 'Lugar', 'ui:field': 'geo', ...createTitledFields({ lat: 'Latitud', lon: 'Longitud' }) },
        },
      },
      because: [
        ['ui', '/fields/lugar/ui:field', /Unknown key "ui:field"/, /write a plugin and put its name in "ui:widget"/],
      ],
    },
    form: {
      schema: createObjectSchema({
        lugar: createObjectSchema({ lat: { type: 'number' }, lon: { type: 'number' } }, ['lat', 'lon']),
      }),
      ui: { fields: { lugar: { 'ui:title': 'Lugar', ...createTitledFields({ lat: 'Latitud', lon: 'Longitud' }) } } },
    },
    attempts: [
      {
        typed: [
          ['Latitud', '-34,9'],
          ['Longitud', '-56,16'],
        ],
        sent: { lugar: { lat: -34.9, lon: -56.16 } },
      },
    ],
  },
  {
    name: 'UI options',
    note: 'label, hint, placeholder, read-only fields, links, transformations of the input',
    form: {
      schema: createObjectSchema({ usuario: text, fijo: text, gris: text }),
      ui: {
        fields: createTitledFields(
          { usuario: 'Usuario', fijo: 'Fijo', gris: 'Gris' },
          {
            usuario: {
              'ui:help': 'Como en tu documento',
              'ui:placeholder': 'ana',
              'ui:options': { transform: 'lowercase', copy: false },
              'ui:links': [{ to: 'https://b.uy/usuario', text: 'Qué es' }],
            },
            fijo: { 'ui:readonly': true },
            gris: { 'ui:disabled': true },
          },
        ),
      },
      prefill: { fijo: 'a', gris: 'b' },
    },
    attempts: [{ typed: [['Usuario', 'ANA']], sent: { usuario: 'ana', fijo: 'a', gris: 'b' } }],
  },
  {
    name: 'UI options, others',
    note: "rjsf's keywords for hints, input types and the button, each beside `ui:options` or inside it",
    form: {
      schema: createObjectSchema(
        {
          nombre: { ...text, readOnly: false },
          correo: { ...text, title: 'Correo' },
          lista: { type: 'array', maxItems: 2, title: 'Lista', items: { ...text, title: 'Uno' } },
          numero: { type: 'string', readOnly: true, default: 'A1' },
        },
        ['correo'],
      ),
      ui: {
        fields: {
          'ui:submitButtonOptions': { submitText: 'Enviar' },
          nombre: { 'ui:options': { title: 'Nombre', widget: 'textarea', rows: 2 }, 'ui:description': 'El tuyo' },
          correo: { 'ui:inputType': 'email', 'ui:options': { help: 'Para responderte' } },
          lista: { 'ui:orderable': false, 'ui:addable': true },
          numero: { 'ui:options': { title: 'Número' } },
        },
      },
    },
    attempts: [
      { errors: { correo: 'Falta' } },
      {
        typed: [['Nombre', 'Ana\nPaz'], ['Correo', ' a@b.uy '], ['Agregar Uno'], ['Uno 1 > Uno', 'a']],
        sent: { nombre: 'Ana\nPaz', correo: 'a@b.uy', lista: ['a'], numero: 'A1' },
      },
    ],
  },
  {
    name: 'UI options, looks',
    note: 'remove these options: the theme defines the appearance, empty values are not sent, errors are always shown, and every field has a label',
    refused: {
      schema: createObjectSchema({ nombre: text }),
      ui: {
        fields: {
          'ui:submitButtonOptions': { submitText: 'Enviar', norender: true },
          nombre: {
            'ui:title': 'Nombre',
            'ui:classNames': 'own',
            'ui:style': { color: 'red' },
            'ui:help': 'El tuyo',
            'ui:description': 'El de otro',
            'ui:emptyValue': '',
            'ui:enumDisabled': ['a'],
            'ui:hideError': true,
            'ui:inputType': 'week',
            'ui:label': false,
            'ui:FieldTemplate': 'Own',
          },
        },
      },
      because: [
        ['ui', '/fields/nombre/ui:classNames', unknown, /The theme determines/],
        ['ui', '/fields/nombre/ui:style', unknown, /The theme determines/],
        ['ui', '/fields/nombre/ui:emptyValue', unknown, /empty fields are not sent/],
        ['ui', '/fields/nombre/ui:enumDisabled', unknown, /Remove the choice from "enum"/],
        ['ui', '/fields/nombre/ui:hideError', unknown, /Remove it/],
        ['ui', '/fields/nombre/ui:label', unknown, /every field has a label/],
        ['ui', '/fields/nombre/ui:FieldTemplate', unknown, /The theme determines/],
        ['ui', '/fields/nombre/ui:description', unknown, /Use "ui:help"/],
        ['ui', '/fields/nombre/ui:inputType', unknown, /Use "ui:widget"/],
        ['ui', '/fields/ui:submitButtonOptions', unknown, /"actions" beside "fields"/],
      ],
    },
    form: {
      schema: createObjectSchema({ nombre: text }),
      ui: { fields: createTitledFields({ nombre: 'Nombre' }, { nombre: { 'ui:help': 'El tuyo' } }) },
    },
    attempts: [{ typed: [['Nombre', '']], sent: {} }],
  },
  {
    name: 'Enumerated',
    note: '`enum` with texts in `ui:enumNames` of ui.json. If the definitions are in one language, also `enumNames` beside it, or the values as texts',
    form: {
      schema: createObjectSchema(
        {
          bebida: { ...drinks, title: 'Bebida', enumNames: ['Mate', 'Café'] },
          veces: { type: 'integer', enum: [1, 2] },
          talle: { type: 'string', title: 'Talle', enum: ['S', 'M'] },
          dias: {
            type: 'array',
            title: 'Días',
            items: { enum: ['lunes', 'martes'], type: 'string' },
            uniqueItems: true,
          },
        },
        ['bebida'],
      ),
      ui: {
        fields: createTitledFields(
          { veces: 'Veces' },
          { dias: { 'ui:widget': 'checkboxes' }, veces: { 'ui:enumNames': ['Una', 'Dos'] } },
        ),
      },
    },
    attempts: [
      { errors: { bebida: 'Falta' } },
      {
        typed: [['Bebida', 'Café'], ['Veces', 'Dos'], ['Talle', 'M'], ['martes']],
        sent: { bebida: 'cafe', veces: 2, talle: 'M', dias: ['martes'] },
      },
    ],
  },
  {
    name: 'Enumerated objects',
    note: 'objects of texts and numbers, sent unchanged, with their texts in `ui:enumNames`',
    form: {
      schema: {
        ...createObjectSchema(
          {
            lugar: { type: 'object', enum: [{ ciudad: 'Salto', lat: -31.4 }, { ciudad: 'Artigas' }] },
            otro: { $ref: '#/definitions/lugares', title: 'Otro' },
          },
          ['otro'],
        ),
        definitions: { lugares: { enum: [{ lat: 1 }, { lat: 2 }], enumNames: ['Norte', 'Sur'] } },
      },
      ui: {
        fields: {
          ...createTitledFields({ lugar: 'Lugar' }, { lugar: { 'ui:enumNames': ['Salto', 'Artigas'] } }),
          otro: { 'ui:widget': 'radio' },
        },
      },
      prefill: { lugar: { lat: -31.4, ciudad: 'Salto' } },
    },
    attempts: [
      { errors: { otro: 'Falta' } },
      { typed: [['Otro > Sur']], sent: { lugar: { ciudad: 'Salto', lat: -31.4 }, otro: { lat: 2 } } },
      { typed: [['Lugar', 'Artigas'], ['Otro > Norte']], sent: { lugar: { ciudad: 'Artigas' }, otro: { lat: 1 } } },
    ],
  },
  {
    name: 'Alternatives',
    note: 'constants with titles, if the definitions are in one language; otherwise `enum` with `ui:enumNames`',
    form: {
      schema: createObjectSchema({
        color: {
          type: 'string',
          anyOf: [
            { const: '#f00', title: 'Rojo' },
            { const: '#0f0', title: 'Verde' },
          ],
        },
      }),
      ui: { fields: createTitledFields({ color: 'Color' }) },
    },
    attempts: [{ typed: [['Color', 'Verde']], sent: { color: '#0f0' } }],
  },
  {
    name: 'Date',
    note: '`"format": "date"`, or the widget `date-parts` with three inputs',
    form: {
      schema: createObjectSchema({ nacimiento: { type: 'string', format: 'date' } }, ['nacimiento']),
      ui: { fields: createTitledFields({ nacimiento: 'Nacimiento' }) },
    },
    attempts: [
      { errors: { nacimiento: 'Falta' } },
      { typed: [['Nacimiento', '1984-02-29']], sent: { nacimiento: '1984-02-29' } },
    ],
  },
  {
    name: 'Date and time',
    note: '`date-time` and `time`, in the time zone that the page sets, or in that of the browser',
    form: {
      schema: createObjectSchema(
        {
          cuando: { type: 'string', format: 'date-time' },
          hora: { type: 'string', format: 'time' },
          otro: { type: 'string', format: 'date' },
          cita: { type: 'string', format: 'date-time' },
        },
        ['cuando'],
      ),
      ui: {
        fields: createTitledFields(
          { cuando: 'Cuándo', hora: 'Hora', otro: 'Otro', cita: 'Cita' },
          { otro: { 'ui:widget': 'alt-date' }, cita: { 'ui:widget': 'alt-datetime' } },
        ),
      },
      prefill: { cita: '2026-12-01T13:30:00Z', hora: 'ahora' },
    },
    attempts: [
      { errors: { cuando: 'Falta', hora: 'Formato' } },
      {
        typed: [
          ['Cuándo', '2026-12-31T23:30'],
          ['Hora', '10:30'],
          ['Otro', '2026-12-01'],
        ],
        sent: {
          cuando: '2026-12-31T23:30:00-03:00',
          hora: '10:30:00-03:00',
          otro: '2026-12-01',
          cita: '2026-12-01T13:30:00Z',
        },
      },
    ],
  },
];
