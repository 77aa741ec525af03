import type { Citizen } from './citizens.ts';
import { levelOf } from './citizen-answer.ts';

/** The registration level from which on (section 4.1: Intermedio) a second factor is no longer a choice. */
const mandatoryFrom = 2;

/** Whether a citizen's level demands a second factor. */
export function demandsSecondFactor(citizen: Pick<Citizen, 'level'>): boolean {
  return levelOf(citizen).nid >= mandatoryFrom;
}
