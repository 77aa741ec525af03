import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { buildHref } from '../../contract/build-href.ts';
import { renderLogicTemplate } from '../../engine/core/json-logic.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { OperationResponseState } from '../../engine/react/widget.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from './use-flow-runner.ts';

const waiting: OperationResponseState = { state: 'loading' };

/** Redirects to the error page after a failure (section 8.1 of the specification), to `unknown` after a 404. */
export function useBlockData(
  runner: FlowRunner,
  unknown: string = buildErrorPath('NOT_FOUND_ERROR'),
): OperationResponseState {
  const portal = usePortal();
  const state = useFlowState(runner);
  const { operation = '', params: templates } = state?.view?.state.source ?? {};
  const context = state?.context;
  const params = useMemo(() => {
    const filled = Object.entries(templates ?? {}).map(([name, template]) => [
      name,
      String(renderLogicTemplate(template, { context }) ?? ''),
    ]);
    return Object.fromEntries(filled) as Readonly<Record<string, string>>; // `Object.fromEntries` returns `any` for these entries
  }, [templates, context]);
  const subscribe = useCallback(
    (listener: () => void) => portal.sources.subscribe(operation, params, listener),
    [portal, operation, params],
  );
  const read = () => (operation === '' ? waiting : portal.sources.get(operation, params));
  const source = useSyncExternalStore(subscribe, read, read);
  const status = source.state === 'failed' ? source.status : null;
  useEffect(() => {
    if (status === null) return;
    if (status >= 400)
      portal.navigation.leave(status === 404 ? unknown : buildErrorPath('SERVER_ERROR'), { replace: true });
    return () => portal.sources.discardFailed(operation, params);
  }, [portal, status, unknown, operation, params]);
  return source;
}

function buildErrorPath(errorCode: string): string {
  return buildHref(pagePaths.error, { errorCode });
}
