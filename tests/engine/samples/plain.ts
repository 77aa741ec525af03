import { createObjectSchema, text, createTitledFields, type Sample } from './sample-types.ts';

const names = Array.from({ length: 60 }, (_, index) => `field_${index}`);

export const plainSamples: readonly Sample[] = [
  {
    name: 'Simple',
    note: 'texts, a number and a secret',
    form: {
      schema: createObjectSchema(
        {
          nombre: text,
          apellido: text,
          edad: { type: 'integer' },
          sobre_mi: text,
          clave: { type: 'string', minLength: 3, writeOnly: true },
          telefono: { type: 'string', minLength: 8 },
        },
        ['nombre', 'apellido'],
      ),
      ui: {
        fields: createTitledFields(
          {
            nombre: 'Nombre',
            apellido: 'Apellido',
            edad: 'Edad',
            sobre_mi: 'Sobre mí',
            clave: 'Clave',
            telefono: 'Teléfono',
          },
          {
            nombre: { 'ui:autocomplete': 'given-name' },
            sobre_mi: { 'ui:widget': 'textarea' },
            telefono: { 'ui:widget': 'tel', 'ui:placeholder': '099' },
          },
        ),
      },
    },
    attempts: [
      {
        typed: [
          ['Edad', 'x'],
          ['Clave', 'ab'],
        ],
        errors: { nombre: 'Falta', apellido: 'Falta', edad: 'Tipo', clave: 'Mínimo 3' },
      },
      {
        typed: [
          ['Nombre', 'Ana'],
          ['Apellido', 'Pérez'],
          ['Edad', '41'],
          ['Sobre mí', 'Vivo en Salto'],
          ['Clave', 'abc'],
          ['Teléfono', '099123456'],
        ],
        sent: {
          nombre: 'Ana',
          apellido: 'Pérez',
          edad: 41,
          sobre_mi: 'Vivo en Salto',
          clave: 'abc',
          telefono: '099123456',
        },
      },
    ],
  },
  {
    name: 'Single',
    note: 'use an object with one field',
    refused: {
      schema: { type: 'string' },
      because: [['schema', '/type', /must be "object"/, /for a single value, use an object with one field/]],
    },
    form: { schema: createObjectSchema({ nombre: text }), ui: { fields: createTitledFields({ nombre: 'Nombre' }) } },
    attempts: [{ typed: [['Nombre', 'Ana']], sent: { nombre: 'Ana' } }],
  },
  {
    name: 'Numbers',
    note: 'numbers with a decimal comma or point, choices, limits and steps',
    form: {
      schema: createObjectSchema({
        decimal: { type: 'number' },
        entero: { type: 'integer' },
        lista: { type: 'number', enum: [1, 2.5, 3] },
        opcion: { type: 'integer', enum: [1, 2, 3] },
        rango: { type: 'integer', minimum: -50, maximum: 50 },
        pasos: { type: 'integer', minimum: 50, exclusiveMaximum: 100, multipleOf: 10 },
      }),
      ui: {
        fields: createTitledFields(
          { decimal: 'Decimal', entero: 'Entero', lista: 'Lista', opcion: 'Opción', rango: 'Rango', pasos: 'Pasos' },
          {
            lista: { 'ui:enumNames': ['uno', 'dos y medio', 'tres'] },
            opcion: { 'ui:widget': 'radio', 'ui:enumNames': ['primera', 'segunda', 'tercera'] },
          },
        ),
      },
    },
    attempts: [
      {
        typed: [
          ['Decimal', '1,x'],
          ['Entero', '1,5'],
          ['Rango', '51'],
          ['Pasos', '55'],
        ],
        errors: { decimal: 'Tipo', entero: 'Tipo', rango: 'Hasta 50', pasos: 'De 10 en 10' },
      },
      {
        typed: [['Pasos', '100']],
        errors: { decimal: 'Tipo', entero: 'Tipo', rango: 'Hasta 50', pasos: 'Menos de 100' },
      },
      {
        typed: [
          ['Decimal', '3,14'],
          ['Entero', '42'],
          ['Lista', 'dos y medio'],
          ['segunda'],
          ['Rango', '-50'],
          ['Pasos', '90'],
        ],
        sent: { decimal: 3.14, entero: 42, lista: 2.5, opcion: 2, rango: -50, pasos: 90 },
      },
    ],
  },
  {
    name: 'Ordering',
    note: '`ui:order`, with `*` for all other fields',
    form: {
      schema: createObjectSchema({ clave: text, edad: { type: 'integer' }, apellido: text, nombre: text, apodo: text }),
      ui: {
        fields: {
          'ui:order': ['nombre', 'apellido', '*', 'clave'],
          ...createTitledFields({
            nombre: 'Nombre',
            apellido: 'Apellido',
            apodo: 'Apodo',
            edad: 'Edad',
            clave: 'Clave',
          }),
        },
      },
    },
    attempts: [
      {
        typed: [
          ['Clave', 'x'],
          ['Nombre', 'Ana'],
        ],
        drawn: ['nombre', 'apellido', 'edad', 'apodo', 'clave'],
        sent: { nombre: 'Ana', clave: 'x' },
      },
    ],
  },
  {
    name: 'Large',
    note: 'a keystroke renders only its field in a form of any size',
    form: {
      schema: createObjectSchema(Object.fromEntries(names.map((name) => [name, text])), names.slice(-1)),
      ui: { fields: createTitledFields(Object.fromEntries(names.map((name) => [name, `Dato ${name}.`]))) },
    },
    attempts: [
      { drawn: names, errors: { field_59: 'Falta' } },
      {
        typed: names.map((name) => [`Dato ${name}.`, name]),
        sent: Object.fromEntries(names.map((name) => [name, name])),
      },
    ],
  },
  {
    name: 'Validation',
    note: 'rules of plugins in addition to standard keywords',
    form: {
      schema: createObjectSchema(
        {
          clave: { type: 'string', minLength: 3, writeOnly: true },
          repetir: { type: 'string', matches: 'clave', writeOnly: true },
          edad: { type: 'number', minimum: 18 },
        },
        ['clave', 'repetir'],
      ),
      ui: {
        fields: createTitledFields({ clave: 'Clave', repetir: 'Repetir', edad: 'Edad' }),
        messages: { repetir: { matches: 'No es igual' }, edad: { minimum: 'Con {limit} años' } },
      },
    },
    attempts: [
      {
        typed: [
          ['Clave', 'abc'],
          ['Repetir', 'abd'],
          ['Edad', '17'],
        ],
        errors: { repetir: 'No es igual', edad: 'Con 18 años' },
      },
      {
        typed: [
          ['Repetir', 'abc'],
          ['Edad', '18'],
        ],
        sent: { clave: 'abc', repetir: 'abc', edad: 18 },
      },
    ],
  },
  {
    name: 'ErrorSchema',
    note: 'an error from the server is shown at its field until the value changes',
    form: {
      schema: createObjectSchema({ correo: text, lugar: createObjectSchema({ ciudad: text }) }, ['correo']),
      ui: {
        fields: {
          ...createTitledFields({ correo: 'Correo' }),
          lugar: { 'ui:title': 'Lugar', ...createTitledFields({ ciudad: 'Ciudad' }) },
        },
      },
    },
    attempts: [
      {
        typed: [
          ['Correo', 'ana'],
          ['Ciudad', 'Salto'],
        ],
        sent: { correo: 'ana', lugar: { ciudad: 'Salto' } },
        refusal: { correo: 'Ya está en uso', 'lugar.ciudad': 'No es una ciudad' },
      },
      { errors: { correo: 'Ya está en uso', 'lugar.ciudad': 'No es una ciudad' } },
      { typed: [['Correo', 'bea']], errors: { 'lugar.ciudad': 'No es una ciudad' } },
      { typed: [['Ciudad', 'Artigas']], sent: { correo: 'bea', lugar: { ciudad: 'Artigas' } } },
    ],
  },
  {
    name: 'Errors',
    note: 'errors of initial values are shown on blur or at submit',
    form: {
      schema: createObjectSchema(
        { nombre: { type: 'string', minLength: 5 }, activo: { type: 'boolean', const: true } },
        ['activo'],
      ),
      ui: { fields: createTitledFields({ nombre: 'Nombre', activo: 'Activo' }) },
      prefill: { nombre: 'Ana', activo: false },
    },
    attempts: [
      { errors: { nombre: 'Mínimo 5', activo: 'Debe aceptarse' } },
      { typed: [['Nombre', 'Anabel'], ['Activo']], sent: { nombre: 'Anabel', activo: true } },
    ],
  },
  {
    name: 'Examples',
    note: 'the first example is the placeholder, if the definitions are in one language',
    form: {
      schema: createObjectSchema({
        navegador: { type: 'string', title: 'Navegador', examples: ['Firefox', 'Chrome'] },
        edad: { type: 'integer', title: 'Edad', examples: [41] },
      }),
      ui: { fields: { edad: { 'ui:placeholder': 'En años' } } },
    },
    attempts: [
      { placeholders: { Navegador: 'Firefox', Edad: 'En años' }, sent: {} },
      { typed: [['Navegador', 'Otro']], sent: { navegador: 'Otro' } },
    ],
  },
  {
    name: 'Defaults',
    note: '`default`; a `prefill` in the flow state takes precedence',
    form: {
      schema: createObjectSchema({
        pais: { ...text, default: 'Uruguay' },
        lugar: createObjectSchema({ ciudad: { ...text, default: 'Salto' } }),
        cantidad: { type: 'integer', default: 1 },
      }),
      ui: {
        fields: {
          ...createTitledFields({ pais: 'País', cantidad: 'Cantidad' }),
          lugar: { 'ui:title': 'Lugar', ...createTitledFields({ ciudad: 'Ciudad' }) },
        },
      },
      prefill: { cantidad: 2 },
    },
    attempts: [
      { sent: { pais: 'Uruguay', lugar: { ciudad: 'Salto' }, cantidad: 2 } },
      { typed: [['Cantidad', '']], sent: { pais: 'Uruguay', lugar: { ciudad: 'Salto' } } },
    ],
  },
  {
    name: 'Null',
    note: 'the texts are shown below the heading, without an input',
    form: {
      schema: createObjectSchema({
        aviso: { type: 'null', title: 'Un dato sin valor', description: 'No se escribe nada.' },
        nombre: text,
      }),
      ui: {
        intro: 'Para empezar.',
        fields: { 'ui:order': ['nombre', 'aviso'], ...createTitledFields({ nombre: 'Nombre' }) },
      },
    },
    attempts: [
      {
        texts: ['Para empezar.', 'Un dato sin valor', 'No se escribe nada.'],
        typed: [['Nombre', 'Ana']],
        drawn: ['nombre'],
        sent: { nombre: 'Ana' },
      },
    ],
  },
  {
    name: 'Nullable',
    note: '`null` is never sent, because empty values are not sent',
    form: {
      schema: createObjectSchema({
        apodo: { ...text, type: ['string', 'null'] },
        sobrenombre: { ...text, nullable: true },
      }),
      ui: { fields: createTitledFields({ apodo: 'Apodo', sobrenombre: 'Sobrenombre' }) },
      prefill: { apodo: 'Nita' },
    },
    attempts: [{ sent: { apodo: 'Nita' } }, { typed: [['Apodo', '']], sent: {} }],
  },
];
