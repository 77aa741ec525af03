import { Toolbar, ToolbarButton } from '@fluentui/react-components';
import { useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import { t } from '../texts.ts';
import { addChallengeNode, challengeNode } from '../../engine/map/transition-branches.ts';
import {
  stateBoxSize,
  buildSvgLinePath,
  findStateInArrowDirection,
  maxLabelLetters,
  layOutFlowMap,
  truncateWithEllipsis,
  type ResolveEventLabel,
  type FlowMapLayout,
} from '../../engine/map/flow-layout.ts';

interface FlowMapProps {
  readonly flow: Flow;
  readonly resolveTitle: ResolveScreenTitle;
  readonly resolveEvent: ResolveEventLabel;
  readonly selected?: string | undefined;
  readonly walked?: readonly string[];
}

const zoomStep = 1.25;
const [least, most] = [0.25, 2.5];
/** Smallest zoom at which the titles are easy to read. */
const leastReadable = 0.85;

/** Map of a flow. It opens at the largest readable size that fits, scrolled to the selected state. */
export function FlowMap({ flow, resolveTitle, resolveEvent, selected, walked = [] }: FlowMapProps) {
  const layout = useMemo(() => layOutFlowMap(flow, resolveEvent), [flow, resolveEvent]);
  const [zoom, setZoom] = useState(1);
  const [frameWidth, setFrameWidth] = useState(Infinity);
  const frame = useRef<HTMLDivElement>(null);
  const changeZoom = (next: number): void => setZoom(Math.min(most, Math.max(least, next)));
  const fitToView = (lowest = least): void =>
    changeZoom(Math.max(lowest, Math.min(1, (frame.current?.clientWidth || layout.width) / layout.width)));
  const open = useEffectEvent(() => {
    setFrameWidth(frame.current?.clientWidth || Infinity);
    fitToView(leastReadable);
  });
  useLayoutEffect(() => open(), [layout]);
  useLayoutEffect(() => {
    const [own, at] = [frame.current, layout.boxes.get(selected ?? flow.initial)];
    if (!own || !at) return;
    own.scrollLeft = (at.x + stateBoxSize.width / 2) * zoom - own.clientWidth / 2;
    own.scrollTop = (at.y + stateBoxSize.height / 2) * zoom - own.clientHeight / 2;
  }, [layout, selected, flow, zoom]);
  const zooms: Readonly<Record<string, () => void>> = {
    '+': () => changeZoom(zoom * zoomStep),
    '-': () => changeZoom(zoom / zoomStep),
    '0': () => fitToView(),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // leaves the browser's shortcuts to the browser
    const from = (event.target as Element).closest<SVGElement>('[data-state]')?.dataset['state']; // the cast is safe, because targets of keyboard events are elements
    const next = from === undefined ? null : findStateInArrowDirection(layout, from, event.key);
    const press = zooms[event.key];
    if (next === null && !press) return;
    event.preventDefault();
    press?.();
    if (next !== null) frame.current?.querySelector<SVGElement>(`[data-state="${CSS.escape(next)}"]`)?.focus();
  };
  return (
    <>
      <Toolbar aria-label={t('zoomBar')} size="small">
        {(
          [
            ['zoomIn', '+'],
            ['zoomOut', '-'],
            ['zoomWhole', '0'],
          ] as const
        ).map(([name, key]) => (
          <ToolbarButton key={name} title={key} onClick={zooms[key]}>
            {t(name)}
          </ToolbarButton>
        ))}
        <span role="status" className="studio-aside">
          {t('zoom', { percent: Math.round(zoom * 100) })}
        </span>
      </Toolbar>
      {layout.width * zoom > frameWidth && <FlowOverview flow={flow} selected={selected} layout={layout} />}
      <div
        ref={frame}
        className="flow"
        tabIndex={0}
        role="group"
        aria-label={t('map', { flow: flow.id })}
        onKeyDown={onKeyDown}
      >
        <FlowGraph
          flow={flow}
          resolveTitle={resolveTitle}
          selected={selected}
          walked={walked}
          layout={layout}
          zoom={zoom}
        />
      </div>
    </>
  );
}

/** Reduced map of the entire flow, only for the mouse, because the arrow keys move between the states of the map itself. */
function FlowOverview({ flow, selected, layout }: Pick<FlowGraphProps, 'flow' | 'selected' | 'layout'>) {
  return (
    <svg className="flow-overview" viewBox={`0 0 ${layout.width} ${layout.height}`} aria-hidden="true">
      {[...layout.boxes].map(([name, { x, y }]) => (
        <a key={name} href={`#${flow.id}.${name}`} tabIndex={-1} data-selected={name === selected}>
          <title>{name}</title>
          <rect x={x} y={y} width={stateBoxSize.width} height={stateBoxSize.height} />
        </a>
      ))}
    </svg>
  );
}

interface FlowGraphProps extends Required<Pick<FlowMapProps, 'flow' | 'resolveTitle' | 'walked'>> {
  readonly selected: string | undefined;
  readonly layout: FlowMapLayout;
  readonly zoom: number;
}

function FlowGraph({ flow, resolveTitle, selected, walked, layout, zoom }: FlowGraphProps) {
  const { boxes, width, height } = layout;
  const nodes = addChallengeNode(flow);
  const current = selected ?? flow.initial;
  // Shows arrows back only to and from the selected state. Nearly every state has an arrow back to the initial state,
  // so these arrows are shown only from the selected state.
  const arrows = layout.arrows.filter(
    ({ from, to, onward }) => onward || from === current || (to === current && to !== flow.initial),
  );
  const head = useId();
  return (
    <svg
      width={width * zoom}
      height={height * zoom}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={t('graph', { flow: flow.id })}
    >
      <defs>
        <marker id={head} viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {arrows.map(({ from, to, points, onward }) => (
        <path key={`${from} ${to}`} d={buildSvgLinePath(points)} data-usual={onward} markerEnd={`url(#${head})`} />
      ))}
      {arrows.map(
        ({ from, to, label }) =>
          label &&
          (label.hasRoom || from === current) && (
            <text key={`${from} ${to}`} className="flow-label" x={label.x} y={label.y + 4}>
              {truncateWithEllipsis(label.text, maxLabelLetters)}
              <title>{label.text}</title>
            </text>
          ),
      )}
      {Object.entries(nodes).map(([name, { path }]) => {
        const { x, y } = boxes.get(name) ?? { x: 0, y: 0 };
        const title = resolveNodeTitle(flow, name, resolveTitle);
        const below = path ?? (name === title || name === challengeNode ? undefined : name);
        return (
          <a key={name} href={`#${flow.id}.${name}`} data-state={name} aria-current={name === selected || undefined}>
            <title>{[title, below].join(' ')}</title>
            <rect
              x={x}
              y={y}
              width={stateBoxSize.width}
              height={stateBoxSize.height}
              rx="6"
              data-walk={name === walked.at(-1) ? 'here' : walked.includes(name) ? 'been' : undefined}
              strokeWidth={name === flow.initial ? 3 : 1}
            />
            <text x={x + 8} y={y + (below ? 18 : 27)}>
              {truncateWithEllipsis(title)}
            </text>
            {below && (
              <text x={x + 8} y={y + 35} className="flow-path">
                {truncateWithEllipsis(below)}
              </text>
            )}
          </a>
        );
      })}
    </svg>
  );
}

export type ResolveScreenTitle = (screen: string) => string;

export function resolveNodeTitle(flow: Flow, name: string, resolveTitle: ResolveScreenTitle): string {
  if (name === challengeNode) return t('steps');
  const screen = addChallengeNode(flow)[name]?.screen;
  return screen === undefined ? name : resolveTitle(screen);
}
