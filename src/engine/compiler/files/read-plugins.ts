import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../core/json.ts';
import type { PluginRuleModule } from '../../core/plugin-rule.ts';
import { hashForUrl } from '../sources/hash-for-url.ts';
import { checkFileFormat } from '../formats/check-file-format.ts';
import { bundlePluginFile } from './bundle-plugin-file.ts';
import { checkPluginFiles } from './check-plugin-files.ts';
import {
  locatePluginRule,
  indexPlugins,
  type LoadedPlugin,
  type PluginIndex,
  pickTextEntries,
} from './index-plugins.ts';
import { readWidget } from './read-widget.ts';
import { testPluginExports, listRuleModuleMistakes } from './try-plugin-exports.ts';
import { DefinitionLoadCache } from '../sources/load-cache.ts';
import type { ReadSourceFile } from '../sources/source-file.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import {
  explain,
  findNearestName,
  localize,
  type ProblemExplanation,
  suggestSimilarName,
} from '../sources/localized-text.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { listPlaceholders } from '../../core/messages.ts';

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
  const { types: widgetTypes, options: widgetOptions } = hasWidget ? await readWidget(root, name, problems, cache) : {};
  const imported = has('rule.ts') ? await importRule({ root, name, cache }, problems) : null;
  const digest = imported?.digest ?? '';
  const mistakes: ProblemExplanation[] = [];
  if (imported)
    cache.checkOnce(`exports of ${name}`, [digest], () => {
      mistakes.push(...listRuleModuleMistakes(imported.module));
      return mistakes.length === 0;
    });
  const module = (mistakes.length > 0 ? null : imported?.module) ?? noRules;
  const tables = isObject(texts?.value)
    ? Object.keys(texts.value).map((language) => pickTextEntries(texts, language))
    : [];
  cache.collectProblemsOnce(`trial of ${name}`, [digest, texts?.text ?? ''], problems, (own) => {
    for (const mistake of mistakes.length > 0 ? mistakes : testPluginExports(module, tables))
      own.addAt(locatePluginRule(name))(mistake);
  });
  const titles = has('titles.json') ? await read(path('titles.json')) : null;
  const isUnusable = has('rule.ts') && module === noRules;
  await checkPluginFiles(root, { name, module, texts, titles, isTitled, isUnusable }, problems);
  return { name, hasWidget, widgetTypes, widgetOptions, module, isUnusable, digest, texts };
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

async function importRule(
  { root, name, cache }: Pick<PluginSource, 'root' | 'name' | 'cache'>,
  problems: ProblemCollector,
): Promise<{ readonly module: PluginRuleModule; readonly digest: string } | null> {
  const bundle = await bundlePluginFile(root, name, 'rule.ts', cache);
  if ('problem' in bundle) {
    const { problem, ...place } = bundle;
    problems.addAt({ ...locatePluginRule(name), ...place })(problem);
    return null;
  }
  try {
    const module = (await import(/* @vite-ignore */ bundle.address)) as PluginRuleModule; // cast: `listRuleModuleMistakes` checks the exports
    return { module, digest: hashForUrl(bundle.address) };
  } catch (error) {
    problems.addAt(locatePluginRule(name))(explain`The rule cannot be loaded: ${String(error)}.
      Fix the code of the plugin.`);
    return null;
  }
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
    const renamed = new Set<string>(); // reported with the key in another language
    for (const key of new Set(listLanguages(plugin).flatMap((language) => Object.keys(read(language))))) {
      const without = languages.find((language) => read(language)[key] === undefined);
      if (without !== undefined && !renamed.has(key)) {
        const others = Object.keys(read(without)).filter((other) => languages.some((own) => !(other in read(own))));
        const now = findNearestName(key, others);
        if (now !== undefined) renamed.add(now);
        report(`/${without}`)(explain`"${key}" has no text in "${without}".
          ${suggestSimilarName(key, others)}Write the same key in each language.`);
      }
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
