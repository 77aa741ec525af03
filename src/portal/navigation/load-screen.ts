import type { Flow } from '../../engine/core/definition.ts';
import { everySpec, type ScreenData, type ScreenModule } from '../../engine/core/screen.ts';
import { MomentWidget } from '../../engine/fluent/late-widgets.ts';
import { ListField } from '../../engine/react/field/late-fields.ts';
import { openScreen, type ScreenPlugins } from '../../engine/runtime/open-screen.ts';
import type { FlowServices, LoadedScreen } from '../../engine/runtime/flow-services.ts';
import type { OpenSteps } from '../../engine/runtime/flow-steps.ts';
import { loadRules, loadWidgets } from '../plugins.ts';

/** Loads what runs and draws the steps of a flow that has some, and what saves them where the flow says so. */
export async function loadSteps({ save }: Flow, services: FlowServices): Promise<OpenSteps> {
  const [{ FlowSteps, openSteps }, { StepBar }, saved] = await Promise.all([
    import('../../engine/runtime/steps.ts'),
    import('../../engine/react/flow/step-bar.tsx'),
    save && import('./saved-journeys.ts'),
  ]);
  return saved && save
    ? (flow, host) => saved.openSaved(FlowSteps, { flow: { ...flow, save }, host, draw: StepBar }, services)
    : (flow, host) => openSteps(flow, host, StepBar);
}

/** Loads a compiled screen with the rules and widgets that it uses, all at once. */
export async function loadScreen(url: string): Promise<LoadedScreen> {
  return openModule((await import(/* @vite-ignore */ url)) as ScreenModule); // written by the compiler
}

/** Opens a compiled screen with the rules and widgets that it uses. */
export function openModule(module: ScreenModule): Promise<LoadedScreen> {
  return openScreen(module, loadPlugins(module.screen));
}

async function loadPlugins({ fields, rulePlugins }: ScreenData): Promise<ScreenPlugins> {
  const all = everySpec(fields);
  const widgetPlugins = [...new Set(all.flatMap(({ plugin }) => plugin ?? []))];
  const [{ rules, formats }, widgets] = await Promise.all([
    loadRules(rulePlugins),
    loadWidgets(widgetPlugins),
    fields.some(({ item }) => item) && ListField.load(),
    all.some(({ plugin, schema }) => !plugin && /^(date|time)/.test(String(schema.format))) && MomentWidget.load(),
  ]);
  return { rules, formats, widgets };
}
