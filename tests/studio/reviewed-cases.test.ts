import { expect, test } from 'vitest';
import { readEarlierStepCases } from '../../src/studio/server/development-server.ts';
import { root } from '../architecture/source-texts.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

test('[EST-06] gallery draws the review of a screen with a valid case of each earlier step, and none for other screens', async () => {
  const definitions = await productDefinitions;
  const reviewed = await readEarlierStepCases(root, definitions, 'elevacion-confirmar');
  expect(reviewed.map(({ screen, titles }) => [screen, titles['es']])).toEqual([
    ['elevacion-condiciones', 'Condiciones'],
    ['elevacion-datos', 'Tus datos'],
    ['elevacion-fecha', 'Día y hora'],
  ]);
  for (const { screen, data, context } of reviewed)
    expect([screen, definitions.check(screen, data, { language: 'es', context }).errors]).toEqual([screen, {}]);
  expect(await readEarlierStepCases(root, definitions, 'elevacion-fecha')).toEqual([]);
});
