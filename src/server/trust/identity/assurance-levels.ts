import {
  isForeignIdentityProvider,
  isRestrictedCitizenRecord,
  needsIdentityProofing,
} from '../../../contract/operation-access.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Citizen } from './citizens.ts';
import type { Tx } from '../../platform/database/open-store.ts';

/** Level (section 4.1 of the specification) after a remote proof of identity: a digital signature or a video call. */
const certifiedLevel = 'Certificado';

/** Level (section 4.1 of the specification) after an in-person check of the document (origin PRESENCIAL). */
export const inPersonLevel = 'Verificado';

/** Raises an account to Intermedio and returns the updated record. `signature` is the URL of the signed statement, if any. */
export async function raiseIdentityLevel(
  tx: Tx,
  citizen: Citizen,
  {
    level = certifiedLevel,
    signature = citizen.signature,
  }: { level?: typeof certifiedLevel | typeof inPersonLevel; signature?: string | null } = {},
): Promise<Citizen> {
  await tx.updateTable('citizens').set({ level, signature }).where('id', '=', citizen.id).execute();
  return { ...citizen, level, signature };
}

/** Codes and names of an identity level (section 4.1 of the specification). `rid` is the registration level, and `nid` its number. */
interface IdentityLevel {
  readonly code: string;
  readonly trust: string;
  readonly rid: string;
  readonly nid: number;
}

const identityLevels: Readonly<Record<string, IdentityLevel>> = {
  'Autoregistro con CI': { code: 'AUTOREGISTRADO', trust: 'Autoregistro con CI', rid: 'Bajo', nid: 1 },
  Autoregistrado: { code: 'AUTOREGISTRADO', trust: 'Autoregistrado', rid: 'Bajo', nid: 1 },
  Verificado: { code: 'PRESENCIAL', trust: 'Verificado', rid: 'Medio', nid: 2 },
  Certificado: { code: 'CERTIFICADO', trust: 'Certificado', rid: 'Medio', nid: 2 },
};

/** Returns the level of a citizen. An unknown level has the restrictions of the lowest level. */
export function getIdentityLevel({ level }: Pick<Citizen, 'level'>): IdentityLevel {
  return identityLevels[level] ?? { code: '', trust: '', rid: 'Muy bajo', nid: 0 };
}

export function isRestrictedCitizen({ features, level }: Pick<Citizen, 'features' | 'level'>): boolean {
  return isRestrictedCitizenRecord({ acceso_funcionalidades: features, rid: getIdentityLevel({ level }).rid });
}

/**
 * Level (Intermedio, section 4.1 of the specification) from which an account must have a second factor. A session must also prove a second factor to
 * reach this level.
 */
export const minSecondFactorLevel = 2;

export function requiresSecondFactor(citizen: Pick<Citizen, 'level'>): boolean {
  return getIdentityLevel(citizen).nid >= minSecondFactorLevel;
}

/** Whether the account lacks a second factor that its level, or its disavowal ("No fui yo"), requires. */
export function lacksRequiredFactor(
  { level, idp, proofing_due: proofingDue }: Pick<Citizen, 'level' | 'idp' | 'proofing_due'>,
  hasFactor: boolean,
): boolean {
  return !hasFactor && !isForeignIdentityProvider(idp) && (proofingDue || requiresSecondFactor({ level }));
}

export function awaitsIdentityProofing(
  citizen: Pick<Citizen, 'features' | 'level' | 'idp' | 'proofing_due'>,
  hasFactor: boolean,
): boolean {
  return needsIdentityProofing({
    restricted: isRestrictedCitizen(citizen),
    factorDue: lacksRequiredFactor(citizen, hasFactor),
  });
}

const acrPrefix = 'urn:iduruguay:nid:';

export const acrValues: readonly string[] = [0, 1, 2, 3].map(formatAcr);

/** The requested `acr` of an authorization request (OpenID Connect Core, section 5.5.1). */
export interface AcrRequest {
  readonly essential?: boolean | undefined;
  readonly value?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

export function formatAcr(nid: number): string {
  return `${acrPrefix}${nid}`;
}

export function parseAcr(acr: string | undefined): number | null {
  return acr !== undefined && acrValues.includes(acr) ? Number(acr.slice(acrPrefix.length)) : null;
}

/** Returns the lowest of the requested levels, because each is enough. Returns `null` if the request is essential and has no known level. */
export function findRequiredSessionLevel({ essential = false, value, values }: AcrRequest): number | null {
  const asked = value === undefined ? (values ?? []) : [value];
  const levels = asked.map((acr) => parseAcr(acr)).filter((nid) => nid !== null);
  if (levels.length > 0) return Math.min(...levels);
  return essential && asked.length > 0 ? null : 0;
}

export function parseAcrRequest(acr: unknown): AcrRequest | null {
  if (acr === undefined || acr === null) return {};
  if (!isObject(acr)) return null;
  const { essential, value, values } = acr;
  const fits =
    (essential === undefined || typeof essential === 'boolean') &&
    (value === undefined || typeof value === 'string') &&
    (values === undefined || (Array.isArray(values) && values.every((one) => typeof one === 'string')));
  return fits ? { essential, value, values } : null;
}

/** Reads the requested `acr` from the parameters of an authorization request. `acr_values` takes precedence, unless the claim is essential. */
export function readAcrRequest(params: Readonly<Record<string, unknown>>): AcrRequest {
  const { acr_values: list, claims } = params;
  const parsed: { id_token?: { acr?: unknown } } = typeof claims === 'string' ? JSON.parse(claims) : {}; // the provider has validated `claims`, and `assertFlatClaimRequests` has validated its `acr` member
  const claim = parseAcrRequest(parsed.id_token?.acr) ?? {};
  const isMandatory = claim.essential === true && (claim.value ?? claim.values) !== undefined;
  return isMandatory || typeof list !== 'string' || list === '' ? claim : { values: list.split(' ') };
}
