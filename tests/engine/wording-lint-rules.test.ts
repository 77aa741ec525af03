import { afterEach, expect, test } from 'vitest';
import { createUntranslatedCheck } from '../../src/engine/compiler/lint/rules/texts/untranslated.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkWordingFile, createWordingRules } from '../../src/engine/compiler/lint/wording/list-located-texts.ts';
import { ProblemCollector } from '../../src/engine/compiler/sources/problem-collector.ts';
import { createVerbFinder, type VerbRules } from '../../src/engine/compiler/lint/wording/verb-forms.ts';
import glossary from '../../src/brand/glossary.json' with { type: 'json' };
import { findFindings } from './support/find-findings.ts';
import { changeSample, sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const titled = (title: string): Files => changeSample('schemas/form/ui.json', (c: Content) => (c.title = title));
const failing = (text: string, more: object = {}): Files =>
  changeSample('schemas/form/ui.json', (c: Content) => (c.notices.again = { intent: 'error', text, ...more }));

interface Case {
  readonly rule: string;
  readonly wrong: Files;
  readonly pointer: string;
  readonly says: RegExp;
  readonly right: Files;
  /** Suggested correction of the text. */
  readonly fix?: string;
}

const cases: readonly Case[] = [
  {
    rule: 'text/plain',
    wrong: titled('¿Como seguís?'),
    pointer: '/title',
    says: /Acá dice "¿Como"\. Escribí "¿cómo"\./,
    right: titled('¿Cómo seguís?'),
    fix: '¿Cómo seguís?',
  },
  {
    rule: 'text/plain',
    wrong: { ...sampleProject, 'schemas/_shared/texts/portal.json': { 'menu/open': 'Abrí el Backend' } },
    pointer: '/menu~1open',
    says: /Acá dice "Backend"\. Escribí "servidor"\./,
    right: { ...sampleProject, 'schemas/_shared/texts/portal.json': { 'menu/open': 'Abrí el back-end' } },
    fix: 'Abrí el Servidor',
  },
  {
    rule: 'text/plain',
    wrong: titled('Elegí cual usar'),
    pointer: '/title',
    says: /Acá dice "Elegí cual"\. Escribí "elegí cuál"\./,
    right: titled('Elegí cuál usar, y con el cual seguís'),
    fix: 'Elegí cuál usar',
  },
  {
    rule: 'text/voice',
    wrong: titled('Cuando puedes, seguí'),
    pointer: '/title',
    says: /Acá dice "puedes"\. Escribí "podés"\./,
    right: titled('Cuando podés, seguí'),
    fix: 'Cuando podés, seguí',
  },
  {
    rule: 'text/voice',
    wrong: titled('Debes seguir'),
    pointer: '/title',
    says: /Acá dice "Debes"\. Escribí "tenés que"\./,
    right: titled('Tenés que seguir con lo que se debe'),
    fix: 'Tenés que seguir',
  },
  {
    rule: 'text/voice',
    wrong: titled('Ingrese el código'),
    pointer: '/title',
    says: /Escribí "ingresá"\./,
    right: titled('Ingrese su contraseña'), // a text quoted from the specification, which the rule exempts
    fix: 'Ingresá el código',
  },
  {
    rule: 'text/voice',
    wrong: titled('Cambiá su contraseña'),
    pointer: '/title',
    says: /Acá dice "su contraseña"\. Escribí "tu contraseña"\./,
    right: titled('Cambiá tu contraseña'),
    fix: 'Cambiá tu contraseña',
  },
  {
    rule: 'text/voice',
    wrong: titled('Hable con un agente'),
    pointer: '/title',
    says: /Acá dice "Hable"\. Escribí "hablá"\./,
    right: titled('Un agente que hable y haga falta'), // "hable" and "haga" are subjunctives here, spelled like imperatives
    fix: 'Hablá con un agente',
  },
  {
    rule: 'text/voice',
    wrong: titled('Si no fuiste vos, no haga nada'),
    pointer: '/title',
    says: /Acá dice "haga"\. Escribí "hagas"\./,
    right: titled('Si no fuiste vos, no hagas nada'),
    fix: 'Si no fuiste vos, no hagas nada',
  },
  {
    rule: 'text/unfinished',
    wrong: titled('TODO: revisar'),
    pointer: '/title',
    says: /"TODO" es un texto sin terminar/,
    right: titled('Todo lo que podés hacer'),
  },
  {
    rule: 'text/name',
    wrong: titled('Abrí los links'),
    pointer: '/title',
    says: /Acá dice "links"\. Escribí "vínculos"\./,
    right: titled('Abrí [los vínculos](/link)'),
    fix: 'Abrí los vínculos',
  },
  {
    rule: 'text/name',
    wrong: titled('Enlazá tu cuenta'),
    pointer: '/title',
    says: /Acá dice "Enlazá"\. Su nombre es "vínculo"\./,
    right: titled('Desenlazá tu cuenta'),
  },
  {
    rule: 'text/name',
    wrong: titled('Copiá la cifra de control, no la cifra'),
    pointer: '/title',
    says: /Acá dice "cifra"\. Escribí "número"\./,
    right: titled('Copiá la cifra de control'),
    fix: 'Copiá la cifra de control, no la número',
  },
  {
    rule: 'text/name',
    wrong: changeSample('schemas/_shared/messages.json', (c: Content) => (c.required = 'Falta el link')),
    pointer: '/required',
    says: /Acá dice "link"/,
    right: changeSample('schemas/_shared/messages.json', (c: Content) => (c.required = 'Falta {link}')),
    fix: 'Falta el vínculo',
  },
  {
    rule: 'text/blame',
    wrong: titled('Dato inválido'),
    pointer: '/title',
    says: /Acá dice "inválido"\. Decí qué hacer, no quién tiene la culpa\./,
    right: titled('Equivocaste el camino'),
  },
  {
    rule: 'text/plural',
    wrong: titled('Tus solicitud(es)'),
    pointer: '/title',
    says: /Acá dice "solicitud\(es\)"\./,
    right: titled('Conocer tu(s) datos (todos)'),
  },
  {
    rule: 'text/plural',
    wrong: titled('Inscripto/a'),
    pointer: '/title',
    says: /Acá dice "Inscripto\/a"\./,
    right: titled('Del 1/2, y a@b.uy: y/o'),
  },
  {
    rule: 'text/advice',
    wrong: failing('Algo salió mal.'),
    pointer: '/notices/again/text',
    says: /El error no dice qué hacer\./,
    right: failing('Algo salió mal. Probá de nuevo.'),
  },
  {
    rule: 'text/advice',
    wrong: failing('Algo salió mal.'),
    pointer: '/notices/again/text',
    says: /agregá un enlace/,
    right: failing('Algo salió mal.', { link: { to: '/form', text: 'Empezar' } }),
  },
  {
    rule: 'text/advice',
    wrong: failing('No se pudo. Lástima.'),
    pointer: '/notices/again/text',
    says: /no dice qué hacer/,
    right: failing('No se pudo.'), // a text quoted from the specification, which the rule exempts
  },
];

test.each(cases)(
  '[ANA-02] lint rule $rule reports a text at $pointer with its correction, and accepts a correct text: $says',
  async ({ rule, wrong, right, pointer, says, fix }) => {
    const found = (await findFindings(wrong)).filter((problem) => problem.rule === rule);
    expect(found.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(`${found[0]?.message ?? ''} ${found[0]?.hint ?? ''}`).toMatch(says);
    expect(found[0]?.fix?.map(({ pointer: at, value }) => [at, value])).toEqual(fix && [[pointer, fix]]);
    expect((await findFindings(right)).filter((problem) => problem.rule === rule)).toEqual([]);
  },
);

test('[ANA-02] lint reports each word of a text as a separate finding', async () => {
  const found = await findFindings(titled('Si puedes, abrí los links, y si debes, la cifra'));
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ['text/voice', 'Acá dice "puedes".'],
    ['text/voice', 'Acá dice "debes".'],
    ['text/name', 'Acá dice "links".'],
    ['text/name', 'Acá dice "cifra".'],
  ]);
});

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function listGlossaryProblems(change: (glossary: Content) => void): Promise<readonly string[]> {
  const glossary = {
    es: {
      longest: 20,
      plain: { token: '' },
      voice: { puedes: 'podés' },
      names: [{ use: 'vínculo', not: { link: 'vínculo' } }],
      blame: {},
      advice: ['probá'],
    },
  };
  change(glossary);
  const folder = await mkdtemp(join(tmpdir(), 'glossary-'));
  folders.push(folder);
  await writeFile(join(folder, 'glossary.json'), JSON.stringify(glossary));
  const problems = new ProblemCollector('es');
  await checkWordingFile(folder, 'glossary.json', problems);
  return problems.list.map(({ pointer, message, hint }) => `${pointer} ${message} ${hint}`);
}

test.each<[string, (glossary: Content) => void, RegExp | null]>([
  ['no problem', () => undefined, null],
  ['an unknown key', ({ es }) => (es.nombres = []), /^\/es\/nombres .*nombres.*¿Quisiste decir "names"\?/],
  ['a word in capitals', ({ es }) => (es.voice.Puedes = 'podés'), /^\/es\/voice\/Puedes El nombre "Puedes" /],
  [
    'a word in two lists',
    ({ es }) => (es.blame.token = ''),
    /^\/es\/plain\/token "token" está también en otra lista\./,
  ],
  [
    'a replacement that another rule rejects',
    ({ es }) => (es.voice.debes = 'abrí el link'),
    /^\/es\/voice\/debes .*"link"/,
  ],
  [
    'a name that the replacements spell otherwise',
    ({ es }) => (es.names[0].use = 'vinculo'),
    /^\/es\/names\/0\/use El nombre es "vinculo" acá, y "vínculo" en los reemplazos\./,
  ],
  [
    'a name that its own rule rejects',
    ({ es }) => (es.names[0].use = 'link'),
    /^\/es\/names\/0\/not\/link El nombre mismo dice "link"/,
  ],
])('[ANA-02] checkWordingFile reports for a glossary %s', async (_, change, says) => {
  const [first, ...more] = await listGlossaryProblems(change);
  if (says === null) expect([first, ...more]).toEqual([undefined]);
  else expect(first).toMatch(says);
});

test('[ANA-02] createWordingRules orders quotations by length, the longest first', () => {
  expect(createWordingRules({ es: {} }, { es: { a: ['uno'], b: ['uno y dos'] } })['es']?.quoted).toEqual([
    'uno y dos',
    'uno',
  ]);
});

test('[EST-01] text/same accepts words that also occur in a text translated otherwise, and reports the others', () => {
  const number = { text: 'Número', translated: 'Número' };
  const check = (translated: string) =>
    createUntranslatedCheck([number, { text: 'Escribí el número', translated }], { same: [], quoted: [] })(number);
  expect(check('Digite o número')).toBe(false);
  expect(check('Digite o valor')).toBe(true);
});

// cast: the imported type of a list of pairs is a list of lists
const findVerbs = createVerbFinder(glossary.es.verbs as unknown as VerbRules);
test.each([
  ['La encuentra en su constancia.', 'encuentra en su', 'encontrás en tu'],
  ['Tocá Continuar. Lo puede hacer en la web.', 'puede', 'podés'],
  ['Si no recibe el correo, mirá en otra carpeta.', 'recibe', 'recibís'],
  ['Si lo necesita, te lo reenviamos.', 'necesita', 'necesitás'],
])('[ANA-02] text/voice reports a verb that addresses the reader formally: %s', (text, word, instead) => {
  expect(findVerbs(text).map((own) => [own.word, own.instead])).toEqual([[word, instead]]);
});

test.each([
  'Lo recibe un funcionario y lo revisa.',
  'La puede pedir cualquier persona.',
  'El sistema pide el código. Lo recibe del celular.',
  'Si la página no carga, probá de nuevo.',
  'Si necesita una firma, el documento tiene un espacio.',
  'Si los necesita la oficina, te escribe.',
  'La oficina encuentra tus datos.',
])('[ANA-02] text/voice accepts a verb with a subject: %s', (text) => {
  expect(findVerbs(text)).toEqual([]);
});

test('[ANA-02] compiler reports a vague link text once, and beside it only how it addresses the reader', async () => {
  const wording = createWordingRules(glossary, {});
  const find = async (files: Files, pointer: string) => {
    const found = await findFindings(files, { wording });
    return found.filter((own) => own.pointer === pointer).map(({ rule = '', message }) => `${rule} ${message}`);
  };
  const inText = (text: string) => find(titled(text), '/title');
  const inLink = (text: string) =>
    find(
      changeSample('schemas/done/ui.json', (c: Content) => (c.links[0].text = text)),
      '/links/0/text',
    );
  const phrase = 'text/plain Acá dice "clic aquí".';
  const [link, voice] = ['text/link El texto del enlace, "', 'text/voice Acá dice "Haga".'];
  expect(await inText('Para seguir, hacé clic aquí.')).toEqual([phrase]);
  expect(await inText('Haga clic aquí para seguir.')).toEqual([phrase, voice]);
  expect(await inText('Haga clic en el botón')).toEqual(['text/plain Acá dice "clic".', voice]);
  expect(await inLink('Hacé clic aquí')).toEqual([expect.stringContaining(link)]);
  expect(await inLink('Haga clic aquí')).toEqual([expect.stringContaining(link), voice]);
});
