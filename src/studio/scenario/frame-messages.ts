import type { OperationResult } from '../../engine/core/operation-result.ts';
import type { PreviewCommand } from '../dev-page-data.ts';
import type { SimulatedOperation, ScenarioReplay } from './replay.ts';
import type { Scenario, ScenarioStep } from './scenario.ts';
import type { JsonLogic, ScreenUi } from '../../engine/core/flow-and-screen-types.ts';
import { isObject, type ValuesByName } from '../../engine/core/json.ts';
import { isRuleTrue } from '../../engine/core/json-logic.ts';

export interface ScenarioReport extends Omit<ScenarioReplay, 'runner'> {
  /** Screen that the state shows. `null` if it shows a block or nothing. */
  readonly screen: string | null;
  readonly events: readonly string[];
  readonly stuck: ScenarioStopReason | null;
}

export type ScenarioFrameCommand =
  | { readonly kind: 'walk'; readonly turn: number; readonly walk: Scenario }
  | { readonly kind: 'raise'; readonly event: string }
  | { readonly kind: 'fill'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'ask'; readonly operation: SimulatedOperation }
  | { readonly kind: 'check' | 'cover'; readonly walks: readonly Scenario[] };

export type ScenarioFrameEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly turn: number; readonly report: ScenarioReport }
  | { readonly kind: 'step'; readonly step: ScenarioStep }
  | { readonly kind: 'answered'; readonly result: OperationResult }
  | { readonly kind: 'checked'; readonly broken: readonly string[] }
  | { readonly kind: 'covered'; readonly taken: readonly string[] };

type FrameMessage = ScenarioFrameCommand | ScenarioFrameEvent | PreviewCommand;

export function postFrameMessage(to: Window, message: FrameMessage): void {
  to.postMessage(message, location.origin);
}

export function listenToFrameMessages<Message extends FrameMessage>(
  from: () => Window | null | undefined,
  listener: (message: Message) => void,
): () => void {
  const hears = ({ origin, source, data }: MessageEvent): void => {
    // Accepts only objects: pages of the studio send objects from this origin, tools such as axe send texts.
    if (origin === location.origin && source === from() && isObject(data)) listener(data as Message);
  };
  addEventListener('message', hears);
  return () => removeEventListener('message', hears);
}

export type ScenarioStopReason =
  | { readonly kind: 'left'; readonly to: string }
  | { readonly kind: 'hidden'; readonly parts: readonly { readonly text: string; readonly visible: JsonLogic }[] }
  | { readonly kind: 'bare' };

/** Returns `null` if the citizen can continue. `left` is the URL outside the flow, or empty. */
export function explainScenarioStop(ui: ScreenUi | null, left: string, scope: ValuesByName): ScenarioStopReason | null {
  if (left !== '') return { kind: 'left', to: left };
  if (!ui) return null;
  const parts = [...(ui.actions ?? []), ...(ui.links ?? [])];
  if (parts.some(({ visible }) => isRuleTrue(visible, scope))) return null;
  const hidden = parts.flatMap(({ text, visible }) => (visible === undefined ? [] : [{ text, visible }]));
  return hidden.length === 0 ? { kind: 'bare' } : { kind: 'hidden', parts: hidden };
}
