import { callRefusal, type CallRefusal } from '../../../contract/access.ts';
import type { Call } from '../../../contract/contract.ts';
import { flagDefaults, type Flags } from '../../../contract/flags.ts';
import type { Caller } from '../../platform/base/call.ts';
import { CallError } from '../../platform/base/errors.ts';

const refusals: Readonly<Record<CallRefusal, readonly [status: number, code: string]>> = {
  'signed-out': [401, 'no_autenticado'],
  role: [403, 'sin_permiso'],
  foreign: [403, 'sin_permiso'],
  restricted: [403, 'usuario_restringido'],
  permission: [403, 'sin_permiso'],
  factor: [403, 'segundo_factor_pendiente'],
};

/**
 * The guard of every call, from its row of the contract: a caller without a session gets 401, one who may not make it 403,
 * another citizen's id 404 (it must not tell whether that citizen exists). A call of the desk is an unknown address to whoever may not make it.
 */
export function authorize(
  call: Call,
  caller: Caller | null,
  params: Readonly<Record<string, string>>,
  flags: Flags = flagDefaults,
): void {
  const refusal = callRefusal(
    call,
    caller ?? { role: 'anonymous', permisos: {}, restricted: false, factorDue: false },
    flags,
  );
  if (refusal !== null && refusal !== 'factor' && call.auth === 'agent') throw unknownAddress();
  if (refusal !== null) throw new CallError(...refusals[refusal]);
  if (call.own !== undefined && params[call.own] !== caller?.citizenId) throw new CallError(404, 'no_encontrado');
}

/** What every address is answered where there is nothing. */
export function unknownAddress(): CallError {
  return new CallError(404, 'no_encontrado');
}

/** The token of an Authorization header, or null. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1] ?? null;
}
