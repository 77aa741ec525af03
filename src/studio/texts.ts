import { featureFlagDefaults, type FeatureFlagName } from '../contract/flags.ts';
import { fillPlaceholders } from '../engine/core/messages.ts';
import type { CaseFault } from './dev-data.ts';
import texts from './texts.json' with { type: 'json' };

/** Returns a text of the developer pages. These pages exist only in Spanish. */
export function t(key: keyof typeof texts.es, values: Readonly<Record<string, string | number>> = {}): string {
  return fillPlaceholders(texts.es[key], values);
}

export function getFlagTitle(name: string): string {
  return Object.hasOwn(featureFlagDefaults, name) ? t(`flag-${name as FeatureFlagName}`) : name;
}

export function describeCaseFault(fault: CaseFault): string {
  if (fault.kind !== 'differs') return t(fault.kind, fault);
  return t('differs', {
    field: fault.field || t('form'),
    expected: fault.expected || t('nothing'),
    actual: fault.actual || t('nothing'),
  });
}
