import { Graph, layout } from '@dagrejs/dagre';
import type { Flow } from '../../engine/core/definition.ts';
import { indexNodes, listTargets } from '../walk/branches.ts';

/** In pixels. */
export const box = { width: 180, height: 44 } as const;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Layout of a flow's map, in pixels from the top left corner. */
export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Point>;
  /** `onward`: whether it leads to the right. */
  readonly arrows: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly Point[];
    readonly onward: boolean;
  }[];
}

export function layOut(flow: Flow): FlowLayout {
  const nodes = indexNodes(flow);
  const graph = new Graph()
    .setGraph({ rankdir: 'LR', nodesep: 22, edgesep: 8, ranksep: 60, marginx: 12, marginy: 12 })
    .setDefaultEdgeLabel(() => ({}));
  // The initial state first: the layout breaks cycles in insertion order.
  const names = Object.keys(nodes).sort((a, b) => Number(b === flow.initial) - Number(a === flow.initial));
  for (const name of names) graph.setNode(name, { ...box });
  for (const name of names) for (const target of listTargets(nodes, name)) graph.setEdge(name, target);
  layout(graph);
  const middle = (name: string): Point => graph.node(name) as Point; // layout sets the center of each node
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    boxes: new Map(
      names.map((name) => [name, { x: middle(name).x - box.width / 2, y: middle(name).y - box.height / 2 }]),
    ),
    arrows: graph.edges().map(({ v: from, w: to }) => ({
      from,
      to,
      points: (graph.edge(from, to) as { points: readonly Point[] }).points,
      onward: middle(to).x > middle(from).x,
    })),
  };
}

const directions: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** Returns the nearest state in the direction of an arrow key. Returns `null` without a state in that direction, or for any other key. */
export function findNearestState({ boxes }: FlowLayout, from: string, key: string): string | null {
  const [start, way] = [boxes.get(from), directions[key]];
  if (!start || !way) return null;
  let nearest: { readonly name: string; readonly far: number } | null = null;
  for (const [name, { x, y }] of boxes) {
    const along = (x - start.x) * way.x + (y - start.y) * way.y;
    const aside = Math.abs((x - start.x) * way.y) + Math.abs((y - start.y) * way.x);
    const far = along + 2 * aside; // prefer states straight ahead to near ones
    if (along > 0 && (!nearest || far < nearest.far)) nearest = { name, far };
  }
  return nearest?.name ?? null;
}

export function lineAlong([first, ...rest]: readonly Point[]): string {
  if (!first) return '';
  const last = rest.at(-1);
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point;
    const end = index === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${at(point)} ${at(end)}`;
  });
  return `M${at(first)}${bends.join('') || (last ? `L${at(last)}` : '')}`;
}

function at({ x, y }: Point): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}
