import type { PluginRuleModule } from '../engine/core/plugin-rule.ts';
import { listAllFieldSpecs, type ScreenModule } from '../engine/core/compiled-screen.ts';
import type { ScreenPlugins } from '../engine/runtime/open-screen.ts';

const rules = import.meta.glob<PluginRuleModule>('../../plugins/*/rule.ts', { eager: true });
const texts = import.meta.glob<string>('../../plugins/*/texts.json', { eager: true, query: '?raw', import: 'default' });
const widgets = import.meta.glob('../../plugins/*/widget.tsx', { import: 'default' });

const pluginPaths = Object.keys({ ...rules, ...texts, ...widgets });

export const pluginNames = [...new Set(pluginPaths.map((path) => path.split('/').at(-2) ?? ''))].sort().map((name) => ({
  name,
  hasWidget: Object.hasOwn(widgets, buildPath(name, 'widget.tsx')),
  module: rules[buildPath(name, 'rule.ts')] ?? {},
  texts: texts[buildPath(name, 'texts.json')] ?? null,
}));

export async function loadScreenPlugins({ fields }: ScreenModule['screen']): Promise<ScreenPlugins> {
  const all = listAllFieldSpecs(fields);
  const names = [...new Set(all.flatMap(({ plugin }) => plugin ?? []))];
  const loadedWidgets = names.map(async (name) => [name, await widgets[buildPath(name, 'widget.tsx')]?.()] as const);
  return {
    rules: new Map(
      pluginNames.flatMap(({ module }) => (module.rules ?? []).map((rule) => [rule.keyword, rule] as const)),
    ),
    formats: Object.fromEntries(pluginNames.flatMap(({ module }) => Object.entries(module.formats ?? {}))),
    widgets: Object.fromEntries(await Promise.all(loadedWidgets)),
  };
}

function buildPath(name: string, file: string): string {
  return `../../plugins/${name}/${file}`;
}
