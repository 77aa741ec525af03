import type { State } from '../core/definition.ts';
import type { Values } from '../core/json.ts';
import type { LoadedScreen } from './flow-services.ts';
import type { FlowState, View } from './flow-state.ts';

/** What is shown, and the way to show something else. */
interface Shown {
  readonly state: () => FlowState;
  readonly load: (state: State) => Promise<LoadedScreen | null | undefined>;
  /** What rules see beside the form. */
  readonly context: () => Values;
  readonly set: (change: Partial<FlowState>) => void;
}

/** Draws what is shown from its screens as they are now. */
export type Redraw = (shown: Shown) => Promise<void>;

/** Draws what is shown from its screens as they are now, in another language; what was typed stays. */
export const redraw: Redraw = async ({ state, load, context, set }) => {
  const { view, below, notice } = state();
  const [shown, under] = await Promise.all(
    [view, below].map(async (old) => (old?.screen ? { old, screen: await load(old.state) } : null)),
  );
  const drawn = (from: typeof shown): View | null =>
    from?.screen
      ? {
          ...from.old,
          screen: from.screen,
          draft: from.screen.open(from.old.draft?.values ?? {}, context()),
          direction: 'none',
        }
      : null;
  if (state().view !== view) return; // another state has taken over
  const noticesOf = (screen: LoadedScreen | null | undefined) => screen?.validator.screen.ui.notices ?? {};
  const name = Object.entries(noticesOf(view?.screen)).find(([, known]) => known === notice)?.[0];
  set({
    view: drawn(shown) ?? view,
    below: drawn(under) ?? below,
    notice: noticesOf(shown?.screen)[name ?? ''] ?? notice,
  });
};
