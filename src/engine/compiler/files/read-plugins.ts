import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  build,
  type BuildFailure,
  type Location,
  type Plugin as BuildPlugin,
  transform,
  type TransformFailure,
} from 'esbuild';
import { isObject } from '../../core/json.ts';
import { pluginRuleFieldTypes, type PluginRuleModule } from '../../core/plugin-rule.ts';
import { hashForUrl } from '../sources/hash-for-url.ts';
import { checkFileFormat } from '../formats/check-file-format.ts';
import { checkPluginFiles } from './check-plugin-files.ts';
import {
  locatePluginRule,
  indexPlugins,
  type LoadedPlugin,
  type PluginIndex,
  pickTextEntries,
} from './index-plugins.ts';
import { testPluginExports, findRuleModuleMistake } from './try-plugin-exports.ts';
import { DefinitionLoadCache } from '../sources/load-cache.ts';
import type { ReadSourceFile } from '../sources/source-file.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import { type ProblemExplanation, explain, localize, suggestSimilarName } from '../sources/localized-text.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { listPlaceholders } from '../../core/messages.ts';

const widgetMistakeByText = new Map<string, WidgetMistake | null>();

interface WidgetMistake extends ProblemExplanation {
  readonly line: number;
  readonly column: number;
}

/** Checks that a widget is valid browser code and that its default export is a component. Returns the field types of its export `types`. */
async function checkWidget(
  root: string,
  name: string,
  problems: ProblemCollector,
): Promise<readonly string[] | undefined> {
  const file = `plugins/${name}/widget.tsx`;
  const text = await readFile(join(root, file), 'utf8');
  const found = widgetMistakeByText.has(text) ? widgetMistakeByText.get(text) : await findWidgetMistake(text);
  widgetMistakeByText.set(text, found ?? null);
  if (found) problems.addAt({ file, line: found.line, column: found.column, pointer: '' })(found);
  const list = /\bexport const types\b[^=]*=\s*\[([^\]]*)\]/.exec(text);
  const types = list?.[1]?.match(/[\w-]+/g) ?? undefined;
  const strange = types?.find((type) => !pluginRuleFieldTypes.some((known) => known === type));
  const line = text.slice(0, list?.index).split('\n').length;
  if (strange !== undefined)
    problems.addAt({
      file,
      line,
      column: 1,
      pointer: '',
    })(explain`The widget is for the type "${strange}", which no field has.
      Write into "types": ${pluginRuleFieldTypes.join(', ')}.`);
  return types;
}

async function findWidgetMistake(text: string): Promise<WidgetMistake | null> {
  try {
    const { code } = await transform(text, { loader: 'tsx', format: 'esm', logLevel: 'silent' });
    const [, node] = /\bfrom\s*["'](node:[\w/]+)["']/.exec(code) ?? [];
    if (node !== undefined) {
      const problem = explain`The widget imports "${node}", which browsers do not have.
        Query the server with "load" from toWidgetParts(props).`;
      return { ...problem, line: text.slice(0, text.indexOf(node)).split('\n').length, column: 1 };
    }
    if (/\bas default\b|\bexport default\b/.test(code)) return null;
    const problem = explain`The widget has no default export.
      Write "export default" before its component.`;
    return { ...problem, line: 1, column: 1 };
  } catch (error) {
    const [first] = (error as TransformFailure).errors; // cast: `transform` of esbuild only throws `TransformFailure`
    const { line, column } = first?.location ?? { line: 1, column: 0 };
    const problem = explain`The widget cannot be loaded: ${first?.text ?? ''}
      Fix the code of the plugin.`;
    return { ...problem, line, column: column + 1 };
  }
}

export async function readPlugins(
  root: string,
  read: ReadSourceFile,
  problems: ProblemCollector,
  cache = new DefinitionLoadCache(),
): Promise<PluginIndex> {
  const folder = join(root, 'plugins');
  const names = existsSync(folder)
    ? (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
    : [];
  names.sort((a, b) => a.name.localeCompare(b.name));
  const isTitled = names.some(({ name }) => existsSync(join(folder, name, 'titles.json')));
  const plugins = await Promise.all(
    names.map(({ name }) => readPlugin({ root, name, cache, isTitled }, read, problems)),
  );
  checkPluginTexts(plugins, problems);
  return indexPlugins(plugins, problems);
}

/** Module of every plugin without rules. One shared object, because comparisons between loads use identity. */
const noRules: PluginRuleModule = {};

interface PluginSource {
  readonly root: string;
  readonly name: string;
  readonly cache: DefinitionLoadCache;
  /** Whether plugins need titles, as in a project with a studio. */
  readonly isTitled: boolean;
}

async function readPlugin(
  { root, name, cache, isTitled }: PluginSource,
  read: ReadSourceFile,
  problems: ProblemCollector,
): Promise<LoadedPlugin> {
  const path = (file: string) => `plugins/${name}/${file}`;
  const has = (file: string) => existsSync(join(root, path(file)));
  const hasWidget = has('widget.tsx');
  if (!has('rule.ts') && !hasWidget) reportEmptyPlugin(name, await readdir(join(root, 'plugins', name)), problems);
  const texts = has('texts.json') ? await read(path('texts.json')) : null;
  if (texts) cache.checkOnce(`format of ${texts.path}`, [texts.text], () => checkFileFormat(texts, 'texts', problems));
  const widgetTypes = hasWidget ? await checkWidget(root, name, problems) : undefined;
  const imported = has('rule.ts') ? await importRule(root, name, problems) : null;
  const unusable = imported && findRuleModuleMistake(imported);
  const module = (unusable ? null : imported) ?? noRules;
  const digest = digestByModule.get(module) ?? '';
  const tables = isObject(texts?.value)
    ? Object.keys(texts.value).map((language) => pickTextEntries(texts, language))
    : [];
  cache.collectProblemsOnce(`trial of ${name}`, [digest, texts?.text ?? ''], problems, (own) => {
    for (const mistake of unusable ? [unusable] : testPluginExports(module, tables))
      own.addAt(locatePluginRule(name))(mistake);
  });
  const titles = has('titles.json') ? await read(path('titles.json')) : null;
  const isUnusable = has('rule.ts') && module === noRules;
  await checkPluginFiles(root, { name, module, texts, titles, isTitled, isUnusable }, problems);
  return { name, hasWidget, widgetTypes, module, isUnusable, digest, texts };
}

function reportEmptyPlugin(name: string, files: readonly string[], problems: ProblemCollector): void {
  const near = files.find((file) => /^(?:rules?|widgets?|index)\.[jt]sx?$/i.test(file));
  problems.addAt({ ...locatePluginRule(name), file: `plugins/${name}/${near ?? files[0] ?? ''}` })({
    message: localize`plugins/${name} has neither rule.ts nor widget.tsx: the portal ignores it.`,
    hint:
      near === undefined
        ? localize`Write one of them, or remove the folder.`
        : localize`Rename ${near} to rule.ts, or to widget.tsx if it renders a control.`,
  });
}

const digestByModule = new WeakMap<PluginRuleModule, string>();

async function importRule(root: string, name: string, problems: ProblemCollector): Promise<PluginRuleModule | null> {
  try {
    const address = await bundleRule(root, join('plugins', name, 'rule.ts'));
    const module = (await import(/* @vite-ignore */ address)) as PluginRuleModule; // cast: `testPluginExports` checks the exports
    digestByModule.set(module, hashForUrl(address));
    return module;
  } catch (error) {
    const [mistake] = isBuildFailure(error) ? error.errors : [];
    const { file, line = 1, column = 0 }: Partial<Location> = mistake?.location ?? {};
    const report = problems.addAt({
      ...locatePluginRule(name),
      ...(file !== undefined && { file }),
      line,
      column: column + 1,
    });
    const [, node] = /"(node:[\w/]+)"/.exec(mistake?.text ?? '') ?? [];
    if (node !== undefined)
      report(explain`The rule imports "${node}", which browsers do not have.
        Remove the import: the same rule runs in the browser and on the server.`);
    else
      report(explain`
      The rule cannot be loaded: ${mistake?.text ?? String(error)}
      Fix the code of the plugin.`);
    return null;
  }
}

type Contents = Map<string, Buffer>;

/** Latest bundle of each rule, so that unchanged rules are not bundled again. */
const ruleBuilds = new Map<string, { readonly address: string; readonly sources: Contents }>();

/** Bundles a rule and its imports into one module. The URL contains the code, so that a running server loads an edited rule. */
async function bundleRule(root: string, file: string): Promise<string> {
  const place = await realpath(join(root, file)); // the key is the real path, because several project folders may link to the same plugins
  const known = ruleBuilds.get(place);
  if (known && (await areUnchanged(known.sources))) return known.address;
  const sources: Contents = new Map();
  const { outputFiles } = await build({
    absWorkingDir: resolve(root), // error locations are relative to this folder
    entryPoints: [`./${file}`],
    bundle: true,
    write: false,
    platform: 'browser', // the rule also runs in browsers, so it must not import Node.js modules
    format: 'esm',
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [recordSources(sources)],
  });
  const address = `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`;
  ruleBuilds.set(place, { address, sources });
  return address;
}

/** Records the content of each file during the build. If the files were read after the build, an edit during the build could be missed. */
function recordSources(sources: Contents): BuildPlugin {
  return {
    name: 'noting',
    setup({ onLoad }) {
      onLoad({ filter: /./ }, async ({ path }) => {
        const contents = await readFile(path);
        sources.set(path, contents);
        return { contents, loader: 'default' };
      });
    },
  };
}

async function areUnchanged(sources: Contents): Promise<boolean> {
  const same = await Promise.all(
    [...sources].map(async ([path, content]) => (await readFile(path).catch(() => null))?.equals(content) ?? false),
  );
  return same.every(Boolean);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error;
}

/** Checks that all plugins have texts in the same languages, with the same keys in each, and no texts for missing rules. */
function checkPluginTexts(plugins: readonly LoadedPlugin[], problems: ProblemCollector): void {
  const listLanguages = ({ texts }: LoadedPlugin) => (isObject(texts?.value) ? Object.keys(texts.value) : []);
  const all = plugins.flatMap(listLanguages);
  const speaking = plugins.filter(({ texts }) => texts !== null).length;
  const isSingle = (language: string) => speaking > 2 && all.filter((other) => other === language).length === 1;
  const languages = [...new Set(all)].filter((own) => !isSingle(own)); // ignore a language that only one plugin has, because it is a mistake in that plugin
  for (const plugin of plugins) {
    const { name, texts, module, hasWidget, isUnusable } = plugin;
    const formats = Object.keys(module.formats ?? {}).map((format) => `format.${format}`);
    const report = problems.report(texts ?? { path: `plugins/${name}/texts.json`, text: '', tree: undefined });
    const unsaid = formats.find(
      (key) =>
        languages.length > 0 && languages.every((language) => pickTextEntries(texts, language)[key] === undefined),
    );
    if (unsaid !== undefined)
      report('')(explain`The format has no message "${unsaid}".
        Write it in each language: ${languages.join(', ')}.`);
    if (!texts) continue;
    const tables = new Map(
      [...languages, ...listLanguages(plugin)].map((language) => [language, pickTextEntries(texts, language)]),
    );
    const read = (language: string) => tables.get(language) ?? {};
    for (const language of listLanguages(plugin).filter(isSingle))
      report(`/${escapePointer(language)}`)(explain`No other plugin has texts in "${language}".
        Write one of: ${languages.join(', ')}.`);
    const keywords = (module.rules ?? []).map(({ keyword }) => keyword);
    for (const key of new Set(listLanguages(plugin).flatMap((language) => Object.keys(read(language))))) {
      const without = languages.find((language) => read(language)[key] === undefined);
      if (without !== undefined)
        report(`/${without}`)(explain`"${key}" has no text in "${without}".
          Write it, or remove the key in the others.`);
      const [base, ...others] = languages.flatMap((language) => {
        const own = read(language)[key];
        return own === undefined ? [] : [{ language, names: [...listPlaceholders(own)].sort().join(', ') }];
      });
      for (const other of others.filter(({ names }) => names !== base?.names))
        report(`/${other.language}/${escapePointer(key)}`)(explain`
          It differs from "${base?.language ?? ''}": ${base?.names || '–'} there, ${other.names || '–'} here.
          Give it the same values.`);
      const [head = ''] = key.split('.');
      if (!hasWidget && !isUnusable && !keywords.includes(head) && !formats.includes(key))
        // only for plugins without a widget, because a widget may use texts with any key
        report(`/${base?.language ?? ''}/${escapePointer(key)}`)(explain`"${key}" is not a rule of this plugin.
          ${suggestSimilarName(head, keywords)}Rename the key, or remove it.`);
    }
  }
}
