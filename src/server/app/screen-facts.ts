import type { OperationName } from '../../contract/contract.ts';
import { toPersonFact, type SharedFacts } from '../../contract/rule-facts.ts';
import { isObject, type ValuesByName } from '../../engine/core/json.ts';
import type { Caller } from '../platform/base/operation-request.ts';
import { findCitizen, type Citizen } from '../trust/identity/citizens.ts';
import { findLiveLinkToken } from '../trust/credentials/link-tokens.ts';
import { loadCitizenResponse } from '../features/account/index.ts';
import type { HandlerContext } from '../features/handler-context.ts';

type FactDependencies = Pick<HandlerContext, 'clock' | 'config' | 'store'>;

/** Loads the facts that rules of screens may read besides the form. */
export async function loadScreenFacts(sources: FactDependencies, caller: Caller | null): Promise<SharedFacts> {
  const { config } = sources;
  const user = caller === null ? null : await loadCitizenResponse(sources, caller.citizenId, caller);
  return {
    flags: config.flags,
    passwordPolicy: config.passwordPolicy,
    authenticated: user !== null,
    user,
    ...(user && { person: toPersonFact(user) }),
  };
}

/**
 * Loads the facts for the rules that validate the body of an operation. For a new password after a reset, adds `linkOwner`, which describes the
 * account of the mailed link.
 */
export async function loadOperationFacts(
  sources: FactDependencies,
  operation: OperationName,
  caller: Caller | null,
  body: unknown,
): Promise<SharedFacts> {
  const facts = await loadScreenFacts(sources, caller);
  const owner = operation === 'confirmPasswordReset' ? await findLinkOwner(sources, body) : null;
  return { ...facts, ...(owner && { linkOwner: toPerson(owner) }) };
}

async function findLinkOwner({ store, clock }: FactDependencies, body: unknown): Promise<Citizen | null> {
  const token = isObject(body) ? body['token'] : undefined;
  const owner = typeof token === 'string' ? await findLiveLinkToken(store.db, 'reset', token, clock.now()) : null;
  return owner?.citizenId ? findCitizen(store.db, owner.citizenId) : null;
}

function toPerson(citizen: Citizen): ValuesByName {
  return {
    primer_nombre: citizen.first_name,
    segundo_nombre: citizen.second_name,
    primer_apellido: citizen.first_surname,
    segundo_apellido: citizen.second_surname,
    numero_documento: citizen.number,
    email: citizen.email ?? '',
  };
}
