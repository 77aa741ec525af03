import type { Handler } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { findCitizen } from '../store/citizens.ts';
import { citizenAnswer } from './citizen-answer.ts';

/** The record of the citizen who is signed in. */
export function getCitizen({ store }: Parts): Handler<'getCitizen'> {
  return async ({ params }) => {
    const citizen = await findCitizen(store.db, params['id'] ?? '');
    if (citizen === null) throw new CallError(404, 'no_encontrado');
    return { body: citizenAnswer(citizen) };
  };
}
