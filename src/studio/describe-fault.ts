import type { FixtureFault } from './dev-data.ts';
import { t } from './texts.ts';

export function describeFault(fault: FixtureFault): string {
  if (fault.kind !== 'differs') return t(fault.kind, fault);
  return t('differs', {
    field: fault.field || t('form'),
    expected: fault.expected || t('nothing'),
    actual: fault.actual || t('nothing'),
  });
}
