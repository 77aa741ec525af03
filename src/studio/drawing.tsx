import { useEffect, useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { Values } from '../engine/core/json.ts';
import type { FormModel } from '../engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../engine/runtime/flow-services.ts';
import { loadScreen } from '../portal/navigation/load-screen.ts';
import { readPage } from '../portal/navigation/page.ts';
import { PortalProviders } from '../portal/portal-providers.tsx';
import { Portal } from '../portal/portal.ts';
import { loadTexts } from '../portal/texts.ts';
import { ThemedScreen } from '../portal/shell/themed-screen.tsx';
import type { DevData, DrawOrder } from './dev-data.ts';
import { changedEvent } from './drawn-at.ts';
import { drawFor, type Sight } from './sight.ts';
import { t } from './texts.ts';
import { hear, tell } from './walk/walk-messages.ts';

interface DrawingProps {
  readonly portal: Portal;
  readonly screen: LoadedScreen;
  readonly draft: FormModel | null;
  readonly context: Values;
}

/** Loads a screen and opens its form with the values of a fixture; a form that it expects to be refused has been submitted. */
export async function openDrawing({ screen: name, data, context, submit }: Extract<DevData, { view: 'drawing' }>) {
  const page = readPage();
  const portal = new Portal(page, await loadTexts(page.language));
  const screen = await loadScreen(portal.page.manifest.screens[name]?.url ?? '');
  const draft = screen.open(data, context);
  if (submit) draft?.submit();
  return <Drawing portal={portal} screen={screen} draft={draft} context={context} />;
}

/** Opens a page that draws what the page around it asks for, one screen after the other, without being loaded again. */
export async function openPreview() {
  const page = readPage();
  return <Preview portal={new Portal(page, await loadTexts(page.language))} />;
}

function Preview({ portal }: { portal: Portal }) {
  const [drawn, setDrawn] = useState<Omit<DrawingProps, 'portal'> & { turn: number }>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    let turn = 0;
    let now: Sight | undefined;
    const look = (): void => now && drawFor(now);
    const styles = new MutationObserver(look); // a widget may bring some of its own
    styles.observe(document.head, { childList: true });
    const obey = async ({ url, data, context, submit, sight }: DrawOrder): Promise<void> => {
      now = sight;
      look();
      turn += 1;
      const own = turn;
      try {
        const screen = await loadScreen(url);
        if (own !== turn) return; // what was asked for later is drawn
        const draft = screen.open(data, context);
        if (submit) draft?.submit();
        setDrawn({ screen, draft, context, turn });
        setFailure('');
      } catch (error) {
        setFailure(String(error)); // e.g. of a plugin that does not load
      }
    };
    const studio = (window.opener ?? window.parent) as Window; // in a window of its own, or in a frame
    const stop = hear<DrawOrder>(
      () => studio,
      (order) => void obey(order),
    );
    const stay = (event: Event): void => event.preventDefault(); // the page around it hears of the change, and asks
    addEventListener(changedEvent, stay);
    tell(studio, { kind: 'ready' });
    return () => {
      stop();
      styles.disconnect();
      removeEventListener(changedEvent, stay);
    };
  }, []);
  if (failure !== '') return <p role="alert">{t('undrawn', { detail: failure })}</p>;
  return drawn ? <Drawing key={drawn.turn} portal={portal} {...drawn} /> : null;
}

/** An operation that never answers. */
const engine = { load: () => new Promise<never>(() => undefined) };

// Links lead nowhere and no operation is made: a captcha would cost each of a hundred drawings its proof of work. In a frame the
// screen takes no focus while it is drawn: an error summary that asks for it must not take it from the filters.
function Drawing({ portal, screen, draft, context }: DrawingProps) {
  const [quiet, setQuiet] = useState(window.frameElement !== null);
  useEffect(() => fitFrame(() => setQuiet(false)), []);
  return (
    <PortalProviders portal={portal} engine={engine}>
      <MemoryRouter>
        <main inert={quiet}>
          <ThemedScreen
            screen={screen}
            draft={draft}
            context={context}
            facts={{ ...portal.flows.facts(), ...context }}
            notice={null}
            busy={false}
            direction="none"
            onEvent={(event) => event === 'submit' && draft?.submit()}
            onDismiss={() => undefined}
          />
        </main>
      </MemoryRouter>
    </PortalProviders>
  );
}

/** Makes the frame of the gallery as high as what it holds, and tells that it is drawn; answers the way to stop. */
function fitFrame(onDrawn: () => void): () => void {
  const frame = window.frameElement as HTMLIFrameElement | null; // of the gallery's page: no instance of this one's classes
  if (!frame) return () => undefined;
  const observer = new ResizeObserver(() => {
    frame.style.height = `${document.body.offsetHeight}px`;
    onDrawn();
  });
  observer.observe(document.body);
  return () => observer.disconnect();
}
