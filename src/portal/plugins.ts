import type { Rule, RuleModule } from '../engine/core/plugin.ts';
import { addOperator } from '../engine/core/logic.ts';
import type { Formats } from '../engine/core/screen.ts';
import { lateWidget } from '../engine/react/field/missing-widget.tsx';
import type { Widget } from '../engine/react/widget.ts';
import { loadPart } from './navigation/load-part.ts';

// Plugins are discovered in plugins/, without a list of them. Each file is a separate chunk.
const rules = import.meta.glob<RuleModule>('/plugins/*/rule.ts');
const widgets = import.meta.glob<Widget>('/plugins/*/widget.tsx', { import: 'default' });

const loaded = new Map<string, Promise<RuleModule>>();

export async function loadRules(
  names: readonly string[],
): Promise<{ rules: ReadonlyMap<string, Rule>; formats: Formats }> {
  const modules = await Promise.all(names.map(loadRule));
  return {
    rules: new Map(modules.flatMap(({ rules: list = [] }) => list.map((rule) => [rule.keyword, rule] as const))),
    formats: Object.assign({}, ...modules.map(({ formats = {} }) => formats)) as Formats, // Object.assign returns any
  };
}

/** Loads the widgets of plugins, by name. A widget that fails to load is replaced by an error with a retry button. */
export async function loadWidgets(names: readonly string[]): Promise<Readonly<Record<string, Widget>>> {
  const entries = await Promise.all(
    names.map(async (name) => {
      const file = widgets[`/plugins/${name}/widget.tsx`];
      if (!file) return [];
      const widget = await loadPart(file, 'never').catch(() => lateWidget(() => loadPart(file, 'always')));
      return [[name, widget] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

function loadRule(name: string): Promise<RuleModule> {
  const known = loaded.get(name);
  if (known) return known;
  const load = rules[`/plugins/${name}/rule.ts`];
  // Without one of its rules a screen would accept values that the server rejects, so it does not open.
  if (!load) return Promise.reject(new Error(`This build has no rules of the plugin ${name}.`));
  const loading = load().then((module) => {
    for (const [operator, run] of Object.entries(module.operators ?? {})) addOperator(operator, run);
    return module;
  });
  loading.catch(() => loaded.delete(name));
  loaded.set(name, loading);
  return loading;
}
