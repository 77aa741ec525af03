import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import { citizenRecord, type RecordNeeds } from './citizen-record.ts';

/** The record of the citizen who is signed in. */
export function getCitizen(needs: RecordNeeds): Handler<'getCitizen'> {
  return async ({ params, caller }) => {
    const citizen = await findCitizen(needs.store.db, params['id'] ?? '');
    if (citizen === null) throw new OperationError(404, 'no_encontrado');
    return { body: await citizenRecord(needs, citizen, caller) };
  };
}
