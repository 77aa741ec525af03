import { constants } from '../../../../contract/constants.ts';
import { demandsSecondFactor, secondFactorNid } from '../../identity/levels.ts';
import type { Citizen } from '../../identity/citizens.ts';

/** What a consent tells of its citizen (section 3), from the record and the session: what the browser says of it is not read. */
export interface ConsentFacts {
  readonly es_extranjero: boolean;
  /** The registration's level is Medio or higher, but the session has proven no second factor. */
  readonly rid_alto_sin_2do_factor: boolean;
}

/** Reads the facts of a consent. */
export function consentFacts(citizen: Pick<Citizen, 'country' | 'level'>, sessionNid: number): ConsentFacts {
  return {
    es_extranjero: citizen.country !== constants.defaultCountry,
    rid_alto_sin_2do_factor: demandsSecondFactor(citizen) && sessionNid < secondFactorNid,
  };
}
