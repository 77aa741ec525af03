import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isMarkdownFile } from '../../src/engine/compiler/files/read-definition-files.ts';
import { textCatalogue } from '../../src/server/app/server-modules.ts';
import { isObject } from '../../src/engine/core/json.ts';
import { listFiles, readJson, root, listSources, parseTexts, readTexts, type SourceText } from './source-texts.ts';

const describeText = ({ file, line, text }: SourceText): string => `${file}:${line} ${text.trim()}`;
const product = [...listSources('src'), ...listSources('plugins')];
const flowFiles = listFiles('flows', /\.json$/);
const flows = flowFiles.map(readJson).filter(isObject);
const screens = readdirSync(join(root, 'schemas')).filter((name) => !name.startsWith('_') && !isMarkdownFile(name));
const schemas = listFiles('schemas', /\/schema\.json$/)
  .map(readJson)
  .filter(isObject);

describe('engine sources without names of screens, flows or fields', () => {
  /** Names of screens, flows and fields that are also terms of a standard, which the engine may use. */
  const standardWords: Readonly<Record<string, string>> = {
    email: 'a format of JSON Schema',
    password: 'an input type of HTML',
    error: 'a variable of flows, a tone and an intent',
  };
  const fields = schemas.flatMap((schema) => (isObject(schema['properties']) ? Object.keys(schema['properties']) : []));
  const names = new Set(
    [...screens, ...flowFiles.map((file) => basename(file, '.json')), ...fields].filter(
      (name) => !(name in standardWords),
    ),
  );

  test('[ENG-01] are searched for more than ten names', () => {
    expect(names.size).toBeGreaterThan(10);
  });

  test.each(listSources('src/engine'))('[ENG-01] %s contains no name of a screen, flow or field', (file) => {
    expect(
      readTexts(file)
        .filter(({ text }) => names.has(text))
        .map(describeText),
    ).toEqual([]);
  });
});

describe('engine files without names of the product', () => {
  const product = /glossary|\bfaqs?\b|citizen|ciudadan|src\/(brand|portal|server|desk)\b|preguntas frecuentes/i;

  test.each(listFiles('src/engine', /\.(ts|tsx|json)$/))(
    '[ENG-01] %s names no module, role or content of the product',
    (file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      expect(lines.filter((line) => product.test(line))).toEqual([]);
    },
  );
});

describe('user-visible texts in code', () => {
  const accents = /[áéíóúüñ¿¡ãõç]/i;
  const words =
    /(?<![\p{L}_.-])(el|la|los|las|del|que|una|para|por|con|tu|su|se|es|está|no|debe|cuenta|correo|clave|documento|código|sesión)(?![\p{L}_.-])/giu;
  const isSpanish = (text: string): boolean =>
    /\p{L}\s+\p{L}/u.test(text) && (accents.test(text) || new Set(text.toLowerCase().match(words)).size >= 2);
  const isAccented = (text: string): boolean => accents.test(text) && !text.includes('/');
  /** Files whose Spanish words are data, each with the reason. */
  const data: Readonly<Record<string, string>> = {
    'plugins/common-password/words.ts': 'a word list that is compared, never shown',
    'src/server/app/sample/sample-citizens.ts': 'names of sample people',
    'src/contract/operations/video-call-schemas.ts': 'states by the words of the specification, which the wire carries',
    'src/server/features/video-calls/call-states.ts':
      'states by the words of the specification, which the wire carries',
  };

  test.each(product.filter((file) => !(file in data)))(
    '[ANA-01] %s contains no Spanish sentence or accented word',
    (file) => {
      expect(
        readTexts(file)
          .filter(({ text }) => isSpanish(text) || isAccented(text))
          .map(describeText),
      ).toEqual([]);
    },
  );

  test.each([
    { source: "const a = 'Ingrese su documento';", found: true, note: 'a string' },
    { source: 'const a = <p>Volver a la página</p>;', found: true, note: 'JSX text' },
    { source: 'const a = `El correo ${x} no existe`;', found: true, note: 'a template' },
    { source: "const a = 'número';", found: true, note: 'one word with an accent' },
    { source: "const a = 'numero_documento';", found: false, note: 'a wire name' },
    { source: "const a = '/contraseña/restablecer';", found: false, note: 'a path' },
    { source: "const a = 'No such file in the folder';", found: false, note: 'English' },
    { source: '// El correo no existe\nconst a = 1;', found: false, note: 'no text at all' },
  ])('the search reports Spanish in $note: $found', ({ source, found }) => {
    const texts = parseTexts('x.tsx', source).filter(({ text }) => isSpanish(text) || isAccented(text));
    expect(texts.length > 0).toBe(found);
  });
});

describe('addresses in code', () => {
  const paths = new Set(flows.flatMap((flow) => pathsOf(flow)).filter((path) => path.length > 1));
  /** Paths that code may contain, each with the reason. */
  const allowed: readonly { readonly file: RegExp; readonly path: string; readonly reason: string }[] = [
    {
      file: /^src\/demo\/sample-applications\.ts$/,
      path: '/login',
      reason: 'pages of other applications, the sample ones',
    },
  ];
  /** Files that list the routes, which may contain paths. */
  const addressLists = ['src/contract/page-paths.ts'];
  const isRoute = (text: string): string | undefined =>
    [...paths].find((path) => path === text.split('?', 1)[0]?.replace(/\/$/, ''));

  test('[RUTA-04] the flows declare paths', () => {
    expect(paths).toContain('/registro');
  });

  test.each(addressLists)('[RUTA-04] every address in %s is a path of a flow', (list) => {
    expect(
      readTexts(list)
        .filter(({ text }) => text !== '/' && isRoute(text) === undefined)
        .map(describeText),
    ).toEqual([]);
  });

  test.each(product.filter((file) => !addressLists.includes(file)))(
    '[RUTA-04] %s contains no path of a flow',
    (file) => {
      const strays = readTexts(file).filter(({ text }) => {
        const path = isRoute(text);
        return path !== undefined && !allowed.some((exception) => exception.path === path && exception.file.test(file));
      });
      expect(strays.map(describeText)).toEqual([]);
    },
  );

  test.each(
    product.filter((file) => !file.startsWith('src/contract/operations/') && file !== 'src/contract/contract.ts'),
  )('[CFG-03] %s contains no endpoint path', (file) => {
    expect(
      readTexts(file)
        .filter(({ text }) => /^\/(rest|account|auth|jwt)\//.test(text))
        .map(describeText),
    ).toEqual([]);
  });
});

describe('catalogue of error messages', () => {
  const codes = new Set(
    listSources('src/server').flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/new OperationError\(\s*\d+,\s*'([^']+)'/g)].map(
        ([, code = '']) => code,
      ),
    ),
  );

  test('[CFG-02] has the same keys in Spanish and Portuguese', () => {
    expect(codes.size).toBeGreaterThan(50);
    expect(Object.keys(textCatalogue.pt).sort()).toEqual(Object.keys(textCatalogue.es).sort());
  });

  test.each([...codes])('has a Spanish message for the server error %s', (code) => {
    expect(textCatalogue.es).toHaveProperty([code]);
  });
});

function pathsOf(flow: Readonly<Record<string, unknown>>): readonly string[] {
  const states = isObject(flow['states']) ? Object.values(flow['states']) : [];
  return states
    .filter(isObject)
    .map((state) => state['path'])
    .filter((path): path is string => typeof path === 'string' && path !== '*');
}

test('[ENG-01] engine sources contain no language code and no country code', () => {
  const named = listSources('src/engine')
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => readTexts(file))
    .filter(({ text }) => /^(es|en|pt|uy|ar|br)$/i.test(text));
  expect(named).toEqual([]);
});

/** Folders with one file per item, e.g. per panel of the editor. They are exempt from the maximum number of files. */
const registers =
  /^src\/(studio\/editor|server\/((features|trust)\/[\w-]+\/mails|platform\/database\/migrations|features\/content\/\w+\/\w+))$/;

test('source folders have at most 24 files, except flat registers', () => {
  const counts = new Map<string, number>();
  for (const file of listFiles('src', /[.]\w+$/)) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (!file.includes('.test.') && !registers.test(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(80);
  expect([...counts].filter(([, count]) => count > 24)).toEqual([]);
});

test('server sources do not patch a prototype or a console method', () => {
  const changes = /\bprototype(\.\w+|\[[^\]]+\]) = |\b[pP]rototype\b.*\bas unknown\b|\bconsole\.\w+ = /;
  expect('Client.prototype.includeSid = x; console.warn = y').toMatch(changes);
  expect(listSources('src/server').filter((file) => changes.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
