import { OperationError } from '../../platform/base/errors.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { noteCardCheck, checkMayElevate, checkCitizenCard, hasPassed } from './identity-card.ts';
import type { Handler } from '../parts.ts';

/** Checks the citizen's card with the registry. The document of somebody else gets the same response as an unknown one. */
export const checkCard: Handler<'checkCard'> = async ({ store, registry, clock }, { query, caller }) => {
  const { citizen, sessionId } = await ownCitizen(store.db, caller);
  checkMayElevate(citizen);
  const { cedula = citizen.number, numero_serie: serial = '', primer_apellido: surname } = query;
  if (cedula !== citizen.number) throw new OperationError(404, 'no_encontrado');
  const now = clock.now();
  const checked = await checkCitizenCard(registry, citizen, { serial, surname, now });
  if (hasPassed(checked)) await noteCardCheck(store, sessionId, now);
  return { body: checked };
};
