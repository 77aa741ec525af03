import { after } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { waitingStates, type CallState } from './states.ts';

export type DueSettings = Pick<Config, 'elevationVerifyDays' | 'elevationAcceptDays'>;

const dayS = 24 * 60 * 60;
const settings: ReadonlyMap<CallState, keyof DueSettings> = new Map([
  [waitingStates.verification, 'elevationVerifyDays'],
  [waitingStates.acceptance, 'elevationAcceptDays'],
]);

export const dueStates: readonly CallState[] = [...settings.keys()];

/** Returns when an elevation that enters a state now ends automatically. Returns `null` if it does not. */
export function dueBy(state: CallState, config: DueSettings, now: Date): Date | null {
  const setting = settings.get(state);
  return setting === undefined ? null : after(now, config[setting] * dayS);
}
