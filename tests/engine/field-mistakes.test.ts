import { expect, test } from 'vitest';
import type { LintOptions } from '../../src/engine/compiler/lint/lint-options.ts';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import { sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt, flow } = samplePaths;

/** The sample project with two more screens, whose buttons have descriptive texts. */
function files(changes: Changes): Files {
  const all = structuredClone(sampleProject) as Record<string, any>;
  for (const [name, title] of Object.entries({ one: 'Uno', two: 'Dos' })) {
    const texts = { submit: 'Enviar', back: 'Volver' };
    all[`schemas/${name}/ui.json`] = {
      title,
      actions: Object.entries(texts).map(([event, text]) => ({ event, text })),
    };
    all[`schemas/${name}/ui.pt.json`] = { title: `${title} pt`, actions: { submit: 'Enviar', back: 'Voltar' } };
    all[flow].states[name] = { path: `/${name}`, screen: name, on: { submit: 'form' } };
  }
  for (const [path, change] of Object.entries(changes)) change(all[path]);
  return all;
}
const both = (es: (ui: any) => void, portuguese: (ui: any) => void): Changes => ({ [ui]: es, [pt]: portuguese });
const ofExtra = (title: string, rules: object = {}): Changes => ({
  ...both(
    (c) => (c.fields.extra['ui:title'] = title),
    (c) => (c.fields.extra['ui:title'] = 'Outra coisa'),
  ),
  [schema]: (c) => Object.assign(c.properties.extra, rules),
});
const button = (own: object): Changes =>
  both(
    (c) => Object.assign(c.actions[0], own),
    () => undefined,
  );
const paragraphs = (first: unknown, second: unknown): Changes =>
  both(
    (c) => {
      c.intro = [
        { text: 'Reservá una hora con alguien. Uno.', visible: first },
        { text: 'Reservá una hora con alguien. Dos.', visible: second },
      ];
    },
    (c) => (c.intro = ['Reserve uma hora hoje mesmo. Um.', 'Escolha outro dia da semana. Dois.']),
  );
const linked = (text: string): Changes =>
  both(
    (c) => (c.links = [{ to: '/done', text }]),
    (c) => (c.links = { '/done': 'Ao final' }),
  );
const notice = (intent: string, text: string): Changes =>
  both(
    (c) => (c.notices.again = { intent, text }),
    (c) => (c.notices.again = { text: 'Escolha de novo' }),
  );
const helped = (field: string, text: string): Changes =>
  both(
    (c) => (c.fields[field]['ui:help'] = text),
    (c) => (c.fields[field]['ui:help'] = 'Como no documento'),
  );
const titled = (text: string): Changes =>
  both(
    (c) => (c.title = text),
    () => undefined,
  );
const shown = (name: string, rule: unknown): Changes => ({ [ui]: (c) => (c.visible[name] = rule) });
const kind = (value: unknown): Changes => ({ [schema]: (c) => (c.properties.kind.default = value) });
const emptied = (value: unknown): Changes => ({
  [flow]: (c) => (c.states.form.on.submit.onDone[0].assign.email = value),
});

const back = (state: string): Changes => ({ [flow]: (c) => (c.states.one.back = state) });

/** Rule, mistake, reported pointer, message, and the most similar correct definition. */
const mistakes: readonly (readonly [rule: string, wrong: Changes, pointer: string, says: RegExp, right: Changes])[] = [
  [
    'rule/date',
    ofExtra('Fecha de nacimiento'),
    '/properties/extra/type',
    /"format": "date"/,
    ofExtra('Fecha', { format: 'date' }),
  ],
  ['rule/date', ofExtra('Fecha de pago'), '/properties/extra/type', /acepta cualquier texto/, ofExtra('Fechado en')],
  ['rule/choice', kind('c'), '/properties/kind/default', /nunca "c".*"a", "b"/, kind('b')],
  [
    'ui/optional',
    helped('email', 'Opcional.'),
    '/fields/email/ui:help',
    /"email" es obligatorio/,
    helped('extra', 'Opcional.'),
  ],
  [
    'ui/optional',
    helped('extra', 'Es obligatorio.'),
    '/fields/extra/ui:help',
    /Acá dice "obligatorio", pero "extra" no es obligatorio/,
    helped('extra', 'No es obligatorio.'),
  ],
  [
    'ui/secret',
    { [ui]: (c) => (c.fields.secret['ui:widget'] = 'text') },
    '/fields/secret/ui:widget',
    /"text" muestra lo que se escribe/,
    { [ui]: (c) => (c.fields.secret['ui:widget'] = 'password') },
  ],
  [
    'ui/buttons',
    button({ text: 'Volver' }),
    '/actions/0/text',
    /"back" en otras pantallas.*"submit"/,
    button({ text: 'Seguir' }),
  ],
  ['ui/buttons', button({ danger: true }), '/actions/0/primary', /no puede tener a la vez/, button({ danger: false })],
  [
    'ui/buttons',
    { 'schemas/one/ui.json': (c) => c.actions.forEach((own: any) => (own.primary = true)) },
    '/actions/1/primary',
    /Dos botones/,
    {
      'schemas/one/ui.json': (c) =>
        c.actions.forEach((own: any, at: number) => {
          Object.assign(own, {
            primary: true,
            visible: at === 0 ? { var: 'authenticated' } : { '!': { var: 'authenticated' } },
          });
        }),
    },
  ],
  [
    'ui/twice',
    paragraphs({ var: 'authenticated' }, { var: 'authenticated' }),
    '/intro/1/text',
    /aparece en dos párrafos/,
    paragraphs({ var: 'authenticated' }, { '!': { var: 'authenticated' } }),
  ],
  ['text/quotes', titled('Tocá «Enviar'), '/title', /"«" no tiene su "»"/, titled('Tocá «Enviar»')],
  ['text/quotes', titled('¿Seguimos'), '/title', /no tiene su "\?"/, titled('Seguimos?')],
  ['text/quotes', titled('Datos personales)'), '/title', /"\)" no tiene su "\("/, titled('Datos (personales)')],
  ['text/link', linked('Acá'), '/links/0/text', /no dice a dónde lleva/, linked('Ver acá el final')],
  [
    'text/intent',
    notice('error', 'Se guardó. Probá.'),
    '/notices/again/text',
    /Se guardó.*"success"/,
    notice('error', 'No se guardó. Probá.'),
  ],
  [
    'text/intent',
    notice('success', 'No se guardó.'),
    '/notices/again/text',
    /"error".*bien/,
    notice('success', 'Se guardó.'),
  ],
  ['text/unfinished', titled('Texto a definir'), '/title', /es un texto sin terminar/, titled('Definir el texto')],
  [
    'data/unset',
    emptied(null),
    '/context/storage/0',
    /"email" se lee, pero nada le da un valor/,
    emptied('form.email'),
  ],
  ['text/typed', titled('Tus  datos '), '/title', /espacios de más.*"Tus datos"/, titled('Tus datos')],
  ['text/typed', titled('TODOS TUS DATOS'), '/title', /mayúsculas/, titled('Escribí CERRAR ACÁ MISMO')],
  ['ui/twice', helped('extra', 'Más'), '/fields/extra/ui:help', /repite la etiqueta/, helped('extra', 'Más de eso')],
  ['walk/back', back('one'), '/states/one/back', /lleva al mismo estado/, back('two')],
];

const more: Readonly<Record<string, object>> = {
  es: {
    dates: ['fecha'],
    optional: ['opcional', 'no es obligatori*'],
    required: ['obligatori*'],
    vague: ['acá'],
    success: ['se guardó'],
    failure: ['no se'],
    unfinished: ['a definir'],
  },
  pt: { same: [] },
};
const wording = Object.fromEntries(
  Object.entries(contract.wording ?? {}).map(([language, own]) => [language, { ...own, ...more[language] }]),
) as NonNullable<LintOptions['wording']>;
const analysed = (given: Files) => findFindings(given, { wording });

test.each(mistakes)(
  '[QA-02] lint rule %s reports a contradiction (case %#) with position and remedy, and accepts its correction',
  async (rule, wrong, pointer, says, right) => {
    const found = (await analysed(files(wrong))).filter((problem) => problem.rule === rule);
    const first = found.find((problem) => problem.pointer === pointer);
    expect(`${first?.message ?? JSON.stringify(await analysed(files(wrong)))} ${first?.hint ?? ''}`).toMatch(says);
    expect(first?.line).toBeGreaterThan(0);
    // The correct definition must compile, because the checker skips a project with problems.
    const fine = await analysed(files(right));
    expect(fine.filter((problem) => problem.rule === rule || problem.rule === undefined)).toEqual([]);
  },
);

test('[ANA-02] lint reports a copied link whose text leads elsewhere in another screen', async () => {
  const copied = (to: string) =>
    both(
      (c) =>
        (c.links = [
          { to: '/form', text: 'Empezar' },
          { to, text: 'Al final' },
        ]),
      (c) =>
        (c.links = to === '/form' ? { '/form': ['Começar', 'Ao final'] } : { '/form': 'Começar', [to]: 'Ao final' }),
    );
  const done: Files = {
    'schemas/done/ui.json': { title: 'Listo {email}', links: [{ to: '/done', text: 'Al final' }] },
    'schemas/done/ui.pt.json': { title: 'Pronto {email}', links: { '/done': 'Ao final' } },
  };
  const find = async (to: string) => {
    const found = (await analysed({ ...files(copied(to)), ...done })).filter(({ rule }) => rule === 'text/link');
    return found.map(({ file, pointer, hint }) => `${file}${pointer} ${hint}`);
  };
  expect(await find('/form')).toEqual(['schemas/form/ui.json/links/1/to Escribí "/done", u otro texto.']);
  expect(await find('/done')).toEqual([]);
});

test('[ANA-02] lint reports quotation marks of another kind than in the other texts', async () => {
  const quoting = both(
    (c) => {
      for (const field of ['email', 'repeat', 'extra']) c.fields[field]['ui:help'] = `Tocá «${field}».`;
      c.title = 'Tus “datos”';
    },
    (c) => {
      for (const field of ['email', 'repeat', 'extra']) c.fields[field]['ui:help'] = `Toque em “${field}”.`;
    },
  );
  const found = (await analysed(files(quoting))).filter(({ rule }) => rule === 'text/quotes');
  expect(found.map(({ pointer, hint }) => `${pointer} ${hint}`)).toEqual(['/title Escribí "Tus «datos»".']);
});

test('[ANA-02] lint reports a notice of success after a failure once', async () => {
  const wrong = files(notice('success', 'No se guardó. Probá.'));
  const rules = (await analysed(wrong)).map(({ rule }) => rule);
  expect(rules).toContain('text/intent');
  expect(rules).not.toContain('walk/outcome');
});

test('[ANA-02] lint reports an untranslated text once, even if the translations spell one of its words differently', async () => {
  const checked = ['email', 'repeat', 'secret'];
  const wrong = both(
    (c) => {
      for (const field of checked) c.fields[field]['ui:title'] = `Para comprobar el ${field}`;
      c.fields.extra['ui:title'] = 'Tenemos que comprobar';
    },
    (c) => {
      for (const field of checked) c.fields[field]['ui:title'] = `Para comprovar o ${field}`;
      c.fields.extra['ui:title'] = 'Tenemos que comprobar';
    },
  );
  const rules = (await analysed(files(wrong))).map(({ rule }) => rule);
  expect(rules).toContain('text/same');
  expect(rules).not.toContain('text/spelling');
});

test.each<readonly [what: string, wrong: Changes, says: RegExp, right: Changes]>([
  [
    'operands of "in" in the wrong order',
    shown('extra', { in: [['a', 'b'], { var: 'form.kind' }] }),
    /al revés/,
    shown('extra', { in: [{ var: 'form.kind' }, ['a', 'b']] }),
  ],
  [
    'an address with a blank',
    both(
      (c) => (c.links = [{ to: 'mailto: a@b.uy', text: 'Correo' }]),
      (c) => (c.links = { 'mailto: a@b.uy': 'E-mail' }),
    ),
    /"mailto: a@b.uy" tiene un espacio/,
    both(
      (c) => (c.links = [{ to: 'mailto:a@b.uy', text: 'Correo' }]),
      (c) => (c.links = { 'mailto:a@b.uy': 'E-mail' }),
    ),
  ],
  [
    'a back button in a state without back',
    { [flow]: (c) => (c.states.one.back = 'none') },
    /"one".*este estado no dice a dónde lleva "back"/,
    { [flow]: (c) => Object.assign(c.states.one, { back: 'none', on: { ...c.states.one.on, back: 'form' } }) },
  ],
  [
    'a field that is compared with itself',
    { [schema]: (c) => (c.properties.repeat.matches = { field: 'repeat', reason: 'email' }) },
    /"repeat" consigo mismo/,
    { [schema]: (c) => (c.properties.repeat.matches = { field: 'email', reason: 'email' }) },
  ],
  [
    'a delay in milliseconds instead of seconds',
    {
      [flow]: (c) =>
        Object.assign(c, { delays: { soon: { at: { var: 'context.email' }, secondsBefore: 120_000 } } }) &&
        (c.states.one.after = { soon: 'form' }),
    },
    /secondsBefore.*un día como máximo/,
    {
      [flow]: (c) =>
        Object.assign(c, { delays: { soon: { at: { var: 'context.email' }, secondsBefore: 120 } } }) &&
        (c.states.one.after = { soon: 'form' }),
    },
  ],
])('[QA-02] compiler reports %s, says what to write, and accepts the correction', async (_, wrong, says, right) => {
  const found = await analysed(files(wrong));
  expect(found.map(({ message, hint }) => `${message} ${hint}`).join('\n')).toMatch(says);
  expect((await analysed(files(right))).filter(({ rule }) => rule === undefined)).toEqual([]);
});
