// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import { StudioFluentProvider } from '../editor/studio-fluent-provider.tsx';
import { FlowMap } from './flow-map.tsx';

const flow: Flow = {
  id: 'sample',
  initial: 'first',
  states: {
    first: { on: { submit: { src: 'send', onDone: [{ target: 'second' }], onError: [{ target: 'failed' }] } } },
    second: { on: { submit: { target: 'third' } }, back: 'first' },
    third: {},
    failed: {},
  },
};

function drawMap(selected: string): HTMLElement {
  return render(
    <StudioFluentProvider>
      <FlowMap flow={flow} resolveTitle={(screen) => screen} resolveEvent={() => undefined} selected={selected} />
    </StudioFluentProvider>,
  ).container;
}

const countArrows = (map: HTMLElement) =>
  [true, false].map((isUsual) => map.querySelectorAll(`path[data-usual=${isUsual}]`).length);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('[QA+GALERIA] FlowMap shows back and error arrows only of the selected state', () => {
  expect(countArrows(drawMap('second'))).toEqual([2, 1]);
  cleanup();
  expect(countArrows(drawMap('failed'))).toEqual([2, 1]);
  cleanup();
  expect(countArrows(drawMap('third'))).toEqual([2, 0]);
});

test('[QA+GALERIA] FlowMap leaves out the arrows back to the selected initial state', () => {
  expect(countArrows(drawMap('first'))).toEqual([2, 1]);
});

test('[QA+GALERIA] FlowMap shows an overview, with the selected state, only if the map is wider than its frame', () => {
  expect(drawMap('third').querySelector('.flow-overview')).toBeNull();
  cleanup();
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(100);
  const overview = drawMap('third').querySelector('.flow-overview');
  expect(overview?.querySelectorAll('rect')).toHaveLength(4);
  expect(overview?.querySelector('[data-selected=true]')?.getAttribute('href')).toBe('#sample.third');
});
