import { expect, test } from 'vitest';
import { findFindings } from './support/find-findings.ts';
import { createListForm } from './support/list-form.ts';
import { changeSample, sampleProject, copyAsTranslation, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;
type Change = (content: Content) => void;

const flow = 'flows/main.json';
const inFlow = (change: Change) => changeSample(flow, (content: Content) => change(content));
/** The sample project with another screen `next` and a changed flow. */
const withScreen = (ui: Content, change: Change): Files => ({
  ...inFlow(change),
  'schemas/next/ui.json': ui,
  'schemas/next/ui.pt.json': copyAsTranslation(ui),
});
const next = { title: 'Sigue', actions: [{ event: 'on', text: 'Seguir' }] };
/** The sample project with a select whose options are requested with parameters. */
const createDependentSelect = (params: Content, change: (ui: Content) => void = () => undefined): Files => {
  const said = {
    ...(sampleProject['schemas/_shared/messages.json'] as object),
    'options.none': 'No',
    'options.gone': 'No',
  };
  const asked = { 'ui:title': 'Tipo', 'ui:widget': 'select', 'ui:options': { source: 'list', params } };
  return {
    ...changeSample('schemas/form/ui.json', (content: Content) => {
      Object.assign(content.fields.kind, asked);
      change(content);
    }),
    'schemas/_shared/messages.json': said,
    'schemas/_shared/messages.pt.json': said,
  };
};
const submit = (content: Content): Content => content.states.form.on.submit;
const addFollowingState = (content: Content, state: Content, branch: Content = {}): void => {
  content.states.next = state;
  submit(content).onDone[0] = { ...submit(content).onDone[0], target: 'next', ...branch };
  content.states.next.on ??= { on: 'done' };
};

/** The sample project with the same notice in three screens, under these names. */
const shareNotice = (...names: readonly string[]): Files => {
  const notice = (text: string) => ({ intent: 'warning', text });
  const [own = '', third = ''] = names;
  return {
    ...withScreen({ ...next, notices: { [third]: notice('De nuevo') } }, (c) =>
      addFollowingState(c, { screen: 'next' }),
    ),
    'schemas/done/ui.json': {
      ...(sampleProject['schemas/done/ui.json'] as object),
      notices: { [own]: notice('De nuevo') },
    },
    'schemas/done/ui.pt.json': {
      ...(sampleProject['schemas/done/ui.pt.json'] as object),
      notices: { [own]: { text: 'De novo' } },
    },
  };
};
/** The sample project with a second screen that asks for the secret. */
const repeatSecret = (rules: object): Files => ({
  ...inFlow((c) => Object.assign(c.states.done, { on: { submit: 'form' } })),
  'schemas/done/schema.json': { type: 'object', properties: { secret: { type: 'string', minLength: 8, ...rules } } },
  'schemas/done/ui.json': {
    ...(sampleProject['schemas/done/ui.json'] as object),
    fields: { secret: { 'ui:title': 'Secreto', 'ui:autocomplete': 'off' } },
    actions: [{ event: 'submit', text: 'Enviar', primary: true }],
  },
  'schemas/done/ui.pt.json': {
    ...(sampleProject['schemas/done/ui.pt.json'] as object),
    fields: { secret: { 'ui:title': 'Segredo' } },
    actions: { submit: 'Enviar' },
  },
});
/** The sample project with the same `minLength` message at several fields of its form. */
const shareMessage = (...fields: readonly string[]): Files => {
  const said = (text: string) => Object.fromEntries(fields.map((name) => [name, { minLength: text }]));
  const ui = (language: '' | '.pt', text: string) => {
    const path = `schemas/form/ui${language}.json`;
    return { [path]: { ...(sampleProject[path] as object), messages: said(text) } };
  };
  return {
    ...changeSample('schemas/form/schema.json', (content: Content) => {
      for (const name of fields) content.properties[name].minLength = 2;
    }),
    ...ui('', 'Muy corto'),
    ...ui('.pt', 'Muito curto'),
  };
};
/** The sample project with the same hint at several fields of its form. */
const shareHint = (text: string, ...fields: readonly string[]): Files => {
  const ui = (language: '' | '.pt') => {
    const path = `schemas/form/ui${language}.json`;
    return changeSample(path, ({ fields: shown }: Content) => {
      for (const name of fields) shown[name]['ui:help'] = text;
    });
  };
  const path = 'schemas/form/ui.pt.json';
  return { ...ui(''), [path]: ui('.pt')[path] };
};
/** The sample project, with its field `extra` made computed. `ui` is added to the field's entry in ui.json. */
const createComputedField = (ui: Content): Files => ({
  ...changeSample('schemas/form/schema.json', (content: Content) => {
    content.computed = { extra: { cat: [{ var: 'form.email' }, '!'] } };
  }),
  'schemas/form/ui.json': changeSample('schemas/form/ui.json', (content: Content) =>
    Object.assign(content.fields.extra, ui),
  )['schemas/form/ui.json'],
});
const addIdenticalStates = (content: Content, count: number): void => {
  for (let number = 1; number <= count; number += 1)
    content.states[`next${number}`] = {
      path: `/next${number}`,
      screen: 'form',
      on: { submit: { assign: { email: { or: [{ var: 'form.email' }, { var: 'form.repeat' }] } }, target: 'done' } },
    };
};

/** A mistake, and the most similar correct definition. */
interface Case {
  readonly rule: string;
  readonly wrong: Files;
  readonly pointer: string;
  readonly says: RegExp;
  readonly right: Files;
}

/** Common texts with the same translation. `last` is the last of the originals. */
const repeated = (last: string): Files => {
  const list = (text: string) => Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`t${index}`, text]));
  return {
    ...sampleProject,
    'schemas/_shared/texts/portal.json': { ...list('Seguir'), last },
    'schemas/_shared/texts/portal.pt.json': { ...list('Continuar'), last: 'Continuar' },
  };
};

const cases: readonly Case[] = [
  {
    rule: 'walk/state',
    wrong: inFlow((c) => {
      delete c.context.storage;
      submit(c).onDone[0].assign = { email: null };
    }),
    pointer: '/states/done',
    says: /Ningún recorrido llega a "done": nada asigna context\.email/,
    right: inFlow((c) => delete c.context.storage),
  },
  {
    rule: 'walk/branch',
    wrong: inFlow((c) => {
      submit(c).onDone = [
        { guard: { in: [{ var: 'result.state' }, ['new', 'old']] }, assign: { email: 'x' }, target: 'done' },
        { guard: { '==': [{ var: 'result.state' }, 'old'] }, notice: 'again' },
        { field: true },
      ];
    }),
    pointer: '/states/form/on/submit/onDone/1',
    says: /nunca se toma: una rama anterior \(\/states\/form\/on\/submit\/onDone\/0\) toma/,
    right: inFlow((c) => {
      submit(c).onDone = [
        { guard: { '==': [{ var: 'result.state' }, 'old'] }, notice: 'again' },
        { assign: { email: 'x' }, target: 'done' },
      ];
    }),
  },
  {
    rule: 'walk/branch',
    wrong: inFlow((c) =>
      submit(c).onDone.unshift({
        guard: { and: [{ '==': [{ var: 'result.state' }, 'new'] }, { '==': [{ var: 'result.state' }, 'old'] }] },
        notice: 'again',
      }),
    ),
    pointer: '/states/form/on/submit/onDone/0',
    says: /su condición \(result\.state\) nunca se cumple/,
    right: inFlow((c) =>
      submit(c).onDone.unshift({ guard: { '==': [{ var: 'result.more.x' }, 'nuevo'] }, notice: 'again' }),
    ),
  },
  {
    rule: 'walk/circle',
    wrong: withScreen(next, (c) => {
      addFollowingState(c, { screen: 'next', requires: { guard: { var: 'flags.on' }, else: 'out' } });
      c.states.out = { always: [{ guard: { var: 'authenticated' }, target: 'next' }, { leave: '/form' }] };
    }),
    pointer: '/states/next',
    says: /da vueltas sin fin: next → out → next/,
    right: withScreen(next, (c) => {
      addFollowingState(c, { screen: 'next', requires: { guard: { var: 'flags.on' }, else: 'out' } });
      c.states.out = { invoke: { src: 'save', input: {}, onDone: 'next', onError: { leave: '/form' } } };
    }),
  },
  {
    rule: 'walk/stuck',
    wrong: withScreen(
      { title: 'Sigue', actions: [{ event: 'on', text: 'Seguir', visible: { '!': { var: 'context.email' } } }] },
      (c) => addFollowingState(c, { screen: 'next', requires: { guard: { var: 'context.email' }, else: 'form' } }),
    ),
    pointer: '/states/next',
    says: /En "next" no queda ningún botón ni enlace visible/,
    right: withScreen(
      {
        title: 'Sigue',
        actions: [{ event: 'on', text: 'Seguir', visible: { var: 'flags.on' } }],
        links: [{ to: '/form', text: 'Otro' }],
      },
      (c) => addFollowingState(c, { screen: 'next' }),
    ),
  },
  {
    rule: 'walk/stuck',
    wrong: inFlow((c) => {
      c.states.out = { invoke: { src: 'save', input: {}, onDone: { assign: { email: 'x' } }, onError: 'done' } };
      submit(c).onDone[0].target = 'out';
    }),
    pointer: '/states/out',
    says: /se queda en "out", que no muestra nada/,
    right: inFlow((c) => {
      c.states.out = {
        invoke: { src: 'save', input: {}, onDone: { assign: { email: 'x' }, target: 'done' }, onError: 'done' },
      };
      submit(c).onDone[0].target = 'out';
    }),
  },
  {
    rule: 'walk/notice',
    wrong: withScreen({ ...next, notices: { hecho: { intent: 'info', text: 'Hecho' } } }, (c) =>
      addFollowingState(
        c,
        { screen: 'next', requires: { guard: { var: 'flags.on' }, else: 'form' } },
        { notice: 'hecho' },
      ),
    ),
    pointer: '/states/form/on/submit/onDone/0/notice',
    says: /El aviso "hecho" se pierde: el recorrido termina en "form"/,
    right: withScreen({ ...next, notices: { hecho: { intent: 'info', text: 'Hecho' } } }, (c) =>
      addFollowingState(c, { screen: 'next' }, { notice: 'hecho' }),
    ),
  },
  {
    rule: 'walk/empty',
    wrong: withScreen({ ...next, intro: 'Para {name}' }, (c) => {
      addFollowingState(c, { screen: 'next', path: '/next', on: { on: { assign: { name: 'x' }, target: 'done' } } });
    }),
    pointer: '/intro',
    says: /"\{name\}" está vacío cuando se muestra/,
    right: withScreen({ ...next, intro: [{ text: 'Para {name}', visible: { var: 'context.name' } }] }, (c) => {
      addFollowingState(c, { screen: 'next', path: '/next', on: { on: { assign: { name: 'x' }, target: 'next' } } });
      c.states.next.on.on = [{ guard: { var: 'flags.on' }, assign: { name: 'x' } }, { target: 'done' }];
    }),
  },
  {
    rule: 'walk/part',
    wrong: withScreen(
      { ...next, links: [{ to: '/form', text: 'Otro', visible: { '!': { var: 'context.email' } } }] },
      (c) => addFollowingState(c, { screen: 'next' }, { assign: { email: 'alguien' } }),
    ),
    pointer: '/links/0/visible',
    says: /Esta parte no se muestra nunca/,
    right: withScreen({ ...next, links: [{ to: '/form', text: 'Otro', visible: { var: 'flags.on' } }] }, (c) =>
      addFollowingState(c, { screen: 'next' }),
    ),
  },
  {
    rule: 'operation/result',
    wrong: inFlow((c) => (submit(c).onDone[0].assign = { email: { var: 'result.mail' } })),
    pointer: '/states/form/on/submit/onDone/0/assign/email',
    says: /"result\.mail" no es parte de la respuesta de save.*¿Quisiste decir "email"\?/,
    right: inFlow((c) => (submit(c).onDone[0].assign = { email: { var: 'result.more.anything' } })),
  },
  {
    rule: 'operation/input',
    wrong: inFlow((c) => {
      c.states.done.access = 'citizen';
      c.states.done.invoke = { src: 'list', params: {}, onDone: { assign: { email: 'x' } }, onError: 'form' };
    }),
    pointer: '/states/done/invoke',
    says: /La operación list necesita ":id"/,
    right: inFlow((c) => {
      c.states.done.access = 'citizen';
      c.states.done.invoke = {
        src: 'list',
        params: { id: 'x', page: '1' },
        onDone: { assign: { email: 'x' } },
        onError: 'form',
      };
    }),
  },
  {
    rule: 'operation/input',
    wrong: createDependentSelect({ id: { var: 'form.email' }, dep: 'x' }),
    pointer: '/fields/kind/ui:options/params/dep',
    says: /La operación list no lee "dep".*Lee: id, page/,
    right: createDependentSelect({ id: { var: 'form.email' }, page: '1' }),
  },
  {
    rule: 'operation/input',
    wrong: inFlow((c) => (submit(c).input = { mail: { var: 'form.email' } })),
    pointer: '/states/form/on/submit/input/mail',
    says: /no lee "mail".*¿Quisiste decir "email"\?/,
    right: inFlow((c) => (submit(c).input = { email: { var: 'form.email' } })),
  },
  {
    rule: 'operation/input',
    wrong: withScreen(next, (c) =>
      addFollowingState(c, { screen: 'next', on: { on: { src: 'save', onDone: 'done', onError: { field: true } } } }),
    ),
    pointer: '/states/next/on/on',
    says: /espera el formulario de form, no el de "next"/,
    right: withScreen(next, (c) =>
      addFollowingState(c, {
        screen: 'next',
        on: { on: { src: 'save', input: {}, onDone: 'done', onError: { field: true } } },
      }),
    ),
  },
  {
    rule: 'operation/access',
    wrong: inFlow((c) => {
      c.states.done.invoke = { src: 'list', params: { id: 'x' }, onDone: { assign: { email: 'x' } }, onError: 'form' };
    }),
    pointer: '/states/done/invoke',
    says: /La operación list exige haber ingresado, pero a "done" llega cualquiera/,
    right: inFlow((c) => {
      c.states.done.requires = { guard: { and: [{ var: 'user.id' }, { var: 'context.email' }] }, else: 'form' };
      c.states.done.invoke = { src: 'list', params: { id: 'x' }, onDone: { assign: { email: 'x' } }, onError: 'form' };
    }),
  },
  {
    rule: 'operation/access',
    wrong: createDependentSelect({ id: { var: 'form.email' } }),
    pointer: '/fields/kind/ui:options/source',
    says: /La operación list exige haber ingresado, pero a "form" llega cualquiera\. Usá una operación que pueda pedir cualquiera/,
    right: createDependentSelect({ id: { var: 'form.email' } }, (c) => (c.visible = { kind: { var: 'user.id' } })),
  },
  {
    rule: 'operation/error',
    wrong: inFlow((c) => (submit(c).onError[0].guard = { in: [{ var: 'error.code' }, ['agian', 'offline']] })),
    pointer: '/states/form/on/submit/onError/0/guard',
    says: /El error "agian" no puede venir de save.*¿Quisiste decir "again"\?/,
    right: inFlow((c) => (submit(c).onError[0].guard = { in: [{ var: 'error.code' }, ['again', 'offline']] })),
  },
  {
    rule: 'nav/leave',
    wrong: inFlow((c) => {
      submit(c).onDone.unshift({ guard: { var: 'result.email' }, leave: { to: '/done', query: { mail: 'x' } } });
    }),
    pointer: '/states/form/on/submit/onDone/0/leave',
    says: /El flujo "main" no lee "mail" de la dirección/,
    right: inFlow((c) => {
      c.context.query = ['mail'];
      submit(c).onError.unshift({ guard: { var: 'context.mail' }, notice: 'again' });
      submit(c).onDone.unshift({ guard: { var: 'result.email' }, leave: { to: '/done', query: { mail: 'x' } } });
    }),
  },
  {
    rule: 'nav/leave',
    wrong: withScreen({ ...next, links: [{ to: '/done?mail=x', text: 'Buscar' }] }, (c) =>
      addFollowingState(c, { screen: 'next', on: { on: 'done' } }),
    ),
    pointer: '/links/0/to',
    says: /El flujo "main" no lee "mail" de la dirección/,
    right: withScreen({ ...next, links: [{ to: '/done', text: 'Buscar' }] }, (c) =>
      addFollowingState(c, { screen: 'next', on: { on: 'done' } }),
    ),
  },
  {
    rule: 'nav/leave',
    wrong: inFlow((c) => {
      c.context.path = ['slug'];
      c.states.done.path = '/done/:slug';
      submit(c).onDone.unshift({ guard: { var: 'result.email' }, leave: '/done/:slug' });
    }),
    pointer: '/states/form/on/submit/onDone/0/leave',
    says: /":slug" no recibe ningún valor/,
    right: inFlow((c) => {
      c.context.path = ['slug'];
      c.states.done.path = '/done/:slug';
      submit(c).onDone.unshift({ guard: { var: 'result.email' }, leave: '/done/uno' });
    }),
  },
  {
    rule: 'data/unread',
    wrong: inFlow((c) => (c.context.query = ['spare'])),
    pointer: '/context/query/0',
    says: /Nada lee la variable "spare"/,
    right: sampleProject,
  },
  {
    rule: 'data/assigned',
    wrong: inFlow((c) => (submit(c).onDone[0].assign.other = 'x')),
    pointer: '/states/form/on/submit/onDone/0/assign/other',
    says: /Nada lee la variable "other"/,
    right: sampleProject,
  },
  {
    rule: 'data/unset',
    wrong: inFlow((c) => {
      c.context.history = ['spare'];
      submit(c).onDone[0].assign.email = { or: [{ var: 'context.spare' }, { var: 'form.email' }] };
    }),
    pointer: '/context/history/0',
    says: /"spare" se lee, pero nada le da un valor/,
    right: inFlow((c) => {
      c.context.query = ['spare'];
      submit(c).onDone[0].assign.email = { or: [{ var: 'context.spare' }, { var: 'form.email' }] };
    }),
  },
  {
    rule: 'data/address',
    wrong: inFlow((c) => (c.context.query = ['email'])),
    pointer: '/title',
    says: /muestra "email" de la dirección/,
    right: sampleProject,
  },
  {
    rule: 'event/block',
    wrong: inFlow((c) => {
      c.states.done = { path: '/done', block: 'panel', screen: 'done', on: { owm: 'form' } };
    }),
    pointer: '/states/done/on/owm',
    says: /El bloque "panel" no produce "owm".*¿Quisiste decir "own"\?/,
    right: inFlow((c) => {
      c.states.done = { path: '/done', block: 'panel', screen: 'done', on: { own: 'form' } };
    }),
  },
  {
    rule: 'ui/block',
    wrong: withScreen({ ...next, links: [{ to: '/done', text: 'Ver' }] }, (c) =>
      addFollowingState(c, { block: 'panel', screen: 'next' }),
    ),
    pointer: '/links',
    says: /El bloque "panel" dibuja esta página y no muestra "links"/,
    right: withScreen(next, (c) => addFollowingState(c, { block: 'panel', screen: 'next' })),
  },
  {
    rule: 'ui/clear',
    wrong: inFlow((c) => (c.states.form.clear = ['/mail'])),
    pointer: '/states/form/clear/0',
    says: /no tiene el campo "mail"/,
    right: inFlow((c) => (c.states.form.clear = ['/email'])),
  },
  {
    rule: 'ui/hidden',
    wrong: changeSample('schemas/form/ui.json', (c: Content) => (c.fields.email['ui:widget'] = 'hidden')),
    pointer: '/states/form/screen',
    says: /"email" es obligatorio pero está oculto, y nada lo llena/,
    right: {
      ...changeSample('schemas/form/ui.json', (c: Content) => (c.fields.email['ui:widget'] = 'hidden')),
      [flow]: inFlow((c) => (c.states.form.prefill = { email: { var: 'context.email' } }))[flow],
    },
  },
  {
    rule: 'ui/unused',
    wrong: inFlow((c) => (submit(c).onError = [{ field: true }])),
    pointer: '/notices/again',
    says: /Ningún flujo muestra el aviso "again"/,
    right: sampleProject,
  },
  {
    rule: 'rule/secret',
    wrong: repeatSecret({}),
    pointer: '/properties/secret',
    says: /"secret" es un secreto en la pantalla "form", pero no en "done"/,
    right: repeatSecret({ writeOnly: true }),
  },
  {
    rule: 'rule/dead',
    wrong: changeSample('schemas/form/schema.json', (c: Content) => (c.properties.extra.minLength = 1)),
    pointer: '/properties/extra/minLength',
    says: /no rechaza nada: un texto vacío no se envía/,
    right: changeSample('schemas/form/schema.json', (c: Content) => (c.properties.extra.minLength = 2)),
  },
  {
    rule: 'rule/dead',
    wrong: createListForm({ schema: (c) => (c.properties.kin.items.properties.name.minLength = 1) }),
    pointer: '/properties/kin/items/properties/name/minLength',
    says: /no rechaza nada: un texto vacío no se envía/,
    right: createListForm(),
  },
  {
    rule: 'rule/slow',
    wrong: changeSample('schemas/form/schema.json', (c: Content) => (c.properties.extra.pattern = '^(a+)+$')),
    pointer: '/properties/extra/pattern',
    says: /muchas "a" seguidas/,
    right: changeSample('schemas/form/schema.json', (c: Content) => (c.properties.extra.pattern = '^a+$')),
  },
  {
    rule: 'rule/slow',
    // The message contains a value for which the pattern is slow.
    wrong: changeSample('schemas/form/schema.json', (c: Content) =>
      Object.assign(c.properties.extra, { maxLength: 20, pattern: '\\d+$' }),
    ),
    pointer: '/properties/extra/pattern',
    says: /muchas "0" seguidas/,
    right: changeSample('schemas/form/schema.json', (c: Content) => (c.properties.extra.pattern = '^\\d+( \\d+)*$')),
  },
  {
    rule: 'rule/slow',
    wrong: createListForm({ schema: (c) => (c.properties.kin.items.properties.name.pattern = '^ *a* *$') }),
    pointer: '/properties/kin/items/properties/name/pattern',
    says: /ninguna repetición dentro de otra/,
    right: createListForm(),
  },
  {
    rule: 'rule/draw',
    wrong: changeSample('schemas/form/ui.json', (c: Content) =>
      Object.assign(c.fields.extra, { 'ui:widget': 'textarea', 'ui:options': { row: 3 } }),
    ),
    pointer: '/fields/extra/ui:options/row',
    says: /"textarea" no tiene en cuenta "row".*¿Quisiste decir "rows"\?/,
    right: changeSample('schemas/form/ui.json', (c: Content) =>
      Object.assign(c.fields.extra, { 'ui:widget': 'textarea', 'ui:options': { rows: 3, width: 'half' } }),
    ),
  },
  {
    rule: 'rule/draw',
    wrong: changeSample('schemas/form/ui.json', (c: Content) =>
      Object.assign(c.fields.kind, { 'ui:widget': 'radio', 'ui:autocomplete': 'sex' }),
    ),
    pointer: '/fields/kind/ui:autocomplete',
    says: /"radio" no tiene en cuenta "ui:autocomplete"/,
    right: changeSample('schemas/form/ui.json', (c: Content) =>
      Object.assign(c.fields.kind, { 'ui:widget': 'select', 'ui:autocomplete': 'sex' }),
    ),
  },
  {
    rule: 'rule/draw',
    wrong: createListForm({ ui: (c) => (c.fields.kin.items.name['ui:options'] = { counter: true }) }),
    pointer: '/fields/kin/items/name/ui:options/counter',
    says: /"text" no tiene en cuenta "counter"/,
    right: createListForm({ ui: (c) => (c.fields.kin.items.name['ui:options'] = { transform: 'trim' }) }),
  },
  {
    rule: 'rule/draw',
    wrong: createComputedField({ 'ui:options': { transform: 'trim' } }),
    pointer: '/fields/extra/ui:options/transform',
    says: /Un valor calculado no tiene en cuenta "transform"/,
    right: createComputedField({ 'ui:options': { width: 'half' } }),
  },
  {
    rule: 'text/plain',
    wrong: changeSample(
      'schemas/form/ui.json',
      (c: Content) => (c.title = 'Escribí acá todo lo que se te ocurra y que pueda servir mañana. Gracias'),
    ),
    pointer: '/title',
    says: /Una oración de 13 palabras\./,
    right: changeSample(
      'schemas/form/ui.json',
      (c: Content) => (c.title = 'Escribí acá todo lo que se te ocurra: puede servir mañana. Gracias'),
    ),
  },
  {
    rule: 'text/plain',
    wrong: changeSample(
      'schemas/form/ui.json',
      (c: Content) => (c.notices.again.text = 'Venció el Token: el token que dice la ley'),
    ),
    pointer: '/notices/again/text',
    says: /Acá dice "Token"\. Decilo con palabras de todos los días\./,
    right: changeSample(
      'schemas/form/ui.json',
      (c: Content) => (c.notices.again.text = 'El tokenizador es el token que dice la ley'),
    ),
  },
  {
    rule: 'text/plain',
    wrong: { ...sampleProject, 'schemas/_shared/texts/portal.json': { 'menu/open': 'Abrí el token' } },
    pointer: '/menu~1open',
    says: /Acá dice "token"\. Decilo con palabras de todos los días\./,
    right: { ...sampleProject, 'schemas/_shared/texts/portal.json': { 'menu/open': 'Abrí el menú' } },
  },
  {
    rule: 'text/plain',
    wrong: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.links['/form'] = 'Ver o token')),
    pointer: '/links/~1form',
    says: /Acá dice "token"\. Decilo con palabras de todos los días\./,
    right: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.links['/form'] = 'Ver')),
  },
  {
    rule: 'text/again',
    wrong: shareNotice('again', 'again'),
    pointer: '/notices/again',
    says: /La misma definición está en 3 lugares\. .*notices\.json/,
    right: shareNotice('again', 'other'),
  },
  {
    rule: 'text/again',
    wrong: inFlow((c) => addIdenticalStates(c, 3)),
    pointer: '/states/next1/on/submit',
    says: /La misma definición está en 3 lugares\. .*"branches"/,
    right: inFlow((c) => addIdenticalStates(c, 2)),
  },
  {
    rule: 'text/again',
    wrong: shareMessage('extra', 'repeat', 'secret'),
    pointer: '/messages/extra/minLength',
    says: /La misma definición está en 3 lugares\. .*definición de schemas\/_shared/,
    right: shareMessage('extra', 'repeat'),
  },
  {
    rule: 'text/again',
    wrong: shareHint('Como está en él', 'email', 'kind', 'extra'),
    pointer: '/fields/email/ui:help',
    says: /La misma definición está en 3 lugares\. .*definición de schemas\/_shared/,
    right: shareHint('Como está', 'email', 'kind', 'extra'),
  },
  {
    rule: 'text/again',
    wrong: shareHint('Internacionalmente exacto', 'email', 'kind', 'extra'),
    pointer: '/fields/email/ui:help',
    says: /La misma definición está en 3 lugares/,
    right: shareHint('Internacionalmente exact', 'email', 'kind', 'extra'),
  },
  {
    rule: 'walk/entry',
    wrong: inFlow((c) => delete c.context.storage),
    pointer: '/states/done/path',
    says: /\/done nunca abre "done": lleva a "form"/,
    right: sampleProject,
  },
  {
    rule: 'text/pair',
    wrong: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.title = 'Pronto')),
    pointer: '/title',
    says: /allí \{email\}, acá –/,
    right: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.title = '{email}: pronto')),
  },
  {
    rule: 'text/pair',
    wrong: repeated('Terminar'),
    pointer: '/last',
    says: /"Terminar" se traduce "Continuar" solo acá: en otros 8 textos, a "Continuar" le corresponde "Seguir"/,
    right: repeated('Seguir'),
  },
  {
    rule: 'text/pair',
    wrong: changeSample('schemas/form/ui.pt.json', (c: Content) => (c.fields.email['ui:title'] = 'Documento')),
    pointer: '/fields/email/ui:title',
    says: /allí Correo, acá Documento/,
    right: changeSample('schemas/form/ui.pt.json', (c: Content) => (c.fields.email['ui:title'] = 'O seu e-mail')),
  },
  {
    rule: 'text/pair',
    wrong: changeSample('schemas/form/ui.pt.json', (c: Content) => (c.fields.email['ui:title'] = 'Endereço')),
    pointer: '/fields/email/ui:title',
    says: /allí Correo, acá –/,
    right: {
      ...changeSample('schemas/form/ui.pt.json', (c: Content) => (c.fields.email['ui:title'] = 'Seu endereço')),
      ...{
        'schemas/form/ui.json': changeSample(
          'schemas/form/ui.json',
          (c: Content) => (c.fields.email['ui:title'] = 'A qué correo te escribimos'),
        )['schemas/form/ui.json'],
      },
    },
  },
  {
    rule: 'text/pair',
    wrong: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.links['/form'] = 'De novo: 2')),
    pointer: '/links/~1form',
    says: /allí –, acá 2/,
    right: changeSample('schemas/done/ui.pt.json', (c: Content) => (c.links['/form'] = 'Outra vez')),
  },
];

test('[EST-01 EST-02] sample project has no findings', async () => {
  expect(await findFindings(sampleProject)).toEqual([]);
});

test.each(cases)(
  '[EST-01 EST-02] lint rule $rule reports a mistake at $pointer and accepts its correction: $says',
  async ({ rule, wrong, right, pointer, says }) => {
    const found = (await findFindings(wrong)).filter((problem) => problem.rule === rule);
    expect(found.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(`${found[0]?.message ?? ''} ${found[0]?.hint ?? ''}`).toMatch(says);
    expect(
      (await findFindings(right)).map((problem) => `${problem.rule ?? problem.message} ${problem.pointer}`),
    ).not.toContainEqual(expect.stringMatching(rule));
  },
);
