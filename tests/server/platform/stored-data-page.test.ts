import { expect, test } from 'vitest';
import type { Config } from '../../../src/server/platform/config/config.ts';
import { renderStoredDataPage } from '../../../src/server/platform/modules/stored-data-page.ts';
import { createExpiryPurgeRule } from '../../../src/server/platform/modules/table-descriptions.ts';

function renderWith(policy: string): string {
  return renderStoredDataPage({
    tables: { rows: { data: null, why: 'a test', readers: [], retention: createExpiryPurgeRule(policy) } },
    config: {} as Config, // `createExpiryPurgeRule` takes its period from `values`, so no setting is read
    values: { [policy]: 2 },
  });
}

test.each([
  ['anios_x', '2 years'],
  ['dias_x', '2 days'],
  ['horas_x', '2 hours'],
  ['minutos_x', '2 minutes'],
])('[INI+PRIVACIDAD] the page of stored data reads the unit of %s', (policy, period) => {
  expect(renderWith(policy)).toContain(`at most ${period}`);
});

test('[INI+PRIVACIDAD] the page of stored data rejects a placeholder without a unit', () => {
  expect(() => renderWith('siglos_x')).toThrow('siglos_x');
});
