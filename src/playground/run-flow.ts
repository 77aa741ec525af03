import type { Definitions } from '../engine/compiler/definitions.ts';
import type { Flow } from '../engine/core/definition.ts';
import type { Values } from '../engine/core/json.ts';
import { createFlow, type RunningFlow } from '../engine/runtime/create-flow.ts';
import { openScreen } from '../engine/runtime/open-screen.ts';
import { StepBar } from '../engine/react/flow/step-bar.tsx';
import { runModule } from './interpret.ts';
import { pluginsOf } from './plugins.ts';
import { baseLanguage, t } from './sentences.ts';

/** What a flow asked of the page around it, in its order. */
export interface Asked {
  readonly operation: string;
  readonly body: unknown;
}

/** Runs the first flow of a set. Every operation succeeds with what was sent to it; `note` hears of each. Throws where there is no flow. */
export function runFlow(definitions: Definitions, note: (asked: Asked) => void): RunningFlow {
  const [flow] = Object.values(definitions.flows);
  if (!flow) throw new Error('There is no flow: add flows/main.json.');
  const { screens } = definitions.manifest(baseLanguage);
  const kept = new Map<string, Values>();
  return createFlow(flow as Flow, {
    loadScreen: async (id) => {
      const url = screens[id]?.url;
      const module = await runModule(definitions.modules.find((own) => own.url === url)?.source ?? '');
      return openScreen(module, pluginsOf(module.screen));
    },
    invoke: async (operation, { body = {} }) => {
      note({ operation, body });
      return { ok: true, result: body };
    },
    t,
    recall: (id) => kept.get(id) ?? {},
    remember: (id, values) => void kept.set(id, values),
    navigate: () => undefined,
    leave: (address) => note({ operation: 'leave', body: String(address) }),
    stepBar: StepBar,
  });
}
