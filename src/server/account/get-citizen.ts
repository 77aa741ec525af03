import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { findCitizen } from '../identity/citizens.ts';
import { citizenRecord } from './citizen-record.ts';

/** The record of the citizen who is signed in. */
export function getCitizen(parts: Parts): Handler<'getCitizen'> {
  return async ({ params, caller }) => {
    const citizen = await findCitizen(parts.store.db, params['id'] ?? '');
    if (citizen === null) throw new CallError(404, 'no_encontrado');
    return { body: await citizenRecord(parts, citizen, caller) };
  };
}
