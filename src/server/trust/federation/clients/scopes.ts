import type { Language } from '../../../../contract/portal-config.ts';
import { asObject } from '../../../../engine/core/json.ts';
import texts from './scopes.json' with { type: 'json' };
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tx } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { buildLiveSessionCondition } from '../../sessions/broker-sessions.ts';

/** Claims of each scope (section 3 of ID Uruguay's profile). */
export const claimsByScope = {
  openid: ['sub', 'acr', 'amr', 'auth_time', 'idp'],
  personal_info: [
    'nombre_completo',
    'primer_nombre',
    'segundo_nombre',
    'primer_apellido',
    'segundo_apellido',
    'uid',
    'rid',
  ],
  profile: ['name', 'given_name', 'family_name'],
  document: ['pais_documento', 'tipo_documento', 'numero_documento'],
  email: ['email', 'email_verified'],
  auth_info: ['rid', 'nid', 'ae'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const supportedScopes: readonly string[] = [...Object.keys(claimsByScope), 'offline_access'];

export const scopeTextsVersion = texts.version;

interface ScopeText {
  readonly scope: string;
  readonly name: string;
  readonly description: string;
}

/** Scopes whose data is part of another scope. A consent with the larger scope does not list them. */
const includedScopes: Readonly<Record<string, readonly string[]>> = { personal_info: ['profile', 'document'] };

/** Returns the texts of the scopes to which a citizen can consent. Omits `openid`, which is implied, and unknown scopes. */
function listMergedScopeTexts(scopes: readonly string[], language: Language): ScopeText[] {
  const own: Readonly<Record<string, { readonly name: string; readonly description: string }>> = texts[language];
  const omitted = new Set(['openid', ...scopes.flatMap((scope) => includedScopes[scope] ?? [])]);
  return scopes.flatMap((scope) => {
    const text = !omitted.has(scope) && Object.hasOwn(own, scope) ? own[scope] : undefined;
    return text ? [{ scope, ...text }] : [];
  });
}

export function selectRequestedScopes(scope: unknown, claims: unknown, registered: readonly string[]) {
  const named = typeof scope === 'string' ? scope.split(' ') : [];
  const covered = listClaimsOfScopes(named);
  const missing = new Set(listClaimNames(claims).filter((claim) => !covered.includes(claim)));
  const isNeeded = (name: string): boolean =>
    named.includes(name) || (name !== 'openid' && listClaimsOfScopes([name]).some((claim) => missing.has(claim)));
  return supportedScopes.filter((name) => registered.includes(name) && isNeeded(name));
}

export function listResourceScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => scope !== 'openid' && scope !== 'offline_access');
}

export function listClaimsOfScopes(scopes: readonly string[]): string[] {
  return Object.entries(claimsByScope)
    .filter(([scope]) => scopes.includes(scope))
    .flatMap(([, claims]) => claims);
}

function listClaimNames(claims: unknown): readonly string[] {
  if (typeof claims !== 'string') return [];
  const parsed: unknown = JSON.parse(claims); // oidc-provider has validated the JSON
  return Object.values(asObject(parsed)).flatMap((part) => Object.keys(asObject(part)));
}

/**
 * Returns the consented scopes that are also registered. Limits every way to request data: scope, `claims` parameter, attribute set, NameID format.
 */
export function selectReleasedScopes(
  registered: readonly string[] = supportedScopes,
  consented: readonly string[] = registered,
): readonly string[] {
  return consented.filter((scope) => scope === 'openid' || registered.includes(scope));
}

export function listConsentTexts(
  registered: readonly string[] | undefined,
  consented: readonly string[],
  language: Language,
): readonly ScopeText[] {
  return listMergedScopeTexts(selectReleasedScopes(registered, consented), language);
}

export async function findConsentedScopes(
  db: Kysely<Database>,
  citizenId: string,
  clientId: string,
): Promise<readonly string[] | null> {
  const row = await db
    .selectFrom('consents')
    .select('scopes')
    .where('citizen_id', '=', citizenId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row ? row.scopes.split(' ') : null;
}

/**
 * Reads the consented scopes again, and writes the rows of session and consent unchanged. A concurrent transaction that withdraws scopes or ends the
 * session then fails to serialize, is repeated, and deletes the records that were stored in the meantime. A row lock would not have this effect.
 */
export async function rereadConsentedScopesWithConflict(
  db: Kysely<Database>,
  { citizenId, clientId, oidcUid, now }: { citizenId: string; clientId: string; oidcUid: string; now: Date },
): Promise<readonly string[] | null> {
  const row = await db
    .with('session', (query) =>
      query
        .updateTable('broker_sessions')
        .set(({ ref }) => ({ oidc_uid: ref('oidc_uid') }))
        .where('citizen_id', '=', citizenId)
        .where('oidc_uid', '=', oidcUid)
        .where(buildLiveSessionCondition(now))
        .returning('citizen_id'),
    )
    .updateTable('consents')
    .from('session')
    .set(({ ref }) => ({ scopes: ref('consents.scopes') }))
    .whereRef('consents.citizen_id', '=', 'session.citizen_id')
    .where('client_id', '=', clientId)
    .returning('consents.scopes')
    .executeTakeFirst();
  return row ? row.scopes.split(' ') : null;
}

export async function addConsent(
  tx: Tx,
  { citizenId, clientId, scopes, now }: { citizenId: string; clientId: string; scopes: readonly string[]; now: Date },
): Promise<readonly string[]> {
  const before = (await findConsentedScopes(tx, citizenId, clientId)) ?? [];
  const all = [...new Set([...before, ...scopes])];
  const row = { scopes: all.join(' '), texts_version: scopeTextsVersion, given_at: now };
  await tx
    .insertInto('consents')
    .values({ id: randomUUID(), citizen_id: citizenId, client_id: clientId, ...row })
    .onConflict((conflict) => conflict.columns(['citizen_id', 'client_id']).doUpdateSet(row))
    .execute();
  return all;
}

/** Deletes all consents and tokens of a removed application, so that a later application with the same id does not inherit them. */
export async function deleteApplicationRecords(tx: Tx, clientId: string): Promise<void> {
  await tx.deleteFrom('consents').where('client_id', '=', clientId).execute();
  await tx.deleteFrom('oidc_records').where('client_id', '=', clientId).execute();
}

/**
 * Withdraws `scope` and the scopes that are part of it, and deletes grants, codes and tokens. Returns `null` if the consent does not list `scope`.
 */
export async function withdrawConsentedScope(
  tx: Tx,
  { citizenId, id, scope }: { citizenId: string; id: string; scope: string },
): Promise<{ readonly clientId: string; readonly isLast: boolean } | null> {
  const consent = await tx
    .selectFrom('consents')
    .select(['client_id', 'scopes'])
    .where('id', '=', id)
    .where('citizen_id', '=', citizenId)
    .forUpdate()
    .executeTakeFirst();
  const given = consent?.scopes.split(' ') ?? [];
  if (consent === undefined || !listMergedScopeTexts(given, 'es').some((text) => text.scope === scope)) return null;
  const left = given.filter((name) => name !== scope && !includedScopes[scope]?.includes(name));
  const isLast = left.every((name) => name === 'openid');
  if (isLast) await revokeClientAccess(tx, citizenId, consent.client_id);
  else {
    await tx
      .updateTable('consents')
      .set({ scopes: left.join(' ') })
      .where('id', '=', id)
      .execute();
    await deleteTokens(tx, citizenId, consent.client_id);
  }
  return { clientId: consent.client_id, isLast };
}

export async function revokeClientAccess(tx: Tx, citizenId: string, clientId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('consents')
    .where('citizen_id', '=', citizenId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  await deleteTokens(tx, citizenId, clientId);
  return numDeletedRows > 0n;
}

async function deleteTokens(tx: Tx, citizenId: string, clientId: string): Promise<void> {
  await tx.deleteFrom('oidc_records').where('account_id', '=', citizenId).where('client_id', '=', clientId).execute();
}
