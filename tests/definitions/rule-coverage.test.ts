import { expect, test } from 'vitest';
import { measureRuleCoverage } from '../../src/cli/definitions/coverage.ts';
import { root } from './support/fixtures.ts';

test(
  '[EST-04] every mutant of a rule is detected by a fixture or listed with a reason',
  { timeout: 240_000 },
  async () => {
    const { total: all, uncovered, unused } = await measureRuleCoverage(root);
    expect(all).toBeGreaterThan(400);
    expect(uncovered.map(({ screen, field, rule }) => `${screen}: ${field} ${rule}`)).toEqual([]);
    expect(unused).toEqual([]);
  },
);
