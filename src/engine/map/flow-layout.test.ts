import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addChallengeNode, listTransitionArrows, listArrowTargets } from './transition-branches.ts';
import { findStateInArrowDirection, stateBoxSize, layOutFlowMap, buildSvgLinePath } from './flow-layout.ts';
import { productDefinitions } from '../../../tests/definitions/support/product-definitions.ts';

type Point = Readonly<Record<'x' | 'y', number>>;

const root = resolve(import.meta.dirname, '../../..');
const { flows } = await productDefinitions;

describe('[QA+GALERIA] map of a flow', () => {
  test('exists for every flow file', async () => {
    const files = (await readdir(resolve(root, 'flows'))).filter((name) => name.endsWith('.json'));
    expect(Object.keys(flows)).toHaveLength(files.length);
  });

  test.each(Object.values(flows))(
    'of $id has each state once and each transition, and its states do not overlap',
    (flow) => {
      const { width, height, boxes, arrows } = layOutFlowMap(flow);
      const nodes = addChallengeNode(flow);
      expect([...boxes.keys()].sort()).toEqual(Object.keys(nodes).sort());
      const drawn = [...boxes.values()];
      for (const [index, one] of drawn.entries()) {
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.y).toBeGreaterThanOrEqual(0);
        expect(one.x + stateBoxSize.width).toBeLessThanOrEqual(width);
        expect(one.y + stateBoxSize.height).toBeLessThanOrEqual(height);
        for (const other of drawn.slice(index + 1))
          expect(
            Math.abs(one.x - other.x) >= stateBoxSize.width || Math.abs(one.y - other.y) >= stateBoxSize.height,
          ).toBe(true);
      }
      const led = Object.keys(nodes).flatMap((name) =>
        listArrowTargets(nodes, name).map((target) => `${name} ${target}`),
      );
      expect(arrows.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(led.sort());
    },
  );

  test('labels an arrow with its buttons, and does not label failures', () => {
    const flow = flows['registro']!;
    const nodes = addChallengeNode(flow);
    const { arrows } = layOutFlowMap(flow, (state, event) => (event === 'submit' ? `send ${state}` : undefined));
    const fails = arrows.filter(({ from, to }) =>
      listTransitionArrows(nodes[from]!).every(({ target, outcome }) => target !== to || outcome === 'failed'),
    );
    expect(arrows.find(({ from, to }) => from === 'documento' && to === 'nombre')?.label?.text).toBe('send documento');
    expect(fails).not.toEqual([]);
    expect(fails.map(({ label }) => label)).toEqual(fails.map(() => null));
  });

  test('reserves no room for labels that would make the map wider than its frame, and has none for arrows back', () => {
    const label = (_state: string, event: string) => (event === 'submit' ? 'Botón con un texto' : undefined);
    const rooms = (name: string) =>
      new Set(layOutFlowMap(flows[name]!, label).arrows.flatMap(({ label: own }) => (own ? own.hasRoom : [])));
    expect([...rooms('ingreso')]).toEqual([false]);
    expect(layOutFlowMap(flows['registro']!, label).arrows.some(({ label: own }) => own?.hasRoom)).toBe(true);
  });

  test('puts no label of a state on a box or on another label of this state', () => {
    const label = (_state: string, event: string) => `Botón ${event}`;
    const overlaps = (a: Point, b: Point, width: number, height: number) =>
      Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height;
    const faults = Object.values(flows).flatMap((flow) => {
      const { arrows, boxes } = layOutFlowMap(flow, label);
      const placed = arrows.flatMap(({ from, label: own }) => (own ? [{ from, ...own }] : []));
      const onBox = placed.filter((own) =>
        [...boxes.values()].some(({ x, y }) =>
          overlaps(
            own,
            { x: x + stateBoxSize.width / 2, y: y + stateBoxSize.height / 2 },
            stateBoxSize.width / 2,
            stateBoxSize.height / 2,
          ),
        ),
      );
      const onLabel = placed.filter((own) =>
        placed.some((other) => other !== own && other.from === own.from && overlaps(own, other, 8, 8)),
      );
      return [...onBox, ...onLabel].map(({ text }) => `${flow.id}: ${text}`);
    });
    expect(faults).toEqual([]);
  });

  test('findStateInArrowDirection returns the nearest state in the direction of an arrow key, or null', () => {
    const boxes = new Map([
      ['a', { x: 0, y: 100 }],
      ['ahead', { x: 300, y: 110 }],
      ['below', { x: 200, y: 300 }],
      ['far', { x: 600, y: 100 }],
    ]);
    const layout = { boxes, arrows: [], width: 800, height: 400 };
    expect(
      ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'x'].map((key) => findStateInArrowDirection(layout, 'a', key)),
    ).toEqual(['ahead', 'below', null, null]);
    expect(findStateInArrowDirection(layout, 'ahead', 'ArrowRight')).toBe('far');
    expect(findStateInArrowDirection(layout, 'nobody', 'ArrowRight')).toBeNull();
  });

  test.each([
    ['registro', 'y'],
    ['ayuda', 'x'],
  ] as const)('of %s begins at its edge (%s) with the state that the flow begins with', (name, axis) => {
    const { boxes } = layOutFlowMap(flows[name]!);
    expect(boxes.get(flows[name]!.initial)?.[axis]).toBe(Math.min(...[...boxes.values()].map((at) => at[axis])));
  });

  test('is at most 1,010 px wide with labels, so that it fits its frame in a window of 1280 px', () => {
    const label = () => 'Botón con un texto';
    expect(Object.values(flows).flatMap((flow) => (layOutFlowMap(flow, label).width > 1_010 ? flow.id : []))).toEqual(
      [],
    );
  });
});

test.each([
  { points: [], d: '' },
  { points: [{ x: 1, y: 2 }], d: 'M1 2' },
  {
    points: [
      { x: 1, y: 2 },
      { x: 3.4, y: 4 },
    ],
    d: 'M1 2L3 4',
  },
  {
    points: [
      { x: 0, y: 0 },
      { x: 4, y: 8 },
      { x: 8, y: 0 },
    ],
    d: 'M0 0Q4 8 8 0',
  },
  {
    points: [
      { x: 0, y: 0 },
      { x: 4, y: 8 },
      { x: 8, y: 8 },
      { x: 9, y: 0 },
    ],
    d: 'M0 0Q4 8 6 8Q8 8 9 0',
  },
])('buildSvgLinePath rounds the corners of a line through $points.length points', ({ points, d }) => {
  expect(buildSvgLinePath(points)).toBe(d);
});
