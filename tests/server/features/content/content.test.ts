import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OperationResponse } from '../../../../src/contract/contract.ts';
import { openLiveDefinitions } from '../../../../src/engine/compiler/open-live-definitions.ts';
import {
  DefinitionError,
  type ServedDefinitions,
  type DefinitionProblem,
} from '../../../../src/engine/compiler/definitions.ts';
import type { PageRoute } from '../../../../src/engine/core/definitions-manifest.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import { getFaqs, getStaticPage } from '../../../../src/server/features/content/index.ts';
import type { Config } from '../../../../src/server/platform/config/config.ts';
import { readConfig } from '../../../../src/server/platform/config/read-config.ts';
import { contentPlaceholderNames } from '../../../../src/server/features/content/content-placeholder-values.ts';
import type { ContentByLanguage } from '../../../../src/server/features/content/localized-content.ts';
import { loadLocalizedContent } from '../../../../src/server/features/content/open-content.ts';
import { openLiveContent } from '../../../../src/server/features/content/open-content.ts';
import { createDefinitionOptions } from '../../../../src/server/app/definition-options.ts';
import type { HandlerContext } from '../../../../src/server/features/handler-context.ts';
import { createOrigin } from '../../support/origin.ts';
import { startFakeServer } from '../../support/fake-server.ts';

const root = join(import.meta.dirname, '../../../..');
const base = 'src/server/features/content';
const languages = ['es', 'pt'];

const route = (path: string, more: Partial<PageRoute> = {}): PageRoute => ({
  path,
  flow: 'ayuda',
  state: path,
  access: 'anyone',
  chrome: 'full',
  ...more,
});
const routes: readonly PageRoute[] = [
  route('/'),
  route('/login'),
  route('/ayuda', { source: { operation: 'getFaqs' } }),
  route('/ayuda/:slug', { source: { operation: 'getFaqs', params: { slug: { var: 'context.slug' } } } }),
  route('/ayuda/garantia', { source: { operation: 'getStaticPage', params: { page: 'garantia' } } }),
];

type Files = Readonly<Record<string, string | null>>;

const question = (head = '', body = 'Entrá a [Iniciar sesión](/login).') =>
  `---\ntitulo: ¿Cómo?\ncategoria: registro\norden: 1\n${head}---\n${body}\n`;
const page = (head = '', body = '## Una parte\n\nTexto.') =>
  `---\ntitulo: Garantía\ndisposicion: tarjeta\n${head}---\n${body}\n`;
const both = (path: string, text: string | null): Files =>
  Object.fromEntries(languages.map((language) => [`${language}/${path}`, text]));
const good: Files = { ...both('preguntas/como.md', question()), ...both('paginas/garantia.md', page()) };

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function writeFiles(files: Files, given?: string): Promise<string> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'content-')));
  if (given === undefined) folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) continue;
    await mkdir(dirname(join(folder, base, path)), { recursive: true });
    await writeFile(join(folder, base, path), text);
  }
  return folder;
}

async function problemsOf(files: Files, changedFiles?: readonly string[]): Promise<readonly DefinitionProblem[]> {
  try {
    await loadLocalizedContent({
      ...{ root: await writeFiles(files), routes, languages },
      ...(changedFiles && { changedFiles }),
    });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

const withFile = (path: string, text: string): Files => ({ ...good, ...both(path, text) });
const inQuestion = (head: string, body?: string): Files => withFile('preguntas/como.md', question(head, body));
const inBody = (body: string): Files => inQuestion('', body);
const file = 'es/preguntas/como.md';

/** Broken sets of files. `place` is line and column of the problem, with its file unless that is `file`. */
const broken: readonly (readonly [note: string, files: Files, place: string, message: RegExp])[] = [
  [
    'front matter without an end',
    withFile('preguntas/como.md', question().replace('\n---\n', '\n')),
    '5:1',
    /front matter has no end/,
  ],
  ['no front matter', withFile('preguntas/como.md', 'Hola'), '1:1', /no front matter/],
  ['front matter that is invalid YAML', inQuestion('relacionadas: [a\n'), '5:17', /not valid YAML/],
  ['duplicate key', inQuestion('orden: 2\n'), '5:1', /not valid YAML/],
  [
    'missing key',
    withFile('preguntas/como.md', question().replace('titulo: ¿Cómo?\n', '')),
    '1:1',
    /"titulo" is missing/,
  ],
  ['unknown key', inQuestion('titlo: x\n'), '5:1', /Unknown key "titlo"/],
  ['key named like an Object property', inQuestion('constructor: x\n'), '5:1', /Unknown key "constructor"/],
  ['empty title', withFile('preguntas/como.md', question().replace('¿Cómo?', '""')), '2:1', /"titulo" is not a text/],
  [
    'position that is not a number',
    withFile('preguntas/como.md', question().replace('orden: 1', 'orden: primera')),
    '4:1',
    /"orden" is not a whole number/,
  ],
  [
    'a day that does not exist',
    withFile('paginas/garantia.md', page('actualizada: 2026-13-40\n')),
    'es/paginas/garantia.md:4:1',
    /"actualizada" is not a day/,
  ],
  [
    'unknown layout',
    withFile('paginas/garantia.md', page().replace('tarjeta', 'hoja')),
    'es/paginas/garantia.md:3:1',
    /"disposicion" cannot be "hoja".*Write one of tarjeta, metodos/,
  ],
  [
    'unknown category',
    withFile('preguntas/como.md', question().replace('registro', 'varios')),
    '3:1',
    /no category "varios"/,
  ],
  [
    'two questions with the same position',
    withFile('preguntas/otra.md', question()),
    'es/preguntas/otra.md:4:1',
    /"como" has the same position.* first free one is 2\./,
  ],
  ['unknown related question', inQuestion('relacionadas: [nadie]\n'), '5:1', /no question "nadie"/],
  ['question related to itself', inQuestion('relacionadas: [como]\n'), '5:1', /related to itself/],
  ['no text', inBody(''), '6:1', /no text/],
  ['link to an unknown route', inBody('Uno.\n\nVer [esto](/nada).'), '8:5', /No flow has the path "\/nada"/],
  ['reference link to an unknown route', inBody('Ver [esto].\n\n[esto]: /nada'), '8:1', /No flow has the path/],
  ['link to an unknown question', inBody('[x](/ayuda/nadie)'), '6:1', /no question "nadie"/],
  [
    'link to an unknown anchor of a page',
    inBody('[x](/ayuda/garantia#otra-parte)'),
    '6:1',
    /garantia\.md has no heading "#otra-parte"/,
  ],
  ['link to an unknown anchor of itself', inBody('[x](#parte)'), '6:1', /no heading "#parte"/],
  ['anchor of a route without content', inBody('[x](/login#form)'), '6:1', /has no anchors/],
  ['relative link', inBody('[x](login)'), '6:1', /neither a path/],
  ['link without a protocol', inBody('[x](//a.uy)'), '6:1', /neither a path/],
  ...['https:a.uy', 'https:/a.uy', 'https:///a.uy', 'https://', 'https://a@b.uy'].map(
    (to) => [`malformed link to ${to}`, inBody(`[x](${to})`), '6:1', /neither a path/] as const,
  ),
  ['insecure link', inBody('[x](http://a.uy)'), '6:1', /neither a path/],
  ['script in a link', inBody('[x](javascript:alert)'), '6:1', /neither a path/],
  ['unknown picture', inBody('![un escudo](intermedio)'), '6:1', /no picture "intermedio"/],
  ['picture of another site', inBody('![un escudo](https://a.uy/x.png)'), '6:1', /no picture/],
  ['picture without alternative text', inBody('![](basico)'), '6:1', /no alternative text/],
  ['raw HTML', inBody('Uno.\n\n<b>Dos</b>'), '8:1', /Raw HTML is not shown: <b>/],
  ['heading of the first level', inBody('# Título'), '6:1', /first level/],
  ['skipped heading level', inBody('## Uno\n\n#### Dos'), '8:1', /jumps from level 2 to 4/],
  ['heading with emphasis', inBody('## Uno *dos*'), '6:1', /not plain text/],
  ['two headings with one anchor', inBody('## Día\n\n## dia'), '8:1', /already has the anchor "#dia"/],
  ['unknown placeholder', inBody('Son {horas} horas.'), '6:5', /no placeholder \{horas\}/],
  ['blank between link text and address', inBody('Uno [dos] (/contacto).'), '6:9', /There is a space between/],
  ['unknown condition', inBody('Uno. {si correo}'), '6:6', /not a valid condition/],
  ['condition with an accent', inBody('Uno. {si contraseña}'), '6:6', /not a valid condition/],
  ['condition inside of a line', inBody('Uno {si firma_digital} y dos.'), '6:5', /not a valid condition/],
  [
    'question with an unknown condition',
    inQuestion('si: correo\n'),
    '5:1',
    /"si" cannot be "correo".*Write one of contrasena, telefono_autogestion, ayuda, videollamada/,
  ],
  [
    'misspelled condition of a question',
    inQuestion('si: contraseña\n'),
    '5:1',
    /"si" cannot be "contraseña"\. Did you mean "contrasena"\?/,
  ],
  [
    'file name that is not a slug',
    withFile('preguntas/Qué pasa.md', question().replace('1', '2')),
    'es/preguntas/Qué pasa.md:1:1',
    /is not a valid slug/,
  ],
  [
    'question with the slug of a page',
    withFile('preguntas/garantia.md', question().replace('1', '2')),
    'es/preguntas/garantia.md:1:1',
    /"garantia" is taken: there is a page at \/ayuda\/garantia/,
  ],
  [
    'missing translation',
    { ...good, 'pt/preguntas/como.md': null },
    '1:1',
    /no src\/server\/features\/content\/pt\/preguntas\/como\.md/,
  ],
  [
    'translation without a Spanish original',
    { ...good, 'es/preguntas/como.md': null },
    'pt/preguntas/como.md:1:1',
    /no src\/server\/features\/content\/es/,
  ],
  [
    'translation with another position',
    { ...good, 'pt/preguntas/como.md': question().replace('orden: 1', 'orden: 2') },
    'pt/preguntas/como.md:4:1',
    /"orden" differs/,
  ],
  [
    'translation with another number of steps',
    {
      ...good,
      'es/preguntas/como.md': question('', '1. Uno.\n2. Dos.'),
      'pt/preguntas/como.md': question('', 'Olá.\n\n1. Um.'),
    },
    'pt/preguntas/como.md:8:1',
    /^This list has 1 steps, and that in \S+es\/preguntas\/como\.md has 2/,
  ],
  [
    'step with the number of the previous one',
    inBody('1. Uno.\n2. Dos.\n2. Tres.'),
    '8:1',
    /^The list jumps from 2 to 2/,
  ],
  [
    'placeholder that is written out in one language',
    {
      ...good,
      'es/preguntas/como.md': question('', 'En 48 horas.'),
      'pt/preguntas/como.md': question('', 'Em {horas_activacion} horas.'),
    },
    '6:1',
    /^\{horas_activacion\} is missing here: \S+pt\/preguntas\/como\.md has it/,
  ],
  [
    'placeholder with two braces',
    inBody('En {{horas_activacion}} horas.'),
    '6:4',
    /^"\{\{horas_activacion\}\}" is not a placeholder/,
  ],
  [
    'page without a route',
    withFile('paginas/suelta.md', page()),
    'es/paginas/suelta.md:1:1',
    /No route shows this page/,
  ],
  [
    'missing page',
    Object.fromEntries(Object.entries(good).filter(([path]) => !path.includes('paginas'))),
    'es/paginas/garantia.md:1:1',
    /missing: \/ayuda\/garantia shows it/,
  ],
];

describe('[INI+CONTENIDO] loadLocalizedContent', () => {
  test('accepts a valid set of files', async () => {
    expect(await problemsOf(good)).toEqual([]);
  });

  test.each(broken)('reports file, line, column and a hint for: %s', async (_, files, place, message) => {
    const [path = file] = /^\D[^:]*/.exec(place) ?? [];
    const found = (await problemsOf(files)).filter(
      (problem) => problem.file === `${base}/${path}` && message.test(`${problem.message} ${problem.hint}`),
    );
    expect(found).toHaveLength(1);
    expect(`${found[0]?.line}:${found[0]?.column}`).toBe(place.split(':').slice(-2).join(':'));
    expect(found[0]?.hint).toMatch(/\.$/);
  });

  test('reports a position that two questions share once, in the question that changed, with the free number', async () => {
    const at = (order: number) => question().replace('orden: 1', `orden: ${order}`);
    const files = { ...withFile('preguntas/otra.md', at(1)), ...both('preguntas/tercera.md', at(3)) };
    const find = async (...changed: readonly string[]) =>
      (await problemsOf(files, changed)).map(({ file, hint }) => [file, hint]);
    const hint = expect.stringMatching(/The first free one is 2\.$/);
    expect(await find()).toEqual([[`${base}/es/preguntas/otra.md`, hint]]);
    expect(await find(`${base}/es/preguntas/como.md`)).toEqual([[`${base}/es/preguntas/como.md`, hint]]);
    const own = { ...files, 'es/preguntas/otra.md': at(2) };
    expect((await problemsOf(own)).map(({ file, message }) => `${file} ${message}`)).toEqual([
      expect.stringMatching(/pt\/preguntas\/otra\.md "como" has the same position/),
    ]);
  });

  test('reports once a question that is renamed in one language', async () => {
    const problems = await problemsOf({
      ...good,
      'es/preguntas/como.md': null,
      'es/preguntas/como-hago.md': question(),
    });
    expect(problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
      `${base}/es/preguntas/como-hago.md There is no ${base}/pt/preguntas/como-hago.md, and ${base}/pt/preguntas/como.md has no counterpart either: did you rename one of the two?`,
    ]);
  });

  test.each([
    ['an unknown related question in one language', { 'es/preguntas/como.md': question('relacionadas: [nada]\n') }],
    [
      'a question without front matter to which another one is related',
      {
        ...both('preguntas/otra.md', question('relacionadas: [como]\n').replace('orden: 1', 'orden: 2')),
        'es/preguntas/como.md': 'Texto.',
      },
    ],
    [
      'a missing translation to which another question is related',
      {
        ...both('preguntas/otra.md', question('relacionadas: [como]\n').replace('orden: 1', 'orden: 2')),
        'pt/preguntas/como.md': null,
      },
    ],
    [
      'a placeholder that another one replaces in the translation',
      {
        'es/preguntas/como.md': question('', 'En {dias_cierre} días.'),
        'pt/preguntas/como.md': question('', 'Em {dias_correos} dias.'),
      },
    ],
  ])('reports once %s', async (_, files) => {
    expect((await problemsOf({ ...good, ...files })).map(({ file, message }) => `${file} ${message}`)).toHaveLength(1);
  });

  test.each([
    ['a related question', inQuestion('relacionadas: [otra-cos]\n'), 'otra-cosa'],
    ['the question of a link', inBody('[x](/ayuda/otra-cos)'), '/ayuda/otra-cosa'],
    ['the page of a link that resembles a question', inBody('[x](/ayuda/garanta)'), '/ayuda/garantia'],
    ['the page of a link', inBody('[x](/logim)'), '/login'],
    ['the heading of a link', inBody('[x](/ayuda/garantia#una-prte)'), '#una-parte'],
    ['a category', both('preguntas/como.md', question().replace('registro', 'registo')), 'registro'],
    [
      'the visible name of a category',
      both('preguntas/como.md', question().replace('registro', 'Inicio de sesión y contraseña')),
      'ingreso',
    ],
    ['a condition', inBody('Una línea. {si contrasenas}'), 'contrasena'],
    ['a placeholder', inBody('{producta}'), 'producto'],
  ])('suggests the name that a misspelling of %s means', async (_, files, meant) => {
    const others = both('preguntas/otra-cosa.md', question().replace('orden: 1', 'orden: 2'));
    const [found] = await problemsOf({ ...good, ...others, ...files });
    expect(`${found?.message ?? ''} ${found?.hint ?? ''}`).toContain(`Did you mean "${meant}"?`);
  });

  test('reports a condition that a translation reverses, in the translation', async () => {
    const body = (not: string) => question('', `Uno. {si contrasena}\n\nDos. {si ${not}contrasena}`);
    const files = { ...good, 'es/preguntas/como.md': body('no '), 'pt/preguntas/como.md': body('') };
    expect(await problemsOf(files)).toMatchObject([
      {
        file: `${base}/pt/preguntas/como.md`,
        line: 8,
        column: 6,
        message: `This line has {si contrasena}, and ${base}/es/preguntas/como.md has {si no contrasena}.`,
      },
    ]);
  });

  test.each([
    ['a link to a route with a query', '[x](/login?ae=ci)'],
    ['a link to another site', '[x](https://a.uy)'],
    ['a link to a mailbox', '[x](mailto:{correo_soporte})'],
    ['a link to a question', '[x](/ayuda/como)'],
    ['a link to a heading of a page, ignoring accents and case', '[x](/ayuda/garantia#una-parte)'],
    ['a link to its own heading', '## Día\n\n[x](#dia)'],
    ['a picture', '![un escudo](basico_intermedio)'],
    ['Windows line endings', 'Uno\r\n\r\nDos'],
  ])('accepts a text with %s', async (_, body) => {
    expect(await problemsOf(inBody(body))).toEqual([]);
  });
});

describe('[INI+CONTENIDO] openLiveContent', () => {
  test('reloads a changed file without a restart; a broken one reports its problem and leaves the last valid content', async () => {
    const folder = await writeFiles(good);
    const definitions = {
      current: { languages, manifest: () => ({ routes }) } as unknown as ServedDefinitions,
      onChange: () => () => undefined,
    };
    const source = await openLiveContent({ root: folder, definitions, watch: true });
    const titles = () =>
      source.current['es']?.categories.flatMap(({ questions }) => questions.map(({ title }) => title));
    const change = async (text: string) => {
      const read = new Promise<void>((resolve) => {
        const stop = source.onChange(() => (stop(), resolve()));
      });
      await writeFiles({ [file]: text }, folder);
      await read;
    };
    try {
      await change(question().replace('¿Cómo?', '¿Cuándo?'));
      expect([titles(), source.problems]).toEqual([['¿Cuándo?'], []]);
      await change('roto');
      expect(titles()).toEqual(['¿Cuándo?']);
      expect(source.problems.map(({ message }) => message)).toEqual(['El archivo no tiene encabezado.']);
      await change(question());
      expect([titles(), source.problems]).toEqual([['¿Cómo?'], []]);
    } finally {
      await source.close();
    }
  });
});

describe('content of the product', () => {
  let content: ContentByLanguage;
  const config = readConfig({
    BRAND_PRODUCT: 'Mi cuenta',
    ACTIVATION_LIFE_H: '36',
    SUPPORT_MAILBOX: 'ayuda@ejemplo.uy',
  });
  /** Sign-in methods that a test enables in addition to those of the settings. */
  let ways: Partial<Config> = {};
  const parts = () => ({ content: () => content, config: { ...config, ...ways } }) as unknown as HandlerContext; // a partial fake: the handlers read no other properties
  const around = { body: {}, caller: null, cookies: {} };
  const faqs = async (language: 'es' | 'pt', slug?: string) =>
    getFaqs(parts(), { ...around, params: {}, query: { slug }, origin: createOrigin({ language }) });
  const staticPage = async (page: string, language: 'es' | 'pt' = 'es') =>
    getStaticPage(parts(), { ...around, params: { page }, query: {}, origin: createOrigin({ language }) });
  const names = (categories: OperationResponse<'getFaqs'>) =>
    categories.flatMap(({ faqs: own }) => own.map(({ slug }) => slug));

  beforeAll(async () => {
    const definitions = await openLiveDefinitions(createDefinitionOptions(root));
    content = (await openLiveContent({ root, definitions })).current;
    await definitions.close();
  }, 60_000);

  test.each(['es', 'pt'] as const)(
    '[CFG-03 INI-05] getFaqs groups at least 24 questions by category in %s, each with related questions',
    async (language) => {
      const found = await faqs(language);
      expect(found.length).toBeGreaterThanOrEqual(6);
      expect(names(found).length).toBeGreaterThanOrEqual(24);
      for (const { nombre, faqs: own } of found)
        expect(own.every(({ categorias }) => categorias.nombre === nombre)).toBe(true);
      expect(
        found
          .flatMap(({ faqs: own }) => own)
          .every(
            ({ faqs_relacionadas: related }) => related.length > 0 && related.every(({ titulo }) => titulo !== ''),
          ),
      ).toBe(true);
    },
  );

  test('[CFG-02] has the same questions in Spanish and Portuguese, with different titles', async () => {
    const [es, pt] = [await faqs('es'), await faqs('pt')];
    expect(names(pt)).toEqual(names(es));
    const titles = (all: OperationResponse<'getFaqs'>) =>
      all.flatMap(({ faqs: own }) => own.map(({ titulo }) => titulo));
    expect(titles(es).filter((title, index) => title === titles(pt)[index])).toEqual([]);
  });

  test('[INI-06] getFaqs returns one question by its slug, and 404 for an unknown or empty slug', async () => {
    expect(names(await faqs('es', 'perdi-mi-celular'))).toEqual(['perdi-mi-celular']);
    await expect(faqs('es', 'nadie')).rejects.toMatchObject({ status: 404 });
    await faqs('es'); // fills the cache: the cached list must not be returned for a single question
    await expect(faqs('es', '')).rejects.toMatchObject({ status: 404 });
  });

  test('[CFG-02] texts contain the values of the settings', async () => {
    const [{ faqs: [faq] = [] } = {}] = await faqs('es', 'no-me-llego-el-correo-de-activacion');
    expect(faq?.respuesta).toContain('36 horas');
    expect((await staticPage('acerca-de')).resumen).toMatch(/^Mi cuenta es/);
    expect((await staticPage('politica-de-privacidad')).contenido).toContain('(mailto:ayuda@ejemplo.uy)');
  });

  describe.each(['es', 'pt'] as const)('content in %s', (language) => {
    const all = async () => {
      const ids = (await readdir('src/server/features/content/es/paginas')).map((file) => file.replace('.md', ''));
      const pages = await Promise.all(ids.map((id) => staticPage(id, language)));
      const texts = JSON.stringify([await faqs(language), ...pages]);
      expect(texts, 'no condition of a text is shown').not.toMatch(/\{si /);
      return texts;
    };
    afterEach(() => {
      ways = {};
    });

    const provider = { identificador: 'abitab', federated: false } as Config['identityProviders'][number];
    const none = /no ofrece hoy ningún medio|não oferece hoje nenhum meio/;
    test.each<[string, Partial<Config>, Partial<Config>, RegExp]>([
      [
        '[SEG-06] the digital signature',
        {},
        { signature: { ...config.signature, roots: 'roots.pem' } },
        /(firma|assinatura) digital:|como-subo-con-firma-digital/i,
      ],
      [
        'changing or resetting the password',
        { flags: { ...config.flags, contrasena: false } },
        {},
        /contraseña\/(restablecer|modificar)|como-restablezco|como-cambio-mi-contrasena|cambiá tu contraseña|(altere|troque) a sua senha/i,
      ],
      [
        'changing the phone number',
        { flags: { ...config.flags, telefono_autogestion: false } },
        {},
        /correo (o al|y) teléfono|e-mail (ou do|e) telefone/i,
      ],
      [
        'the link to the questions',
        { flags: { ...config.flags, ayuda: false } },
        {},
        /Preguntas frecuentes\]|Perguntas frequentes\]/,
      ],
      ['the video call', { citizenPermissions: {} }, {}, /por \[?v[ií]deo(lla|cha)mada/i],
      [
        'the electronic identity card',
        { card: {} as Config['card'] },
        { card: {} as Config['card'], flags: { ...config.flags, ci_electronica: true } },
        /c[ée]dula (de identidade? )?(electrónica|eletrônica) (y su|e o seu) PIN/i,
      ],
      [
        'a domestic identity provider',
        { identityProviders: [{ ...provider, federated: true }] },
        { identityProviders: [provider] },
        /proveedor de identidad|provedor de identidade/i,
      ],
      ['the wallet', {}, { wallet: {} as Config['wallet'] }, /billetera digital|carteira digital/i],
      ['the section about the highest level', {}, { wallet: {} as Config['wallet'] }, /#nivel-avan[zc]ado/],
    ])('%s is mentioned only if the settings offer it', async (_, without, offered, words) => {
      ways = without;
      expect(await all()).not.toMatch(words);
      ways = offered;
      expect(await all()).toMatch(words);
    });

    test('says that no method reaches the highest level, and links no sign-in there, if none is offered', async () => {
      expect(await all()).toMatch(none);
      expect((await staticPage('metodos-disponibles-diferencias', language)).contenido).not.toContain('](/login)');
      ways = { identityProviders: [provider] };
      expect(await all()).not.toMatch(none);
      expect((await staticPage('metodos-disponibles-diferencias', language)).contenido).toContain('](/login)');
    });

    test('[SEG-06] getFaqs returns 404 for a question about a method that is not offered', async () => {
      await expect(faqs(language, 'como-subo-con-firma-digital')).rejects.toMatchObject({ status: 404 });
      ways = { signature: { ...config.signature, roots: 'roots.pem' } };
      expect(names(await faqs(language, 'como-subo-con-firma-digital'))).toEqual(['como-subo-con-firma-digital']);
    });
  });

  test('uses every placeholder, and fills the placeholders of the help, the terms and the privacy policy', async () => {
    const texts = Object.values(content).flatMap(({ categories, pages }) => [
      ...categories.flatMap(({ questions }) => questions.map(({ answer }) => answer)),
      ...pages.flatMap(({ body, summary }) => [body, summary ?? '']),
    ]);
    expect(contentPlaceholderNames.filter((name) => !texts.some((text) => text.includes(`{${name}}`)))).toEqual([]);
    const shown = JSON.stringify([
      await faqs('es'),
      await faqs('pt'),
      await staticPage('terminos-y-condiciones'),
      await staticPage('politica-de-privacidad', 'pt'),
    ]);
    expect(shown).not.toMatch(/\{\w+\}/);
  });

  test('[CFG-03 INI-07] getStaticPage returns a page by its id in either layout, and 404 for an unknown id', async () => {
    expect(await staticPage('metodos-disponibles-diferencias')).toMatchObject({
      titulo: 'Métodos disponibles y diferencias',
      disposicion: 'metodos',
      actualizada: null,
    });
    expect(await staticPage('terminos-y-condiciones', 'pt')).toMatchObject({
      titulo: 'Termos e condições',
      disposicion: 'tarjeta',
      actualizada: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    await expect(staticPage('nada')).rejects.toMatchObject({ status: 404 });
  });
});

describe('[CFG-03] caching of responses', async () => {
  const pageOf = (titulo: string) => async () => ({
    body: { titulo, resumen: null, contenido: 'x', disposicion: 'tarjeta', actualizada: null },
  });
  const { http } = await startFakeServer({
    handlers: { getStaticPage: async ({ params, origin }) => pageOf(`${params['page']} ${origin.language}`)() },
  });
  const url = '/rest/paginas-estaticas/acerca-de/';

  test('a static page has an ETag per language, and returns 304 if it is unchanged', async () => {
    const first = await http.inject({ url, headers: { 'accept-language': 'pt' } });
    expect(first.json()).toMatchObject({ titulo: 'acerca-de pt' });
    expect(first.headers).toMatchObject({
      'cache-control': 'public, no-cache',
      vary: expect.stringContaining('accept-language'),
    });
    const etag = String(first.headers.etag);
    const again = await http.inject({ url, headers: { 'accept-language': 'pt', 'if-none-match': `W/${etag}, "x"` } });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    const other = await http.inject({ url, headers: { 'accept-language': 'es', 'if-none-match': etag } });
    expect([other.statusCode, other.headers.etag === etag]).toEqual([200, false]);
  });

  test('other operations return no-store', async () => {
    expect((await http.inject('/rest/paises/')).headers['cache-control']).toBe('no-store');
  });
});

describe('[INI-06 INI-08] page data embedded in the HTML', async () => {
  const known = [{ nombre: 'Uno', faqs: [] }];
  const { http, called, log } = await startFakeServer({
    handlers: {
      getFaqs: async ({ query, origin: { language } }) => {
        if (query['slug'] === 'roto') throw new Error('no database');
        if (query['slug'] !== 'señal') throw new OperationError(404, 'no_encontrado');
        return { body: language === 'pt' ? [] : known };
      },
    },
  });
  const dataOf = (html: string) => JSON.parse(/id="page">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null').data;

  test.each([
    ['contains the question of the address', '/ayuda/se%C3%B1al', 200, { 'getFaqs?slug=se%C3%B1al': known }],
    [
      'contains the question in the requested language',
      '/ayuda/se%C3%B1al?lang=pt',
      200,
      { 'getFaqs?slug=se%C3%B1al': [] },
    ],
    ['is empty for an unknown question, with status 404', '/ayuda/nadie', 404, {}],
    ['is empty if the question cannot be loaded, with status 200', '/ayuda/roto', 200, {}],
    ['is empty for a page without a source', '/', 200, {}],
  ])('%s', async (_, url, status, data) => {
    const response = await http.inject(url);
    expect([response.statusCode, dataOf(response.body)]).toEqual([status, data]);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('logs a question that cannot be loaded, and not an unknown one', () => {
    expect(called.filter((name) => name === 'getFaqs')).toHaveLength(4);
    expect(log().match(/page data is missing/g)).toHaveLength(1);
  });
});
