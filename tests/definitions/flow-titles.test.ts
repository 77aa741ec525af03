import { expect, test } from 'vitest';
import { resolveFlowTitle } from '../../src/studio/flow-title.ts';
import { productDefinitions } from './support/product-definitions.ts';

const { flows, descriptions } = await productDefinitions;

test('[EST-19] every flow has a title of its own, or a titled initial screen', () => {
  const untitled = Object.values(flows).filter(
    (flow) => resolveFlowTitle(flow, descriptions[flow.id], (screen) => `title of ${screen}`) === flow.id,
  );
  expect(untitled.map(({ id }) => id)).toEqual([]);
});

test('[EST-19] the title of a flow precedes the title of its initial screen', () => {
  const flow = { id: 'alta', initial: 'a', states: { a: { screen: 'datos' }, b: { screen: 'fin' } } };
  expect(resolveFlowTitle(flow, undefined, (screen) => `title of ${screen}`)).toBe('title of datos');
  const described = { title: 'Alta', states: {}, guards: [] };
  expect(resolveFlowTitle(flow, described, (screen) => `title of ${screen}`)).toBe('Alta');
});
