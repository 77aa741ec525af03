import type { Values } from '../../engine/core/json.ts';
import type { Caller } from '../call.ts';
import type { Parts } from '../parts.ts';
import { findCitizen } from '../store/citizens.ts';
import { citizenAnswer } from './citizen-answer.ts';

/** What the validators of screens may know beside the form: the flags, and of a signed-in citizen the record and its person. */
export async function factsFor({ config, store }: Parts, caller: Caller | null): Promise<Values> {
  const citizen = caller === null ? null : await findCitizen(store.db, caller.citizenId);
  if (citizen === null) return { flags: config.flags, authenticated: false, user: null };
  return {
    flags: config.flags,
    authenticated: true,
    user: citizenAnswer(citizen),
    person: {
      primer_nombre: citizen.first_name, segundo_nombre: citizen.second_name,
      primer_apellido: citizen.first_surname, segundo_apellido: citizen.second_surname,
      numero_documento: citizen.number, email: citizen.email ?? '',
    },
  };
}
