import { Toolbar, ToolbarButton } from '@fluentui/react-components';
import { useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Flow, State } from '../../engine/core/definition.ts';
import { t } from '../texts.ts';
import { listArrows, withChallengeNode, challengeNode, listTargets } from '../scenario/branches.ts';
import { Graph, layout } from '@dagrejs/dagre';

/** Size of the box of a state, in pixels. */
export const box = { width: 160, height: 44 } as const;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Layout of a flow's map, in pixels from the top left corner. */
interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Point>;
  /** Arrows between states. `onward`: the arrow points to the right. */
  readonly arrows: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
    readonly onward: boolean;
    /** Label of the arrow: the texts of the buttons that raise the transition. The point is the label's center. */
    readonly label: (Point & { readonly text: string }) | null;
  }[];
}

/** Estimated width of a letter of a label, in pixels. */
const letterWidth = 6.5;

export function layOutFlow(flow: Flow, resolveEvent: EventLabel = () => undefined): FlowLayout {
  const nodes = withChallengeNode(flow);
  const graph = new Graph()
    .setGraph({ rankdir: 'LR', nodesep: 22, edgesep: 8, ranksep: 20, marginx: 12, marginy: 12 })
    .setDefaultEdgeLabel(() => ({}));
  // Puts the initial state first, because the layout breaks cycles in insertion order.
  const names = Object.keys(nodes).sort((a, b) => Number(b === flow.initial) - Number(a === flow.initial));
  for (const name of names) graph.setNode(name, { ...box });
  const labels = new Map<string, string>();
  for (const name of names)
    for (const target of listTargets(nodes, name)) {
      const text = labelEdge(nodes[name], target, (event) => resolveEvent(name, event));
      labels.set(`${name} ${target}`, text);
      const width = truncate(text, labelLetters).length * letterWidth;
      graph.setEdge(name, target, text === '' ? {} : { width, height: 14, labelpos: 'c' });
    }
  layout(graph);
  const middle = (name: string): Point => graph.node(name) as Point; // dagre's layout has set the center of each node
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    boxes: new Map(
      names.map((name) => [name, { x: middle(name).x - box.width / 2, y: middle(name).y - box.height / 2 }]),
    ),
    arrows: graph.edges().map(({ v: from, w: to }) => {
      const { points, x, y } = graph.edge(from, to) as Point & { readonly points: readonly Point[] }; // dagre's layout has set these properties
      const text = labels.get(`${from} ${to}`) ?? '';
      return { from, to, points, onward: middle(to).x > middle(from).x, label: text === '' ? null : { text, x, y } };
    }),
  };
}

/**
 * Returns the texts of the buttons that raise a transition between two states. Returns an empty text for failures and
 * unmet requirements, because no button raises them.
 */
function labelEdge(state: State | undefined, to: string, resolveEvent: (event: string) => string | undefined): string {
  const usual = listArrows(state ?? {}).filter(({ target, outcome }) => target === to && outcome !== 'failed');
  return [...new Set(usual.flatMap(({ on }) => resolveEvent(on) ?? []))].join(' / ');
}

const directions: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/**
 * Returns the nearest state in the direction of an arrow key. Returns `null` if there is no state in this direction, or
 * for any other key.
 */
export function findNearestState({ boxes }: FlowLayout, from: string, key: string): string | null {
  const [start, way] = [boxes.get(from), directions[key]];
  if (!start || !way) return null;
  let nearest: { readonly name: string; readonly far: number } | null = null;
  for (const [name, { x, y }] of boxes) {
    const along = (x - start.x) * way.x + (y - start.y) * way.y;
    const aside = Math.abs((x - start.x) * way.y) + Math.abs((y - start.y) * way.x);
    const far = along + 2 * aside; // prefers states straight ahead over nearer states to the side
    if (along > 0 && (!nearest || far < nearest.far)) nearest = { name, far };
  }
  return nearest?.name ?? null;
}

export function buildLinePath([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  const last = rest.at(-1);
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point;
    const end = index === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${formatPoint(point)} ${formatPoint(end)}`;
  });
  return `M${formatPoint(first)}${bends.join('') || (last ? `L${formatPoint(last)}` : '')}`;
}

function formatPoint({ x, y }: Point): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}

interface FlowMapProps {
  readonly flow: Flow;
  readonly resolveTitle: ScreenTitle;
  readonly resolveEvent: EventLabel;
  /** Name of the selected state. */
  readonly selected?: string | undefined;
  /** States visited in the current scenario, in order. */
  readonly walked?: readonly string[];
}

const zoomStep = 1.25;
const [least, most] = [0.25, 2.5];

/** Maximum number of letters of a state's title and of an arrow's label. Longer texts are truncated. */
const [titleLetters, labelLetters] = [23, 12] as const;

/** Map of a flow. Initially zoomed to the largest size that fits. */
export function FlowMap({ flow, resolveTitle, resolveEvent, selected, walked = [] }: FlowMapProps) {
  const layout = useMemo(() => layOutFlow(flow, resolveEvent), [flow, resolveEvent]);
  const [zoom, setZoom] = useState(1);
  const frame = useRef<HTMLDivElement>(null);
  const changeZoom = (next: number): void => setZoom(Math.min(most, Math.max(least, next)));
  const fitToView = (): void => changeZoom(Math.min(1, (frame.current?.clientWidth || layout.width) / layout.width));
  const open = useEffectEvent(fitToView);
  useLayoutEffect(() => open(), [layout]);
  const zooms: Readonly<Record<string, () => void>> = {
    '+': () => changeZoom(zoom * zoomStep),
    '-': () => changeZoom(zoom / zoomStep),
    '0': fitToView,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // does not override the browser's shortcuts
    const from = (event.target as Element).closest<SVGElement>('[data-state]')?.dataset['state']; // targets of keyboard events are elements
    const next = from === undefined ? null : findNearestState(layout, from, event.key);
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

interface FlowGraphProps extends Required<Pick<FlowMapProps, 'flow' | 'resolveTitle' | 'walked'>> {
  readonly selected: string | undefined;
  readonly layout: FlowLayout;
  readonly zoom: number;
}

function FlowGraph({ flow, resolveTitle, selected, walked, layout, zoom }: FlowGraphProps) {
  const { boxes, arrows, width, height } = layout;
  const nodes = withChallengeNode(flow);
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
        <path
          key={`${from} ${to}`}
          d={buildLinePath(points)}
          data-usual={onward && isUsual(nodes[from], to)}
          markerEnd={`url(#${head})`}
        />
      ))}
      {arrows.map(
        ({ from, to, label }) =>
          label && (
            <text key={`${from} ${to}`} className="flow-label" x={label.x} y={label.y + 4}>
              {truncate(label.text, labelLetters)}
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
              width={box.width}
              height={box.height}
              rx="6"
              data-walk={name === walked.at(-1) ? 'here' : walked.includes(name) ? 'been' : undefined}
              strokeWidth={name === flow.initial ? 3 : 1}
            />
            <text x={x + 8} y={y + (below ? 18 : 27)}>
              {truncate(title)}
            </text>
            {below && (
              <text x={x + 8} y={y + 35} className="flow-path">
                {truncate(below)}
              </text>
            )}
          </a>
        );
      })}
    </svg>
  );
}

function truncate(text: string, letters: number = titleLetters): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/**
 * Whether a transition to state `to` is neither a failure nor an unmet requirement. The map draws all other transitions
 * pale, because they are numerous.
 */
function isUsual(state: State | undefined, to: string): boolean {
  return listArrows(state ?? {}).some(
    ({ target, outcome, on }) => target === to && outcome !== 'failed' && on !== 'requires',
  );
}

/**
 * Function that returns the text of the button that raises an event in a state. Returns `undefined` if no button does.
 */
export type EventLabel = (state: string, event: string) => string | undefined;

export type ScreenTitle = (screen: string) => string;

export function resolveNodeTitle(flow: Flow, name: string, resolveTitle: ScreenTitle): string {
  if (name === challengeNode) return t('steps');
  const screen = withChallengeNode(flow)[name]?.screen;
  return screen === undefined ? name : resolveTitle(screen);
}
