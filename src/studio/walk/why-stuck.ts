import type { Logic, Ui } from '../../engine/core/definition.ts';
import type { Values } from '../../engine/core/json.ts';
import { holds } from '../../engine/core/logic.ts';

export type Stuck =
  | { readonly kind: 'left'; readonly to: string }
  /** All buttons and links are hidden. */
  | { readonly kind: 'hidden'; readonly parts: readonly { readonly text: string; readonly visible: Logic }[] }
  /** The screen has no buttons or links. */
  | { readonly kind: 'bare' };

interface Stand {
  /** `null` if there is no screen. */
  readonly ui: Ui | null;
  /** Address outside the flow. Empty if the flow continues. */
  readonly left: string;
  /** Facts that rules read. */
  readonly scope: Values;
}

/** Returns `null` if something can be pressed, or if the state shows a block. */
export function whyStuck({ ui, left, scope }: Stand): Stuck | null {
  if (left !== '') return { kind: 'left', to: left };
  if (!ui) return null;
  const parts = [...(ui.actions ?? []), ...(ui.links ?? [])];
  if (parts.some(({ visible }) => holds(visible, scope))) return null;
  const hidden = parts.flatMap(({ text, visible }) => (visible === undefined ? [] : [{ text, visible }]));
  return hidden.length === 0 ? { kind: 'bare' } : { kind: 'hidden', parts: hidden };
}
