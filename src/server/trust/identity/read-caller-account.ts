import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findCitizen } from './citizens.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';

export async function readCallerAccount(db: DatabaseStore['db'] | Tx, caller: Caller | null) {
  const citizen = caller === null ? null : await findCitizen(db, caller.citizenId);
  if (caller === null || citizen === null) throw new OperationError(401, 'no_autenticado');
  return { citizen, sessionId: caller.sessionId };
}
