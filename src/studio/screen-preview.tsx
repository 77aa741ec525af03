import { useEffect, useState, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { ValuesByName } from '../engine/core/json.ts';
import type { FormModel } from '../engine/runtime/form/form-model.ts';
import type { LoadedScreen } from '../engine/runtime/flow-services.ts';
import type { ReviewedAnswers } from '../engine/runtime/reviewed-answers.ts';
import { loadScreen } from '../portal/navigation/load-screen.ts';
import { readPageData } from '../portal/navigation/read-page-data.ts';
import { PortalProviders } from '../portal/portal-providers.tsx';
import { Portal } from '../portal/portal.ts';
import { loadPortalTexts } from '../portal/portal-texts.ts';
import { MarkdownContent } from '../portal/shell/markdown.tsx';
import { ThemedScreen } from '../portal/shell/themed-screen.tsx';
import {
  type DevPageData,
  type PreviewCommand,
  type EarlierStepCase,
  type DrawHelpPageCommand,
  type DisplayPreferences,
  fileChangeEvent,
} from './dev-page-data.ts';
import { t } from './texts.ts';
import { listenToFrameMessages, postFrameMessage } from './scenario/frame-messages.ts';

export async function createEmbeddedPortal(): Promise<Portal> {
  const page = readPageData();
  return new Portal(page, await loadPortalTexts(page.language));
}

interface DrawingProps {
  readonly portal: Portal;
  readonly screen: LoadedScreen;
  readonly form: FormModel | null;
  readonly context: ValuesByName;
  readonly answers?: ReviewedAnswers;
}

export async function loadScreenDrawing(drawing: Extract<DevPageData, { view: 'drawing' }>) {
  const { screen: name, data, context, submit, reviewed } = drawing;
  const portal = await createEmbeddedPortal();
  const screen = await loadScreen(portal.page.manifest.screens[name]?.url ?? '');
  const form = screen.open(data, context);
  if (submit) form?.submit();
  const answers = await openReviewedAnswers(portal, reviewed);
  return <Drawing portal={portal} screen={screen} form={form} context={context} answers={answers} />;
}

async function openReviewedAnswers(portal: Portal, cases: readonly EarlierStepCase[]): Promise<ReviewedAnswers> {
  const { manifest, language } = portal.page;
  const steps = cases.map(async ({ screen: id, titles, data, context }) => {
    const screen = await loadScreen(manifest.screens[id]?.url ?? '');
    const values = screen.open(data, context)?.visibleValues ?? {};
    return { state: id, title: titles[language] ?? '', screen, values };
  });
  return { steps: await Promise.all(steps), change: () => undefined };
}

export async function loadPreviewPage() {
  return <Preview portal={await createEmbeddedPortal()} />;
}

function Preview({ portal }: { portal: Portal }) {
  const [drawn, setDrawn] = useState<(Omit<DrawingProps, 'portal'> & { turn: number }) | DrawHelpPageCommand>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    let turn = 0;
    let now: DisplayPreferences | undefined;
    const look = (): void => now && applyPreferences(now);
    const styles = new MutationObserver(look); // observes style elements too, because widgets may add their own
    styles.observe(document.head, { childList: true });
    const runCommand = async (command: PreviewCommand): Promise<void> => {
      now = command.sight;
      look();
      turn += 1;
      const own = turn;
      if ('markdown' in command) {
        setDrawn(command);
        return;
      }
      const { url, data, context, submit } = command;
      try {
        const screen = await loadScreen(url);
        if (own !== turn) return; // discards the result, because a newer request has replaced this one
        const form = screen.open(data, context);
        if (submit) form?.submit();
        setDrawn({ screen, form, context, turn });
        setFailure('');
      } catch (error) {
        setFailure(String(error)); // shows the error, for example of a plugin that fails to load
      }
    };
    const studio = (window.opener ?? window.parent) as Window; // the window that opened this page, or the parent of its frame: always a page of the studio
    const stop = listenToFrameMessages<PreviewCommand>(
      () => studio,
      (order) => void runCommand(order),
    );
    const preventNavigation = (event: Event): void => event.preventDefault(); // prevents a reload, because the parent page reloads the definitions and sends a new request
    addEventListener(fileChangeEvent, preventNavigation);
    postFrameMessage(studio, { kind: 'ready' });
    return () => {
      stop();
      styles.disconnect();
      removeEventListener(fileChangeEvent, preventNavigation);
    };
  }, []);
  if (failure !== '') return <p role="alert">{t('undrawn', { detail: failure })}</p>;
  if (!drawn) return null;
  if (!('markdown' in drawn)) return <Drawing key={drawn.turn} portal={portal} {...drawn} />;
  return (
    <StaticPortalProviders portal={portal}>
      <article className="content">
        <h1>{drawn.title}</h1>
        <MarkdownContent>{drawn.markdown}</MarkdownContent>
      </article>
    </StaticPortalProviders>
  );
}

/** Operations stay pending. Otherwise the captcha of each preview would compute its proof of work. */
const engine = { load: () => new Promise<never>(() => undefined) };

interface StaticProvidersProps {
  readonly portal: Portal;
  readonly inert?: boolean;
  readonly children: ReactNode;
}

export function StaticPortalProviders({ portal, inert, children }: StaticProvidersProps) {
  return (
    <PortalProviders portal={portal} engine={engine}>
      <MemoryRouter>
        <main inert={inert}>{children}</main>
      </MemoryRouter>
    </PortalProviders>
  );
}

// Screen of the preview. In a frame, the screen is inert until it is rendered, so that its error summary does not take
// the focus from the gallery's filters.
function Drawing({ portal, screen, form, context, answers }: DrawingProps) {
  const [quiet, setQuiet] = useState(window.frameElement !== null);
  useEffect(() => {
    const frame = window.frameElement as HTMLIFrameElement | null; // cast instead of `instanceof`, which fails for an element of the parent page
    if (!frame) return undefined;
    const observer = new ResizeObserver(() => {
      frame.style.height = `${document.body.offsetHeight}px`;
      setQuiet(false);
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return (
    <StaticPortalProviders portal={portal} inert={quiet}>
      <ThemedScreen
        screen={screen}
        form={form}
        context={context}
        facts={{ ...portal.flows.facts(), ...context }}
        notice={null}
        busy={false}
        direction="none"
        answers={answers}
        onEvent={(event) => event === 'submit' && form?.submit()}
        onDismiss={() => undefined}
      />
    </StaticPortalProviders>
  );
}

const preference = /\(prefers-color-scheme:\s*(dark|light)\)/g;

const originalConditions = new WeakMap<CSSMediaRule, string>();

/** Rewrites the conditions of media rules, because scripts cannot override media features. */
function applyPreferences({ dark, large }: DisplayPreferences): void {
  const { style } = document.documentElement;
  style.colorScheme = dark ? 'dark' : 'light';
  style.fontSize = large ? '200%' : '';
  const preferred = dark ? 'dark' : 'light';
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  for (const rule of rules.filter((one) => one instanceof CSSMediaRule)) {
    const own = originalConditions.get(rule) ?? rule.media.mediaText;
    originalConditions.set(rule, own);
    const now = own.replaceAll(preference, (_, scheme) =>
      scheme === preferred ? '(min-width: 0px)' : '(max-width: 0px)',
    );
    if (rule.media.mediaText !== now) rule.media.mediaText = now;
  }
}
