import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { deskPages, pages } from '../contract/pages.ts';
import { href } from '../contract/href.ts';
import type { Answer } from '../contract/contract.ts';
import { fluentPage } from '../engine/fluent/fluent-page.tsx';
import { Failed } from '../engine/react/flow/failed.tsx';
import { Waiting } from '../engine/react/flow/waiting.tsx';
import { Frame, RouteFlow, useRouteRunner } from '../portal/frame.tsx';
import type { Portal } from '../portal/portal.ts';
import { readNonce } from '../portal/navigation/page.ts';
import { usePortal } from '../portal/portal-context.ts';
import { blocks } from './block-list.ts';
import { DeskShell } from './desk-shell.tsx';
import { deskText } from './texts.ts';

const FluentPage = fluentPage(readNonce());

/** The agents' side: the engine with flows and blocks of its own. */
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
  const [desk, setDesk] = useState<Answer<'getDesk'> | 'failed' | null>(null);
  useEffect(() => {
    void open(portal).then(setDesk);
  }, [portal]);
  return (
    <DeskShell desk={typeof desk === 'string' ? null : desk}>
      {desk === 'failed' && <Failed text={portal.t('offline')} />}
      {desk === null && <Waiting text={portal.t('loading')} />}
      {desk !== null && desk !== 'failed' && <Place key={pathname} />}
    </DeskShell>
  );
}

/** Who sits here; whose session has ended goes to the sign-in of agents, which leads back. */
async function open(portal: Portal): Promise<Answer<'getDesk'> | 'failed' | null> {
  try {
    const store = await portal.citizen();
    if (!store.session.authenticated) {
      portal.navigation.leave(href(pages.login, { agnt: '1', redirectUrl: deskPages.day }));
      return null;
    }
    return (await portal.engine.load('getDesk')) as Answer<'getDesk'>; // the server serializes by the answer's schema
  } catch {
    return 'failed';
  }
}

function Place() {
  const portal = usePortal();
  const route = portal.definitions.routeAt(useLocation().pathname);
  const runner = useRouteRunner(route);
  return route ? <RouteFlow route={route} runner={runner} blocks={blocks} /> : <p>{deskText('nothing')}</p>;
}
