import { Graph, layout } from '@dagrejs/dagre';
import type { Flow, StateDefinition } from '../core/flow-and-screen-types.ts';
import { listTransitionArrows, listArrowTargets, addChallengeNode } from './transition-branches.ts';

/** Size of the box of a state, in pixels. */
export const stateBoxSize = { width: 144, height: 44 } as const;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Layout of a flow's map, in pixels from the top left corner. */
export interface FlowMapLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Point>;
  /** Arrows between states. `onward` is true if the arrow leads further from the start, without a failure. */
  readonly arrows: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
    readonly onward: boolean;
    /**
     * Label of the arrow: the texts of the buttons that raise the transition. Its point is the center. `hasRoom` is false if the label may cover
     * other arrows or the labels of other states. `null` if the arrow has no button, or no place where the label would cover no box.
     */
    readonly label: (Point & { readonly text: string; readonly hasRoom: boolean }) | null;
  }[];
}

/** Returns the text of the button that raises an event in a state. Returns `undefined` if there is none. */
export type ResolveEventLabel = (state: string, event: string) => string | undefined;

/** Maximum lengths of a title and of a label, in letters. Longer ones are truncated. */
const titleLetters = 18;
export const maxLabelLetters = 16;

/** Estimated width of a letter of a label, in pixels. */
const letterWidth = 6.5;

/** Width of the map's frame in a window of 1280 px, at the smallest readable zoom. */
const frameWidth = 1_010;

/** Uses the narrower direction, because pages scroll vertically. Reserves no room for the labels if they would make the map wider than its frame. */
export function layOutFlowMap(flow: Flow, resolveEvent: ResolveEventLabel = () => undefined): FlowMapLayout {
  const labelled = layOutNarrowest(flow, resolveEvent, true);
  return labelled.width <= frameWidth ? labelled : layOutNarrowest(flow, resolveEvent, false);
}

function layOutNarrowest(flow: Flow, resolveEvent: ResolveEventLabel, hasRoom: boolean): FlowMapLayout {
  const across = layOutInDirection(flow, resolveEvent, 'LR', hasRoom);
  const down = layOutInDirection(flow, resolveEvent, 'TB', hasRoom);
  return across.width <= down.width ? across : down;
}

function layOutInDirection(
  flow: Flow,
  resolveEvent: ResolveEventLabel,
  direction: 'LR' | 'TB',
  hasRoom: boolean,
): FlowMapLayout {
  const nodes = addChallengeNode(flow);
  const graph = new Graph()
    .setGraph({ rankdir: direction, nodesep: 22, edgesep: 8, ranksep: 20, marginx: 12, marginy: 12 })
    .setDefaultEdgeLabel(() => ({}));
  // The initial state first, because the search for onward arrows starts there.
  const names = Object.keys(nodes).sort((a, b) => Number(b === flow.initial) - Number(a === flow.initial));
  for (const name of names) graph.setNode(name, { ...stateBoxSize });
  const onward = listOnwardTargets(nodes, names);
  const labels = new Map<string, string>();
  const arrows = names.flatMap((from) => listArrowTargets(nodes, from).map((to) => ({ from, to })));
  for (const { from, to } of arrows) {
    const text = labelEdge(nodes[from], to, (event) => resolveEvent(from, event));
    labels.set(`${from} ${to}`, text);
    const width = truncateWithEllipsis(text, maxLabelLetters).length * letterWidth;
    if (onward.get(from)?.has(to))
      graph.setEdge(from, to, text === '' || !hasRoom ? {} : { width, height: 14, labelpos: 'c' });
  }
  layout(graph);
  const middle = (name: string): Point => graph.node(name) as Point; // the cast is safe, because dagre's layout has set the center of each node
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const boxes = new Map(
    names.map((name) => [
      name,
      { x: middle(name).x - stateBoxSize.width / 2, y: middle(name).y - stateBoxSize.height / 2 },
    ]),
  );
  const placedLabels = new Map<string, Rectangle[]>();
  return {
    width,
    height,
    boxes,
    arrows: arrows.map(({ from, to }) => {
      const onward = graph.hasEdge(from, to);
      const { points, ...center } = onward
        ? (graph.edge(from, to) as Partial<Point> & { readonly points: readonly Point[] }) // the cast is safe, because dagre's layout has set these properties
        : { points: connectBoxes(middle(from), middle(to)) };
      const text = labels.get(`${from} ${to}`) ?? '';
      if (text === '') return { from, to, points, onward, label: null };
      if (hasRoom && onward) {
        const { x, y } = { ...(points[Math.floor(points.length / 2)] ?? middle(to)), ...center };
        return { from, to, points, onward, label: { text, x, y, hasRoom: true } };
      }
      const labelsOfState = placedLabels.get(from) ?? [];
      placedLabels.set(from, labelsOfState);
      const place = findFreePlace(points, text, [...boxes.values()].map(boxRectangle), labelsOfState);
      return { from, to, points, onward, label: place && { text, ...place, hasRoom: false } };
    }),
  };
}

interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

const boxRectangle = (corner: Point): Rectangle => ({ ...corner, ...stateBoxSize });

/** Finds a point of the line at which the label covers no box and no label in `taken`, and adds its rectangle to `taken`. Returns `null` if there is none. */
function findFreePlace(points: readonly Point[], text: string, boxes: readonly Rectangle[], taken: Rectangle[]) {
  const [width, height] = [truncateWithEllipsis(text, maxLabelLetters).length * letterWidth, 14];
  const isFree = (own: Rectangle): boolean =>
    ![...boxes, ...taken].some(
      ({ x, y, ...size }) =>
        own.x < x + size.width && x < own.x + width && own.y < y + size.height && y < own.y + height,
    );
  for (const share of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) {
    const { x, y } = pointAt(points, share);
    const own = { x: x - width / 2, y: y - height / 2, width, height };
    if (!isFree(own)) continue;
    taken.push(own);
    return { x, y };
  }
  return null;
}

/** Returns the point at a share of the line's segments, from 0 at its start to 1 at its end. */
function pointAt(points: readonly Point[], share: number): Point {
  const at = share * (points.length - 1);
  const [from, to] = [points[Math.floor(at)], points[Math.ceil(at)]];
  if (!from || !to) return { x: 0, y: 0 };
  const rest = at - Math.floor(at);
  return { x: from.x + (to.x - from.x) * rest, y: from.y + (to.y - from.y) * rest };
}

/** Returns the targets further from the start than the state, without failures and unmet requirements. Arrows back would spread the states. */
function listOnwardTargets(nodes: ReturnType<typeof addChallengeNode>, names: readonly string[]) {
  const targets = new Map(
    names.map((name) => [name, new Set(listArrowTargets(nodes, name).filter((to) => isUsual(nodes[name], to)))]),
  );
  const distances = new Map<string, number>();
  for (const start of names) {
    if (distances.has(start)) continue;
    distances.set(start, 0);
    for (let reached = [start]; reached.length > 0;) {
      const next = new Set(reached.flatMap((name) => [...(targets.get(name) ?? [])]));
      const distance = (distances.get(reached[0] ?? start) ?? 0) + 1;
      reached = [...next].filter((name) => !distances.has(name));
      for (const name of reached) distances.set(name, distance);
    }
  }
  // Of two states at the same distance, the one that the flow lists later counts as further, such as the second of two
  // optional steps.
  const order = [...distances].sort(([a, one], [b, two]) => one - two || names.indexOf(a) - names.indexOf(b));
  const places = new Map(order.map(([name], place) => [name, place]));
  const placeOf = (name: string): number => places.get(name) ?? 0;
  return new Map(
    [...targets].map(([from, all]) => [from, new Set([...all].filter((to) => placeOf(to) > placeOf(from)))]),
  );
}

/** Whether a transition neither fails nor answers an unmet requirement. */
function isUsual(state: StateDefinition | undefined, to: string): boolean {
  return listTransitionArrows(state ?? {}).some(
    ({ target, outcome, on }) => target === to && outcome !== 'failed' && on !== 'requires',
  );
}

/** Connects two boxes by a curve between their facing sides, or beside them if one is above the other. */
function connectBoxes(from: Point, to: Point): readonly Point[] {
  const side = to.x < from.x ? -1 : 1;
  const half = stateBoxSize.width / 2;
  const isAbove = Math.abs(to.x - from.x) < stateBoxSize.width;
  const start = { x: from.x + side * half, y: from.y };
  const end = { x: to.x + (isAbove ? side : -side) * half, y: to.y };
  const bend = isAbove ? side * (half / 2) : 0;
  return [start, { x: (start.x + end.x) / 2 + bend, y: (start.y + end.y) / 2 }, end];
}

function labelEdge(
  state: StateDefinition | undefined,
  to: string,
  resolveEvent: (event: string) => string | undefined,
): string {
  const usual = listTransitionArrows(state ?? {}).filter(
    ({ target, outcome }) => target === to && outcome !== 'failed',
  );
  return [...new Set(usual.flatMap(({ on }) => resolveEvent(on) ?? []))].join(' / ');
}

const directions: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** Returns `null` if there is no state in this direction, or for any other key. */
export function findStateInArrowDirection({ boxes }: FlowMapLayout, from: string, key: string): string | null {
  const [start, way] = [boxes.get(from), directions[key]];
  if (!start || !way) return null;
  let nearest: { readonly name: string; readonly far: number } | null = null;
  for (const [name, { x, y }] of boxes) {
    const along = (x - start.x) * way.x + (y - start.y) * way.y;
    const aside = Math.abs((x - start.x) * way.y) + Math.abs((y - start.y) * way.x);
    const far = along + 2 * aside; // prefers states straight ahead to nearer states at the side
    if (along > 0 && (!nearest || far < nearest.far)) nearest = { name, far };
  }
  return nearest?.name ?? null;
}

export function buildSvgLinePath([first, ...rest]: readonly Point[]): string {
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

export function truncateWithEllipsis(text: string, letters: number = titleLetters): string {
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}
