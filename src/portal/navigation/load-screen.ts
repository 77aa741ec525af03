import { runtime } from '../../engine/core/runtime.ts';
import type { Formats, ScreenModule } from '../../engine/core/screen.ts';
import { Draft } from '../../engine/runtime/draft.ts';
import type { LoadedScreen } from '../../engine/runtime/flow-services.ts';
import type { OpenSteps } from '../../engine/runtime/flow-steps.ts';
import { loadRules, loadWidgets } from '../plugins.ts';

/** Loads what runs and draws the steps of a flow that has some. */
export async function loadSteps(): Promise<OpenSteps> {
  const [{ openSteps }, { StepBar }] = await Promise.all([
    import('../../engine/runtime/steps.ts'),
    import('../../engine/react/step-bar.tsx'),
  ]);
  return (flow, host) => openSteps(flow, host, StepBar);
}

/** Loads a compiled screen with the rules and widgets that it uses, all at once. */
export async function loadScreen(url: string): Promise<LoadedScreen> {
  const module = (await import(/* @vite-ignore */ url)) as ScreenModule; // written by the compiler
  const { screen } = module;
  const widgetPlugins = [...new Set(screen.fields.flatMap(({ plugin }) => plugin ?? []))];
  const [{ rules, formats }, widgets, standard] = await Promise.all([
    loadRules(screen.rulePlugins),
    loadWidgets(widgetPlugins),
    screen.standardFormats ? standardFormats() : {},
  ]);
  const validator = { screen, rules, values: module.validators({ ...standard, ...formats }, runtime) };
  return {
    validator,
    widgets,
    open: (values, context) => (screen.fields.length > 0 ? new Draft(validator, values, context) : null),
  };
}

async function standardFormats(): Promise<Formats> {
  const { fullFormats } = await import('ajv-formats/dist/formats.js');
  return fullFormats;
}
