import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { citizenRecord, type RecordNeeds } from './citizen-record.ts';

export function getCitizen(needs: RecordNeeds): Handler<'getCitizen'> {
  return async ({ params, caller }) => {
    const record = await citizenRecord(needs, params['id'] ?? '', caller);
    if (record === null) throw new OperationError(404, 'no_encontrado');
    return { body: record };
  };
}
