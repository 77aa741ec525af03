import { OperationError } from '../../platform/base/errors.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { citizenRecord, type RecordNeeds } from './citizen-record.ts';

/** The record of who came by a foreign identity provider; an account that is gone answers 401, as every operation does. */
export function getForeignCitizen(needs: RecordNeeds): Handler<'getForeignCitizen'> {
  return async ({ caller }) => {
    const record = caller === null ? null : await citizenRecord(needs, caller.citizenId, caller);
    if (record === null) throw new OperationError(401, 'no_autenticado');
    return { body: record };
  };
}
