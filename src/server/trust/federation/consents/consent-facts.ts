import { constants } from '../../../../contract/constants.ts';
import { demandsSecondFactor, secondFactorNid } from '../../identity/levels.ts';
import type { Citizen } from '../../identity/citizens.ts';

/** Facts about the citizen for the consent page (section 3), read from the database and the session, never from the browser. */
export interface ConsentFacts {
  readonly es_extranjero: boolean;
  /** Whether the registration level is Medio or higher, but the session has no second factor. */
  readonly rid_alto_sin_2do_factor: boolean;
}

export function consentFacts(citizen: Pick<Citizen, 'country' | 'level'>, sessionNid: number): ConsentFacts {
  return {
    es_extranjero: citizen.country !== constants.defaultCountry,
    rid_alto_sin_2do_factor: demandsSecondFactor(citizen) && sessionNid < secondFactorNid,
  };
}
