import { expect, test } from 'vitest';
import { omitConsequentialProblems } from '../../src/engine/compiler/omit-consequential-problems.ts';
import { findFindings, samplePaths } from './support/find-findings.ts';
import { changeSample, loadProject, sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt, flow } = samplePaths;
const catalogue = 'schemas/_shared/messages.json';

const inSchema = (change: (content: any) => void) => changeSample(schema, change);
const inUi = (change: (content: any) => void) => changeSample(ui, change);
const inFlow = (change: (content: any) => void) => changeSample(flow, change);

const uiText = JSON.stringify(sampleProject[ui], null, 2);
const written = (from: string, to: string): Files => {
  expect(uiText).toContain(from);
  return { ...sampleProject, [ui]: uiText.replace(from, to) };
};
const title = '"title": "Formulario",';

/** A list of paragraphs and its translation. */
const steps = (own: readonly string[], translated: readonly string[]): Files => ({
  ...inUi((c) => (c.intro = own.map((text) => ({ text })))),
  [pt]: changeSample(pt, (c: any) => (c.intro = translated))[pt],
});

/** A journey of two steps. The notice of the second step rejects a field of the first. */
const movedField = (change: (content: any) => void): Files => ({
  ...inFlow((c) => {
    c.progress = ['form', 'last'];
    c.states.form.on.submit = 'last';
    c.states.last = {
      path: '/last',
      screen: 'last',
      on: { submit: { src: 'save', input: { id: 'form.note' }, onDone: 'done', onError: { field: true } } },
    };
    change(c);
  }),
  'schemas/last/schema.json': { type: 'object', properties: { note: { type: 'string' } } },
  'schemas/last/ui.json': {
    title: 'Datos',
    fields: { note: { 'ui:title': 'Nota' } },
    actions: [{ event: 'submit', text: 'Enviar', primary: true }],
    notices: { wrong: { intent: 'error', field: 'extra', text: 'Revisalo' } },
  },
  'schemas/last/ui.pt.json': {
    title: 'Dados',
    fields: { note: { 'ui:title': 'Observação' } },
    actions: { submit: 'Enviar' },
    notices: { wrong: { text: 'Revise' } },
  },
});

/** Mistake, a project that contains it, and the only expected report: file, line if the file is not valid JSON, and message with remedy. */
const mistakes: readonly (readonly [what: string, files: Files, says: RegExp])[] = [
  ['a missing comma', written(title, title.slice(0, -1)), /^ui\.json:2 .*Falta una coma acá/],
  [
    'a missing closing quote',
    written('"Formulario",', '"Formulario,'),
    /^ui\.json:2 .*la comilla que cierra este texto/,
  ],
  ['a key without its closing quote', written('"title":', '"title:'), /^ui\.json:2 .*la comilla que cierra la clave/],
  ['a missing opening quote', written('"Formulario"', 'Formulario"'), /^ui\.json:2 .*la comilla antes de "Formulario"/],
  ['a quote within a text', written('Formulario"', 'Formulario "A""'), /^ui\.json:2 .*lleva una barra/],
  ['a line break within a text', written('Formulario"', 'Formulario\nlargo"'), /^ui\.json:2 .*el renglón siguiente/],
  ['single quotes', written('"Formulario"', "'Formulario'"), /^ui\.json:2 .*comillas dobles/],
  ['a typographic closing quote', written('"Formulario"', '"Formulario”'), /^ui\.json:2 .*procesador de textos/],
  [
    'True with a capital letter',
    written('"primary": true', '"primary": True'),
    /^ui\.json:\d+ .*Escribí true, sin comillas/,
  ],
  ['a text without quotes', written('"Formulario"', 'Formulario'), /^ui\.json:2 .*"Formulario" entre comillas/],
  ['a decimal comma', written('"primary": true', '"primary": 1,5'), /^ui\.json:\d+ .*punto para los decimales/],
  ['a comment', written(title, `// nota\n${title}`), /^ui\.json:2 .*JSON no lleva comentarios/],
  ['a repeated comma', written(title, `${title},`), /^ui\.json:2 .*Quitá esta coma/],
  ['a key without colon', written('"title":', '"title"'), /^ui\.json:2 .*Faltan los dos puntos/],
  ['a key without value', written('"Formulario",', ','), /^ui\.json:2 .*Falta el valor/],
  [
    'a missing brace in the middle',
    written('    }\n  },\n  "visible"', '    },\n  "visible"'),
    /^ui\.json:3 .*Falta el }/,
  ],
  [
    'a spare brace on a line',
    written('    }\n  },\n  "visible"', '    } }\n  },\n  "visible"'),
    /^ui\.json:32 .*Quitá }/,
  ],
  ['a spare bracket', written('  ],\n  "notices"', '  ]],\n  "notices"'), /^ui\.json:\d+ .*Quitá ]/],
  [
    'a missing comma before a bracket with an unexpected indentation',
    { ...sampleProject, [ui]: uiText.replace('"Formulario",', '"Formulario"').replace('\n  ],', '\n      ],') },
    /^ui\.json:2 .*Falta una coma acá/,
  ],
  ['a second file in the same file', written(uiText, `${uiText}\n{}`), /^ui\.json:\d+ .*el archivo terminaba acá/],
  ['an empty file', { ...sampleProject, [ui]: '' }, /^ui\.json:1 El archivo está vacío/],
  [
    'an unresolved merge',
    written(`  ${title}`, `<<<<<<< HEAD\n  ${title}\n=======\n"title": "Otro",\n>>>>>>> laura`),
    /^ui\.json:2 .*"<<<<<<<".*Dejá una de las dos versiones/,
  ],
  [
    'a button copied with its event',
    {
      ...inUi((c) => c.actions.push({ event: c.actions[0].event, text: 'Guardar y seguir' })),
      [pt]: JSON.stringify(sampleProject[pt]).replace('"actions":{', '"actions":{"submit":"Salvar",'),
    },
    /^ui\.json Dos botones disparan "submit"\. Dale a cada uno su evento/,
  ],
  [
    'a keyword of the screen among the fields',
    inSchema((c) => (c.properties.dependentRequired = { extra: ['kind'] })),
    /^schema\.json "dependentRequired" está en el lugar equivocado\. Ponela al lado de "properties"/,
  ],
  [
    'a list of required fields among the fields',
    inSchema((c) => (c.properties.required = ['extra'])),
    /^schema\.json "required" está en el lugar equivocado/,
  ],
  [
    'a limit in quotes',
    inSchema((c) => Object.assign(c.properties.extra, { type: 'integer', maximum: '20' })),
    /^schema\.json "maximum" tiene que ser un número\. Escribilo sin comillas: 20/,
  ],
  [
    'a text in place of the only error code without a branch',
    inFlow((c) => {
      const [first] = c.states.form.on.submit.onError;
      const tested = ['taken', 'El código no es válido.'].map((code) => ({ ...first, guard: { 'error.code': code } }));
      c.states.form.on.submit.onError = tested;
    }),
    /^main\.json El error "El código no es válido\." no puede venir de save\. ¿Quisiste decir "again"\? Es el que/,
  ],
  [
    'a misspelt target that branches share',
    inFlow((c) => {
      const [first] = c.states.form.on.submit.onError;
      const branches = ['again', 'taken'].map((code) => ({ notice: first.notice, guard: { 'error.code': code } }));
      c.states.form.on.submit.onError = [{ target: 'fomr', branches }];
    }),
    /^main\.json No hay ningún estado "fomr"\. ¿Quisiste decir "form"\? Los estados son: form, done\.$/,
  ],
  [
    'a state as the address of "leave"',
    inFlow((c) => {
      const [{ target, ...first }] = c.states.form.on.submit.onDone;
      c.states.form.on.submit.onDone = [{ ...first, leave: target }];
    }),
    /^main\.json Ningún flujo tiene la ruta "done"\. "done" es un estado: escribí "target" en lugar de "leave"\.$/,
  ],
  [
    '"error" in place of "error.code"',
    inFlow((c) => (c.states.form.on.submit.onError[0].guard = { error: 'again' })),
    /^main\.json Operador desconocido: "error"\. ¿Quisiste decir "error\.code"\? Escribí { "==": \[{ "var": "error\.code" }, "again"\] }\.$/,
  ],
  [
    'a variable of the flow in place of an operator',
    inFlow((c) => (c.states.done.requires.guard = { email: 'a' })),
    /^main\.json Operador desconocido: "email"\. ¿Quisiste decir "context\.email"\?/,
  ],
  [
    'a removed field that is still required, and left out of a review',
    {
      ...inSchema((c) => {
        c.required.push('gone');
        delete c.properties.secret;
      }),
      [ui]: inUi((c) => delete c.fields.secret)[ui],
      [pt]: changeSample(pt, (c: any) => delete c.fields.secret)[pt],
      [flow]: inFlow((c) => {
        c.progress = ['form', 'done'];
        c.states.done.on = { submit: { src: 'save', input: 'progress', onDone: 'form' } };
        c.states.form.on = { submit: 'done' };
        delete c.context;
        delete c.states.done.requires;
      })[flow],
      'schemas/done/ui.json': {
        title: 'Listo',
        review: { without: ['/gone'] },
        actions: [{ event: 'submit', text: 'Enviar', primary: true }],
      },
      'schemas/done/ui.pt.json': { title: 'Pronto', actions: { submit: 'Enviar' } },
    },
    /^schema\.json "gone" es obligatorio pero no es un campo/,
  ],
  [
    'a variable that no flow assigns',
    {
      ...inUi((c) => (c.title = 'Hola {nadie}')),
      [pt]: changeSample(pt, (c: any) => (c.title = 'Olá {nadie}'))[pt],
    },
    /^ui\.json .*que no declara ni asigna ningún flujo.* o asignala en el "assign" de una rama anterior\.$/,
  ],
  [
    'a misspelt shared notice',
    {
      ...inFlow((c) => (c.states.form.on.submit.onError[0].notice = 'espra')),
      'schemas/_shared/notices.json': { $defs: { espera: { intent: 'warning', text: 'Esperá.' } } },
      'schemas/_shared/notices.pt.json': { $defs: { espera: { text: 'Espere.' } } },
    },
    /no tiene ningún aviso "espra"\. ¿Quisiste decir "espera"\?/,
  ],
  [
    'a shared rule that compares with a field that the screen no longer has',
    {
      ...inSchema((c) => (c.properties.extra = { $ref: '../_shared/person.json#/$defs/repeated' })),
      'schemas/_shared/person.json': changeSample('schemas/_shared/person.json', (c: any) => {
        c.$defs.repeated = { type: 'string', matches: 'gone' };
      })['schemas/_shared/person.json'],
    },
    /^schema\.json "matches" nombra el campo "gone", que no existe/,
  ],
  [
    'a prefill of a field that was renamed, although another screen has a field of that name',
    {
      ...inFlow((c) => {
        c.states.form.prefill = { extr: 'a' };
        c.states.done.on = { submit: { src: 'save', onDone: 'form' } };
      }),
      'schemas/done/schema.json': { type: 'object', properties: { extr: { type: 'string' } } },
      'schemas/done/ui.json': {
        title: 'Listo {email}',
        fields: { extr: { 'ui:title': 'Dato' } },
        actions: [{ event: 'submit', text: 'Enviar', primary: true }],
      },
      'schemas/done/ui.pt.json': {
        title: 'Pronto {email}',
        fields: { extr: { 'ui:title': 'Dado' } },
        actions: { submit: 'Enviar' },
      },
    },
    /^main\.json La pantalla no tiene ningún campo "extr"\. ¿Quisiste decir "extra"\?/,
  ],
  [
    'a removed field, although another screen has always had a field of that name',
    {
      ...inSchema((c) => delete c.properties.extra),
      'schemas/done/schema.json': { type: 'object', properties: { extra: { type: 'string' } } },
      'schemas/done/ui.json': {
        title: 'Listo {email}',
        fields: { extra: { 'ui:title': 'Dato' } },
        actions: [{ event: 'submit', text: 'Enviar', primary: true }],
      },
      'schemas/done/ui.pt.json': {
        title: 'Pronto {email}',
        fields: { extra: { 'ui:title': 'Dado' } },
        actions: { submit: 'Enviar' },
      },
      [flow]: changeSample(flow, (c: any) => (c.states.done.on = { submit: { src: 'save', onDone: 'form' } }))[flow],
    },
    /^ui\.json schema\.json no tiene ningún campo "extra"\. Quitá sus renglones de acá/,
  ],
  [
    'paragraphs that are plain texts',
    inUi((c) => (c.intro = ['Uno.', 'Dos.', 'Tres.'])),
    /^ui\.json El elemento 1 de "intro" tiene que ser un objeto.*"text".*Pasa en 2 lugares más\./,
  ],
  [
    'a link to an e-mail address without its scheme',
    inUi((c) => (c.links = [...(c.links ?? []), { to: 'ayuda@example.org', text: 'Escribinos' }])),
    /Ningún flujo tiene la ruta "ayuda@example\.org"\. ¿Quisiste decir "mailto:ayuda@example\.org"\?/,
  ],
  [
    'a removed state that two branches name',
    inFlow((c) => {
      c.states.form.on.submit.onDone = [{ target: 'gone' }];
      c.states.form.on.submit.onError = [{ target: 'gone' }];
    }),
    /^main\.json No hay ningún estado "gone"\..* También en flows\/main\.json:\d+\.$/,
  ],
  [
    'a missing block of texts in a translation',
    {
      ...inUi((c) => (c.fields.extra = { 'ui:title': 'Dato', 'ui:help': 'Ayuda del dato.' })),
      [pt]: changeSample(pt, (c: any) => delete c.fields.extra)[pt],
    },
    /^ui\.pt\.json Faltan los textos de \/fields\/extra\. Agregalos acá, traducidos: \{"ui:title":"Dato","ui:help":"Ayuda del dato\."\}/,
  ],
  [
    'a link in the options of a widget to an unknown path',
    inUi((c) => {
      c.fields.extra['ui:widget'] = 'facts';
      c.fields.extra['ui:options'] = { rows: [{ title: 'Dato', value: 'x', link: { to: '/fomr', text: 'Ver' } }] };
    }),
    /Ningún flujo tiene la ruta "\/fomr"\. ¿Quisiste decir "\/form"\?/,
  ],
  [
    'a second part of the same kind',
    written('"title": "Formulario",', '"title": "Formulario",\n  "fields": { "extra": { "ui:title": "Dato" } },'),
    /^ui\.json La clave "fields" está dos veces en el mismo objeto\. Pasá lo que está en esta a la del renglón 3\./,
  ],
  [
    'an event that only the screen renames',
    {
      ...inUi((c) => c.actions.push({ event: 'continue', text: 'Seguir' })),
      ...{ [pt]: JSON.stringify(sampleProject[pt]).replace('"actions":{', '"actions":{"continue":"Avançar",') },
      [flow]: changeSample(flow, (c: any) => (c.states.form.on.totp = 'done'))[flow],
    },
    /^main\.json La pantalla "form" produce "continue", y "on" atiende "totp", que nada produce/,
  ],
  [
    'a no-break space between words',
    inUi((c) => (c.title = 'Tu\u00a0formulario')),
    /contiene un espacio que no es el común \(U\+00A0\)/,
  ],
  ['a keyword in Spanish', inSchema((c) => (c.properties.extra.obligatorio = true)), /"obligatorio".*decir "required"/],
  ['a format in Spanish', inSchema((c) => (c.properties.extra.format = 'fecha')), /"fecha".*decir "date"/],
  ['a required field that is misspelt', inSchema((c) => (c.required = ['emial'])), /"emial".*decir "email"/],
  [
    'a field name with an accent',
    inSchema((c) => (c.properties.año = { type: 'string' })),
    /"año" no sirve como nombre/,
  ],
  [
    'a field outside of "properties"',
    {
      ...inSchema((c) => (c.age = { type: 'integer' })),
      [ui]: inUi((c) => (c.fields.age = { 'ui:title': 'Edad' }))[ui],
      [pt]: changeSample(pt, (c: any) => (c.fields.age = { 'ui:title': 'Idade' }))[pt],
      [flow]: inFlow((c) => (c.states.form.prefill = { age: 3 }))[flow],
    },
    /^schema\.json El campo "age" quedó fuera de "properties"/,
  ],
  [
    'a reference to a missing definition',
    inSchema((c) => (c.properties.email.$ref = '../_shared/person.json#/$defs/mail')),
    /decir "\.\.\/_shared\/person\.json#\/\$defs\/email"/,
  ],
  [
    'choices of a list that are not in "items"',
    inSchema((c) => (c.properties.extra = { type: 'array', enum: ['a', 'b'] })),
    /^schema\.json .*Escribí sus opciones en "items": \{ "type": "string", "enum": \["a", "b"\] \}\.$/,
  ],
  ['a pattern with an open group', inSchema((c) => (c.properties.extra.pattern = '^(a')), /falta cerrar un paréntesis/],
  [
    'a number in quotes among choices',
    inSchema((c) => (c.properties.kind = { type: 'integer', enum: ['1', '2'] })),
    /Escribilo sin comillas: 1/,
  ],
  ['a misspelt field in a rule', inSchema((c) => (c.properties.repeat.matches = 'emial')), /"emial".*decir "email"/],
  [
    'a misspelt field in "dependentRequired"',
    inSchema((c) => (c.dependentRequired = { kidn: ['extra'] })),
    /^schema\.json .*"kidn".*decir "kind"/,
  ],
  [
    'a value in "if" that is no choice',
    inSchema((c) => {
      c.if = { properties: { kind: { const: 'B' } }, required: ['kind'] };
      c.then = { required: ['extra'] };
    }),
    /"form\.kind" no es nunca "B".*"a", "b"/,
  ],
  [
    'an "if" that also holds for an empty field',
    inSchema((c) => {
      c.if = { properties: { kind: { const: 'b' } } };
      c.then = { required: ['extra'] };
    }),
    /mientras "kind" está vacío.*"required": \["kind"\]/,
  ],
  [
    'a misspelt field in "fields"',
    inUi((c) => {
      c.fields.kidn = c.fields.kind;
      delete c.fields.kind;
    }),
    /^ui\.json No hay ningún campo "kidn".*decir "kind"/,
  ],
  [
    'a message for a misspelt rule',
    inUi((c) => (c.messages = { email: { patern: 'Forma' } })),
    /^ui\.json El campo "email" no tiene la regla "patern".*decir "pattern"/,
  ],
  [
    'a misspelt event',
    inUi((c) => (c.actions[0].event = 'sumbit')),
    /^ui\.json .*Escribí "submit" en lugar de "sumbit"/,
  ],
  [
    'a submit button with the event of its text',
    inUi((c) => (c.actions[0].event = 'guardar')),
    /^ui\.json .*Escribí "submit" en lugar de "guardar"/,
  ],
  [
    'an event that ui.json no longer shares with its flow and its translation',
    {
      ...inFlow((c) => (c.states.form.on.resend = 'done')),
      [ui]: uiText.replace('"actions": [', '"actions": [{ "event": "otra_vez", "text": "Enviar otra vez" },'),
      [pt]: JSON.stringify(sampleProject[pt]).replace('"actions":{', '"actions":{"resend":"Enviar de novo",'),
    },
    /^ui\.json .*"resend".*Escribí acá "resend"/,
  ],
  ['an intent in Spanish', inUi((c) => (c.notices.again.intent = 'advertencia')), /decir "warning"/],
  [
    'messages inside "fields"',
    inUi((c) => (c.fields.messages = { extra: { pattern: 'Forma' } })),
    /"messages" quedó dentro de "fields"/,
  ],
  [
    'a choice without a name',
    inUi((c) => c.fields.kind['ui:enumNames'].pop()),
    /^ui\.json Opciones de "kind": 2\. Textos en "ui:enumNames": 1\./,
  ],
  [
    'a link to a misspelt path',
    changeSample('schemas/done/ui.json', (c: any) => (c.links[0].to = '/from')),
    /^ui\.json .*"\/from".*decir "\/form"/,
  ],
  [
    'a link without https',
    changeSample('schemas/done/ui.json', (c: any) => (c.links[0].to = 'www.gub.uy')),
    /^ui\.json .*decir "https:\/\/www\.gub\.uy"/,
  ],
  [
    'a misspelt screen',
    inFlow((c) => (c.states.done.screen = 'donne')),
    /^main\.json No hay ninguna pantalla "donne".*decir "done"/,
  ],
  [
    'a misspelt event of a flow',
    inFlow((c) => {
      c.states.form.on.sumbit = c.states.form.on.submit;
      delete c.states.form.on.submit;
    }),
    /^main\.json Nada en la pantalla "form" produce "sumbit".*decir "submit"/,
  ],
  [
    'a misspelt key of a flow',
    inFlow((c) => {
      c.inital = c.initial;
      delete c.initial;
    }),
    /^main\.json Clave desconocida: "inital".*decir "initial"/,
  ],
  [
    'a misspelt target of a step',
    {
      ...inFlow((c) => {
        c.progress = ['form', 'done'];
        c.states.form.on.submit.onDone[0].target = 'listo';
      }),
      'schemas/done/ui.json': { ...(sampleProject['schemas/done/ui.json'] as object), step: 'Fin' },
      'schemas/done/ui.pt.json': { ...(sampleProject['schemas/done/ui.pt.json'] as object), step: 'Final' },
    },
    /^main\.json No hay ningún estado "listo"/,
  ],
  [
    'a copied event with the target of another one',
    {
      ...inFlow((c) => {
        const { done } = c.states;
        c.states = { form: c.states.form, done, gone: { screen: 'done', on: {} } };
        c.states.form.on.keep = 'done';
        c.states.form.on.drop = 'done';
      }),
      [ui]: uiText.replace(
        '"actions": [',
        '"actions": [{ "event": "keep", "text": "Conservar" }, { "event": "drop", "text": "Borrar" },',
      ),
      [pt]: JSON.stringify(sampleProject[pt]).replace('"actions":{', '"actions":{"keep":"Manter","drop":"Apagar",'),
    },
    /^main\.json "drop" hace lo mismo que "keep", y nada lleva al estado "gone"/,
  ],
  [
    'a copied branch with the notice of another one',
    {
      ...inFlow((c) => {
        const branch = (code: string) => ({ guard: { '==': [{ var: 'error.code' }, code] }, notice: 'again' });
        c.states.form.on.submit.onError = [branch('again'), branch('taken'), { field: true }];
      }),
      [ui]: uiText.replace(
        '"notices": {',
        '"notices": { "taken": { "intent": "warning", "text": "Ese correo ya tiene cuenta." },',
      ),
      [pt]: JSON.stringify(sampleProject[pt]).replace(
        '"notices":{',
        '"notices":{"taken":{"text":"Esse e-mail já tem conta."},',
      ),
    },
    /^main\.json Dos ramas muestran el aviso "again", y ninguna el aviso "taken"/,
  ],
  [
    'a copied branch with the notice of another one on the next screen',
    {
      ...inFlow((c) => {
        const branch = (kind: string) => ({
          guard: { '==': [{ var: 'form.kind' }, kind] },
          target: 'done',
          notice: 'kept',
        });
        delete c.states.done.requires;
        c.states.form.on.submit.onDone.unshift(branch('a'), branch('b'));
      }),
      'schemas/done/ui.json': {
        ...(sampleProject['schemas/done/ui.json'] as object),
        notices: {
          kept: { intent: 'success', text: 'Quedó guardado.' },
          gone: { intent: 'success', text: 'Se borró.' },
        },
      },
      'schemas/done/ui.pt.json': {
        ...(sampleProject['schemas/done/ui.pt.json'] as object),
        notices: { kept: { text: 'Foi salvo.' }, gone: { text: 'Foi apagado.' } },
      },
    },
    /^main\.json Dos ramas muestran el aviso "kept", y ninguna el aviso "gone"/,
  ],
  [
    'a misspelt step',
    inFlow((c) => (c.progress = ['from', 'done'])),
    /^main\.json No hay ningún estado "from".*decir "form"/,
  ],
  [
    'an unknown fact in a named guard that several places use',
    inFlow((c) => {
      c.guards = { isOn: { var: 'flags.no' } };
      c.states.done.requires.guard = { and: ['isOn', { var: 'context.email' }] };
      c.states.form.on.submit.onDone.unshift({ guard: 'isOn', target: 'done' });
    }),
    /^main\.json La variable "flags\.no" no existe.*decir "flags\.on"/,
  ],
  [
    'an unknown fact in a visibility rule',
    inUi((c) => (c.visible.extra = { var: 'flags.no' })),
    /^ui\.json La variable "flags\.no" no existe.*decir "flags\.on"/,
  ],
  [
    'a misspelt root of a variable',
    inFlow((c) => (c.states.done.requires.guard = { var: 'contex.email' })),
    /decir "context\.email"/,
  ],
  [
    'a branch after the unconditional one',
    inFlow((c) => c.states.form.on.submit.onError.reverse()),
    /Esta rama no se toma nunca/,
  ],
  [
    'named branches after the unconditional one, at the list that uses them',
    inFlow((c) => {
      c.branches = { expired: [{ guard: { 'error.code': 'taken' }, notice: 'again' }] };
      c.states.form.on.submit.onError = [{ field: true }, { branches: 'expired' }];
    }),
    /^main\.json Las ramas "expired" no se toman nunca/,
  ],
  [
    'a misspelt key of the messages',
    changeSample(catalogue, (c: any) => {
      c.requiered = c.required;
      delete c.required;
    }),
    /^messages\.json Ninguna regla.*"requiered".*decir "required"/,
  ],
  [
    'a message that a language lacks',
    changeSample('schemas/_shared/messages.pt.json', (c: any) => delete c.required),
    /^messages\.pt\.json Falta el texto de \/required/,
  ],
  [
    'a misspelt error code',
    inFlow((c) => {
      const branch = (code: string) => ({ guard: { 'error.code': code }, notice: 'again' });
      c.states.form.on.submit.onError = [branch('agian'), branch('taken')];
    }),
    /^main\.json El error "agian" no puede venir de save/,
  ],
  [
    'a misspelt part of a response that the next state requires',
    inFlow((c) => {
      c.states.form.on.submit.onDone[0].assign.email = 'result.emial';
    }),
    /^main\.json "result\.emial" no es parte.*decir "email"/,
  ],
  [
    'an input with the value of another field',
    inFlow((c) => {
      const sent = { email: 'email', secret: 'secret', kind: 'kind', extra: 'kind' };
      c.states.form.on.submit.input = Object.fromEntries(
        Object.entries(sent).map(([name, field]) => [name, `form.${field}`]),
      );
    }),
    /^main\.json "extra" y "kind" reciben el mismo valor/,
  ],
  [
    'a misspelt variable of a text',
    {
      ...inFlow((c) => {
        delete c.context;
        delete c.states.done.requires;
        c.states.form.on.submit.onDone[0].assign.email = 'result.email';
      }),
      'schemas/done/ui.json': { title: 'Listo {mail}', links: [{ to: '/form', text: 'Otra vez' }] },
      'schemas/done/ui.pt.json': { title: 'Pronto {mail}', links: { '/form': 'De novo' } },
    },
    /^ui\.json El texto usa \{mail\}.*decir "email"/,
  ],
  [
    'a copied screen that no flow shows',
    {
      ...sampleProject,
      'schemas/copy/ui.json': sampleProject['schemas/done/ui.json'],
      'schemas/copy/ui.pt.json': sampleProject['schemas/done/ui.pt.json'],
    },
    /^ui\.json:1 Ningún flujo muestra la pantalla "copy"/,
  ],
  [
    'a prefill of a field that another step has',
    inFlow((c) => (c.states.done.prefill = { extra: 'Algo' })),
    /^main\.json La pantalla no tiene ningún campo "extra"\. Si lo pasaste a la pantalla del estado "form"/,
  ],
  [
    'a field that is still in "fields", "visible", the order and a section, but no longer in schema.json',
    {
      ...inUi((c) => {
        c.fields['ui:order'].push('gone');
        c.fields.gone = { 'ui:title': 'Otro' };
        c.visible.gone = { '==': [{ var: 'form.kind' }, 'b'] };
        c.messages = { gone: { maxLength: 'Largo' } };
        c.sections = [{ title: 'Sección', fields: ['gone'] }];
      }),
      [pt]: changeSample(pt, (c: any) => {
        c.messages = { gone: { maxLength: 'Longo' } };
        c.sections = ['Seção'];
      })[pt],
    },
    /^ui\.json No hay ningún campo "gone".*Si lo quitaste, quitá sus renglones de acá, también en las traducciones: \/fields\/gone, \/fields\/ui:order\/4, \/visible\/gone, \/messages\/gone, \/sections\/0\/fields\/0\. /,
  ],
  [
    'parameters that read a field of an earlier step',
    movedField((c) => (c.states.last.on.submit.params = { id: 'form.extra' })),
    /^main\.json La variable "form\.extra" no existe\. "extra" está ahora en la pantalla "form", de un paso anterior\. Guardalo en una variable con "assign" en ese paso y leé "context\.…", o pasá la operación a ese paso\.$/,
  ],
  [
    'a branch that reads a field of a later step',
    movedField((c) => (c.states.form.on.submit = [{ guard: { '!!': { var: 'form.note' } }, target: 'done' }, 'last'])),
    /^main\.json La variable "form\.note" no existe\. "note" está ahora en la pantalla "last", de un paso posterior\. Pasá este renglón a ese paso\.$/,
  ],
  [
    'a notice that rejects a field of another screen',
    movedField((c) => (c.states.last.on.submit.onError = { notice: 'wrong' })),
    /^main\.json El aviso "wrong" rechaza "extra", que está en la pantalla "form" y no en "last"\. Quitá "field" del aviso/,
  ],
  [
    'a link whose new target another link has already',
    {
      ...sampleProject,
      'schemas/done/ui.json': {
        title: 'Listo {email}',
        links: ['Otra vez', 'Empezar'].map((text) => ({ to: '/form', text })),
      },
      'schemas/done/ui.pt.json': { title: 'Pronto {email}', links: { '/form': 'De novo', '/start': 'Começar' } },
    },
    /^ui\.pt\.json En schemas\/done\/ui\.json este texto está ahora en "\/form"\. Pasalo a la lista "\/form"/,
  ],
  [
    'exchanged translations, one of which another field has too',
    {
      ...inUi((c) => {
        c.fields.email['ui:title'] = 'Alterar a senha nacional con teléfono';
        c.fields.repeat['ui:title'] = 'Alterar a senha nacional con documento';
        c.fields.extra['ui:title'] = 'Tu número';
      }),
      [pt]: changeSample(pt, (c: any) => {
        c.fields.email['ui:title'] = 'Alterar a senha nacional com documento';
        c.fields.repeat['ui:title'] = 'Alterar a senha nacional com telefone';
        c.fields.extra['ui:title'] = 'Alterar a senha nacional com telefone';
      })[pt],
    },
    /^ui\.pt\.json "Alterar a senha nacional com documento" y ".*" están al revés/,
  ],
  [
    'a field that only schema.json moves to the next screen',
    {
      ...inSchema((c) => delete c.properties.extra),
      'schemas/done/schema.json': { type: 'object', properties: { extra: { type: 'string' } } },
      'schemas/done/ui.json': { title: 'Listo {email}', actions: [{ event: 'submit', text: 'Enviar', primary: true }] },
      'schemas/done/ui.pt.json': { title: 'Pronto {email}', actions: { submit: 'Enviar' } },
      [flow]: changeSample(flow, (c: any) => (c.states.done.on = { submit: { src: 'save', onDone: 'form' } }))[flow],
    },
    /^ui\.json El campo "extra" está ahora en la pantalla "done"\. .*: \/fields\/extra, \/visible\/extra\.$/,
  ],
  [
    'a misspelt target of a state that leads to another one',
    inFlow((c) => {
      c.states.form.on.submit.onDone[0].target = 'midle';
      c.states.middle = { screen: 'form', on: { submit: 'done' } };
      delete c.states.done.path;
    }),
    /^main\.json No hay ningún estado "midle".*decir "middle"/,
  ],
  [
    'branches of an operation beside its event',
    inFlow((c) => {
      const { onError, ...submit } = c.states.form.on.submit;
      c.states.form.on = { submit, onError };
    }),
    /^main\.json "onError" no es un evento\. Escribilo adentro de su evento/,
  ],
  [
    'a translated variable',
    { ...sampleProject, 'schemas/done/ui.pt.json': { title: 'Pronto {endereco}', links: { '/form': 'De novo' } } },
    /^ui\.pt\.json El texto usa \{endereco\}.* Las variables no se traducen: escribí \{email\}/,
  ],
  [
    'a notice of the screen that the branch does not target',
    inFlow((c) => (c.states.form.on.submit.onError[0].target = 'done')),
    /^main\.json La pantalla "done" no tiene ningún aviso "again"\. La tiene la pantalla de "form": corregí "target"/,
  ],
  [
    'a dependent field that is not in a list',
    inSchema((c) => (c.dependentRequired = { extra: 'repeat' })),
    /^schema\.json "extra" tiene que ser una lista/,
  ],
  [
    '"required" of a condition that is not a list',
    inSchema((c) => (c.if = { properties: { kind: { const: 'b' } }, required: 'kind' })),
    /^schema\.json "required" tiene que ser una lista/,
  ],
  [
    'a screen name with a typing error, even though a rule reads its field',
    inFlow((c) => (c.states.form.screen = 'fom')),
    /^main\.json .*"fom".*decir "form"/,
  ],
  [
    'a step without events',
    {
      ...inFlow((c) => {
        c.progress = ['form', 'done'];
        delete c.states.form.on;
      }),
      'schemas/done/ui.json': { title: 'Listo', links: [{ to: '/form', text: 'Otra vez' }] },
      'schemas/done/ui.pt.json': { title: 'Pronto', links: { '/form': 'De novo' } },
    },
    /^main\.json La pantalla "form" produce "submit".* escribí "on": \{ "submit": "done" \}\.$/,
  ],
  [
    'a keyword of schema.json in ui.json',
    inUi((c) => (c.fields.extra.enum = ['a', 'b'])),
    /^ui\.json "enum" está en el lugar equivocado\. Va en el campo de schema\.json\.$/,
  ],
  [
    'a keyword among the fields of a condition',
    inSchema((c) => Object.assign(c, { if: { required: ['extra'] }, then: { properties: { required: ['name'] } } })),
    /^schema\.json "required" está en el lugar equivocado\. Ponela al lado de "properties"\.$/,
  ],
  [
    'an option beside "ui:options"',
    inUi((c) => (c.fields.extra.rows = 6)),
    /^ui\.json "rows" está en el lugar equivocado\. Va en "ui:options" del campo, en ui\.json\.$/,
  ],
  [
    'options without the prefix',
    inUi((c) => (c.fields.extra.options = { width: 'half' })),
    /^ui\.json "options" está en el lugar equivocado\. ¿Quisiste decir "ui:options"\?$/,
  ],
  [
    'a keyword of ui.json in schema.json',
    inSchema((c) => (c.properties.extra['ui:widget'] = 'textarea')),
    /^schema\.json "ui:widget" está en el lugar equivocado\. Va en el campo, adentro de "fields" de ui\.json\.$/,
  ],
  [
    'a branch key in a state',
    inFlow((c) => (c.states.form.guard = true)),
    /^main\.json "guard" está en el lugar equivocado\. Va en una rama del flujo, como un evento de "on"\.$/,
  ],
  [
    'an event beside "on"',
    inFlow((c) => (c.states.form.again = 'form')),
    /^main\.json "again" parece un evento\. Pasalo adentro de "on" del estado\.$/,
  ],
  [
    'a rule of the whole form in ui.json',
    inUi((c) => Object.assign(c, { if: { required: ['extra'] }, then: { required: ['name'] } })),
    /^ui\.json Esto va en schema\.json: "if", "then"\. Pasalo ahí, al lado de "properties"\.$/,
  ],
  [
    'a state beside "states"',
    inFlow((c) => (c.thanks = { path: '/thanks', screen: 'form' })),
    /^main\.json "thanks" parece un estado, pero está al lado de "states"\. Pasalo adentro de "states"\.$/,
  ],
  [
    'an unknown target whose name resembles none, although its state is then unreachable',
    inFlow((c) => {
      c.states.form.on.submit = 'done';
      c.states.done = { screen: 'form', on: { submit: 'elsewhere' } };
      c.states.last = { screen: 'form', on: { submit: 'form' } };
    }),
    /^main\.json No hay ningún estado "elsewhere"/,
  ],
  [
    'a removed field whose name resembles one that is there already',
    inUi((c) => (c.fields.extras = { 'ui:title': 'Más' })),
    /^ui\.json No hay ningún campo "extras"\. Los campos de schema\.json son/,
  ],
  [
    'a number that a list skips',
    steps(['1. Bajá.', '4. Firmá.', '3. Enviá.'], ['1. Baixe.', '2. Assine.', '3. Envie.']),
    /^ui\.json La lista salta de 1 a 4\. Escribí 2\.$/,
  ],
  [
    'a number that a list repeats',
    steps(['1. Bajá.', '2. Firmá.', '2. Enviá.'], ['1. Baixe.', '2. Assine.', '3. Envie.']),
    /^ui\.json La lista salta de 2 a 2\. Escribí 3\.$/,
  ],
  [
    'a wrong number in the translation of a list',
    steps(['1. Bajá.', '2. Firmá.', 'Listo.'], ['2. Baixe.', '2. Assine.', 'Pronto.']),
    /^ui\.pt\.json La lista empieza en 2\. Escribí 1\.$/,
  ],
  [
    'a translation with another name',
    { ...sampleProject, [pt]: null, 'schemas/form/ui.pt-br.json': sampleProject[pt] },
    /"ui\.pt-br\.json".*decir "ui\.pt\.json"/,
  ],
];

test.each(mistakes)(
  '[ANA-02] compiler reports %s with one message, which says what to write',
  async (_, files, says) => {
    const texts = Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null));
    const found = await findFindings(texts);
    const lines = found.map(({ file, line, pointer, message, hint }) => {
      const name = file.split('/').at(-1) ?? '';
      return `${pointer === '' ? `${name}:${line}` : name} ${message} ${hint}`;
    });
    expect(lines).toEqual([expect.stringMatching(says)]);
  },
);

test.each([
  ['removes', undefined, /^La operación "save" lee el campo "email": .* Volvé a ponerlo\.$/],
  ['renames', 'email_nuevo', /^La operación "save" lee el campo "email": .* ahora se llama "email_nuevo"/],
])('[ANA-02] compiler reports only once a change that %s a field that an operation reads', async (_, now, says) => {
  const changed = inSchema((c) => {
    const { email, ...others } = c.properties;
    c.properties = { ...others, ...(now && { [now]: email }) };
  });
  const reads = ['email', 'extra'].map((field) => ({ operation: 'save', screens: ['form'], field, type: 'string' }));
  const { problems } = await loadProject(changed, { reads, language: 'es' });
  const lines = problems.map(({ file, message, hint }) => [file, `${message} ${hint}`]);
  expect(lines).toEqual([[schema, expect.stringMatching(says)]]);
});

test('[ANA-02] compiler reports a removed field of an operation once, at the screen whose translation still names it', async () => {
  const done = {
    title: 'Listo',
    fields: { note_again: { 'ui:title': 'Otra vez' } },
    actions: [{ event: 'submit', text: 'Enviar', primary: true }],
  };
  const changed = {
    ...sampleProject,
    'schemas/done/schema.json': { type: 'object', properties: { note_again: { type: 'string', matches: 'note' } } },
    'schemas/done/ui.json': done,
    'schemas/done/ui.pt.json': {
      title: 'Pronto',
      fields: { note_again: { 'ui:title': 'De novo' }, note: { 'ui:title': 'Nota' } },
      actions: { submit: 'Enviar' },
    },
    [flow]: inFlow((c) => (c.states.done.on = { submit: { src: 'save', onDone: 'form' } }))[flow],
  };
  const reads = [{ operation: 'save', screens: ['form', 'done'], field: 'note', type: 'string' }];
  const { problems } = await loadProject(changed, { reads, language: 'es' });
  expect(problems.map(({ file, hint }) => [file, hint])).toEqual([['schemas/done/schema.json', 'Volvé a ponerlo.']]);
});

test('[ANA-02] compiler does not miss a field of an operation that may be in a file that is not JSON', async () => {
  const changed = { ...sampleProject, 'schemas/done/schema.json': '{ "type": "object" "properties": {} }' };
  const reads = [{ operation: 'save', screens: ['form', 'done'], field: 'age', type: 'string' }];
  const { problems } = await loadProject(changed, { reads, language: 'es' });
  expect(problems.map(({ file }) => file)).toEqual(['schemas/done/schema.json']);
});

test('[ANA-02] compiler reports a field that an operation reads at the screen of the form that still names it', async () => {
  const changed = {
    ...sampleProject,
    'schemas/done/schema.json': { type: 'object', required: ['age'], properties: { note: { type: 'string' } } },
  };
  const reads = [{ operation: 'save', screens: ['form', 'done'], field: 'age', type: 'string' }];
  const { problems } = await loadProject(changed, { reads, language: 'es' });
  const found = problems.filter(({ message }) => message.includes('lee el campo'));
  expect(found.map(({ file, hint }) => [file, hint])).toEqual([['schemas/done/schema.json', 'Volvé a ponerlo.']]);
});

test('[ANA-02] compiler accepts lists that continue or begin anew, and items that share a number in different cases', async () => {
  const continued = ['2. Bajá.', '3. Firmá.', 'Además:', '1. Mirá.', '2. Cerrá.'];
  expect(await findFindings(steps(continued, ['2. Baixe.', '3. Assine.', 'Além:', '1. Veja.', '2. Feche.']))).toEqual(
    [],
  );
  const files = inUi((c) => {
    const visible = { '!!': { var: 'form.extra' } };
    c.intro = [{ text: '1. Bajá.', visible }, { text: '1. Abrí.', visible: { '!': visible } }, { text: '2. Firmá.' }];
  });
  const translated = changeSample(pt, (c: any) => (c.intro = ['1. Baixe.', '1. Abra.', '2. Assine.']))[pt];
  expect(await findFindings({ ...files, [pt]: translated })).toEqual([]);
});

test.each([
  [
    'the ui.json of the screen that lacks',
    'place',
    ui,
    /En ui\.json, escribí "extra": \{ "ui:options": \{ "placeField"/,
  ],
  ['the shared definition if no screen has', 'plaza', 'schemas/_shared/place.json', /"placeField" no nombra un campo/],
])('[ANA-02] compiler reports at %s the field that a shared definition names', async (_, placeField, file, says) => {
  const shared = { type: 'string', ui: { 'ui:title': 'Más', 'ui:options': { placeField } } };
  const { problems } = await loadProject(
    {
      ...inSchema((c) => (c.properties.extra = { $ref: '../_shared/place.json#/$defs/place' })),
      'schemas/_shared/place.json': { $defs: { place: shared } },
      'schemas/done/schema.json': { type: 'object', properties: { place: { type: 'string' } } },
    },
    { language: 'es' },
  );
  const found = problems.filter(({ message }) => message.includes('"placeField"'));
  expect(found.map((own) => [own.file, `${own.message} ${own.hint}`])).toEqual([[file, expect.stringMatching(says)]]);
});

test('[ANA-02] omitConsequentialProblems keeps one warning about the texts of a file in another language', () => {
  const problem = (rule: string, line: number, severity: 'E' | 'W' = 'W') => {
    return { file: 'a.pt.txt', line, column: 1, pointer: '', message: `M${line}.`, hint: 'H.', rule, severity };
  };
  const rules = ['text/voice', 'text/language', 'text/same', 'text/name', 'text/language'];
  const found = [...rules.map((rule, index) => problem(rule, index)), problem('text/placeholder', 9, 'E')];
  const left = omitConsequentialProblems(found, 'en').map(({ rule, line, hint }) => [rule, line, hint]);
  expect(left).toEqual([
    ['text/language', 1, 'H. Also in a.pt.txt:2, a.pt.txt:4.'],
    ['text/placeholder', 9, 'H.'],
  ]);
  expect(omitConsequentialProblems(found.slice(0, 4), 'en')).toHaveLength(4);
  const untranslated = ['text/same', 'text/name', 'text/same', 'text/same'].map((rule, index) => problem(rule, index));
  expect(omitConsequentialProblems(untranslated, 'en').map(({ rule, hint }) => [rule, hint])).toEqual([
    ['text/same', 'H. Also in a.pt.txt:2, a.pt.txt:3.'],
    ['text/name', 'H.'],
  ]);
});

test('[ANA-02] omitConsequentialProblems joins equal problems of three files, and equal errors of one flow', () => {
  const problem = (file: string, line: number) => ({ file, line, column: 1, pointer: '/a', message: 'M.', hint: 'H.' });
  const hints = (files: readonly string[]) =>
    omitConsequentialProblems(files.map(problem), 'en').map(({ hint }) => hint);
  expect(hints(['a.json', 'b.json', 'c.json'])).toEqual(['H. Also in b.json:1, c.json:2.']);
  expect(hints(['a.json', 'b.json', 'b.json'])).toEqual(['H.', 'H.', 'H.']);
  expect(hints(['a.json', 'flows/b.json', 'flows/b.json'])).toEqual(['H.', 'H. Also in flows/b.json:2.']);
  const warnings = ['flows/b.json', 'flows/b.json'].map((file, line) => ({ ...problem(file, line), rule: 'a/b' }));
  expect(omitConsequentialProblems(warnings, 'en')).toEqual(warnings);
});
