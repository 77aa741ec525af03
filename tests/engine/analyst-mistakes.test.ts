import { expect, test } from 'vitest';
import type { LintOptions } from '../../src/engine/compiler/lint/lint-options.ts';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import { changeSample, sampleProject, loadProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt, flow } = samplePaths;

function files(changes: Changes): Files {
  const all = structuredClone(sampleProject) as Record<string, any>;
  const links = { [ui]: [{ to: '/form', text: 'Leer form' }], [pt]: { '/form': 'Ler form' } };
  for (const [path, own] of Object.entries(links)) all[path].fields.terms['ui:links'] = own;
  for (const [path, change] of Object.entries(changes)) change(all[path]);
  return all;
}
const extra = (rules: object, own: object = {}): Changes => ({
  [schema]: (c) => Object.assign(c.properties.extra, rules),
  [ui]: (c) => Object.assign(c.fields.extra, own),
  [pt]: (c) => {
    if ('ui:placeholder' in own) c.fields.extra['ui:placeholder'] = 'Como na cédula';
  },
});
const shown = (name: string, rule: unknown): Changes => ({ [ui]: (c) => (c.visible[name] = rule) });
const titled = (text: string): Changes => ({ [ui]: (c) => (c.title = text) });
const timed = (text: string): Changes => ({
  ...titled(text),
  [pt]: (c) => (c.title = 'Vence em {dias_link} dias'),
  [flow]: (c) => (c.context.query = ['dias_link']),
});
const translated = (text: string, own: string): Changes => ({ ...titled(text), [pt]: (c) => (c.title = own) });
const exchanged = [
  'Você já fez a chamada. Se a cancelar, o nível não sobe.',
  'Se você a cancelar, o horário fica livre. Depois reserve outra.',
];
const paragraphs = (...own: readonly string[]): Changes => ({
  [ui]: (c) =>
    (c.intro = [
      { text: 'Si la cancelás, el cupo queda libre. Después reservás otra.' },
      { text: 'Ya la hiciste. Si la cancelás, tu nivel no sube.' },
    ]),
  [pt]: (c) => (c.intro = own),
});
/** The form warns some time before the end, with a notice that says "2 horas". */
const warned = (secondsBefore: number): Changes => ({
  [ui]: (c) => (c.notices.soon = { intent: 'info', text: 'Quedan 2 horas' }),
  [pt]: (c) => (c.notices.soon = { text: 'Faltam 2 horas' }),
  [flow]: (c) => {
    c.context.query = ['end'];
    c.delays = { soon: { at: 'context.end', secondsBefore } };
    c.states.form.after = { soon: { notice: 'soon' } };
  },
});
const begun = (prefill: object): Changes => ({ [flow]: (c) => (c.states.form.prefill = prefill) });
const steps = (name: string): Changes => ({
  [flow]: (c) => {
    c.progress = ['form', 'done'];
  },
  [ui]: (c) => (c.step = 'Datos'),
  [pt]: (c) => (c.step = 'Dados'),
  'schemas/done/ui.json': (c) => (c.step = name),
  'schemas/done/ui.pt.json': (c) => (c.step = 'Final'),
});
const chosen = (way: string): Changes => ({
  [flow]: (c) => {
    c.states.form.prefill = { kind: { var: 'context.way' } };
    c.states.form.on.submit.onDone[0].assign = { way };
  },
  [ui]: (c) => (c.title = [{ text: 'B', visible: { '==': [{ var: 'context.way' }, way] } }, { text: 'A' }]),
  [pt]: (c) => (c.title = ['Bê', 'Á']),
});
const waiting = (rule: unknown): Changes => ({
  [ui]: (c) => Object.assign(c.visible, { extra: { var: 'form.kind' }, kind: rule }),
});
const agreed = (to: string): Changes => ({
  [ui]: (c) => (c.fields.terms['ui:links'] = [{ to, text: 'Leer el formulario' }]),
  [pt]: (c) => (c.fields.terms['ui:links'] = { [to]: 'Ler' }),
});
const holding = (most: number): Changes => ({
  ...extra({ file: { maxKb: most }, writeOnly: true }, { 'ui:widget': 'file', 'ui:help': 'Hasta 2 MB.' }),
  [pt]: (c) => (c.fields.extra['ui:help'] = 'Até 2 MB.'),
});

/** Rule, mistake, reported pointer, message, and the most similar correct definition. */
const mistakes: readonly (readonly [rule: string, wrong: Changes, pointer: string, says: RegExp, right: Changes])[] = [
  [
    'text/typed',
    extra({}, { 'ui:title': 'NOMBRE COMPLETO' }),
    '/fields/extra/ui:title',
    /todo en mayúsculas/,
    extra({}, { 'ui:title': 'CI URUGUAYA' }),
  ],
  [
    'text/typed',
    extra({}, { 'ui:title': 'OBSERVACIONES:' }),
    '/fields/extra/ui:title',
    /termina en ":".*"Observaciones"/,
    extra({}, { 'ui:title': 'Observaciones' }),
  ],
  [
    'text/typed',
    extra({}, { 'ui:title': 'DNI:' }),
    '/fields/extra/ui:title',
    /termina en ":".*"DNI"/,
    extra({}, { 'ui:title': 'DNI' }),
  ],
  ['text/typed', titled('Hola, ${email}'), '/title', /"\$" que está antes.*"Hola, \{email\}"/, titled('Hola, {email}')],
  [
    'rule/typing',
    extra({ pattern: '^CERRAR$' }, { 'ui:options': { transform: 'lowercase' } }),
    '/fields/extra/ui:options/transform',
    /"lowercase".*"pattern" rechaza: cerrar/,
    extra({ pattern: '^CERRAR$' }, { 'ui:options': { transform: 'uppercase' } }),
  ],
  [
    'rule/typing',
    extra({ pattern: '^[A-Z]{3}[0-9]{4}$' }, { 'ui:options': { inputMode: 'numeric' } }),
    '/fields/extra/ui:options/inputMode',
    /solo números.*letras: AAA0000/,
    extra({ pattern: '^[0-9]{4}$' }, { 'ui:options': { inputMode: 'numeric' } }),
  ],
  [
    'rule/typing',
    extra({ pattern: '^[0-9A-Z]{6}$' }, { 'ui:options': { inputMode: 'numeric' } }),
    '/fields/extra/ui:options/inputMode',
    /letras: AAAAAA/,
    extra({ pattern: '^[0-9A-Z]{6}$' }, {}),
  ],
  [
    'rule/typing',
    extra({}, { 'ui:placeholder': 'Ej. 007HEC', 'ui:options': { inputMode: 'numeric' } }),
    '/fields/extra/ui:options/inputMode',
    /letras: 007HEC/,
    extra({}, { 'ui:placeholder': 'Ej. 007HEC' }),
  ],
  [
    'rule/typing',
    extra({}, { 'ui:options': { limitTyping: true } }),
    '/fields/extra/ui:options/limitTyping',
    /"maxLength", y el campo no lo tiene/,
    extra({ maxLength: 10 }, { 'ui:options': { limitTyping: true } }),
  ],
  [
    'rule/typing',
    extra({ pattern: '^[0-9A-Z]{6}$' }, { 'ui:placeholder': 'Ej. 007-HEC' }),
    '/fields/extra/ui:placeholder',
    /rechazan el ejemplo "007-HEC".*"pattern"/,
    extra({ pattern: '^[0-9A-Z]{6}$' }, { 'ui:placeholder': 'Como en la cédula' }),
  ],
  [
    'rule/pattern',
    extra({ pattern: '^[0-9A-z]*$' }),
    '/properties/extra/pattern',
    /entre la Z y la a.*A-Za-z/,
    extra({ pattern: '^[0-9A-Za-z]*$' }),
  ],
  [
    'rule/past',
    begun({ extra: '2024-03-01' }),
    '/states/form/prefill/extra',
    /ya pasó: 2024-03-01/,
    begun({ extra: '2924-03-01' }),
  ],
  [
    'rule/past',
    extra({ calendarDate: { from: '2020-01-01', to: '2024-12-31' } }),
    '/properties/extra/calendarDate/to',
    /"to" ya pasó/,
    extra({ calendarDate: { from: '2020-01-01', to: '2924-12-31' } }),
  ],
  [
    'rule/choice',
    { [schema]: (c) => (c.properties.kind.enum = ['a', 'b ']), [ui]: (c) => delete c.visible },
    '/properties/kind/enum/1',
    /"b " empieza o termina con un espacio/,
    { [schema]: (c) => (c.properties.kind.enum = ['a', 'b']) },
  ],
  ['rule/choice', chosen('B'), '/title/0/visible/==/1', /¿Quisiste decir "b"\? Es uno de estos/, chosen('b')],
  ['rule/choice', chosen('z'), '/title/0/visible/==/1', /nunca "z".*"a", "b"/, chosen('b')],
  [
    'ui/circle',
    shown('extra', { var: 'form.extra' }),
    '/visible/extra',
    /no se muestra nunca/,
    shown('extra', { '!': { var: 'form.extra' } }),
  ],
  [
    'ui/circle',
    waiting({ var: 'form.extra' }),
    '/visible/kind',
    /no se muestra nunca/,
    waiting({ '!': { var: 'form.extra' } }),
  ],
  [
    'ui/circle',
    shown('extra', { var: 'form.extra' }),
    '/visible/extra',
    /no se muestra nunca/,
    { ...shown('extra', { var: 'form.extra' }), ...begun({ extra: 'x' }) },
  ],
  ['ui/steps', steps('Datos'), '/step', /dos pasos llamados "Datos"/, steps('Fin')],
  ['ui/consent-link', agreed('/done'), '/fields/terms/ui:links/0/to', /lleva a \/done/, agreed('https://correo.uy/')],
  ['text/number', holding(5120), '/fields/extra/ui:help', /dice 2 MB.*dice 5 MB/, holding(2048)],
  ['text/braces', titled('Hola {{email}}'), '/title', /"\{\{email\}\}" no es una variable.*\{email\}/, titled('Hola')],
  ['text/braces', titled('Hola { email }'), '/title', /"\{ email \}"/, titled('Hola {email}')],
  ['text/language', titled('Your form'), '/title', /"Your" es una palabra de otro idioma/, titled('Yourcenar')],
  [
    'text/language',
    { [pt]: (c) => (c.title = 'Poné tus datos') },
    '/title',
    /"Poné" es una palabra de otro idioma/,
    { [pt]: (c) => (c.title = 'Os dados') },
  ],
  ['text/limit', titled('Tenés 24 horas'), '/title', /"24 horas".*: 2, 48/, titled('Tenés 48 horas')],
  [
    'text/limit',
    timed('Vence a las {dias_link} horas'),
    '/title',
    /"\{dias_link\} horas" tiene otra unidad: el valor está en días\. Escribí "\{dias_link\} días"/,
    timed('Vence a los {dias_link} días'),
  ],
  [
    'text/limit',
    { ...titled('Tenés 2 horas'), [pt]: (c) => (c.title = 'Você tem 2 dias') },
    '/title',
    /allí 2 horas, acá 2 dias/,
    { ...titled('Tenés 2 horas'), [pt]: (c) => (c.title = 'Você tem 2 horas') },
  ],
  ['text/limit', titled('A los 31 días'), '/title', /"31 días".*: 30/, titled('A los 30 días')],
  [
    'text/limit',
    warned(86_400),
    '/delays/soon/secondsBefore',
    /El aviso de este momento dice "2 horas"\. Escribí 7200/,
    warned(7200),
  ],
  ['text/plain', titled('Los datos son de el.'), '/title', /"el"\. Escribí "él"/, titled('Los datos son de el día.')],
  [
    'text/pair',
    translated('Elegí un día. No se guarda.', 'Escolha um dia. Fica salvo.'),
    '/title',
    /En "Fica salvo\." falta la negación de "No se guarda\."/,
    translated('Elegí un día. No se guarda.', 'Escolha um dia. Nada fica salvo.'),
  ],
  [
    'text/pair',
    translated('Se guarda.', 'Não fica salvo.'),
    '/title',
    /En "Se guarda\." falta la negación de "Não fica salvo\."/,
    translated('Hubo un error.', 'Não fica salvo.'),
  ],
  [
    'text/exchanged',
    paragraphs(...exchanged),
    '/intro/0',
    /están al revés que en schemas\/form\/ui\.json/,
    paragraphs(...exchanged.toReversed()),
  ],
];

const ptSpans: Readonly<Record<string, number>> = { horas: 60, dias: 1440 };
const wording: LintOptions['wording'] = Object.fromEntries(
  Object.entries(contract.wording ?? {}).map(([language, own]) => [
    language,
    language === 'pt'
      ? { ...own, foreign: ['poné', 'tus'], negations: ['não', 'nada'], spans: ptSpans }
      : {
          ...own,
          foreign: ['your', 'the'],
          consent: ['acepto'],
          spans: { horas: 60, días: 1440 },
          stressed: { el: 'él' },
          negations: ['no', 'sin'],
          failure: ['hubo un error'],
        },
  ]),
);
const analysed = (given: Files) => findFindings(given, { wording, spans: { days: [30 * 1440], shorter: [120, 2880] } });

test('[ANA-02] exchanged paragraphs and pasted HTML are reported once', async () => {
  for (const wrong of [paragraphs(...exchanged), titled('Tu&nbsp;correo')])
    expect((await analysed(files(wrong))).filter(({ rule }) => rule?.startsWith('text/'))).toHaveLength(1);
});

test.each(mistakes)(
  '[QA-02] lint rule %s reports a typical mistake (case %#) with position and remedy, and accepts its correction',
  async (rule, wrong, pointer, says, right) => {
    const found = (await analysed(files(wrong))).filter((problem) => problem.rule === rule);
    const first = found.find((problem) => problem.pointer === pointer);
    expect(`${first?.message ?? JSON.stringify(await analysed(files(wrong)))} ${first?.hint ?? ''}`).toMatch(says);
    expect(first?.line).toBeGreaterThan(0);
    expect((await analysed(files(right))).filter((problem) => problem.rule === rule)).toEqual([]);
  },
);

const asText = (change: (text: string) => string): Files => ({
  ...sampleProject,
  [ui]: change(JSON.stringify(sampleProject[ui], null, 2)),
});

test.each<readonly [what: string, wrong: Files, path: string, says: RegExp]>([
  ['typographic quotes', asText((text) => text.replace('"title"', '“title”')), ui, /comillas rectas/],
  ['single quotes', asText((text) => text.replace('"title"', "'title'")), ui, /comillas dobles/],
  ['a single backslash', asText((text) => text.replace('Formulario', String.raw`\d`)), ui, /va doble/],
  ['a comment', asText((text) => text.replace('"title"', '// nota\n"title"')), ui, /no lleva comentarios/],
  ['an extra comma', asText((text) => text.replace(/\n\}$/, ',\n}')), ui, /Quitá la coma que está antes de \}/],
  ['a missing comma', asText((text) => text.replace('"Formulario",', '"Formulario"')), ui, /Falta una coma/],
  [
    'a soft hyphen',
    changeSample(ui, (c: any) => (c.actions[0].event = 'sub\u00admit')),
    ui,
    /un carácter invisible \(U\+00AD\).*"submit"/,
  ],
  [
    'a no-break space',
    changeSample(schema, (c: any) => (c.required[0] = 'email\u00a0')),
    schema,
    /no es el común \(U\+00A0\).*"email"/,
  ],
  [
    'a Cyrillic letter',
    changeSample(ui, (c: any) => (c.visible['еxtra'] = true)),
    ui,
    /otro alfabeto.*U\+0435.*"extra"/,
  ],
  [
    'an accent that is a separate character',
    changeSample(ui, (c: any) => (c.title = 'Verificacio\u0301n')),
    ui,
    /En "Verificación", "ó" tiene dos caracteres.*U\+0301.*"Verificación"/,
  ],
  [
    'a ligature',
    changeSample(ui, (c: any) => (c.title = 'La \ufb01rma')),
    ui,
    /En "La firma", "fi" es un solo carácter/,
  ],
  ['a blank in a key', changeSample(ui, (c: any) => (c['title '] = 'x')), ui, /"title " empieza o termina/],
  [
    'a file named UI.json',
    { ...sampleProject, 'schemas/form/UI.json': {} },
    'schemas/form/UI.json',
    /¿Quisiste decir "ui\.json"\?/,
  ],
  [
    'a file named ui_pt.json',
    { ...sampleProject, 'schemas/form/ui_pt.json': {} },
    'schemas/form/ui_pt.json',
    /"ui\.pt\.json"/,
  ],
  [
    'a screen among the flows',
    { ...sampleProject, 'flows/x.json': { $schema: '../schemas/_formats/ui.schema.json', title: 'X' } },
    'flows/x.json',
    /otro formato: ui\.schema\.json.*schemas\/…\/ui\.json/,
  ],
  [
    'a path with a capital and a trailing slash',
    changeSample(flow, (c: any) => (c.states.done.path = '/Done/')),
    flow,
    /mayúscula.*Escribí "\/done"/,
  ],
  [
    'error.code outside onError',
    changeSample(flow, (c: any) => (c.states.done.requires = { guard: 'error.code', else: 'form' })),
    flow,
    /solo se puede leer en "onError"/,
  ],
  [
    'a screen that is never shown',
    changeSample(flow, (c: any) => (c.states.done.always = { leave: '/' })),
    flow,
    /La pantalla de este estado no se ve nunca.*Ponele un "guard"/,
  ],
  [
    'a misspelt link',
    changeSample(ui, (c: any) => (c.links = [{ to: '/dome', text: 'Fin' }])),
    ui,
    /¿Quisiste decir "\/done"\?/,
  ],
])('[QA-02] compiler reports %s and says what to write', async (_, wrong, path, says) => {
  const { problems } = await loadProject(wrong, { language: 'es' });
  const [first] = problems.filter(({ file }) => file === path);
  expect(`${first?.message ?? JSON.stringify(problems)} ${first?.hint ?? ''}`).toMatch(says);
});

test.each<[mistake: string, wrong: Files, path: string, says: RegExp]>([
  [
    'a link whose address was changed in one language',
    files({
      [ui]: (c) => (c.links = [{ to: '/done', text: 'Fin' }]),
      [pt]: (c) => (c.links = { 'https://example.org/fin': 'Fim' }),
    }),
    pt,
    /es acá "https:\/\/example\.org\/fin", y en schemas\/form\/ui\.json es "\/done"/,
  ],
  [
    'a link whose address lost its scheme in one language',
    files({
      [ui]: (c) => (c.links = [{ to: '{user}', text: 'Fin' }]),
      [pt]: (c) => (c.links = { 'mailto:{user}': 'Fim' }),
    }),
    pt,
    /es acá "mailto:\{user\}", y en schemas\/form\/ui\.json es "\{user\}"/,
  ],
  ['an empty title', changeSample(ui, (c: any) => (c.title = '')), ui, /^"title" no puede estar vacío/],
])('[QA-02] reports %s in one message', async (_, wrong, path, says) => {
  const { problems } = await loadProject(wrong, { language: 'es' });
  expect(problems.filter(({ file }) => file === path).map(({ message }) => message)).toEqual([
    expect.stringMatching(says),
  ]);
});

test('[QA-02] compiler reports a shared file that is not JSON, and not the screens that use it', async () => {
  const { problems } = await loadProject({ ...sampleProject, 'schemas/_shared/person.json': '{ "$defs": { ' });
  expect(problems.map(({ file }) => file)).toEqual(['schemas/_shared/person.json']);
});

test('[QA-02] lint reports a text in the wrong language once, and not as untranslated', async () => {
  const found = await analysed(files({ [ui]: (c) => (c.title = 'Your form'), [pt]: (c) => (c.title = 'Your form') }));
  expect(found.map(({ rule, file }) => `${rule ?? ''} ${file}`)).toEqual([`text/language ${ui}`]);
});

test('[QA-02] compiler accepts a no-break space after a number, an escape, an emoji and a Greek letter', async () => {
  const text = asText((whole) =>
    whole.replace('Formulario', `30\u00a0minutos ${String.raw`\u200b`} 👨\u200d👩\u200d👧 Ω`),
  );
  expect((await loadProject(text)).problems).toEqual([]);
});
