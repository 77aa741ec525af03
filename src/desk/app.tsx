import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { deskPages, pages } from '../contract/pages.ts';
import { href } from '../contract/href.ts';
import type { Answer } from '../contract/contract.ts';
import type { OperationFailure, OperationResult } from '../engine/core/operation.ts';
import { fluentPage } from '../engine/fluent/fluent-page.tsx';
import { Frame, RouteFlow, useRouteRunner } from '../portal/frame.tsx';
import type { Portal } from '../portal/portal.ts';
import { readNonce } from '../portal/navigation/page.ts';
import { usePortal } from '../portal/portal-context.ts';
import { AnswerHint } from './answers/answer-hint.tsx';
import { PasskeyNeeded } from './answers/passkey-needed.tsx';
import { Nothing } from './answers/nothing.tsx';
import { blocks } from './block-list.ts';
import { ConfirmAct } from './confirm/confirm-act.tsx';
import { DeskShell } from './desk-shell.tsx';

const FluentPage = fluentPage(readNonce());

type Opened = OperationResult<Answer<'getDesk'>>;

export function DeskApp({ portal }: { portal: Portal }) {
  return (
    <FluentPage>
      <Frame portal={portal}>
        <Desk />
      </Frame>
    </FluentPage>
  );
}

function Desk() {
  const portal = usePortal();
  const { pathname } = useLocation();
  const [desk, setDesk] = useState<Opened | null>(null);
  useEffect(() => {
    void open(portal).then(setDesk);
  }, [portal]);
  return (
    <DeskShell desk={desk?.ok ? desk.result : null}>
      {desk?.ok ? <Place key={pathname} /> : <NoDesk failure={desk?.failure ?? null} />}
      <ConfirmAct />
    </DeskShell>
  );
}

function NoDesk({ failure }: { failure: OperationFailure | null }) {
  return failure?.code === 'ingreso_sin_llave' ? (
    <PasskeyNeeded text={failure.error} />
  ) : (
    <AnswerHint answer={null} failure={failure} />
  );
}

/** Loads the agent's permissions. Without a session, redirects to the agents' sign-in. */
async function open(portal: Portal): Promise<Opened | null> {
  try {
    const store = await portal.citizen();
    if (!store.session.authenticated) {
      portal.navigation.leave(href(pages.login, { agnt: '1', redirectUrl: deskPages.day }));
      return null;
    }
    return (await portal.flows.invoke('getDesk', {})) as Opened; // serialized by the server with the response schema
  } catch {
    return { ok: false, failure: { status: 0, error: portal.t('offline'), errors: {}, outdated: false } };
  }
}

function Place() {
  const portal = usePortal();
  const route = portal.definitions.routeAt(useLocation().pathname);
  const runner = useRouteRunner(route);
  return route ? <RouteFlow route={route} runner={runner} blocks={blocks} /> : <Nothing />;
}
