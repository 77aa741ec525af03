import type { Logic, Ui } from '../../engine/core/definition.ts';
import type { Values } from '../../engine/core/json.ts';
import { holds } from '../../engine/core/logic.ts';

/** Why nothing can be pressed where a walk stands. */
export type Stuck =
  /** The flow was left. */
  | { readonly kind: 'left'; readonly to: string }
  /** Nothing of what could be pressed is shown. */
  | { readonly kind: 'hidden'; readonly parts: readonly { readonly text: string; readonly visible: Logic }[] }
  /** The screen has neither buttons nor links. */
  | { readonly kind: 'bare' };

interface Stand {
  /** Null: no screen is drawn. */
  readonly ui: Ui | null;
  /** The address that the flow left for; empty: it goes on. */
  readonly left: string;
  /** What rules read there. */
  readonly scope: Values;
}

/** Null where something can be pressed, or where what is drawn is no screen of ours. */
export function whyStuck({ ui, left, scope }: Stand): Stuck | null {
  if (left !== '') return { kind: 'left', to: left };
  if (!ui) return null;
  const parts = [...(ui.actions ?? []), ...(ui.links ?? [])];
  if (parts.some(({ visible }) => holds(visible, scope))) return null;
  const hidden = parts.flatMap(({ text, visible }) => (visible === undefined ? [] : [{ text, visible }]));
  return hidden.length === 0 ? { kind: 'bare' } : { kind: 'hidden', parts: hidden };
}
