import { useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../engine/core/json.ts';
import type { FormModel } from '../../engine/runtime/form/form-model.ts';
import { loadJourneyStepsFactory } from '../../portal/navigation/load-screen.ts';
import type { Portal } from '../../portal/portal.ts';
import { ThemedScreen } from '../../portal/shell/themed-screen.tsx';
import type { DevPageData } from '../dev-page-data.ts';
import { createEmbeddedPortal, StaticPortalProviders } from '../screen-preview.tsx';
import { t } from '../texts.ts';
import { findBrokenScenarios, runScenarioReplay, type ScenarioReplay, type ScenarioReplayOptions } from './replay.ts';
import type { ScenarioStep } from './scenario.ts';
import {
  listenToFrameMessages,
  postFrameMessage,
  type ScenarioFrameEvent,
  type ScenarioFrameCommand,
  type ScenarioReport,
  explainScenarioStop,
} from './frame-messages.ts';
export async function loadScenarioFrame({ flow: id }: Extract<DevPageData, { view: 'walk' }>) {
  const portal = await createEmbeddedPortal();
  const { flow } = (await import(/* @vite-ignore */ portal.page.manifest.flows[id] ?? '')) as { flow: Flow }; // the cast is safe, because the compiler generated this module
  const { save: _, ...unsaved } = flow; // without `save`, because a scenario must not store progress
  const parts: ScenarioReplayOptions = {
    loadScreen: (screen) => portal.definitions.loadScreen(screen),
    openSteps: flow.progress && (await loadJourneyStepsFactory(unsaved, portal.flows)),
  };
  return <ScenarioFrame portal={portal} flow={unsaved} parts={parts} />;
}

function ScenarioFrame({ portal, flow, parts }: { portal: Portal; flow: Flow; parts: ScenarioReplayOptions }) {
  const [shown, setShown] = useState<{ readonly turn: number; readonly walked: ScenarioReplay } | null>(null);
  const now = useRef<ScenarioReplay | null>(null);
  const stand = useRef<((event: string) => ScenarioStep) | null>(null);
  useEffect(() => {
    const say = (news: ScenarioFrameEvent): void => postFrameMessage(window.parent, news);
    const runCommand = async (order: ScenarioFrameCommand): Promise<void> => {
      if (order.kind === 'walk') {
        const walked = await runScenarioReplay(flow, order.walk, parts);
        now.current?.runner.depart();
        now.current = walked;
        setShown({ turn: order.turn, walked });
        say({ kind: 'report', turn: order.turn, report: createScenarioReport(walked) });
      } else if (order.kind === 'raise') {
        say({ kind: 'step', step: stand.current?.(order.event) ?? { raise: order.event } });
      } else if (order.kind === 'fill') {
        const form = now.current?.runner.state.view?.form;
        for (const [name, value] of Object.entries(order.values)) form?.field(name)?.set(value);
      } else if (order.kind === 'ask') {
        const { operation, params, body } = order.operation;
        say({ kind: 'answered', result: await portal.flows.invoke(operation, { params, body }) });
      } else if (order.kind === 'check') {
        say({ kind: 'checked', broken: await findBrokenScenarios(flow, order.walks, parts) });
      } else if (order.kind === 'cover') {
        const takenBranchIds = new Set<string>();
        for (const walk of order.walks.filter(({ todo }) => todo === undefined)) {
          const { runner, steps } = await runScenarioReplay(flow, walk, parts);
          runner.depart();
          for (const { branches } of steps) for (const { id } of branches) takenBranchIds.add(id);
        }
        say({ kind: 'covered', taken: [...takenBranchIds] });
      }
    };
    say({ kind: 'ready' });
    return listenToFrameMessages<ScenarioFrameCommand>(
      () => window.parent,
      (order) => void runCommand(order),
    );
  }, [portal, flow, parts]);
  if (!shown) return null;
  return (
    <StaticPortalProviders portal={portal}>
      <CurrentView key={shown.turn} shown={shown.walked} site={portal.flows.facts()} stepRef={stand} />
    </StaticPortalProviders>
  );
}

interface CurrentViewProps {
  readonly shown: ScenarioReplay;
  /** Facts of this installation, which a scenario cannot override. */
  readonly site: ValuesByName;
  /** Creates a scenario step from an event and the current input. `null` while no screen is shown. */
  readonly stepRef: RefObject<((event: string) => ScenarioStep) | null>;
}

function CurrentView({ shown, site, stepRef }: CurrentViewProps) {
  const { runner, facts } = shown;
  const { view, notice, context } = useSyncExternalStore(runner.subscribe, () => runner.state);
  const [opened] = useState(() => copyValues(view?.form ?? null));
  const form = view?.form ?? null;
  const createStep = (event: string): ScenarioStep => {
    const filled = Object.entries(copyValues(form)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(opened[name]),
    );
    return { ...(filled.length > 0 && { fill: Object.fromEntries(filled) }), raise: event };
  };
  useEffect(() => {
    stepRef.current = createStep;
    return () => {
      stepRef.current = null;
    };
  });
  if (!view?.screen || view.pending) return <p className="screen">{t('noScreenHere', { state: view?.name ?? '' })}</p>;
  const { screen, direction } = view;
  const raise = async (event: string): Promise<void> => {
    if (event === 'submit' && form && !(await form.submitPrepared())) return;
    postFrameMessage(window.parent, { kind: 'step', step: createStep(event) });
  };
  return (
    <ThemedScreen
      screen={screen}
      form={form}
      context={context}
      facts={{ ...site, ...facts }}
      notice={notice}
      busy={false}
      direction={direction}
      bar={runner.steps?.buildBar(view)}
      answers={runner.steps?.review(view)}
      onEvent={(event) => void raise(event)}
      onDismiss={() => runner.dismiss()}
    />
  );
}

function copyValues(form: FormModel | null): Readonly<Record<string, unknown>> {
  const values = [...(form?.fields ?? [])].map(([name, { value }]) => [name, value] as const);
  return JSON.parse(JSON.stringify(Object.fromEntries(values))) as Readonly<Record<string, unknown>>; // plain copy, because a structured clone fails for observable objects
}

export function createScenarioReport({ runner, ...walked }: ScenarioReplay): ScenarioReport {
  const { view, context } = runner.state;
  const { screen = null, on = {}, back } = view?.state ?? {};
  const events = view && !walked.pending ? [...Object.keys(on), ...(back === 'none' ? [] : ['back'])] : [];
  const stuck = walked.pending
    ? null
    : explainScenarioStop(view?.screen?.validator.screen.ui ?? null, walked.steps.at(-1)?.place.left ?? '', {
        ...walked.facts,
        context,
      });
  return { ...walked, screen, events, stuck };
}
