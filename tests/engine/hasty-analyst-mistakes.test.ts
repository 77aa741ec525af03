import { expect, test } from 'vitest';
import type { LintOptions } from '../../src/engine/compiler/lint/lint-options.ts';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import { sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt, flow } = samplePaths;
const portal = ['schemas/_shared/texts/portal.json', 'schemas/_shared/texts/portal.pt.json'] as const;
const doneUi = 'schemas/done/ui.json';

/** Sentences that contain words often enough for the checker to infer the vocabulary, in singular and plural. */
const sentences = {
  ...Object.fromEntries(
    ['Abrí', 'Leé', 'Mirá', 'Cerrá', 'Guardá', 'Mandá'].map((verb) => [verb, `${verb} el documento.`]),
  ),
  ...Object.fromEntries(['Pedí', 'Anotá', 'Cambiá'].map((verb) => [verb, `${verb} el código.`])),
  left: 'Te quedan {count} datos.',
  'left.one': 'Te queda {count} dato.',
};

/** The sample project with `sentences` and changes. */
function files(changes: Changes): Files {
  const all = structuredClone({ ...sampleProject, ...Object.fromEntries(portal.map((path) => [path, sentences])) });
  for (const [path, change] of Object.entries(changes)) change((all as Record<string, any>)[path]);
  return all;
}
const both = (path: string, change: (content: any) => void): Changes => ({
  [path]: change,
  [path.replace(/json$/, 'pt.json')]: change,
});
const titled = (title: string): Changes => ({ [ui]: (c) => (c.title = title) });
const drawn = (name: string, own: Readonly<Record<string, unknown>>): Changes => ({
  [ui]: (c) => Object.assign(c.fields[name], own),
  [pt]: (c) => {
    for (const key of ['ui:title', 'ui:placeholder']) if (key in own) c.fields[name][key] = own[key];
  },
});
const filled = (...names: readonly string[]): Changes => ({
  [ui]: (c) => names.forEach((name) => (c.fields[name]['ui:autocomplete'] = 'name')),
});
const labelled = (title: string): Changes => drawn('extra', { 'ui:title': title });
const shown = (rule: unknown): Changes => ({ [ui]: (c) => (c.visible.extra = rule) });
const noticed = (text: string): Changes => ({
  [ui]: (c) => (c.notices.other = { intent: 'warning', text }),
  [pt]: (c) => (c.notices.other = { text: 'Outra vez' }),
});
const buttons = (...actions: readonly object[]): Changes => ({
  [ui]: (c) => (c.actions = actions.map((own, at) => ({ event: 'submit', text: `Botón ${at}`, ...own }))),
  [pt]: (c) => {
    const texts: Record<string, string | string[]> = {};
    for (const [at, own] of actions.entries()) {
      const { event } = { event: 'submit', ...own };
      texts[event] = event in texts ? [texts[event] ?? '', `Botão ${at}`].flat() : `Botão ${at}`;
    }
    c.actions = texts;
  },
});
const linked = (to: string): Changes => ({
  [doneUi]: (c) => (c.links = [{ to, text: 'Otra página' }]),
  'schemas/done/ui.pt.json': (c) => (c.links = { [to]: 'Outra página' }),
});
const said = (key: string, text: string): Changes => ({
  [portal[0]]: (c) => (c[key] = text),
  [portal[1]]: (c) => (c[key] = text),
});
/** Texts that are questions in both languages. `title` is the Portuguese title of the form. */
const asking = (title: string): Changes => ({
  [ui]: (c) => {
    c.title = '¿Empezamos?';
    c.notices.again.text = '¿Probás de nuevo?';
  },
  [pt]: (c) => {
    c.title = title;
    c.notices.again.text = 'Tenta de novo?';
  },
  [doneUi]: (c) => (c.title = '¿Listo, {email}?'),
  'schemas/done/ui.pt.json': (c) => (c.title = 'Pronto, {email}?'),
});
const failing = (branch: object): Changes => ({
  [ui]: (c) => (c.notices.fine = { intent: 'success', text: 'Se guardó.' }),
  [pt]: (c) => (c.notices.fine = { text: 'Guardado.' }),
  [doneUi]: (c) => (c.tone = 'success'),
  [flow]: (c) => (c.states.form.on.submit.onError[1] = { assign: { email: 'form.email' }, ...branch }),
});
/** The sample project with a button that leads to a page for signed-in citizens under a guard, and otherwise to another page. */
const sorted = (guard: unknown): Changes => ({
  [ui]: (c) => c.actions.push({ event: 'later', text: 'Después' }),
  [pt]: (c) => (c.actions.later = 'Depois'),
  [flow]: (c) => {
    c.states.form.on.later = [{ guard, target: 'own' }, 'done'];
    c.states.own = { path: '/own', access: 'citizen', screen: 'done' };
  },
});
const confirmed = (assign: object): Changes => ({
  [flow]: (c) => {
    c.states.form.on.submit.onDone[0].assign = { email: null, ...assign };
    c.states.form.on.submit.onError[0] = { assign: { email: 'form.email' }, target: 'done' };
    c.states.form.on.submit.onError.splice(1);
  },
});
const helped = (help: string): Changes => ({
  [schema]: (c) => (c.properties.extra.phone = true),
  [ui]: (c) => (c.fields.extra['ui:help'] = help),
  [pt]: (c) => (c.fields.extra['ui:help'] = help),
});
const requested = (pattern: string): Changes => ({
  [schema]: (c) => (c.properties.extra.pattern = pattern),
  ...labelled('Escribí CERRAR en vez de PDF'),
});
const failed = (...codes: readonly string[]): Changes => ({
  [flow]: (c) =>
    (c.states.form.on.submit.onError = codes.map((code) => ({ guard: { 'error.code': code }, notice: 'again' }))),
});
const asked = (status: unknown): Changes => ({
  [flow]: (c) => (c.states.form.on.submit.onError[0].guard = { 'error.status': status }),
});
const dated = (pattern: string): Changes => ({
  [flow]: (c) =>
    (c.states.form.prefill = Object.fromEntries(
      ['DD/MM/YYYY', 'DD/MM/YYYY HH:mm', 'DD/MM', pattern].map((own, at) => [
        ['extra', 'repeat', 'secret', 'email'][at],
        { formatDate: [{ var: 'user.since' }, own] },
      ]),
    )),
});
const stepped = (text: string): Changes => ({
  ...both(ui, (c) => Object.assign(c, { step: 'Primero', intro: text })),
  ...both(doneUi, (c) => (c.step = 'Segundo')),
  [flow]: (c) => (c.progress = ['form', 'done']),
});
const choices = (...keys: readonly string[]): Changes => ({
  [schema]: (c) => (c.properties.kind.enum = keys),
  ...both(ui, (c) => (c.fields.kind['ui:enumNames'] = keys.map((_, at) => `Opción ${at}`))),
  [ui]: (c) => {
    c.fields.kind['ui:enumNames'] = keys.map((_, at) => `Opción ${at}`);
    delete c.visible;
  },
});
const around = (onError: unknown): Changes => ({
  [flow]: (c) => {
    c.states.form.on.submit.onDone[0].target = 'wait';
    c.states.wait = { invoke: { src: 'save', onDone: 'done', onError } };
    if (onError === 'round') c.states.round = { always: 'wait' };
  },
});

const listed = (page: string): Changes => ({
  [flow]: (c) =>
    (c.states.done.invoke = { src: 'list', params: { id: 'user.id', page }, onDone: 'form', onError: 'form' }),
});
const prefilled = (prefill: object): Changes => ({ [flow]: (c) => (c.states.form.prefill = prefill) });
const later = (own: object = {}): Changes => ({
  ...buttons({ primary: true }, { event: 'later' }),
  [flow]: (c) => (c.states.form.on.later = { ...structuredClone(c.states.form.on.submit), ...own }),
});

/** Splits the flow into two steps with one link each. The link of `from` leads to `to`. */
const linkBetweenSteps = (from: string, to: string, own: object = {}): Changes => {
  const done = from === 'done' ? to : '/other';
  const first = from === 'form' ? to : 'https://gub.uy';
  return {
    [ui]: (c) => Object.assign(c, { step: 'Uno', links: [{ to: first, text: 'Otra página', ...own }] }),
    [pt]: (c) => Object.assign(c, { step: 'Um', links: { [first]: 'Outra página' } }),
    [doneUi]: (c) => Object.assign(c, { step: 'Dos', links: [{ to: done, text: 'Otra página', ...own }] }),
    'schemas/done/ui.pt.json': (c) => Object.assign(c, { step: 'Dois', links: { [done]: 'Outra página' } }),
    [flow]: (c) => {
      c.progress = ['form', 'done'];
      c.states.other = { path: '/other', always: 'form' };
    },
  };
};

const requiring = (kind: string): Changes => ({
  [schema]: (c) =>
    Object.assign(c, {
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      then: { required: ['extra'] },
    }),
});

const patterned: Changes = {
  [schema]: (c) => (c.properties.extra.pattern = '^[0-9]{5}$'),
  [ui]: (c) => {
    c.fields.extra = { ...c.fields.extra };
    c.messages = { ...c.messages, extra: { pattern: 'Escribí los cinco números.' } };
  },
  [pt]: (c) => {
    c.fields.extra = { ...c.fields.extra, 'ui:placeholder': 'Ex. 12345' };
    c.messages = { ...c.messages, extra: { pattern: 'Escreva os cinco números.' } };
  },
};

const yesNo = (...names: readonly string[]): Changes => ({
  [schema]: (c) => (c.properties.extra = { type: 'boolean' }),
  [ui]: (c) => {
    c.fields.extra = { 'ui:title': '¿Vas?', 'ui:widget': 'radio', 'ui:enumNames': names };
    delete c.visible;
  },
  [pt]: (c) => (c.fields.extra = { 'ui:title': 'Você vai?', 'ui:enumNames': ['Sim', 'Não'] }),
});

const limited = (help: string): Changes => ({
  [schema]: (c) => (c.properties.extra.calendarDate = { to: '2930-11-30' }),
  [ui]: (c) => (c.fields.extra = { ...c.fields.extra, 'ui:help': help }),
  [pt]: (c) => (c.fields.extra = { ...c.fields.extra, 'ui:help': 'Até o fim de novembro.' }),
});

/** Rule, mistake, reported pointer, message, and the most similar correct definition. */
const mistakes: readonly (readonly [rule: string, wrong: Changes, pointer: string, says: RegExp, right: Changes])[] = [
  ['ui/twice', noticed('De nuevo'), '/notices/other/text', /"De nuevo" está dos veces/, noticed('Otra vez')],
  [
    'walk/circle',
    around('round'),
    '/states/wait/invoke/onError',
    /"save" sigue fallando.*wait → round → wait/,
    around('form'),
  ],
  ['text/number', stepped('Volvé al paso 4.'), '/intro', /"paso 4".*tiene 2 pasos/, stepped('Seguí con el paso 2.')],
  ['text/number', stepped('Paso 1 de 5.'), '/intro', /"Paso 1 de 5".*2 pasos/, stepped('Paso 1 de 2.')],
  ['text/number', stepped('Paso 2 de 2.'), '/intro', /esta pantalla es el número 1/, stepped('Paso 1/2.')],
  ['ui/steps', { [doneUi]: (c) => (c.title = 'Formulario') }, '/title', /la pantalla anterior, "form"/, {}],
  [
    'ui/choices',
    choices('Por correo', 'app', 'otro'),
    '/properties/kind/enum/0',
    /"por_correo"/,
    choices('por_correo', 'app', 'otro'),
  ],
  ['text/typed', titled('Tu tu formulario'), '/title', /"Tu tu".*Escribí "Tu formulario"/, titled('Tu otro tutú')],
  [
    'text/typed',
    titled('Tus datos , todos'),
    '/title',
    /antes de un signo.*"Tus datos, todos"/,
    titled('Tus datos, todos'),
  ],
  [
    'text/typed',
    titled('Tus datos.Seguí'),
    '/title',
    /Falta un espacio.*"Tus datos. Seguí"/,
    titled('Entrá a mi.gub.uy'),
  ],
  ...['\u2022', '\u00b7', '-', '*', '\u2013'].map((mark) => {
    const says = /^Este texto empieza con una viñeta\. Quitala: varios puntos van como elementos de una lista\.$/;
    return ['text/typed', titled(`${mark} Tus datos`), '/title', says, titled(`Tus ${mark} datos`)] as const;
  }),
  ['text/typed', titled('Tus datos..'), '/title', /"\.\.".*"Tus datos\."/, titled('Tus datos...')],
  ['text/typed', titled('tus datos'), '/title', /empieza con minúscula.*"Tus datos"/, titled('gub.uy')],
  ['text/typed', labelled('Más *'), '/fields/extra/ui:title', /termina en "\*".*"Más"/, labelled('Más * otro')],
  ['text/spelling', titled('Tu docuemnto'), '/title', /"docuemnto".*"documento"/, titled('Tus documentos')],
  ['text/spelling', titled('Tu ócdigo'), '/title', /"ócdigo".*"código"/, titled('Tu código')],
  ['text/spelling', titled('Tu códdigo'), '/title', /"códdigo".*"código"/, titled('Tus códigos')],
  ['text/spelling', titled('Tu dcumento'), '/title', /"dcumento".*"documento"/, titled('Tu monumento')],
  ['text/spelling', titled('Tu cpdigo'), '/title', /"cpdigo".*"código"/, titled('Tu comadreja')],
  ['text/spelling', titled('Tu codigo'), '/title', /"codigo".*"código"/, titled('Tu código')],
  ['text/spelling', titled('Tu codígo'), '/title', /"codígo".*"código"/, titled('Tu código')],
  [
    'text/quotes',
    asking('¿Começamos?'),
    '/title',
    /"¿" no se usa en este idioma\. Quitá el signo\./,
    asking('Começamos?'),
  ],
  ['text/spelling', titled('Tu eldocumento'), '/title', /"eldocumento".*"el documento"/, titled('El documento')],
  ['text/spelling', titled('Leé la documento'), '/title', /Escribí "el documento"/, titled('Leé la cédula')],
  [
    'text/plural',
    said('more', 'Hay {count} cosas.'),
    '/more',
    /"1 cosas".*"more\.one"/,
    said('more', 'Cosas: {count}'),
  ],
  [
    'text/plural',
    said('left', 'Te quedan datos.'),
    '/left',
    /Escribí \{count\}/,
    said('left', 'Te faltan {count} datos.'),
  ],
  [
    'text/button',
    titled('Tocá «Mandar todo»'),
    '/title',
    /se llama "Mandar todo"\. Los botones de esta pantalla son: Enviar\. Escribí/,
    titled('Tocá «Enviar»'),
  ],
  [
    'text/button',
    titled('Abrí el vínculo del correo y tocá «Mandar todo»'),
    '/title',
    /se llama "Mandar todo"\. Escribí/,
    titled('Abrí el vínculo del correo y tocá «Enviar»'),
  ],
  ['text/button', titled('Tocá «Envair»'), '/title', /¿Quisiste decir "Enviar"\?/, titled('Tocá «Enviar»')],
  [
    'text/button',
    titled('Tocá «Mandar»'),
    '/title',
    /Ningún botón ni texto se llama "Mandar"/,
    titled('Tocá «Enviar»'),
  ],
  ['text/button', titled('Tocá Mandar'), '/title', /Ningún botón ni texto se llama "Mandar"/, titled('Tocá Enviar')],
  [
    'text/button',
    {
      [ui]: (c) => Object.assign(c, { title: 'Tocá «Envías tu dato»', busy: 'Envías tus datos…' }),
      [pt]: (c) => (c.busy = 'Envia'),
    },
    '/title',
    /"Envías tu dato"\. Los botones de esta pantalla son: Enviar/,
    titled('Tocá «Enviar»'),
  ],
  ['text/link', linked('http://correo.uy'), '/links/0/to', /no va cifrado.*https:/, linked('https://correo.uy')],
  [
    'text/link',
    linked('http://localhost:3000/login'),
    '/links/0/to',
    /solo se abre en la computadora de quien lo escribió.*la ruta: "\/login"/,
    linked('https://correo.uy/login'),
  ],
  [
    'text/link',
    linked('mailto:correo.uy'),
    '/links/0/to',
    /no es una dirección de correo/,
    linked('mailto:a@correo.uy'),
  ],
  [
    'text/intent',
    { ...titled('No se guardó'), [ui]: (c) => Object.assign(c, { title: 'No se guardó', tone: 'success' }) },
    '/title',
    /tono "success"/,
    { [ui]: (c) => Object.assign(c, { title: 'No se guardó', tone: 'error' }) },
  ],
  ['rule/past', titled('Hasta el 31/12/2024'), '/title', /La fecha .* ya pasó/, titled('Desde el 31/12/2024')],
  [
    'rule/past',
    titled('Vale hasta el 15 de febrero de 2025'),
    '/title',
    /La fecha de "hasta el 15 de febrero de 2025" ya pasó/,
    titled('Vale hasta el 15 de febrero'),
  ],
  [
    'text/number',
    limited('Hasta el 5 de diciembre de 2930.'),
    '/fields/extra/ui:help',
    /dice 5 de diciembre de 2930.*dice 2930-11-30/,
    limited('Antes del 1 de diciembre de 2930.'),
  ],
  [
    'rule/past',
    { [schema]: (c) => (c.properties.extra.calendarDate = { from: '2930-01-02', to: '2930-01-01' }) },
    '/properties/extra/calendarDate/from',
    /posterior/,
    { [schema]: (c) => (c.properties.extra.calendarDate = { from: '2930-01-01', to: '2930-01-02' }) },
  ],
  [
    'rule/format',
    dated('DD/mm/YYYY'),
    '/states/form/prefill/email/formatDate/1',
    /minutos.*"DD\/MM\/YYYY"/,
    dated('HH:mm'),
  ],
  [
    'rule/format',
    dated('MM/DD/YYYY'),
    '/states/form/prefill/email/formatDate/1',
    /empieza por el día/,
    dated('YYYY-MM-DD'),
  ],
  ['rule/format', dated('hh:mm'), '/states/form/prefill/email/formatDate/1', /"hh".*"HH:mm"/, dated('DD \\d\\e MM')],
  ['rule/format', dated('HH:MM'), '/states/form/prefill/email/formatDate/1', /es el mes/, dated('HH:mm:ss')],
  [
    'rule/typing',
    {
      ...patterned,
      [ui]: (c) => {
        patterned[ui]?.(c);
        c.fields.extra['ui:placeholder'] = 'Ej. 1234';
      },
    },
    '/fields/extra/ui:placeholder',
    /el ejemplo "1234"/,
    {
      ...patterned,
      [ui]: (c) => {
        patterned[ui]?.(c);
        c.fields.extra['ui:placeholder'] = 'Ej. 12345';
      },
    },
  ],
  [
    'data/literal',
    { [flow]: (c) => (c.states.form.on.submit.input = { email: 'email' }) },
    '/states/form/on/submit/input/email',
    /"email" es acá un texto, no el valor\. Escribí "form\.email"/,
    { [flow]: (c) => (c.states.form.on.submit.input = { email: 'form.email' }) },
  ],
  [
    'ui/choices',
    yesNo('No', 'Sí'),
    '/fields/extra/ui:enumNames',
    /"No" es el nombre de true, que va primero/,
    yesNo('Sí', 'No'),
  ],
  ['rule/constant', requiring('a'), '/visible/extra', /"extra" no se muestra nunca cuando/, requiring('b')],
  [
    'rule/constant',
    shown({ and: [{ '>': [{ var: 'form.extra' }, 3] }, { '<': [{ var: 'form.extra' }, 2] }] }),
    '/visible/extra',
    /se contradice/,
    shown({ and: [{ '>': [{ var: 'form.kind' }, 2] }, { '<': [{ var: 'form.kind' }, 3] }] }),
  ],
  [
    'rule/constant',
    shown({ '<': [3, { var: 'form.kind' }, 2] }),
    '/visible/extra',
    /se contradice/,
    shown({ '<=': [2, { var: 'form.kind' }, 2] }),
  ],
  [
    'rule/typing',
    drawn('extra', { 'ui:widget': 'file', 'ui:options': { accept: 'pdf' } }),
    '/fields/extra/ui:options/accept',
    /"pdf", que no es un tipo/,
    drawn('extra', { 'ui:widget': 'file', 'ui:options': { accept: '.pdf, image/*' } }),
  ],
  [
    'rule/typing',
    drawn('email', { 'ui:widget': 'email', 'ui:placeholder': '099 123 456' }),
    '/fields/email/ui:placeholder',
    /rechazan el ejemplo "099 123 456"/,
    drawn('email', { 'ui:widget': 'email', 'ui:placeholder': 'Tu correo' }),
  ],
  [
    'ui/autocomplete',
    drawn('email', { 'ui:widget': 'email', 'ui:autocomplete': 'tel' }),
    '/fields/email/ui:autocomplete',
    /es un campo email, pero el navegador completa "tel"/,
    drawn('email', { 'ui:widget': 'email', 'ui:autocomplete': 'username' }),
  ],
  [
    'ui/autocomplete',
    filled('email', 'terms'),
    '/fields/terms/ui:autocomplete',
    /completa el mismo dato \("name"\) en "email" y en "terms"/,
    filled('email', 'repeat'),
  ],
  ['ui/buttons', buttons({}), '/actions/0/event', /Ningún botón/, buttons({ primary: true })],
  [
    'ui/buttons',
    buttons({}, { event: 'back', primary: true }),
    '/actions/1/primary',
    /vuelve atrás/,
    buttons({ primary: true }),
  ],
  [
    'ui/buttons',
    buttons({ primary: true }, { visible: { '!!': { var: 'form.extra' } } }),
    '/actions/1/event',
    /Dos botones disparan "submit"/,
    buttons({ primary: true }),
  ],
  [
    'ui/buttons',
    buttons(
      { primary: true, visible: { '!!': { var: 'form.extra' } } },
      { primary: true, visible: { '!!': { var: 'form.extra' } } },
    ),
    '/actions/1/event',
    /corregí el "visible" de uno/,
    buttons(
      { primary: true, visible: { '!!': { var: 'form.extra' } } },
      { primary: true, visible: { '!': { var: 'form.extra' } } },
    ),
  ],
  [
    'data/unread',
    {
      [flow]: (c) => {
        c.context.history = ['again'];
        c.states.form.on.submit.input = { email: 'form.email', extra: 'again' };
      },
    },
    '/states/form/on/submit/input/extra',
    /"again" es acá un texto, no la variable.*"context\.again"/,
    {},
  ],
  [
    'ui/twice',
    drawn('extra', { 'ui:placeholder': 'Más' }),
    '/fields/extra/ui:placeholder',
    /repite la etiqueta/,
    labelled('Más'),
  ],
  [
    'walk/outcome',
    failing({ notice: 'fine' }),
    '/states/form/on/submit/onError/1/notice',
    /dice que salió bien/,
    failing({ notice: 'again' }),
  ],
  [
    'walk/outcome',
    { [doneUi]: (c) => (c.tone = 'error') },
    '/states/form/on/submit/onDone/0',
    /"save" salió bien.*"done", tiene la pantalla "done", que dice que hubo un error/,
    { [doneUi]: (c) => (c.tone = 'waiting') },
  ],
  [
    'walk/target',
    sorted({ '!': 'authenticated' }),
    '/states/form/on/later/0',
    /"own" no se abre nunca: sus propias condiciones \("access": "citizen"\)/,
    sorted('authenticated'),
  ],
  [
    'walk/target',
    confirmed({ kind: 'x' }),
    '/states/form/on/submit/onDone/0',
    /"done" no se abre nunca: sus propias condiciones \(context\.email\)/,
    confirmed({ email: 'form.email' }),
  ],
  [
    'rule/typing',
    helped('Como está. Por ejemplo, 099 999 999.'),
    '/fields/extra/ui:help',
    /rechazan el ejemplo "099 999 999" \("phone"\)/,
    helped('Como está. Por ejemplo, +598 999 999 99.'),
  ],
  [
    'rule/typing',
    requested('^(EN)?CERAR$'),
    '/fields/extra/ui:title',
    /pide "PDF", y las reglas del campo lo rechazan \("pattern"\)/,
    requested('^(EN)?CERRAR$'),
  ],
  [
    'rule/typing',
    { ...requested('^CERRAR MI CUENTA$'), ...labelled('Escribí CERRAR LA CUENTA para confirmar') },
    '/fields/extra/ui:title',
    /pide "CERRAR LA CUENTA", y las reglas/,
    { ...requested('^CERRAR MI CUENTA$'), ...labelled('Escribí CERRAR MI CUENTA para confirmar') },
  ],
  [
    'walk/outcome',
    failing({ target: 'done' }),
    '/states/form/on/submit/onError/1',
    /"done", tiene la pantalla/,
    failing({ field: true }),
  ],
  [
    'ui/autocomplete',
    drawn('extra', { 'ui:widget': 'textarea', 'ui:autocomplete': 'given-name' }),
    '/fields/extra/ui:autocomplete',
    /es un campo textarea, pero el navegador completa "given-name"/,
    drawn('extra', { 'ui:widget': 'textarea', 'ui:autocomplete': 'street-address' }),
  ],
  [
    'text/quotes',
    { ...said('seen', '¿Qué es?'), ...titled('Qué pasó?') },
    '/title',
    /"\?" no tiene su "¿"/,
    titled('¿Qué pasó?'),
  ],
  ['text/spelling', titled('Elegí un opción'), '/title', /Escribí "una opción"/, titled('Elegí una opción')],
  [
    'text/spelling',
    { ...said('seen', 'Se envió.'), ...titled('Se envio tu mensaje') },
    '/title',
    /"envio".*"envió"/,
    { ...said('seen', 'Se envió.'), ...titled('Envio tu mensaje') },
  ],
  ['text/spelling', titled('Elegí otro opción'), '/title', /Escribí "otra opción"/, titled('Elegí otra opción')],
  ['text/spelling', titled('Leé los mensaje'), '/title', /"el mensaje", o corregí/, titled('Leé los mensajes')],
  [
    'text/hours',
    titled('De lunes a viernes'),
    '/title',
    /a mano: "lunes a viernes".*OPENING_HOURS/,
    titled('Lunes y otro viernes'),
  ],
  ['text/hours', titled('De 9 a 17.'), '/title', /"De 9 a 17"/, titled('De 4 a 6 dígitos')],
  [
    'text/date',
    titled('El lunes 1 de diciembre de 2026'),
    '/title',
    /está mal: es "martes"/,
    titled('El martes 1 de diciembre de 2026'),
  ],
  ['text/date', titled('Hasta el 31 de noviembre'), '/title', /"31 de noviembre" no existe/, titled('29 de febrero')],
  ['text/date', titled('El 29 de febrero de 2027'), '/title', /no existe/, titled('El 29 de febrero de 2028')],
  [
    'operation/error',
    failed('again'),
    '/states/form/on/submit',
    /save puede responder "taken"/,
    failed('again', 'taken'),
  ],
  ['operation/error', asked(44), '/states/form/on/submit/onError/0/guard', /estado 44/, asked([404, 0])],
  [
    'operation/error',
    asked(440),
    '/states/form/on/submit/onError/0/guard',
    /estado 440\. ¿Quisiste decir "4\d\d"\?/,
    asked(404),
  ],
  [
    'data/twice',
    listed('user.id'),
    '/states/done/invoke/params/page',
    /"page" y "id" reciben el mismo valor, "user\.id"/,
    listed('user.page'),
  ],
  [
    'data/twice',
    prefilled({ extra: 'user.user.email', email: 'user.user.email' }),
    '/states/form/prefill/extra',
    /"extra" y "email" reciben el mismo valor, "user\.user\.email"/,
    prefilled({ extra: 'user.numero_telefono', email: 'user.user.email' }),
  ],
  [
    'event/silent',
    later({ onDone: { assign: { email: 'form.email' } } }),
    '/states/form/on/later/onDone',
    /"save" sale bien.*quien disparó "later"/,
    later({ onDone: { assign: { email: 'form.email' }, notice: 'again' } }),
  ],
  [
    'event/silent',
    later({ onDone: { assign: { email: 'form.email' } } }),
    '/states/form/on/later/onDone',
    /"notice"/,
    later({ onDone: { clear: ['/extra'] } }),
  ],
  [
    'nav/step',
    linkBetweenSteps('done', '/form'),
    '/links/0/to',
    /"\/form".*al que lleva "back".*"event": "back"/,
    linkBetweenSteps('done', '/other'),
  ],
  [
    'nav/step',
    linkBetweenSteps('form', '/done'),
    '/links/0/to',
    /"event": "submit"/,
    linkBetweenSteps('form', '/done', { newTab: true }),
  ],
  ['event/twice', later(), '/states/form/on/later', /"later" hace lo mismo que "submit"/, later({ onDone: 'form' })],
];

const more: Readonly<Record<string, object>> = {
  es: {
    articles: [
      ['el', 'un', 'otro'],
      ['la', 'una', 'otra'],
      ['los', 'unos', 'otros'],
    ],
    reflexives: ['se'],
    endings: { aje: 0, ción: 1, ajes: 2 },
    inflections: { o: ['os'] },
    hours: { days: ['lunes', 'viernes'], to: ['a'], from: ['de'], setting: 'OPENING_HOURS' },
    calendar: { weekdays: { lunes: 1, martes: 2 }, months: { febrero: 2, noviembre: 11, diciembre: 12 } },
    steps: ['paso'],
    press: ['tocá'],
    links: ['este vínculo'],
    example: ['por ejemplo', 'ej.'],
    negations: ['no'],
    until: ['hasta el'],
    success: ['se guardó'],
    failure: ['no se'],
  },
};
const wording = Object.fromEntries(
  Object.entries(contract.wording ?? {}).map(([language, own]) => [language, { ...own, ...more[language] }]),
) as NonNullable<LintOptions['wording']>;
const analysed = (given: Files) => findFindings(given, { wording, factShapes: { authenticated: { type: 'boolean' } } });

test.each(mistakes)(
  '[QA-02] lint rule %s reports a hasty mistake (case %#) with position and remedy, and accepts its correction',
  async (rule, wrong, pointer, says, right) => {
    const all = await analysed(files(wrong));
    const first = all.find((problem) => problem.rule === rule && problem.pointer === pointer);
    expect(`${first?.message ?? JSON.stringify(all, null, 1)} ${first?.hint ?? ''}`).toMatch(says);
    expect(first?.line).toBeGreaterThan(0);
    // The correct definition must compile, because the checker skips a project with problems.
    const fine = await analysed(files(right));
    expect(fine.filter((problem) => problem.rule === rule || problem.rule === undefined)).toEqual([]);
  },
);

test('[QA-02] lint rule text/spelling has the forms of an unknown word, with which other texts may prove it correct', async () => {
  const find = async (title: string) =>
    (await analysed(files(titled(title)))).filter(({ rule }) => rule === 'text/spelling').map((own) => own.wordForms);
  expect(await find('Tu docuemnto')).toEqual([expect.arrayContaining(['docuemnto', 'docuemntos'])]);
  expect(await find('Leé la documento')).toEqual([undefined]);
});

const failures = (first: object, second: object): Changes => ({
  [flow]: (c) => {
    c.states.form.on.submit.onDone[0].target = 'first';
    c.states.first = { invoke: { src: 'save', onDone: 'done', onError: first } };
    c.states.second = { invoke: { src: 'save', onDone: 'done', onError: second } };
  },
});

test('[QA-02] lint rule walk/circle reports operations that fail over to each other, unless a page or a guard ends it', async () => {
  const circles = async (first: object, second: object) =>
    (await analysed(files(failures(first, second)))).filter(({ rule }) => rule === 'walk/circle');
  const found = await circles({ target: 'second' }, { target: 'first' });
  expect(found.map(({ pointer, message }) => `${pointer ?? ''} ${message}`)).toEqual([
    expect.stringMatching(
      /^\/states\/(first|second)\/invoke\/onError .*first → second → first|second → first → second/,
    ),
  ]);
  expect(await circles({ target: 'second' }, { target: 'form' })).toEqual([]);
  const remembering = [
    { guard: { '!': { var: 'context.tried' } }, assign: { tried: true }, target: 'first' },
    { assign: { tried: null }, target: 'form' },
  ];
  expect(await circles({ target: 'second' }, remembering)).toEqual([]);
});

/** The sample project with two more flows, each with one path and no screen. */
const leaving = (first: object, second: object, more: object = {}): Files => ({
  ...files({}),
  'flows/first.json': { id: 'first', initial: 'a', context: { query: ['x'] }, states: { a: { path: '/a', ...first } } },
  'flows/second.json': {
    id: 'second',
    initial: 'b',
    context: { query: ['email'] },
    states: { b: { path: '/b', ...second }, ...more },
  },
});
const unless = (guard: object, leave: string) => ({ always: [{ guard, leave }, { leave: '/form' }] });
const [signedIn, onQuery, flagged] = ['authenticated', 'context.x', 'flags.on'].map((path) => ({ var: path }));
const calls = (onDone: object, onError: object, src = 'save') => ({ invoke: { src, input: {}, onDone, onError } });
const out = { leave: '/form' };

test.each([
  ['at once', { always: { leave: '/b' } }, { always: { leave: { to: '/a', query: { x: 'user.id' } } } }],
  ['for signed-in citizens', unless(signedIn!, '/b'), unless(signedIn!, '/a')],
  [
    'because of a requirement',
    unless(signedIn!, '/b'),
    { screen: 'done', requires: { guard: { '!': signedIn }, else: 'c' } },
  ],
  ['after a failed operation', calls(out, { leave: '/b' }), { always: { leave: '/a' } }],
  [
    'after a server error',
    calls(out, [{ guard: { 'error.status': 404 }, ...out }, { leave: '/b' }]),
    { always: { leave: '/a' } },
  ],
  ['after a successful operation', calls({ leave: '/b' }, out), calls({ leave: '/a' }, out)],
])('[QA-02] lint rule walk/circle reports flows that leave for each other %s', async (_, first, second) => {
  const third = 'requires' in second ? { c: { always: { leave: '/a' } } } : {};
  const all = await analysed(leaving(first, second, third));
  const found = all.filter(({ rule }) => rule === 'walk/circle');
  expect(found.map(({ file, line, message, hint }) => [file, line > 0, `${message} ${hint}`])).toEqual([
    ['flows/first.json', true, expect.stringMatching(/: \/a → \/b → \/a\. Hacé que una de estas direcciones/)],
  ]);
  expect(found[0]?.pointer).toMatch(/\/leave$/);
  expect(found[0]?.related).toEqual([expect.objectContaining({ file: 'flows/second.json' })]);
});

test.each([
  ['one of them has a screen', { always: { leave: '/b' } }, { screen: 'done' }],
  ['one needs a sign-in and the other its absence', unless(signedIn!, '/b'), unless({ '!': signedIn }, '/a')],
  ['the guard reads the query', unless(onQuery!, '/b'), { always: { leave: '/a' } }],
  ['an operation may end the session', calls(unless(signedIn!, '/b').always, out), unless(signedIn!, '/a')],
  [
    'one leaves after a success and the other after a failure',
    calls({ leave: '/b' }, out),
    calls(out, { leave: '/a' }),
  ],
  [
    'only one of several errors leaves',
    calls(out, [{ guard: { 'error.status': 404 }, leave: '/b' }, out]),
    { always: { leave: '/a' } },
  ],
  [
    'two comparisons contradict each other',
    unless({ '<': [{ var: 'user.level' }, 2] }, '/b'),
    unless({ '>': [{ var: 'user.level' }, 2] }, '/a'),
  ],
  [
    'two values of a fact contradict each other',
    unless({ '==': [{ var: 'user.kind' }, 'a'] }, '/b'),
    unless({ '==': [{ var: 'user.kind' }, 'b'] }, '/a'),
  ],
  ['two facts contradict each other', unless({ and: [signedIn, flagged] }, '/b'), unless({ '!': flagged }, '/a')],
])('[QA-02] lint rule walk/circle accepts flows that leave for each other if %s', async (_, first, second) => {
  const all = await analysed(leaving(first, second));
  expect(all.filter(({ rule }) => rule === 'walk/circle' || rule === undefined)).toEqual([]);
});

test('[QA-02] compiler reports a number of textarea rows that cannot be drawn', async () => {
  const rows = (value: unknown) => files(drawn('extra', { 'ui:widget': 'textarea', 'ui:options': { rows: value } }));
  for (const value of [0, -1, 2.5, '6', 600]) {
    const [found] = await analysed(rows(value));
    expect([value, found?.pointer]).toEqual([value, '/fields/extra/ui:options/rows']);
  }
  expect((await analysed(rows(6))).filter(({ rule }) => rule === undefined)).toEqual([]);
});
