import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import {
  listAllFieldSpecs,
  type CompiledScreen,
  type ScreenModule,
  type FormatValidators,
} from '../../engine/core/compiled-screen.ts';
import { ListField } from '../../engine/react/field/lazy-fields.ts';
import { openScreen, type ScreenPlugins } from '../../engine/runtime/open-screen.ts';
import type { FlowServices, LoadedScreen } from '../../engine/runtime/flow-services.ts';
import type { JourneyStepsFactory } from '../../engine/runtime/journey-steps.ts';
import type { PluginValidationRule, PluginRuleModule } from '../../engine/core/plugin-rule.ts';
import { registerPluginOperator } from '../../engine/core/json-logic.ts';
import { createRetryWidget } from '../../engine/react/field/missing-widget.tsx';
import type { Widget } from '../../engine/react/widget.ts';
import { loadModuleWithRetry } from './load-module.ts';

// Rules and widgets of the plugins in plugins/. Each is a separate chunk.
const rules = import.meta.glob<PluginRuleModule>('/plugins/*/rule.ts');
const widgets = import.meta.glob<Widget>('/plugins/*/widget.tsx', { import: 'default' });

const loadedRules = new Map<string, Promise<PluginRuleModule>>();

export async function loadPluginRules(
  names: readonly string[],
): Promise<{ rules: ReadonlyMap<string, PluginValidationRule>; formats: FormatValidators }> {
  const modules = await Promise.all(names.map(loadRule));
  return {
    rules: new Map(modules.flatMap(({ rules: list = [] }) => list.map((rule) => [rule.keyword, rule] as const))),
    formats: Object.assign({}, ...modules.map(({ formats = {} }) => formats)) as FormatValidators, // `Object.assign` returns `any`
  };
}

/** Loads the widgets of plugins by name. A widget that fails to load is replaced with an error and a retry button. */
export async function loadPluginWidgets(names: readonly string[]): Promise<Readonly<Record<string, Widget>>> {
  const entries = await Promise.all(
    names.map(async (name) => {
      const file = widgets[`/plugins/${name}/widget.tsx`];
      if (!file) return [];
      const widget = await loadModuleWithRetry(file, 'never').catch(() =>
        createRetryWidget(() => loadModuleWithRetry(file, 'always')),
      );
      return [[name, widget] as const];
    }),
  );
  return Object.fromEntries(entries.flat());
}

function loadRule(name: string): Promise<PluginRuleModule> {
  const known = loadedRules.get(name);
  if (known) return known;
  const load = rules[`/plugins/${name}/rule.ts`];
  // Rejects, because a screen without some of its rules would accept values that the server rejects.
  if (!load) return Promise.reject(new Error(`This build has no rules of the plugin ${name}.`));
  const loading = load().then((module) => {
    for (const [operator, run] of Object.entries(module.operators ?? {})) registerPluginOperator(operator, run);
    return module;
  });
  loading.catch(() => loadedRules.delete(name));
  loadedRules.set(name, loading);
  return loading;
}

export async function loadJourneyStepsFactory({ save }: Flow, services: FlowServices): Promise<JourneyStepsFactory> {
  const [{ createJourneySteps }, saved] = await Promise.all([
    import('../../engine/runtime/journey-steps.ts'),
    save && import('./saved-journeys.ts'),
  ]);
  return saved && save
    ? (flow, host) => new saved.SavedSteps({ ...flow, save }, host, saved.createJourneyStore(services))
    : createJourneySteps;
}

export async function loadScreen(url: string): Promise<LoadedScreen> {
  return openScreenModule((await import(/* @vite-ignore */ url)) as ScreenModule); // a dynamic import is untyped; the compiler generated the module
}

export function openScreenModule(module: ScreenModule): Promise<LoadedScreen> {
  return openScreen(module, loadPlugins(module.screen));
}

async function loadPlugins({ fields, rulePlugins }: CompiledScreen): Promise<ScreenPlugins> {
  const widgetPlugins = [...new Set(listAllFieldSpecs(fields).flatMap(({ plugin }) => plugin ?? []))];
  const [{ rules, formats }, widgets] = await Promise.all([
    loadPluginRules(rulePlugins),
    loadPluginWidgets(widgetPlugins),
    fields.some(({ item }) => item) && ListField.load(),
  ]);
  return { rules, formats, widgets };
}
