import { expect, test } from 'vitest';
import { untoldIn } from '../../src/cli/definitions/untold.ts';
import { root } from './support/fixtures.ts';

test(
  '[EST-04] each change of a rule is told by a fixture, or stands in the list of reasons',
  { timeout: 240_000 },
  async () => {
    const { tried, untold, unused } = await untoldIn(root);
    expect(tried).toBeGreaterThan(400);
    expect(untold.map(({ screen, field, rule }) => `${screen}: ${field} ${rule}`)).toEqual([]);
    expect(unused).toEqual([]);
  },
);
