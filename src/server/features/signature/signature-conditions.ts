import { OperationError } from '../../platform/base/errors.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';

/** Throws unless the citizen may raise the level by signature: below Intermedio, with an active account and a verified address (section 6). */
export function checkMaySign(citizen: Pick<Citizen, 'level' | 'active_at' | 'email' | 'email_verified_at'>): void {
  if (demandsSecondFactor(citizen)) throw new OperationError(409, 'nivel_ya_alcanzado');
  if (citizen.active_at === null) throw new OperationError(409, 'firma_cuenta_inactiva');
  if (citizen.email === null || citizen.email_verified_at === null) throw new OperationError(409, 'sin_correo');
}
