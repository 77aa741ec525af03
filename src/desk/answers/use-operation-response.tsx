import type { OperationFailure, OperationResult } from '../../engine/core/operation-result.ts';
import { LoadError } from '../../engine/react/flow/load-error.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { usePortal } from '../../portal/portal-context.ts';
import { deskPagePaths, pagePaths } from '../../contract/page-paths.ts';
import { PortalLink } from '../../portal/shell/portal-link.tsx';
import { useDocumentTitle } from '../../portal/shell/use-document-title.ts';
import { getDeskText } from '../desk-texts.ts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { OperationName } from '../../contract/contract.ts';
import { BlockLayout } from '../../portal/shell/block-layout.tsx';
import { readEventStream } from '../../contract/event-stream.ts';
import type { Portal } from '../../portal/portal.ts';

/** Pause before an ended stream is reopened, in milliseconds. */
const reopenDelayMs = 2_000;
const reloadIntervalMs = 60_000;

export function useDeskEvents(onChange: () => void): void {
  const portal = usePortal();
  useEffect(() => {
    const ended = new AbortController();
    const anyway = setInterval(onChange, reloadIntervalMs);
    followEvents(portal, onChange, ended.signal).catch(() => undefined); // ignores a failure of the stream, because the periodic reload replaces the stream
    return () => {
      clearInterval(anyway);
      ended.abort();
    };
  }, [portal, onChange]);
}

/**
 * Reads the event stream until `signal` aborts. Reopens an ended stream, with doubling pauses while the server refuses.
 */
async function followEvents(portal: Portal, onChange: () => void, signal: AbortSignal): Promise<void> {
  const { hosts } = portal.config;
  let pauseMs = reopenDelayMs;
  while (!signal.aborted) {
    const { session } = await portal.loadCitizen();
    const options = { hosts, language: portal.page.language, token: () => session.token ?? null };
    let isFirst = true; // ignores the first event, which is the current state
    const onEvent = (): void => {
      if (!isFirst) onChange();
      isFirst = false;
    };
    const { status } = await readEventStream(options, 'watchDesk', {}, onEvent, signal);
    pauseMs = status === 200 ? reopenDelayMs : Math.min(reloadIntervalMs, 2 * pauseMs);
    await new Promise((wake) => setTimeout(wake, pauseMs));
    if (!signal.aborted) onChange(); // reloads, because events may have been missed during the pause
  }
}

export function ResponseLoadStatus({ answer, failure }: Pick<OperationResponseState<unknown>, 'answer' | 'failure'>) {
  const { t } = usePortal();
  if (failure !== null) return <FailureMessage failure={failure} />;
  return answer === null ? <LoadingPlaceholder text={t('loading')} /> : null;
}

function FailureMessage({ failure }: { failure: OperationFailure }) {
  return failure.status === 404 ? <DeskNotFoundPage /> : <LoadError text={failure.error} />;
}

export function DeskNotFoundPage() {
  const title = getDeskText('nothing.title');
  useDocumentTitle(title);
  return (
    <BlockLayout id="desk-nothing" title={title}>
      <p>{getDeskText('nothing')}</p>
      <div className="screen-actions">
        <PortalLink to={deskPagePaths.day} className="button button-primary">
          {getDeskText('call.day')}
        </PortalLink>
      </div>
    </BlockLayout>
  );
}

interface OperationResponseState<Result> {
  /** Response of the operation. `null` until it has loaded. */
  readonly answer: Result | null;
  /**
   * Failure of the first load. `null` while loading and after a success. A failed reload keeps the previous response
   * and sets no failure.
   */
  readonly failure: OperationFailure | null;
  /** Reloads the response. Keeps the previous response until the new one has loaded. */
  readonly reload: () => void;
}

export function useOperationResponse<Result>(
  name: OperationName,
  params: Readonly<Record<string, string>> = {},
): OperationResponseState<Result> {
  const portal = usePortal();
  const key = JSON.stringify(params);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<{ key: string; answer: OperationResult } | null>(null);
  useEffect(() => {
    let current = true;
    void portal.flows.invoke(name, { params: JSON.parse(key) as Record<string, string> }).then((answer) => {
      if (current)
        setFound((before) => (!answer.ok && before?.key === key && before.answer.ok ? before : { key, answer }));
    });
    return () => void (current = false);
  }, [portal, name, key, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const shown = found?.key === key ? found.answer : null;
  return useMemo(
    () => ({
      answer: shown?.ok ? (shown.result as Result) : null, // the result is untyped; the server serializes it with the operation's response schema
      failure: shown?.ok === false ? shown.failure : null,
      reload,
    }),
    [shown, reload],
  );
}

export function PasskeyRequiredPage({ text }: { text: string }) {
  const { config } = usePortal();
  const title = getDeskText('passkey.title');
  useDocumentTitle(title);
  return (
    <BlockLayout id="desk-passkey" title={title}>
      <p>{text}</p>
      <div className="screen-actions">
        <a href={pagePaths.logout} className="button button-primary">
          {getDeskText('passkey.exit')}
        </a>
        {config.agentsHost === '' && (
          <a href={pagePaths.passkeys} className="button">
            {getDeskText('passkey.account')}
          </a>
        )}
      </div>
    </BlockLayout>
  );
}
