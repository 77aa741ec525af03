import { t } from '../texts.ts';
import type { ScenarioMismatch } from './replay.ts';

export function describeScenarioMismatch(fault: ScenarioMismatch): string {
  const step = fault.step === 0 ? t('walkArrival') : t('walkStep', { step: fault.step });
  if (fault.kind === 'differs')
    return t('walkDiffers', {
      step,
      what: t(`walkPart-${fault.what}`),
      expected: formatScenarioValue(fault.expected),
      actual: formatScenarioValue(fault.actual),
    });
  if ('operation' in fault)
    return t(fault.kind === 'unmade' ? 'walkUnmade' : 'walkUnanswered', { step, operation: fault.operation });
  return t(fault.kind === 'field' ? 'walkNoField' : 'walkNoEvent', { step, name: fault.name });
}

export function formatScenarioValue(value: unknown): string {
  return value === undefined || value === null || value === '' ? t('nothing') : JSON.stringify(value);
}
