import { OperationError } from '../../platform/base/errors.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { citizenRecord, type RecordNeeds } from './citizen-record.ts';

/** Returns the record of a citizen who signed in with a foreign provider. Fails with 401 if the account is gone, like every operation. */
export function getForeignCitizen(needs: RecordNeeds): Handler<'getForeignCitizen'> {
  return async ({ caller }) => {
    const record = caller === null ? null : await citizenRecord(needs, caller.citizenId, caller);
    if (record === null) throw new OperationError(401, 'no_autenticado');
    return { body: record };
  };
}
