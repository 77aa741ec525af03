import { randomSecret } from '../../platform/keys/secrets.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { after } from '../../platform/base/clock.ts';
import { periods } from '../../platform/base/periods.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';

export interface SignatureRequest {
  readonly citizenId: string;
  readonly sessionId: string;
  readonly nonce: string;
  readonly at: Date;
}

/** Time to sign and submit a request, in seconds. */
const lifeS = periods.signatureMin * 60;
const purpose = 'signature request';

/** Creates and seals a request. The address carries it, and nothing is stored until the statement is prepared. */
export function sealRequest(vault: Vault, { citizenId, sessionId, at }: Omit<SignatureRequest, 'nonce'>): string {
  return vault.seal(purpose, JSON.stringify([citizenId, sessionId, randomSecret(), at.getTime()]));
}

/** Opens a sealed request. Returns `null` if this server did not seal it. */
export function openRequest(vault: Vault, sealed: string): SignatureRequest | null {
  try {
    const [citizenId, sessionId, nonce, at]: readonly unknown[] = JSON.parse(vault.open(purpose, sealed));
    return {
      citizenId: String(citizenId),
      sessionId: String(sessionId),
      nonce: String(nonce),
      at: new Date(Number(at)),
    };
  } catch {
    return null; // forged, or sealed with another key
  }
}

export function computeEnd({ at }: SignatureRequest): Date {
  return after(at, lifeS);
}

/** Throws unless the citizen may raise the level by signature: below Intermedio, with an active account and a verified address (section 6). */
export function checkMaySign(citizen: Pick<Citizen, 'level' | 'active_at' | 'email' | 'email_verified_at'>): void {
  if (demandsSecondFactor(citizen)) throw new OperationError(409, 'nivel_ya_alcanzado');
  if (citizen.active_at === null) throw new OperationError(409, 'firma_cuenta_inactiva');
  if (citizen.email === null || citizen.email_verified_at === null) throw new OperationError(409, 'sin_correo');
}
