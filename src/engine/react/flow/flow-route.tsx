import { Suspense, useEffect, useId, useRef, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { ValuesByName } from '../../core/json.ts';
import type { PageRoute } from '../../core/definitions-manifest.ts';
import { Dialog } from './dialog.tsx';
import { useEngine } from '../engine-context.ts';
import { LoadError } from './load-error.tsx';
import type { FlowRunner } from '../../runtime/flow-runner.ts';
import type { FlowView } from '../../runtime/flow-state.ts';
import type { FlowServices } from '../../runtime/flow-services.ts';
import type { ScreenProps } from './screen-view.tsx';
import { LoadingPlaceholder } from './loading-placeholder.tsx';

export interface FlowBlockProps {
  readonly runner: FlowRunner;
}

/** Current location of the router. A new object after each navigation. */
export interface RouterLocation {
  /** Query string with its question mark. Empty if there is no query. */
  readonly search: string;
  readonly history: unknown;
  /** Whether the navigation pushed a history entry, e.g. by a link. */
  readonly pushed: boolean;
}

export interface FlowRouteProps {
  /** Route of the current URL. The object must be stable until the URL changes. */
  readonly route: Pick<PageRoute, 'state'>;
  readonly address: RouterLocation;
  /** Parameters of the path. The object must be stable until the URL changes. */
  readonly params?: ValuesByName;
  readonly runner: FlowRunner;
  readonly services: Pick<FlowServices, 'facts'>;
  readonly blocks: Readonly<Record<string, ComponentType<FlowBlockProps>>>;
  /** Component that renders screens. Load it lazily, because it imports rjsf and Fluent, which pages with only blocks do not need. */
  readonly Screen: ComponentType<ScreenProps>;
}

export function FlowRoute({ route, address, params, runner, services, blocks, Screen }: FlowRouteProps) {
  const engine = useEngine();
  const { view, viewBelowModal, notice, busy, arriving, failed, context } = useSyncExternalStore(
    runner.subscribe,
    () => runner.state,
  );
  useEffect(() => {
    void runner.arrive({ state: route.state, params, ...address });
  }, [runner, route, params, address]);
  const dialogTitle = useId();
  useFocusAfterDialog(view, viewBelowModal);
  if (failed)
    return <LoadError text={runner.unreached ? engine.t('offline') : undefined} retry={() => runner.retry()} />;
  const waiting = <LoadingPlaceholder text={engine.t(view ? 'busy' : 'loading')} />;
  if (arriving) return waiting;
  const opened = viewBelowModal !== null || view?.state.modal === true;
  const renderView = (shown: FlowView | null, on: boolean, dialog = false): ReactNode => {
    if (shown?.pending) return waiting;
    const Block = shown?.state.block === undefined ? undefined : blocks[shown.state.block];
    if (Block)
      return (
        <Suspense fallback={waiting}>
          <Block runner={runner} />
        </Suspense>
      );
    if (!shown?.screen) return waiting;
    return (
      <Suspense fallback={waiting}>
        <Screen
          key={shown.name + shown.screen.validator.screen.version}
          screen={shown.screen}
          form={shown.form}
          context={context}
          facts={services.facts()}
          notice={on ? notice : null}
          titleId={dialog ? dialogTitle : undefined}
          titled={!dialog || viewBelowModal === null}
          busy={on && busy}
          direction={shown.direction}
          bar={runner.steps?.buildBar(shown)}
          answers={runner.steps?.review(shown)}
          onEvent={(event) => void runner.raise(event)}
          onDismiss={() => runner.dismiss()}
        />
      </Suspense>
    );
  };
  return (
    <>
      {opened ? viewBelowModal && renderView(viewBelowModal, false) : renderView(view, true)}
      {opened && (
        <Dialog labelledBy={dialogTitle} onClose={() => void runner.raise('back')}>
          {renderView(view, true, true)}
        </Dialog>
      )}
    </>
  );
}

/** If the flow moves on after a dialog, or the opener is gone, focuses the heading. Otherwise the browser has focused the opener. */
function useFocusAfterDialog(view: FlowView | null, below: FlowView | null): void {
  const covered = useRef<FlowView | null>(null);
  useEffect(() => {
    const before = covered.current;
    covered.current = below;
    if (before === null || below !== null || view === null) return;
    if (view === before && document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading) return;
    heading.tabIndex = -1; // focusable by script, but not with Tab
    heading.focus();
  }, [view, below]);
}
