import { isForeignProvider, isRestricted, needsProofing } from '../../../contract/access.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Citizen } from './citizens.ts';

/** A level as the specification names it (4.1): the code, the level of trust, the registration level and its number. */
interface Level {
  readonly code: string;
  readonly trust: string;
  readonly rid: string;
  readonly nid: number;
}

const levels: Readonly<Record<string, Level>> = {
  'Autoregistro con CI': { code: 'AUTOREGISTRADO', trust: 'Autoregistro con CI', rid: 'Bajo', nid: 1 },
  Autoregistrado: { code: 'AUTOREGISTRADO', trust: 'Autoregistrado', rid: 'Bajo', nid: 1 },
  Verificado: { code: 'PRESENCIAL', trust: 'Verificado', rid: 'Medio', nid: 2 },
  Certificado: { code: 'CERTIFICADO', trust: 'Certificado', rid: 'Medio', nid: 2 },
};
const unknown: Level = { code: '', trust: '', rid: 'Muy bajo', nid: 0 };

/** The level of a citizen; an unknown one restricts as the lowest does. */
export function levelOf({ level }: Pick<Citizen, 'level'>): Level {
  return levels[level] ?? unknown;
}

/** Whether a citizen may change neither credentials nor level (section 6). */
export function restrictedCitizen({ features, level }: Pick<Citizen, 'features' | 'level'>): boolean {
  return isRestricted({ acceso_funcionalidades: features, rid: levelOf({ level }).rid });
}

/** The level from which on (section 4.1: Intermedio) a second factor is no longer a choice, and which a session reaches by one. */
export const secondFactorNid = 2;

/** Whether a citizen's level demands a second factor. */
export function demandsSecondFactor(citizen: Pick<Citizen, 'level'>): boolean {
  return levelOf(citizen).nid >= secondFactorNid;
}

/** Whether an agent must check the identity of a citizen before anything else, by the rule of the table of operations. */
export function awaitsProofing(citizen: Pick<Citizen, 'features' | 'level' | 'idp'>, hasFactor: boolean): boolean {
  const factorDue = !isForeignProvider(citizen.idp) && demandsSecondFactor(citizen) && !hasFactor;
  return needsProofing({ restricted: restrictedCitizen(citizen), factorDue });
}

const prefix = 'urn:iduruguay:nid:';

/** The authentication context classes of ID Uruguay, by level of the session. */
export const acrValues: readonly string[] = [0, 1, 2, 3].map(acrOf);

/** What a request says of the level that it needs. */
export interface AcrRequest {
  readonly essential?: boolean | undefined;
  readonly value?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** The class of a session's level (0 to 3). */
export function acrOf(nid: number): string {
  return `${prefix}${nid}`;
}

/** The level of a class; null for a class that is not ours. */
export function nidOf(acr: string | undefined): number | null {
  return acr !== undefined && acrValues.includes(acr) ? Number(acr.slice(prefix.length)) : null;
}

/**
 * The least level that satisfies a request: any of its classes will do, and a higher level satisfies a lower class. Null when
 * an essential request names no class of ours, so that nothing satisfies it.
 */
export function requiredNid({ essential = false, value, values }: AcrRequest): number | null {
  const asked = value === undefined ? (values ?? []) : [value];
  const levels = asked.map((acr) => nidOf(acr)).filter((nid) => nid !== null);
  if (levels.length > 0) return Math.min(...levels);
  return essential && asked.length > 0 ? null : 0;
}

/** What the `claims` parameter asks of `acr`, null when it is malformed: absent or null, or an object whose values are texts. */
export function readAcrClaim(acr: unknown): AcrRequest | null {
  if (acr === undefined || acr === null) return {};
  if (!isObject(acr)) return null;
  const { essential, value, values } = acr;
  const fits =
    (essential === undefined || typeof essential === 'boolean') &&
    (value === undefined || typeof value === 'string') &&
    (values === undefined || (Array.isArray(values) && values.every((one) => typeof one === 'string')));
  return fits ? { essential, value, values } : null;
}

/** What the stored parameters of a request say of the level; `acr_values` wins, as in the provider. */
export function acrRequest(params: Readonly<Record<string, unknown>>): AcrRequest {
  const { acr_values: list, claims } = params;
  if (typeof list === 'string' && list !== '') return { values: list.split(' ') };
  if (typeof claims !== 'string') return {};
  const parsed: { id_token?: { acr?: unknown } } = JSON.parse(claims); // the provider has checked it, policy.ts what is below
  return readAcrClaim(parsed.id_token?.acr) ?? {};
}
