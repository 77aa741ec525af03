import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import { citizenRecord } from './citizen-record.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** The record of who came by a foreign identity provider; an account that is gone answers 401, as every call does. */
export function getForeignCitizen(parts: Parts): Handler<'getForeignCitizen'> {
  return async ({ caller }) => ({
    body: await citizenRecord(parts, (await ownCitizen(parts.store.db, caller)).citizen, caller),
  });
}
