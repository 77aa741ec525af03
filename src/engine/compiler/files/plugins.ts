import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../core/json.ts';
import { addOperator } from '../../core/logic.ts';
import type { Rule, RuleModule } from '../../core/plugin.ts';
import { checkFormat } from '../check/format.ts';
import type { Problems, Read, SourceFile } from './source-file.ts';

/** One folder of plugins/, without its widget's code, which only a browser loads. */
export interface Plugin {
  readonly name: string;
  readonly hasWidget: boolean;
  readonly module: RuleModule;
  readonly texts: SourceFile | null;
}

/** The plugins of a project and what they bring, by name. */
export interface Plugins {
  readonly byName: ReadonlyMap<string, Plugin>;
  readonly rules: ReadonlyMap<string, { readonly plugin: string; readonly rule: Rule }>;
  readonly formats: ReadonlyMap<string, { readonly plugin: string; readonly check: (value: string) => boolean }>;
}

/** Reads every folder of plugins/: found by being there, without a list. */
export async function readPlugins(root: string, read: Read, problems: Problems): Promise<Plugins> {
  const folder = join(root, 'plugins');
  const names = existsSync(folder)
    ? (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
    : [];
  const byName = new Map<string, Plugin>();
  const rules = new Map<string, { plugin: string; rule: Rule }>();
  const formats = new Map<string, { plugin: string; check: (value: string) => boolean }>();
  for (const { name } of names.sort((a, b) => a.name.localeCompare(b.name))) {
    const plugin = await readPlugin(root, name, read, problems);
    byName.set(name, plugin);
    for (const rule of plugin.module.rules ?? []) {
      const other = rules.get(rule.keyword);
      if (other)
        problems.list.push(clash(name, `The keyword "${rule.keyword}" is also brought by plugins/${other.plugin}.`));
      rules.set(rule.keyword, { plugin: name, rule });
    }
    for (const [format, check] of Object.entries(plugin.module.formats ?? {}))
      formats.set(format, { plugin: name, check });
    registerOperators(name, plugin.module);
  }
  return { byName, rules, formats };
}

const registered = new Set<string>();

// Operators live in one table of the process: a second reading of the same plugin must not add them again.
function registerOperators(plugin: string, module: RuleModule): void {
  for (const [name, operator] of Object.entries(module.operators ?? {})) {
    if (!registered.has(`${plugin} ${name}`)) addOperator(name, operator);
    registered.add(`${plugin} ${name}`);
  }
}

async function readPlugin(root: string, name: string, read: Read, problems: Problems): Promise<Plugin> {
  const path = (file: string) => join('plugins', name, file);
  const has = (file: string) => existsSync(join(root, path(file)));
  const texts = has('texts.json') ? await read(path('texts.json')) : null;
  if (texts) checkFormat(texts, 'texts', problems);
  return {
    name,
    hasWidget: has('widget.tsx'),
    module: has('rule.ts') ? await importRule(join(root, path('rule.ts')), name, problems) : {},
    texts,
  };
}

const firstRead = new Map<string, number>();

// A module is imported once for each address: an edited rule gets a new one, so that a running server reads it again.
async function freshAddress(file: string): Promise<string> {
  const path = await realpath(file);
  const { mtimeMs } = await stat(path);
  const first = firstRead.get(path) ?? mtimeMs;
  firstRead.set(path, first);
  const { href } = pathToFileURL(path);
  return mtimeMs === first ? href : `${href}?v=${mtimeMs}`;
}

async function importRule(file: string, name: string, problems: Problems): Promise<RuleModule> {
  try {
    const module: unknown = await import(/* @vite-ignore */ await freshAddress(file));
    return isObject(module) ? (module as RuleModule) : {}; // what a plugin exports is checked by its type, and its rules by the tests
  } catch (error) {
    problems.list.push({
      ...clash(name, `rule.ts cannot be loaded: ${String(error)}`),
      hint: 'Mend the plugin’s code.',
    });
    return {};
  }
}

function clash(plugin: string, message: string) {
  return {
    file: `plugins/${plugin}/rule.ts`,
    line: 1,
    column: 1,
    pointer: '',
    message,
    hint: 'Rename one of the two.',
  };
}
