import { expect, test } from 'vitest';
import { apiContract } from '../../src/contract/contract.ts';
import { isObject } from '../../src/engine/core/json.ts';
import { importScreen } from '../engine/support/loaded-screens.ts';
import { productDefinitions } from './support/product-definitions.ts';

const destructiveOperations = [
  ...Object.entries(apiContract).flatMap(([name, { method }]) => (method === 'DELETE' ? name : [])),
  'cancelSupportCall',
  'closeAccount',
];
/** The citizen undoes it with a new sign-in. */
const exceptions = ['endSession'];

const listTransitions = (value: unknown) => [value].flat().filter(isObject);

test('[ENG-01] a button that deletes, cancels or closes looks like a dangerous one', async () => {
  const definitions = await productDefinitions;
  const found: Record<string, boolean | undefined> = {};
  for (const { states } of Object.values(definitions.flows))
    for (const { screen, on } of Object.values(states))
      for (const [event, value] of Object.entries(on ?? {})) {
        const operation = listTransitions(value).find(({ src }) => destructiveOperations.includes(String(src)))?.[
          'src'
        ];
        if (screen === undefined || operation === undefined || exceptions.includes(String(operation))) continue;
        const { actions = [] } = (await importScreen(definitions, screen)).validator.screen.ui;
        found[`${screen} ${event}`] = actions.find((action) => action.event === event)?.danger;
      }
  expect(Object.keys(found).length).toBeGreaterThan(6);
  expect(Object.entries(found).filter(([, danger]) => danger !== true)).toEqual([]);
});
