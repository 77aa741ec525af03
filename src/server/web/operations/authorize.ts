import { operationRefusal, type OperationRefusal } from '../../../contract/access.ts';
import type { Operation } from '../../../contract/contract.ts';
import { flagDefaults, type Flags } from '../../../contract/flags.ts';
import { pages } from '../../../contract/pages.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';

const refusals: Readonly<Record<OperationRefusal, readonly [status: number, code: string]>> = {
  'signed-out': [401, 'no_autenticado'],
  role: [403, 'sin_permiso'],
  foreign: [403, 'sin_permiso'],
  proofing: [403, 'identidad_por_comprobar'],
  restricted: [403, 'usuario_restringido'],
  permission: [403, 'sin_permiso'],
  factor: [403, 'segundo_factor_pendiente'],
  passkey: [403, 'ingreso_sin_llave'],
};

/** Refusals shown only to agents of the desk. They get the reason instead of a 404. */
const ofAgents: ReadonlySet<OperationRefusal> = new Set(['factor', 'passkey']);

/**
 * Authorizes every operation by its row of the contract. Throws a 401 for a caller without a session and a 403 if the caller may not invoke it.
 * Throws a 404 for another citizen's id, so that nobody can find out whether that citizen exists, and for an operation of the desk that the caller
 * may not invoke.
 */
export function authorize(
  operation: Operation,
  caller: Caller | null,
  params: Readonly<Record<string, string>>,
  flags: Flags = flagDefaults,
): void {
  const refusal = operationRefusal(
    operation,
    caller ?? { role: 'anonymous', permisos: {}, restricted: false, factorDue: false },
    flags,
  );
  if (refusal !== null && !ofAgents.has(refusal) && operation.auth === 'agent') throw unknownAddress();
  if (refusal === 'factor' && operation.auth !== 'agent')
    throw new OperationError(...refusals.factor, { next: pages.secondFactorReminder });
  if (refusal !== null) throw new OperationError(...refusals[refusal]);
  if (operation.own !== undefined && params[operation.own] !== caller?.citizenId)
    throw new OperationError(404, 'no_encontrado');
}

/** The response of every address that does not exist. */
export function unknownAddress(): OperationError {
  return new OperationError(404, 'no_encontrado');
}

export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1] ?? null;
}
