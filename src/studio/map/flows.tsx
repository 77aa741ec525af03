import { decodeLenient } from '../../contract/href.ts';
import { useEffect, useMemo } from 'react';
import type { Flow, State, Step } from '../../engine/core/definition.ts';
import { arrowsOf, nodesOf, stepsNode, type Arrow } from './arrows.ts';
import { devAddresses, type DevData } from '../dev-data.ts';
import { logicSentence } from '../editor/tasks/logic-sentence.ts';
import { filterQuery } from '../filter.ts';
import { box, layOut, lineAlong } from './flow-layout.ts';
import { Problems } from '../problems.tsx';
import { t } from '../texts.ts';
import { ViewLinks } from '../views.tsx';

/** Every flow as a drawing of its states, and below it what leads from each state to where. */
export function Flows({ flows, descriptions, problems }: Omit<Extract<DevData, { view: 'flows' }>, 'view'>) {
  // The states stand after the page was loaded: the browser has looked for the one of the address too early.
  useEffect(() => void document.getElementById(decodeLenient(window.location.hash.slice(1)))?.scrollIntoView(), []);
  return (
    <main className="gallery">
      <h1 tabIndex={-1}>{t('flows')}</h1>
      <ViewLinks at="flows" />
      <Problems problems={problems} />
      <ul>
        {flows.map(({ id }) => (
          <li key={id}>
            <a href={`#${id}`}>{id}</a>
          </li>
        ))}
      </ul>
      {flows.map((flow) => (
        <section key={flow.id} className="flow" id={flow.id}>
          <h2>{flow.id}</h2>
          <p>
            <code>{`flows/${flow.id}.json`}</code>
          </p>
          {descriptions[flow.id]?.flow && <p>{descriptions[flow.id]?.flow}</p>}
          {descriptions[flow.id]?.guards.map(({ guard, description }) => (
            <p key={description}>
              {logicSentence(guard)}: {description}
            </p>
          ))}
          {flow.progress?.map((way, index) => (
            <Journey key={index} flow={flow} way={way} />
          ))}
          <FlowGraph flow={flow} />
          {Object.entries(nodesOf(flow)).map(([name, state]) => (
            <StateText
              key={name}
              flow={flow}
              name={name}
              state={state}
              description={descriptions[flow.id]?.states[name]}
            />
          ))}
        </section>
      ))}
    </main>
  );
}

/** The steps of a way as the bar counts them. */
function Journey({ flow, way }: { flow: Flow; way: readonly Step[] }) {
  return (
    <ol aria-label={t('way')}>
      {way.map(({ state, titles, guard, bar }) => (
        <li key={state}>
          <a href={`#${flow.id}.${state}`}>{Object.values(titles)[0] ?? state}</a>{' '}
          {guard !== undefined && t('if', { guard: logicSentence(guard) })} {bar === false && t('unbarred')}
        </li>
      ))}
    </ol>
  );
}

/** The states of a flow as boxes, with an arrow wherever one leads to another; those that a walk has come through are marked, and where it stands. */
export function FlowGraph({ flow, walked = [] }: { flow: Flow; walked?: readonly string[] }) {
  const { boxes, arrows, width, height } = useMemo(() => layOut(flow), [flow]);
  const nodes = nodesOf(flow);
  return (
    <svg width={width} height={height} role="group" aria-label={t('graph', { flow: flow.id })}>
      <defs>
        <marker
          id={`head-${flow.id}`}
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {arrows.map(({ from, to, points, onward }) => (
        <path
          key={`${from} ${to}`}
          d={lineAlong(points)}
          data-usual={onward && isUsual(nodes[from], to)}
          markerEnd={`url(#head-${flow.id})`}
        />
      ))}
      {Object.entries(nodes).map(([name, { path }]) => {
        const { x, y } = boxes.get(name) ?? { x: 0, y: 0 };
        return (
          <a key={name} href={`#${flow.id}.${name}`}>
            <rect
              x={x}
              y={y}
              width={box.width}
              height={box.height}
              rx="6"
              data-walk={name === walked.at(-1) ? 'here' : walked.includes(name) ? 'been' : undefined}
              strokeWidth={name === flow.initial ? 3 : 1}
            />
            <text x={x + 8} y={y + (path ? 18 : 27)}>
              {nodeName(name)}
            </text>
            {path && (
              <text
                x={x + 8}
                y={y + 35}
                className="flow-path"
                textLength={path.length > 26 ? box.width - 16 : undefined}
                lengthAdjust="spacingAndGlyphs"
              >
                {path}
              </text>
            )}
          </a>
        );
      })}
    </svg>
  );
}

/** Failures and refused entries, like all that leads back, are drawn pale: they go from everywhere to the same few states. */
function isUsual(state: State | undefined, to: string): boolean {
  return arrowsOf(state ?? {}).some(
    ({ target, outcome, on }) => target === to && outcome !== 'failed' && on !== 'requires',
  );
}

function nodeName(name: string): string {
  return name === stepsNode ? t('steps') : name;
}

interface StateTextProps {
  readonly flow: Flow;
  readonly name: string;
  readonly state: State;
  readonly description: string | undefined;
}

/** What leads from a state to where, in words. */
export function StateText({ flow, name, state, description }: StateTextProps) {
  const { path, screen, block, access } = state;
  return (
    <div className="flow-state" id={`${flow.id}.${name}`}>
      <h3>
        {nodeName(name)} {path && <code>{path}</code>} {access && <code>{access}</code>}
      </h3>
      {description && <p>{description}</p>}
      {screen && (
        <p>
          {t('screen')} <a href={devAddresses.gallery + filterQuery({ screen })}>{screen}</a>
        </p>
      )}
      {block && (
        <p>
          {t('block')} <code>{`src/portal/blocks/${block}.tsx`}</code>
        </p>
      )}
      <ul>
        {arrowsOf(state).map((arrow, index) => (
          <li key={index}>
            <ArrowText flow={flow} arrow={arrow} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ArrowText({ flow, arrow }: { flow: Flow; arrow: Arrow }) {
  const { on, operation, outcome, guard, target, leaves, notice } = arrow;
  const end =
    target === undefined ? t(leaves ? 'leaves' : 'stays') : <a href={`#${flow.id}.${target}`}>{nodeName(target)}</a>;
  if (on === 'requires')
    return (
      <>
        {t('requires', { guard: logicSentence(guard ?? true) })} {end}
      </>
    );
  return (
    <>
      <strong>{on === 'always' || on === 'invoke' || on === 'back' ? t(on) : on}</strong>{' '}
      {operation && <code>{operation}</code>} {outcome && t(outcome)}{' '}
      {guard !== undefined && t('if', { guard: logicSentence(guard) })} → {end} {notice && <em>{notice}</em>}
    </>
  );
}
