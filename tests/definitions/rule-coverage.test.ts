import { expect, test } from 'vitest';
import { measureRuleCoverage } from '../../src/cli/definitions/coverage.ts';
import { root } from './support/fixtures.ts';

test(
  '[EST-04] each change of a rule is told by a fixture, or stands in the list of reasons',
  { timeout: 240_000 },
  async () => {
    const { all, uncovered, unused } = await measureRuleCoverage(root);
    expect(all).toBeGreaterThan(400);
    expect(uncovered.map(({ screen, field, rule }) => `${screen}: ${field} ${rule}`)).toEqual([]);
    expect(unused).toEqual([]);
  },
);
