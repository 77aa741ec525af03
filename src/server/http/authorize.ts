import type { Call } from '../../api/contract.ts';
import type { Caller } from '../call.ts';
import { CallError } from '../errors.ts';

/**
 * The guard of every call, from its row of the contract: a caller without a session gets 401, a role that is not
 * listed or a missing permission 403, another citizen's id 404 (it must not tell whether that citizen exists).
 */
export function authorize(call: Call, caller: Caller | null, params: Readonly<Record<string, string>>): void {
  if (!call.roles.includes(caller?.role ?? 'anonymous')) {
    throw caller ? new CallError(403, 'sin_permiso') : new CallError(401, 'no_autenticado');
  }
  if (call.own !== undefined && params[call.own] !== caller?.citizenId) throw new CallError(404, 'no_encontrado');
  if (call.permission && !mayDo(caller, call.permission)) throw new CallError(403, 'sin_permiso');
}

/** The token of an Authorization header, or null. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1] ?? null;
}

function mayDo(caller: Caller | null, [resource, action]: readonly [string, string]): boolean {
  const permisos = caller?.permisos ?? {};
  return Object.hasOwn(permisos, resource) && (permisos[resource]?.includes(action) ?? false);
}
