import { permits } from '../../api/access.ts';
import type { Call } from '../../api/contract.ts';
import { flagDefaults, type Flags } from '../../api/flags.ts';
import type { Caller } from '../call.ts';
import { CallError } from '../errors.ts';

/**
 * The guard of every call, from its row of the contract: a caller without a session gets 401, a role that is not
 * listed, a missing permission or a foreign user who may not manage an account here 403, another citizen's id 404 (it must not tell whether that citizen exists).
 */
export function authorize(call: Call, caller: Caller | null, params: Readonly<Record<string, string>>, flags: Flags = flagDefaults): void {
  if (!call.roles.includes(caller?.role ?? 'anonymous')) {
    throw caller ? new CallError(403, 'sin_permiso') : new CallError(401, 'no_autenticado');
  }
  if (call.manages && caller?.role === 'foreign' && !flags.idp_autogestion) throw new CallError(403, 'sin_permiso');
  if (call.own !== undefined && params[call.own] !== caller?.citizenId) throw new CallError(404, 'no_encontrado');
  if (call.permissions && !permits(caller?.permisos ?? {}, call.permissions)) throw new CallError(403, 'sin_permiso');
}

/** The token of an Authorization header, or null. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1] ?? null;
}
