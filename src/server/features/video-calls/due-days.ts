import { after } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { waitingStates, type CallState } from './states.ts';

/** The settings that say how long a call waits for somebody's yes. */
export type DueSettings = Pick<Config, 'elevationVerifyDays' | 'elevationAcceptDays'>;

const dayS = 24 * 60 * 60;
const settings: ReadonlyMap<CallState, keyof DueSettings> = new Map([
  [waitingStates.verification, 'elevationVerifyDays'],
  [waitingStates.acceptance, 'elevationAcceptDays'],
]);

/** The states in which an elevation waits for somebody's yes. */
export const dueStates: readonly CallState[] = [...settings.keys()];

/** When an elevation that is put into a state now ends by itself; null: it waits for nobody's yes. */
export function dueBy(state: CallState, config: DueSettings, now: Date): Date | null {
  const setting = settings.get(state);
  return setting === undefined ? null : after(now, config[setting] * dayS);
}
