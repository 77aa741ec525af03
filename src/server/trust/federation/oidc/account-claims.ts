import type Provider from 'oidc-provider';
import { errors, type Account, type AccountClaims, type KoaContextWithOIDC } from 'oidc-provider';
import { portalConstants } from '../../../../contract/constants.ts';
import { asObject } from '../../../../engine/core/json.ts';
import { findCitizen, formatFullName, type Citizen, formatUidClaim } from '../../identity/citizens.ts';

import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { createPairwiseIdentifierFunction } from '../pairwise-identifiers.ts';
import { isLegacyClient, listRegisteredScopes } from '../clients/client-registration.ts';
import { selectReleasedScopes, listClaimsOfScopes } from '../clients/scopes.ts';
import { hasSecondFactor } from '../../credentials/second-factors.ts';
import {
  formatAcr,
  awaitsIdentityProofing,
  getIdentityLevel,
  parseAcr,
  isRestrictedCitizen,
} from '../../identity/assurance-levels.ts';
import { findProviderAssertedLevel, computeAuthenticationStrength } from '../../identity/session-level.ts';

export type ComputeSubjectIdentifier = (client: InstanceType<Provider['Client']>, citizenId: string) => Promise<string>;

/**
 * Creates the function that computes the `sub` of a citizen for a client. Pairwise subjects are per sector (OpenID Connect Core, section 8.1). A
 * native app has no host, so each native app is a separate sector.
 */
export function createSubjectIdentifierFunction(
  parts: Parameters<typeof createPairwiseIdentifierFunction>[0],
): ComputeSubjectIdentifier {
  const identify = createPairwiseIdentifierFunction(parts, 'oidc-pairwise');
  return async (client, citizenId) => {
    if (client.subjectType !== 'pairwise') return citizenId;
    const isOwnSector = client.applicationType === 'native' && client.sectorIdentifierUri === undefined;
    const sector = isOwnSector ? client.clientId : String(client.sectorIdentifier ?? '');
    return identify(sector, citizenId);
  };
}

export interface TokenSignInFacts {
  readonly nid: number;
  readonly ae: number;
  readonly idp?: string;
}

export function createAccountFinder(
  store: DatabaseStore,
): (ctx: KoaContextWithOIDC, id: string) => Promise<Account | undefined> {
  return async (ctx, id) => {
    const citizen = await findCitizen(store.db, id);
    if (citizen === null || citizen.blocked_at !== null) return undefined;
    return {
      accountId: id,
      closing: citizen.closing_at !== null,
      proofing: isRestrictedCitizen(citizen) && awaitsIdentityProofing(citizen, await hasSecondFactor(store.db, id)),
      claims: async (_use, scope) => selectClaims(citizen, ctx, scope),
    };
  };
}

/** Reads the facts about the sign-in for a token. Throws an `InvalidGrant` if the identity provider of the sign-in is no longer known. */
export async function readTokenSignInFacts(store: DatabaseStore, ctx: KoaContextWithOIDC): Promise<TokenSignInFacts> {
  const { AuthorizationCode, RefreshToken } = ctx.oidc.entities;
  const source = AuthorizationCode ?? RefreshToken;
  if (findProviderAssertedLevel(source?.amr ?? []) === null) return readSignInFacts(ctx);
  const idp = await findProvider(store, source?.sessionUid, source?.accountId ?? '');
  if (idp === null) throw new errors.InvalidGrant('the identity provider of the sign-in is not known any more');
  return { ...readSignInFacts(ctx), idp };
}

async function findProvider({ db }: DatabaseStore, uid: string | undefined, citizenId: string): Promise<string | null> {
  const session = await db
    .selectFrom('broker_sessions')
    .select('idp')
    .where('oidc_uid', '=', uid ?? '')
    .where('idp', 'is not', null)
    .orderBy('created_at', 'desc') // selects the latest session, because a repeated sign-in creates another session with the same uid
    .executeTakeFirst();
  if (session) return session.idp;
  // The record of the session is gone, because a refresh token can outlive it. Uses the citizen's linked provider, if there is exactly one.
  const linked = await db
    .selectFrom('provider_identities')
    .select('provider')
    .distinct()
    .where('citizen_id', '=', citizenId)
    .limit(2)
    .execute();
  return linked.length === 1 ? (linked[0]?.provider ?? null) : null;
}

function readSignInFacts({ oidc }: KoaContextWithOIDC): TokenSignInFacts {
  const source = oidc.entities.AuthorizationCode ?? oidc.entities.RefreshToken;
  return { nid: parseAcr(source?.acr) ?? 0, ae: computeAuthenticationStrength(source?.amr ?? []) };
}

/** Returns the claims that registration and consent allow. oidc-provider later removes the claims outside of the scopes of the request. */
function selectClaims(citizen: Citizen, ctx: KoaContextWithOIDC, scope: string): AccountClaims {
  const { client, entities } = ctx.oidc;
  const granted = entities.Grant?.getOIDCScope().split(' ') ?? [];
  const released = new Set(
    listClaimsOfScopes(['openid', ...selectReleasedScopes(listRegisteredScopes(client ?? {}), granted)]),
  );
  const all = buildCitizenClaims(citizen, ctx, scope);
  return { ...Object.fromEntries(Object.entries(all).filter(([name]) => released.has(name))), sub: citizen.id };
}

function buildCitizenClaims(citizen: Citizen, ctx: KoaContextWithOIDC, scope: string): AccountClaims {
  const { client, entities } = ctx.oidc;
  const facts = parseSignInFacts(entities.AccessToken?.extra) ?? readSignInFacts(ctx);
  const inUrns = scope.split(' ').includes('auth_info');
  const rid = getIdentityLevel(citizen).nid;
  const names = [citizen.first_name, citizen.second_name].filter((name) => name !== '').join(' ');
  const surnames = [citizen.first_surname, citizen.second_surname].filter((name) => name !== '').join(' ');
  return {
    sub: citizen.id,
    nombre_completo: formatFullName(citizen),
    primer_nombre: citizen.first_name,
    segundo_nombre: citizen.second_name,
    primer_apellido: citizen.first_surname,
    segundo_apellido: citizen.second_surname,
    uid: formatUidClaim(citizen),
    name: formatFullName(citizen),
    given_name: names,
    family_name: surnames,
    ...buildDocumentClaims(citizen, { flat: client?.['flat'] === true, legacy: isLegacyClient(client) }),
    ...(citizen.email !== null && { email: citizen.email, email_verified: citizen.email_verified_at !== null }),
    rid: inUrns ? `urn:iduruguay:rid:${rid}` : String(rid),
    nid: formatAcr(facts.nid),
    ae: `urn:iduruguay:ae:${facts.ae}`,
    ...(facts.idp !== undefined && { idp: facts.idp }),
  };
}

/**
 * Builds the claims about the document. With `flat`, country and type are plain codes, otherwise objects with code and name. With `legacy`, the code
 * of the national type is a number.
 */
function buildDocumentClaims(citizen: Citizen, { flat, legacy }: { flat: boolean; legacy: boolean }) {
  const numero_documento = citizen.number;
  if (flat) return { pais_documento: citizen.country, tipo_documento: citizen.type, numero_documento };
  const national = legacy && citizen.type === portalConstants.nationalDocumentType;
  return {
    pais_documento: { codigo: citizen.country, nombre: citizen.country_name },
    tipo_documento: {
      codigo: national ? Number(portalConstants.legacyNationalDocumentType) : citizen.type,
      nombre: citizen.type_name,
    },
    numero_documento,
  };
}

function parseSignInFacts(extra: unknown): TokenSignInFacts | null {
  const { nid, ae, idp } = asObject(extra);
  if (typeof nid !== 'number' || typeof ae !== 'number') return null;
  return { nid, ae, ...(typeof idp === 'string' && { idp }) };
}
