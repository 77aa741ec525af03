import type { State } from '../core/definition.ts';
import type { LoadedScreen } from './flow-services.ts';
import type { View } from './flow-state.ts';
import { keepEarlier } from '../core/earlier-answers.ts';
import type { FlowStore } from './flow-store.ts';

export type Redraw = (
  store: FlowStore,
  load: (state: State) => Promise<LoadedScreen | null | undefined>,
) => Promise<void>;

/** Re-renders the view, and the view below a dialog, with reloaded screens in another language. Keeps the input. */
export const redraw: Redraw = async (store, load) => {
  const { view, below, notice } = store.state;
  const [shown, under] = await Promise.all(
    [view, below].map(async (old) => (old?.screen ? { old, screen: await load(old.state) } : null)),
  );
  const drawn = (from: typeof shown): View | null =>
    from?.screen
      ? {
          ...from.old,
          screen: from.screen,
          draft: from.screen.open(
            from.old.draft?.values ?? {},
            keepEarlier(from.old.draft?.context, store.ruleContext()),
          ),
          direction: 'none',
        }
      : null;
  if (store.state.view !== view) return; // superseded by another view
  const listNotices = (screen: LoadedScreen | null | undefined) => screen?.validator.screen.ui.notices ?? {};
  const name = Object.entries(listNotices(view?.screen)).find(([, known]) => known === notice)?.[0];
  store.set({
    view: drawn(shown) ?? view,
    below: drawn(under) ?? below,
    notice: listNotices(shown?.screen)[name ?? ''] ?? notice,
  });
};
