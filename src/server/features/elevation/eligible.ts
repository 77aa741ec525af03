import { constants } from '../../../contract/constants.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';

/** Throws unless the citizen may raise the level by video call: below Intermedio, with a Uruguayan document and an active account. */
export function checkMayElevate(citizen: Pick<Citizen, 'country' | 'level' | 'active_at'>): void {
  if (citizen.country !== constants.defaultCountry) throw new OperationError(403, 'sin_permiso');
  if (demandsSecondFactor(citizen)) throw new OperationError(409, 'nivel_ya_alcanzado');
  if (citizen.active_at === null) throw new OperationError(403, 'sin_permiso');
}
