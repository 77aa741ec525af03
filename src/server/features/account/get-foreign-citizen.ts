import type { Handler } from '../../platform/base/operation-request.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { citizenRecord, type RecordNeeds } from './citizen-record.ts';

/** The record of who came by a foreign identity provider; an account that is gone answers 401, as every operation does. */
export function getForeignCitizen(needs: RecordNeeds): Handler<'getForeignCitizen'> {
  return async ({ caller }) => ({
    body: await citizenRecord(needs, (await ownCitizen(needs.store.db, caller)).citizen, caller),
  });
}
