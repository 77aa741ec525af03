import { decodeUrlPartLeniently } from '../../engine/core/values/decode-url-part.ts';
import { useCallback, useEffect, useState } from 'react';
import { baseLanguage } from '../../contract/portal-config.ts';
import { foldAccentsAndCase } from '../../contract/fold-text.ts';
import type { Flow, FlowDescriptions, JourneyStep } from '../../engine/core/flow-and-screen-types.ts';
import { listTransitionArrows, addChallengeNode, type TransitionArrow } from '../../engine/map/transition-branches.ts';
import { devPagePaths, type DevPageData } from '../dev-page-data.ts';
import { TextField } from '../editor/form-controls.tsx';
import { StudioFluentProvider } from '../editor/studio-fluent-provider.tsx';
import { describeJsonLogic } from '../editor/tasks/describe-json-logic.ts';
import { buildGalleryQuery } from '../gallery-filter.ts';
import type { ResolveEventLabel } from '../../engine/map/flow-layout.ts';
import { FlowMap, resolveNodeTitle, type ResolveScreenTitle } from './flow-map.tsx';
import { groupByArea, DevViewHeader } from '../dev-view-header.tsx';
import { resolveFlowTitle } from '../flow-title.ts';
import { DefinitionProblems } from '../../portal/shell/crash-boundary.tsx';
import { t } from '../texts.ts';
import { useWindowEvent } from '../use-window-event.ts';

export function FlowsPage(props: Omit<Extract<DevPageData, { view: 'flows' }>, 'view'>) {
  const { flows, titles, buttons, descriptions, problems } = props;
  const at = useUrlFragment();
  const [wanted, setWanted] = useState('');
  const resolveTitle: ResolveScreenTitle = (screen) => titles[screen] ?? screen;
  const flow = flows.find(({ id }) => at === id || at.startsWith(`${id}.`)) ?? flows[0];
  const flowId = flow?.id ?? '';
  const resolveEvent = useCallback<ResolveEventLabel>(
    (state, event) => buttons[flowId]?.[`${state} ${event}`],
    [buttons, flowId],
  );
  const selected = resolveStateFromUrlFragment(flow, at);
  const screen = flow && addChallengeNode(flow)[selected ?? '']?.screen;
  // Scrolls to the state in the fragment of the URL. The browser no longer does, because the states render after the
  // page has loaded.
  useEffect(() => void document.getElementById(at)?.scrollIntoView(), [at]);
  const titledFlows = flows
    .map((own) => ({
      id: own.id,
      title: resolveFlowTitle(own, descriptions[own.id], resolveTitle),
      area: descriptions[own.id]?.area ?? null,
    }))
    .filter(({ id, title }) => foldAccentsAndCase(`${title} ${id}`).includes(foldAccentsAndCase(wanted.trim())));
  return (
    <StudioFluentProvider>
      <main className="gallery">
        <DevViewHeader at="flows" />
        <DefinitionProblems title={t('problems')} problems={problems} />
        <TextField label={t('flowSearch')} value={wanted} onChange={setWanted} />
        <nav aria-label={t('flows')}>
          {groupByArea(titledFlows).map(({ area, items }) => (
            <div key={area} className="flow-list">
              <strong>{area ?? t('noArea')}</strong>
              <ul>
                {items.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`} aria-current={id === flow?.id || undefined}>
                      {title} <code>{id}</code>
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        {flow && (
          <section key={flow.id} id={flow.id}>
            <h2>
              {resolveFlowTitle(flow, descriptions[flow.id], resolveTitle)} <code>{flow.id}</code>
            </h2>
            <p>
              <code>{`flows/${flow.id}.json`}</code>
            </p>
            {descriptions[flow.id]?.flow && <p>{descriptions[flow.id]?.flow}</p>}
            {descriptions[flow.id]?.guards.map(({ guard, description }) => (
              <p key={description}>
                {describeJsonLogic(guard)}: {description}
              </p>
            ))}
            {flow.progress?.map((way, index) => (
              <Journey key={index} flow={flow} way={way} />
            ))}
            <div className="flow-beside">
              <div>
                <FlowMap flow={flow} resolveTitle={resolveTitle} resolveEvent={resolveEvent} selected={selected} />
                <StateDescriptions flow={flow} resolveTitle={resolveTitle} descriptions={descriptions[flow.id]} />
              </div>
              {screen !== undefined && (
                <figure className="gallery-frame">
                  <figcaption>
                    {resolveTitle(screen)} <code>{screen}</code>
                  </figcaption>
                  <iframe
                    key={screen}
                    width="360"
                    src={`${devPagePaths.drawing}?${new URLSearchParams({ screen, lang: baseLanguage })}`}
                    title={t('viewOf', { name: screen })}
                  />
                </figure>
              )}
            </div>
          </section>
        )}
      </main>
    </StudioFluentProvider>
  );
}

/** Returns the state in the fragment of the URL. Returns the flow's initial state if the fragment names none. */
export function resolveStateFromUrlFragment(flow: Flow | undefined, anchor: string): string | undefined {
  return flow && anchor.startsWith(`${flow.id}.`) ? anchor.slice(flow.id.length + 1) : flow?.initial;
}

export function useUrlFragment(): string {
  const now = (): string => decodeUrlPartLeniently(window.location.hash.slice(1));
  const [at, setAt] = useState(now);
  useWindowEvent('hashchange', () => setAt(now()));
  return at;
}

function Journey({ flow, way }: { flow: Flow; way: readonly JourneyStep[] }) {
  return (
    <ol aria-label={t('way')}>
      {way.map(({ state, titles, guard, bar }) => (
        <li key={state}>
          <a href={`#${flow.id}.${state}`}>{Object.values(titles)[0] ?? state}</a>{' '}
          {guard !== undefined && t('if', { guard: describeJsonLogic(guard) })} {bar === false && t('unbarred')}
        </li>
      ))}
    </ol>
  );
}

interface StateTextsProps {
  readonly flow: Flow;
  readonly resolveTitle: ResolveScreenTitle;
  readonly descriptions: FlowDescriptions | undefined;
}

export function StateDescriptions({ flow, resolveTitle, descriptions }: StateTextsProps) {
  return Object.entries(addChallengeNode(flow)).map(([name, state]) => {
    const { path, screen, block, access } = state;
    const description = descriptions?.states[name];
    return (
      <div key={name} className="flow-state" id={`${flow.id}.${name}`} tabIndex={-1}>
        <h3>
          {resolveNodeTitle(flow, name, resolveTitle)} <code>{name}</code> {path && <code>{path}</code>}{' '}
          {access && <code>{access}</code>}
        </h3>
        {description && <p>{description}</p>}
        {screen && (
          <p>
            {t('screen')} <a href={devPagePaths.gallery + buildGalleryQuery({ screen })}>{screen}</a>
          </p>
        )}
        {block && (
          <p>
            {t('block')} <code>{`src/portal/blocks/${block}.tsx`}</code>
          </p>
        )}
        <ul>
          {listTransitionArrows(state).map((arrow, index) => (
            <li key={index}>
              <ArrowText flow={flow} resolveTitle={resolveTitle} arrow={arrow} />
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function ArrowText({
  flow,
  resolveTitle,
  arrow,
}: Pick<StateTextsProps, 'flow' | 'resolveTitle'> & { arrow: TransitionArrow }) {
  const { on, operation, outcome, guard, target, leaves, notice } = arrow;
  const end =
    target === undefined ? (
      t(leaves ? 'leaves' : 'stays')
    ) : (
      <a href={`#${flow.id}.${target}`}>{resolveNodeTitle(flow, target, resolveTitle)}</a>
    );
  if (on === 'requires')
    return (
      <>
        {t('requires', { guard: describeJsonLogic(guard ?? true) })} {end}
      </>
    );
  return (
    <>
      <strong>{on === 'always' || on === 'invoke' || on === 'back' ? t(on) : on}</strong>{' '}
      {operation && <code>{operation}</code>} {outcome && t(outcome)}{' '}
      {guard !== undefined && t('if', { guard: describeJsonLogic(guard) })} → {end} {notice && <em>{notice}</em>}
    </>
  );
}
