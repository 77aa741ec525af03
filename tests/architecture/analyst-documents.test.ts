import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { screenCaseKeys } from '../../src/cli/definitions/cases/screen-cases.ts';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { browserOnlyFactNames, pluginRuleFactNames, sharedFactNames } from '../../src/contract/rule-facts.ts';
import {
  lintRulesWithExploration,
  lintRulesWithoutExploration as otherRules,
} from '../../src/engine/compiler/lint/lint-rules.ts';
import { supportedWidgetKeywords } from '../../src/engine/compiler/lint/rules/field-controls.ts';
import type { PluginIndex } from '../../src/engine/compiler/files/index-plugins.ts';
import { readPlugins } from '../../src/engine/compiler/files/read-plugins.ts';
import { annotationKeywords, typesByKeyword } from '../../src/engine/compiler/screen/schema-fields.ts';
import { readSourceFile } from '../../src/engine/compiler/sources/read-source.ts';
import { ProblemCollector } from '../../src/engine/compiler/sources/problem-collector.ts';
import { anyoneAccess } from '../../src/engine/core/definitions-manifest.ts';
import { isObject } from '../../src/engine/core/json.ts';
import { allowedLogicOperators } from '../../src/engine/core/json-logic.ts';
import { cleanerTransformNames } from '../../src/engine/core/cleaning/create-cleaner.ts';
import { builtInWidgets } from '../../src/engine/core/built-in-widgets.ts';
import { flowAccessLevels } from '../../src/server/app/definition-options.ts';
import {
  listCodeSpans,
  analystDocuments,
  flowsDocument,
  screensDocument,
  AnalystDocument,
} from './analyst-document.ts';
import { listFiles, readJson, root } from './source-texts.ts';

const rules = [...new Map([...lintRulesWithExploration, ...otherRules].map((rule) => [rule.id, rule])).values()];

/** Severities of findings that come from no lint rule, by id. */
const otherSeverities = {
  'lint/unused': 'W',
  'case/field': 'W',
  'text/swapped': 'W',
  'text/outdated': 'N',
  'text/incomplete': 'W',
  'text/fact': 'N',
};

/** Document that explains the keywords of each format. */
const documentOf: Readonly<Record<string, AnalystDocument>> = {
  screen: screensDocument,
  shared: screensDocument,
  translation: screensDocument,
  ui: screensDocument,
  flow: flowsDocument,
  walks: flowsDocument,
  wording: new AnalystDocument('src/brand/GUIA.md'),
};

const formats = listFiles('src/engine/compiler/formats', /\.schema\.json$/).map((file) => {
  const name = /([a-z]+)(?:\.\d+)?\.schema\.json$/.exec(file)?.[1] ?? '';
  return { name, format: readJson(file), document: documentOf[name] };
});

/** Returns the property names and enum values of a format. */
function listFormatNames(format: unknown): { readonly keys: readonly string[]; readonly values: readonly string[] } {
  const keys = new Set<string>();
  const values = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isObject(node)) return;
    const { properties, enum: choices, const: only } = node;
    if (isObject(properties)) Object.keys(properties).forEach((key) => keys.add(key));
    for (const value of [...(Array.isArray(choices) ? choices : []), only])
      if (typeof value === 'string') values.add(value);
    Object.values(node).forEach(visit);
  };
  visit(format);
  return { keys: [...keys], values: [...values] };
}

let plugins: PluginIndex;
beforeAll(async () => {
  const problems = new ProblemCollector();
  plugins = await readPlugins(root, (path) => readSourceFile(root, path, problems), problems);
});

/** Options that the widgets of plugins declare. */
const listPluginOptions = () =>
  [...plugins.byName.values()].flatMap(({ widgetOptions }) => Object.keys((widgetOptions?.properties ?? {}) as object));

const listMissing = (wanted: Iterable<string>, has: readonly string[]) =>
  [...wanted].filter((word) => !has.includes(word));

/** Fails with the document and the sections in which the missing words belong. */
const expectRows = (wanted: Iterable<string>, document: AnalystDocument | undefined, ...kinds: readonly string[]) =>
  expect(listMissing(wanted, document?.entries(...kinds) ?? []), document?.describeMissingRows(...kinds)).toEqual([]);

/** Fails with the path of a document that mentions one of the words neither in its prose nor in an example. */
const expectMentions = (wanted: Iterable<string>, { path, prose }: AnalystDocument) => {
  const said = listCodeSpans(prose).join(' ');
  const missing = [...wanted].filter((word) => !new RegExp(`(^|\\W)${word}(\\W|$)`).test(said));
  expect(missing, `${path} does not mention these words in backticks`).toEqual([]);
};

/** Fails with the document that does not name the words, each in backticks of its own. */
const expectNames = (wanted: Iterable<string>, { path, prose }: AnalystDocument) =>
  expect(listMissing(wanted, listCodeSpans(prose)), `${path} does not name these words in backticks`).toEqual([]);

test('[ANA-01] the failure for a missing word names the document and its sections', () => {
  expect(() => expectRows(['unknown-widget'], screensDocument, 'Control')).toThrow(
    /schemas\/README\.md lacks a row .* "Control" of: Controles/,
  );
  expect(() => expectMentions(['unknownWord'], screensDocument)).toThrow(/schemas\/README\.md does not mention/);
});

describe('[ANA-01] documentation for analysts', () => {
  test.each(formats)('explains every keyword and value of the format $name', ({ format, document }) => {
    const { keys, values } = listFormatNames(format);
    expect(keys.length).toBeGreaterThan(1);
    expectRows(keys, document, 'Palabra', 'Opción');
    if (document) expectMentions(values, document);
  });

  test('explains every keyword of a field, every built-in widget and every widget option', () => {
    const options = [...Object.values(supportedWidgetKeywords).flat(), ...listPluginOptions()].filter(
      (word) => !word.startsWith('ui:'),
    );
    expect(listPluginOptions().length).toBeGreaterThan(10);
    expectRows([...Object.keys(typesByKeyword), ...annotationKeywords], screensDocument, 'Palabra');
    expectRows(Object.keys(builtInWidgets), screensDocument, 'Control');
    expectRows(new Set(options), screensDocument, 'Opción');
    expect(cleanerTransformNames.filter((name) => !screensDocument.text.includes(`\`${name}\``))).toEqual([]);
  });

  test('explains every widget, rule, rule parameter, operator and format of the plugins', () => {
    const widgets = [...plugins.byName.values()].flatMap(({ name, hasWidget }) => (hasWidget ? name : []));
    expect(widgets.length).toBeGreaterThan(10);
    expectRows(widgets, screensDocument, 'Control');
    expectRows(plugins.rules.keys(), screensDocument, 'Regla');
    const parameters = [...plugins.rules.values()].flatMap(({ rule }) => listFormatNames(rule.parameters).keys);
    expectMentions(parameters, screensDocument);
    expectRows([...plugins.operators.keys(), ...allowedLogicOperators], screensDocument, 'Operador');
    expectNames(plugins.formats.keys(), screensDocument);
  });

  test('lists every fact, flag, access value and catalogue message', () => {
    expectRows([...sharedFactNames, ...browserOnlyFactNames, ...pluginRuleFactNames], screensDocument, 'Lo que se lee');
    expectNames(Object.keys(featureFlagDefaults), screensDocument);
    expectRows([anyoneAccess, ...Object.keys(flowAccessLevels)], flowsDocument, 'Valor');
    expectRows(Object.keys(readJson('schemas/_shared/messages.json') as object), screensDocument, 'Palabra', 'Mensaje');
  });

  test('lists every rule of the checker with its severity, its cause and its remedy', () => {
    const rows = screensDocument.rows.filter(([kind, cell]) => kind === 'Regla' && cell.includes('/'));
    const told = rows.map(([, cell, [severity = '', found = '', remedy = '']]) => {
      expect(found && remedy, cell).not.toBe('');
      return [listCodeSpans(cell)[0], severity];
    });
    const known = [...rules.map(({ id, severity }) => [id, severity]), ...Object.entries(otherSeverities)];
    expect(told.sort()).toEqual(known.sort());
  });
});

test('[ANA-01] documentation for analysts has no entry for a word that the product does not define', () => {
  const known = new Set([
    ...formats.flatMap(({ format }) => listFormatNames(format).keys),
    ...Object.keys(typesByKeyword),
    ...annotationKeywords,
    ...Object.keys(builtInWidgets),
    ...Object.values(supportedWidgetKeywords).flat(),
    ...listPluginOptions(),
    ...plugins.byName.keys(),
    ...plugins.rules.keys(),
    ...plugins.operators.keys(),
    ...allowedLogicOperators,
    ...rules.map(({ id }) => id),
    ...Object.keys(otherSeverities),
    ...Object.keys(readJson('schemas/_shared/messages.json') as object),
    'cases',
    ...screenCaseKeys,
  ]);
  const kinds = ['Palabra', 'Opción', 'Control', 'Regla', 'Operador', 'Mensaje'];
  for (const document of analystDocuments)
    expect(listMissing(document.entries(...kinds), [...known]), document.path).toEqual([]);
});

describe.each(analystDocuments)('[ANA-01] $path', (document) => {
  test('has only valid JSON in its examples', () => {
    expect(document.pieces.length).toBeGreaterThan(50);
    const isJson = (text: string) => {
      try {
        return Boolean(JSON.parse(text));
      } catch {
        return false;
      }
    };
    const wrong = document.pieces.filter((piece) => ![piece, `{${piece}}`].some(isJson));
    expect(wrong).toEqual([]);
  });

  test('names only npm scripts that package.json defines', () => {
    const { scripts } = readJson('package.json') as { scripts: object };
    const named = [...document.text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(1);
    expect(listMissing(named, Object.keys(scripts))).toEqual([]);
  });

  test('links only to files and headings that exist', () => {
    const targets = [...document.text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const lost = targets.flatMap(([whole, path = '', anchor]) => {
      const file = path === '' ? document.path : join(dirname(document.path), path);
      if (!existsSync(join(root, file))) return [whole];
      const headings = anchor === undefined ? [] : readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.*)$/gm);
      return anchor === undefined || [...headings].some(([, title = '']) => toAnchor(title) === anchor) ? [] : [whole];
    });
    expect(targets.length).toBeGreaterThan(10);
    expect(lost).toEqual([]);
    const paths = listCodeSpans(document.prose).filter((code) =>
      /^(tests\/definitions|src|_shared)\/[\w./-]+\w$/.test(code),
    );
    const isThere = (path: string) => existsSync(join(root, path.startsWith('_') ? `schemas/${path}` : path));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });
});

/** Computes GitHub's anchor for a heading. */
function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
