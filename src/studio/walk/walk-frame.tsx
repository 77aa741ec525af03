import { useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { MemoryRouter } from 'react-router-dom';
import type { Flow } from '../../engine/core/definition.ts';
import type { Values } from '../../engine/core/json.ts';
import type { FormModel } from '../../engine/runtime/form/form-model.ts';
import { loadSteps } from '../../portal/navigation/load-screen.ts';
import { readPage } from '../../portal/navigation/page.ts';
import { PortalProviders } from '../../portal/portal-providers.tsx';
import { Portal } from '../../portal/portal.ts';
import { ThemedScreen } from '../../portal/shell/themed-screen.tsx';
import { loadTexts } from '../../portal/texts.ts';
import type { DevData } from '../dev-data.ts';
import { t } from '../texts.ts';
import { replay, type Replay, type ReplayParts } from './replay.ts';
import type { WalkStep } from './walk.ts';
import { hear, tell, type WalkNews, type WalkOrder, type WalkReport } from './walk-messages.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { whyStuck } from './why-stuck.ts';

/** Loads a flow; its walks come from the page around this one, which hears of each step. */
export async function openWalk({ flow: id }: Extract<DevData, { view: 'walk' }>) {
  const page = readPage();
  const portal = new Portal(page, await loadTexts(page.language));
  const { flow } = (await import(/* @vite-ignore */ page.manifest.flows[id] ?? '')) as { flow: Flow }; // written by the compiler
  const { save: _, ...unsaved } = flow; // a walk leaves nothing behind
  const parts: ReplayParts = {
    loadScreen: (screen) => portal.definitions.loadScreen(screen),
    openSteps: flow.progress && (await loadSteps(unsaved, portal.flows)),
  };
  return <WalkFrame portal={portal} flow={unsaved} parts={parts} />;
}

interface WalkFrameProps {
  readonly portal: Portal;
  readonly flow: Flow;
  readonly parts: ReplayParts;
}

function WalkFrame({ portal, flow, parts }: WalkFrameProps) {
  const [shown, setShown] = useState<{ readonly turn: number; readonly walked: Replay } | null>(null);
  const now = useRef<Replay | null>(null);
  const stand = useRef<((event: string) => WalkStep) | null>(null);
  useEffect(() => {
    const say = (news: WalkNews): void => tell(window.parent, news);
    const obey = async (order: WalkOrder): Promise<void> => {
      if (order.kind === 'walk') {
        const walked = await replay(flow, order.walk, parts);
        now.current?.runner.depart();
        now.current = walked;
        setShown({ turn: order.turn, walked });
        say({ kind: 'report', turn: order.turn, report: reportOf(walked) });
      } else if (order.kind === 'raise') {
        say({ kind: 'step', step: stand.current?.(order.event) ?? { raise: order.event } });
      } else if (order.kind === 'fill') {
        const draft = now.current?.runner.state.view?.draft;
        for (const [name, value] of Object.entries(order.values)) draft?.field(name)?.set(value);
      } else if (order.kind === 'ask') {
        const { operation, params, body } = order.operation;
        say({ kind: 'answered', result: await portal.flows.invoke(operation, { params, body }) });
      } else if (order.kind === 'cover') {
        const taken = new Set<string>();
        for (const walk of order.walks.filter(({ todo }) => todo === undefined)) {
          const { runner, moments } = await replay(flow, walk, parts);
          runner.depart();
          for (const { branches } of moments) for (const { id } of branches) taken.add(id);
        }
        say({ kind: 'covered', taken: [...taken] });
      }
    };
    const stop = hear<WalkOrder>(
      () => window.parent,
      (order) => void obey(order),
    );
    say({ kind: 'ready' });
    return stop;
  }, [portal, flow, parts]);
  if (!shown) return null;
  return (
    <PortalProviders portal={portal} engine={engine}>
      <MemoryRouter>
        <main>
          <Stand key={shown.turn} shown={shown.walked} site={portal.flows.facts()} stepRef={stand} />
        </main>
      </MemoryRouter>
    </PortalProviders>
  );
}

/** An operation that never answers: a captcha would cost each step its proof of work. */
const engine = { load: () => new Promise<never>(() => undefined) };

interface StandProps {
  readonly shown: Replay;
  /** What texts say of this installation, which a walk says nothing of. */
  readonly site: Values;
  /** Set to what makes an event with all that is filled in a step of the walk; null where no screen stands. */
  readonly stepRef: RefObject<((event: string) => WalkStep) | null>;
}

/** The screen where a walk stands; its events are told, and come back as a step of the walk. */
function Stand({ shown, site, stepRef }: StandProps) {
  const { runner, facts } = shown;
  const { view, notice, context } = useSyncExternalStore(runner.subscribe, () => runner.state);
  const [opened] = useState(() => valuesOf(view?.draft ?? null));
  const draft = view?.draft ?? null;
  const stepOf = (event: string): WalkStep => {
    const filled = Object.entries(valuesOf(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(opened[name]),
    );
    return { ...(filled.length > 0 && { fill: Object.fromEntries(filled) }), raise: event };
  };
  useEffect(() => {
    stepRef.current = stepOf;
    return () => {
      stepRef.current = null;
    };
  });
  if (!view?.screen || view.pending) return <p className="screen">{t('noScreenHere', { state: view?.name ?? '' })}</p>;
  const { screen, direction } = view;
  const raise = async (event: string): Promise<void> => {
    if (event === 'submit' && draft && !(await draft.submitPrepared())) return;
    tell(window.parent, { kind: 'step', step: stepOf(event) });
  };
  return (
    <ThemedScreen
      screen={screen}
      draft={draft}
      context={context}
      facts={{ ...site, ...facts }}
      notice={notice}
      busy={false}
      direction={direction}
      bar={runner.steps?.bar(view)}
      onEvent={(event) => void raise(event)}
      onDismiss={() => runner.dismiss()}
    />
  );
}

function valuesOf(draft: FormModel | null): Readonly<Record<string, unknown>> {
  const values = [...(draft?.fields ?? [])].map(([name, { value }]) => [name, value] as const);
  return JSON.parse(JSON.stringify(Object.fromEntries(values))) as Readonly<Record<string, unknown>>; // as they stand now, and can be sent
}

/** What of a replay the studio sees. */
export function reportOf({ runner, ...walked }: Replay): WalkReport {
  const { view, context } = (runner satisfies FlowRunner).state;
  const { screen = null, block = null, on = {}, back } = view?.state ?? {};
  const events = view && !walked.pending ? [...Object.keys(on), ...(back === 'none' ? [] : ['back'])] : [];
  const stuck = walked.pending
    ? null
    : whyStuck({
        ui: view?.screen?.validator.screen.ui ?? null,
        left: walked.moments.at(-1)?.place.left ?? '',
        scope: { ...walked.facts, context },
      });
  return { ...walked, screen, block, events, stuck };
}
