import { expect, test } from 'vitest';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { loadProject, sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;
const { schema, ui, pt, flow } = samplePaths;
const messages = 'schemas/_shared/messages.json';

/** The sample project with changes. Its checkbox has a link, so that citizens can read the terms. */
function files(changes: Changes): Files {
  const all = structuredClone(sampleProject) as Record<string, Content>;
  const links = (text: string, to: string) => ({ [ui]: [{ to, text }], [pt]: { [to]: text } });
  for (const [path, own] of Object.entries(links('Leer', '/form'))) all[path].fields.terms['ui:links'] = own;
  for (const [path, change] of Object.entries(changes)) change(all[path]);
  return all;
}
const field = (name: string, own: object): Changes => ({ [schema]: (c) => Object.assign(c.properties[name], own) });
const shown = (rule: unknown): Changes => ({ [ui]: (c) => (c.visible.extra = rule) });
const titled = (...titles: readonly { readonly text: string; readonly visible?: object }[]): Changes => ({
  [ui]: (c) => (c.title = titles),
  [pt]: (c) => (c.title = titles.map(({ text }) => text)),
});
const drawn = (name: string, own: object): Changes => ({ [ui]: (c) => Object.assign(c.fields[name], own) });
/** Two labels with common words. Other rules say nothing about them if their translations are exchanged. */
const ofBoth = (email: string, more: string): Changes => ({
  [ui]: (c) =>
    ([c.fields.email['ui:title'], c.fields.extra['ui:title']] = [
      'Alterar a senha nacional con teléfono',
      'Alterar a senha nacional con documento',
    ]),
  [pt]: (c) => ([c.fields.email['ui:title'], c.fields.extra['ui:title']] = [email, more]),
});
const begun = (prefill: object): Changes => ({ [flow]: (c) => (c.states.form.prefill = prefill) });
const said = (key: string, text: string): Changes => ({
  [ui]: (c) => (c.messages = { secret: { [key]: text } }),
  [pt]: (c) => (c.messages = { secret: { [key]: text } }),
});
const permitted = (...permissions: readonly (readonly [string, string])[]): Changes => ({
  [flow]: (c) => Object.assign(c.states.form, { access: 'citizen', permissions }),
});
const isKind = (value: unknown) => ({ '==': [{ var: 'form.kind' }, value] });
const buttons = (event: string, ...text: readonly string[]): Changes => ({
  [ui]: (c) => c.actions.push({ event, text: text[0] }),
  [pt]: (c) => (c.actions[event] = text[1]),
});
const steps = (back: string): Changes => ({
  [flow]: (c) => {
    c.progress = ['form', 'next', 'done'];
    c.states.next = { path: '/next', screen: 'form', on: { submit: 'done' } };
    c.states.done.back = back;
    c.states.form.on.submit.onDone[0].target = 'next';
  },
  'schemas/done/ui.json': (c) => (c.step = 'Fin'),
  'schemas/done/ui.pt.json': (c) => (c.step = 'Final'),
});
/** Change of the flow that submits these fields instead of the entire form. */
const sent = (...names: readonly string[]): Changes => ({
  [flow]: (c) =>
    (c.states.form.on.submit.input = Object.fromEntries(names.map((name) => [name, { var: `form.${name}` }]))),
});
const answered = (text: string): Changes => ({
  ...counted(''),
  ...Object.fromEntries(
    [ui, pt].map((path) => [path, (c: Content) => Object.assign(c, { messages: { extra: { type: text } } })]),
  ),
});
const counted = (title: string): Changes => ({
  ...field('extra', { type: 'integer', maximum: 9 }),
  ...drawn('extra', { 'ui:title': title }),
  ...Object.fromEntries(
    ['', '.pt'].map((language) => [
      `schemas/_shared/messages${language}.json`,
      (c: Content) => (c.maximum = 'Hasta {limit}'),
    ]),
  ),
});
const list = (options: object): Changes => ({
  [schema]: (c) => (c.properties.phones = { type: 'array', maxItems: 3, items: { type: 'string' } }),
  [ui]: (c) =>
    (c.fields.phones = { 'ui:title': 'Teléfonos', 'ui:options': options, items: { 'ui:title': 'Teléfono' } }),
  [pt]: (c) => (c.fields.phones = { 'ui:title': 'Telefones', items: { 'ui:title': 'Telefone' } }),
  ...Object.fromEntries(
    ['', '.pt'].map((language) => [
      `schemas/_shared/messages${language}.json`,
      (c: Content) =>
        Object.assign(c, {
          maxItems: 'Hasta {limit}',
          ...Object.fromEntries(
            'add remove undo up down added removed restored moved'.split(' ').map((word) => [`list.${word}`, word]),
          ),
        }),
    ]),
  ),
});

/** Rule, mistake, reported pointer, message, and the most similar correct definition. */
const mistakes: readonly (readonly [rule: string, wrong: Changes, pointer: string, says: RegExp, right: Changes])[] = [
  [
    'rule/pattern',
    field('extra', { pattern: '/^[a-z]+$/' }),
    '/properties/extra/pattern',
    /barras/,
    field('extra', { pattern: '^[a-z]+/$' }),
  ],
  [
    'rule/pattern',
    field('extra', { pattern: '[a-z]{2,4}' }),
    '/properties/extra/pattern',
    /abierta/,
    field('extra', { pattern: '\\S' }),
  ],
  [
    'rule/pattern',
    field('extra', { pattern: '^[a-z]{2,4}' }),
    '/properties/extra/pattern',
    /abierta/,
    field('extra', { pattern: '^[a-z]{2,4}.*' }),
  ],
  [
    'rule/pattern',
    field('extra', { pattern: '^a|b$' }),
    '/properties/extra/pattern',
    /una sola alternativa/,
    field('extra', { pattern: '^(?:a|b)$' }),
  ],
  [
    'rule/pattern',
    field('extra', { format: 'date', pattern: '^\\d{8}$' }),
    '/properties/extra/pattern',
    /2026-01-31/,
    field('extra', { format: 'date', pattern: '^\\d{4}-' }),
  ],
  [
    'rule/pattern',
    field('extra', { pattern: '^\\d{8}$', maxLength: 7 }),
    '/properties/extra/pattern',
    /8 caracteres.*acepta 7/,
    field('extra', { pattern: '^\\d{8}$', maxLength: 8 }),
  ],
  [
    'rule/choice',
    shown(isKind('c')),
    '/visible/extra/==/1',
    /"form\.kind" no es nunca "c".*"a", "b"/,
    shown(isKind('a')),
  ],
  [
    'rule/choice',
    shown({ in: [{ var: 'form.kind' }, ['a', 'B']] }),
    '/visible/extra/in/1/1',
    /nunca "B"/,
    shown({ in: [{ var: 'form.kind' }, ['a', 'b']] }),
  ],
  [
    'rule/choice',
    shown({ '==': [{ var: 'flags.on' }, 'true'] }),
    '/visible/extra/==/1',
    /true, false/,
    shown({ '==': [{ var: 'flags.on' }, true] }),
  ],
  ['rule/choice', begun({ kind: 'z' }), '/states/form/prefill/kind', /nunca "z"/, begun({ kind: 'a' })],
  [
    'rule/absent',
    shown({ '!': { '>=': [{ var: 'form.kind' }, 'b'] } }),
    '/visible/extra/!',
    /mientras kind está vacío/,
    shown({ '<': [{ var: 'form.kind' }, 'b'] }),
  ],
  [
    'rule/absent',
    shown({ '!': [{ or: [{ '<': [{ var: 'form.kind' }, 'b'] }, { var: 'flags.on' }] }] }),
    '/visible/extra/!/0/or/0',
    /mientras kind está vacío/,
    shown({
      and: [{ var: 'form.kind' }, { '!': [{ or: [{ '<': [{ var: 'form.kind' }, 'b'] }, { var: 'flags.on' }] }] }],
    }),
  ],
  [
    'rule/absent',
    shown({ '>': [{ var: 'form.email' }, ''] }),
    '/visible/extra/>/1',
    /no sirve/,
    shown({ '!!': [{ var: 'form.email' }] }),
  ],
  [
    'rule/constant',
    shown({ and: [isKind('a'), isKind('b')] }),
    '/visible/extra',
    /se contradice/,
    shown({ or: [isKind('a'), isKind('b')] }),
  ],
  [
    'rule/constant',
    shown({ or: [{ var: 'flags.on' }, { '!': { var: 'flags.on' } }] }),
    '/visible/extra',
    /se cumple siempre/,
    shown({ or: [{ var: 'flags.on' }, { var: 'form.email' }] }),
  ],
  [
    'rule/constant',
    titled({ text: 'Seguir' }, { text: 'Formulario', visible: { var: 'flags.on' } }, { text: 'Otro' }),
    '/title/0',
    /no tiene "visible".*no se ven nunca, por ejemplo "Formulario".*Pasalo al final/,
    titled({ text: 'Formulario', visible: { var: 'flags.on' } }, { text: 'Seguir' }),
  ],
  ['ui/consent', begun({ terms: true }), '/states/form/prefill/terms', /ya viene marcado/, begun({ terms: false })],
  ['ui/consent', { [schema]: (c) => (c.required = ['email']) }, '/required', /sin marcar/, {}],
  [
    'ui/consent',
    { [schema]: (c) => delete c.properties.terms.const },
    '/properties/terms/const',
    /deja seguir/,
    drawn('terms', { 'ui:title': 'Con aviso' }),
  ],
  [
    'ui/consent',
    { ...drawn('terms', { 'ui:title': 'He leído los términos' }), [schema]: (c) => (c.required = ['email']) },
    '/required',
    /sin marcar/,
    { ...drawn('terms', { 'ui:title': 'He vivido acá' }), [schema]: (c) => (c.required = ['email']) },
  ],
  [
    'ui/consent-link',
    { [ui]: (c) => delete c.fields.terms['ui:links'], [pt]: (c) => delete c.fields.terms['ui:links'] },
    '/fields/terms',
    /no se puede leer/,
    {},
  ],
  [
    'ui/twice',
    drawn('repeat', { 'ui:title': 'Correo' }),
    '/fields/repeat/ui:title',
    /"Correo" está dos veces/,
    drawn('repeat', { 'ui:title': 'Correo otra vez' }),
  ],
  [
    'ui/twice',
    buttons('back', 'Enviar', 'Voltar'),
    '/actions/1/text',
    /"Enviar" está dos veces/,
    buttons('back', 'Volver', 'Voltar'),
  ],
  [
    'ui/twice',
    buttons('back', 'Volver', 'Enviar'),
    '/actions/back',
    /"Enviar" está dos veces/,
    buttons('submit', 'Enviar', 'Enviar'),
  ],
  [
    'ui/twice',
    drawn('kind', { 'ui:enumNames': ['Uno', 'Uno'] }),
    '/fields/kind/ui:enumNames/1',
    /"Uno"/,
    drawn('kind', { 'ui:enumNames': ['Uno', 'Otro'] }),
  ],
  [
    'ui/choices',
    {
      ...field('kind', { enum: ['correo', 'app'] }),
      ...drawn('kind', { 'ui:enumNames': ['Por la app', 'Por correo'] }),
    },
    '/fields/kind/ui:enumNames',
    /"Por la app" está en el lugar de "correo"/,
    {
      ...field('kind', { enum: ['correo', 'app'] }),
      ...drawn('kind', { 'ui:enumNames': ['Por correo', 'Por la app'] }),
    },
  ],
  [
    'ui/autocomplete',
    drawn('extra', { 'ui:autocomplete': 'first-name' }),
    '/fields/extra/ui:autocomplete',
    /Escribí "given-name"/,
    drawn('extra', { 'ui:autocomplete': 'section-a work tel' }),
  ],
  ['ui/hidden', list({ addable: false }), '/states/form/screen', /nadie le puede agregar/, list({ removable: false })],
  [
    'ui/hidden',
    drawn('email', { 'ui:readonly': true }),
    '/states/form/screen',
    /no se puede cambiar/,
    { ...drawn('email', { 'ui:readonly': true }), ...begun({ email: 'a@b.uy' }) },
  ],
  [
    'text/number',
    drawn('secret', { 'ui:title': 'Clave de 10 caracteres' }),
    '/fields/secret/ui:title',
    /dice 10.*dice 8/,
    drawn('secret', { 'ui:title': 'Clave de 8 caracteres, 10 veces' }),
  ],
  [
    'text/number',
    { ...field('secret', { maxLength: 8 }), ...drawn('secret', { 'ui:title': 'Clave de 10 caracteres' }) },
    '/fields/secret/ui:title',
    /dice 8\./,
    drawn('secret', { 'ui:title': 'Clave de 8 caracteres' }),
  ],
  [
    'text/number',
    counted('Hasta 12 personas'),
    '/fields/extra/ui:title',
    /dice 12.*dice 9/,
    counted('Hasta 9 personas'),
  ],
  [
    'text/number',
    answered('Escribí un número, hasta 12.'),
    '/messages/extra/type',
    /dice 12.*dice 9/,
    answered('Escribí un número, hasta 9.'),
  ],
  [
    'text/number',
    said('minLength', 'Escribí 9.'),
    '/messages/secret/minLength',
    /dice 9/,
    said('minLength', 'Escribí {limit}.'),
  ],
  [
    'text/message',
    said('maxLength', 'Es largo.'),
    '/messages/secret/maxLength',
    /no tiene la regla "maxLength"/,
    said('minLength', 'Es corto.'),
  ],
  [
    'text/placeholder',
    said('minLength', 'Escribí {min}.'),
    '/messages/secret/minLength',
    /\{min\}.*Sus valores: \{limit\}/,
    said('minLength', 'Escribí {limit}.'),
  ],
  ['text/placeholder', { [messages]: (c) => (c.pattern = 'Forma {limit}') }, '/pattern', /\{limit\}/, {}],
  [
    'text/markup',
    { [ui]: (c) => (c.title = 'Un <b>dato</b>') },
    '/title',
    /"<b>" aparece/,
    { [ui]: (c) => (c.title = 'Uno < dos & tres') },
  ],
  [
    'text/markup',
    { [ui]: (c) => (c.title = 'Un **dato**') },
    '/title',
    /\*\*dato/,
    { [ui]: (c) => (c.title = 'Un * dato') },
  ],
  [
    'text/secret',
    {
      ...begun({}),
      'schemas/done/ui.json': (c) => (c.title = 'Listo {clave}'),
      [flow]: (c) => (c.states.form.on.submit.onDone[0].assign.clave = { var: 'form.secret' }),
    },
    '/title',
    /"\{clave\}" es un secreto/,
    {
      [flow]: (c) => (c.states.form.on.submit.onDone[0].assign.clave = { var: 'form.kind' }),
      'schemas/done/ui.json': (c) => (c.title = 'Listo {clave}'),
    },
  ],
  [
    'text/secret',
    { [ui]: (c) => (c.title = 'Clave sk_live1234567890ab') },
    '/title',
    /parece un secreto/,
    { [ui]: (c) => (c.title = 'Expediente 2026-00012345678901234567') },
  ],
  ['text/same', { [pt]: (c) => (c.title = 'Formulario') }, '/title', /"Formulario" está sin traducir/, {}],
  [
    'text/exchanged',
    {
      [pt]: (c) =>
        ([c.fields.email['ui:title'], c.fields.extra['ui:title'], c.title] = ['Formulário', 'Mais', 'E-mail']),
    },
    '/title',
    /"E-mail" y "Formulário"/,
    {},
  ],
  [
    'text/exchanged',
    ofBoth('Alterar a senha nacional com documento', 'Alterar a senha nacional com telefone'),
    '/fields/email/ui:title',
    /"Alterar a senha nacional com documento" y "Alterar a senha nacional com telefone"/,
    ofBoth('Alterar a senha nacional com telefone', 'Alterar a senha nacional com documento'),
  ],
  ['walk/back', steps('form'), '/states/done/back', /lleva a "form" y saltea next/, steps('next')],
  [
    'data/fact',
    shown({ '!': { var: 'user.añoNacimiento' } }),
    '/visible/extra/!/var',
    /"user\.añoNacimiento" no existe/,
    shown({ var: 'user.id' }),
  ],
  [
    'data/prefill',
    begun({ extra: 'user.id' }),
    '/states/form/prefill/extra',
    /"extra" empieza con "user\.id", aunque existe "user\.extra"/,
    begun({ extra: 'user.extra' }),
  ],
  [
    'operation/permission',
    permitted(['calls', 'creat'], ['calls', 'view']),
    '/states/form/permissions/0/1',
    /Ninguna operación pide el permiso "calls", "creat".*¿Quisiste decir "create"\?/,
    permitted(['calls', 'create']),
  ],
  [
    'operation/permission',
    permitted(['call', 'create']),
    '/states/form/permissions/0/0',
    /¿Quisiste decir "calls"\?/,
    permitted(['calls', 'view']),
  ],
  [
    'data/literal',
    begun({ extra: 'context,email' }),
    '/states/form/prefill/extra',
    /"context,email" es acá un texto.*"context\.email"/,
    begun({ extra: 'context, y más' }),
  ],
  [
    'data/literal',
    { [flow]: (c) => (c.states.form.on.submit.input = { email: 'form. email', extra: 'form.extra' }) },
    '/states/form/on/submit/input/email',
    /"form\.email"/,
    sent('email', 'extra'),
  ],
  [
    'data/fact',
    begun({ extra: 'user.adress.street' }),
    '/states/form/prefill/extra',
    /"user\.adress\.street" no existe\. ¿Quisiste decir "address"\? Hay: id, extra, address\./,
    begun({ extra: 'user.address.street' }),
  ],
  [
    'data/fact',
    begun({ extra: 'user.address.number' }),
    '/states/form/prefill/extra',
    /¿Quisiste decir "house_number"\?/,
    begun({ extra: 'user.address.house_number' }),
  ],
  [
    'data/fact',
    shown({ var: 'user.nombre' }),
    '/visible/extra/var',
    /"user\.nombre" no existe.*id/,
    shown({ var: 'user.id' }),
  ],
  [
    'data/dropped',
    sent('email', 'repeat'),
    '/properties/secret',
    /nada envía ni lee "secret"/,
    sent('email', 'secret', 'kind', 'extra'),
  ],
  [
    'data/dropped',
    {
      ...sent('email', 'secret', 'extra'),
      [schema]: (c) =>
        Object.assign(c, { if: { properties: { kind: { const: 'b' } } }, then: { required: ['extra'] } }),
      [ui]: (c) => delete c.visible,
    },
    '/properties/kind',
    /nada envía "kind", que solo decide sobre otros campos/,
    sent('email', 'secret', 'kind', 'extra'),
  ],
];

const analysed = (given: Files) =>
  findFindings(given, {
    operations: { ...contract.operations, save: { ...contract.operations['save'], screens: ['form'] } as never },
    factShapes: {
      flags: { type: 'object', properties: { on: { type: 'boolean' } } },
      user: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          extra: { type: 'string' },
          address: {
            type: 'object',
            properties: { street: { type: 'string' }, house_number: { type: 'string' } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
    wording: Object.fromEntries(
      Object.entries(contract.wording ?? {}).map(([language, own]) => [
        language,
        language === 'pt'
          ? {
              ...own,
              same: [
                'repetir',
                'tipo',
                'enviar',
                'mais',
                'leer',
                'falta',
                'sobra',
                'minimo',
                'maximo',
                'forma',
                'opcion',
                'debe',
                'aceptarse',
                'formato',
                'desde',
              ],
            }
          : { ...own, units: ['caracteres'], bounds: ['hasta'], consent: ['acepto', 'he leído'] },
      ]),
    ),
  });

test.each(mistakes)(
  '[QA-02] lint rule %s reports a mistake (case %#) with position and remedy, and accepts its correction',
  async (rule, wrong, pointer, says, right) => {
    const found = (await analysed(files(wrong))).filter((problem) => problem.rule === rule);
    const [first] = found.filter((problem) => problem.pointer === pointer);
    if (!first) console.log((await analysed(files(wrong))).map((p) => `${p.pointer} ${p.message}`));
    expect(`${first?.message ?? JSON.stringify(found)} ${first?.hint ?? ''}`).toMatch(says);
    expect(first?.line).toBeGreaterThan(0);
    expect((await analysed(files(right))).filter((problem) => problem.rule === rule)).toEqual([]);
  },
);

test('[QA-02] lint rule rule/parameter reports a rule that names a field of another kind than on the other screens', async () => {
  const screens = (number: string, country = 'country', type = 'type') => {
    const kinds = { country: 'country', type: 'type', number: 'number', phone: 'phone' };
    const draw = (of: (name: string) => object) =>
      Object.fromEntries(Object.keys(kinds).map((name) => [name, of(name)]));
    const titles = draw((name) => ({ 'ui:title': `Campo ${name}` }));
    return ['a', 'b', 'c'].flatMap((id) => [
      [
        `schemas/${id}/schema.json`,
        {
          type: 'object',
          properties: draw((name) => ({ $ref: `../_shared/document.json#/$defs/${name}` })),
          documentNumber:
            id === 'c' ? { country, type, number } : { country: 'country', type: 'type', number: 'number' },
        },
      ],
      [`schemas/${id}/ui.json`, { title: id, fields: titles, actions: [{ event: 'submit', text: 'Seguir' }] }],
      [`schemas/${id}/ui.pt.json`, { title: id, fields: titles, actions: { submit: 'Seguir' } }],
    ]);
  };
  const text = { type: 'string', maxLength: 9 };
  const find = async (...names: readonly [string, string?, string?]) =>
    (
      await findFindings({
        ...sampleProject,
        'schemas/_shared/document.json': { $defs: { country: text, type: text, number: text, phone: text } },
        'flows/documents.json': {
          id: 'documents',
          initial: 'a',
          states: Object.fromEntries(
            ['a', 'b', 'c'].map((id) => [id, { path: `/${id}`, screen: id, on: { submit: { leave: '/form' } } }]),
          ),
        },
        ...(Object.fromEntries(screens(...names)) as Files),
      })
    ).filter(({ rule }) => rule === 'rule/parameter' || rule === undefined);
  expect(await find('number')).toEqual([]);
  expect(await find('phone')).toMatchObject([
    { file: 'schemas/c/schema.json', pointer: '/documentNumber/number', hint: 'Escribí "number": "number".' },
  ]);
  expect(await find('number', 'type', 'country')).toMatchObject([
    { pointer: '/documentNumber/country', hint: 'Escribí "country": "country", "type": "type".' },
  ]);
});

test('[QA-02] lint rule operation/input reports a select whose operation returns no choices', async () => {
  const select = files({
    [ui]: (c) => Object.assign(c.fields.kind, { 'ui:widget': 'select', 'ui:options': { source: 'list' } }),
  });
  const said = { ...(sampleProject[messages] as object), 'options.none': 'No', 'options.gone': 'No' };
  const find = async (items: JsonObject) => {
    const answer = { type: 'array', items: { type: 'object', properties: items, additionalProperties: false } };
    const list = { ...contract.operations['list']!, params: [], answer };
    const found = await findFindings(
      { ...select, [messages]: said, 'schemas/_shared/messages.pt.json': said },
      { operations: { ...contract.operations, list }, choiceKeys: ['code', 'id'] },
    );
    return found.flatMap(({ rule, pointer, hint }) => (rule === 'operation/input' ? [`${pointer} ${hint}`] : []));
  };
  expect(await find({ day: { type: 'string' } })).toEqual([
    '/fields/kind/ui:options/source Usá una que responda una lista cuyos elementos tengan code o id.',
  ]);
  expect(await find({ id: { type: 'string' } })).toEqual([]);
});

test('[QA-02] lint rule data/unread reports a carried value that no flow reads', async () => {
  const find = async (name: string) => {
    const carrying: Changes = {
      [flow]: (c) =>
        Object.assign(c.states.form, { carry: { [name]: 'form.email' }, prefill: { email: 'carried.email' } }),
    };
    const options = { language: 'es', analysis: contract, facts: ['flags.on', 'user', 'authenticated', 'carried'] };
    const { definitions, problems } = await loadProject(files(carrying), options);
    const found = (definitions?.findings ?? problems).filter(
      ({ rule }) => rule === 'data/unread' || rule === undefined,
    );
    return found.map(({ pointer, message, hint }) => `${pointer} ${message} ${hint}`);
  };
  expect(await find('emial')).toEqual([
    '/states/form/carry/emial Nada lee "carried.emial". ¿Quisiste decir "email"? Escribí un nombre que un flujo lea, o quitalo.',
  ]);
  expect(await find('email')).toEqual([]);
});
