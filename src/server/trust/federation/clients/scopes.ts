import type { Language } from '../../../../contract/portal-config.ts';
import texts from './scopes.json' with { type: 'json' };

/** Claims of each scope (section 3 of ID Uruguay's profile). */
export const scopeClaims = {
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

export const scopeNames: readonly string[] = [...Object.keys(scopeClaims), 'offline_access'];

export const textsVersion = texts.version;

export interface ScopeText {
  readonly scope: string;
  readonly name: string;
  readonly description: string;
}

/** Texts of the scopes that a citizen decides on. Leaves out `openid`, which is implied, and unknown scopes. */
function scopeTexts(scopes: readonly string[], language: Language): ScopeText[] {
  const own: Readonly<Record<string, { readonly name: string; readonly description: string }>> = texts[language];
  return scopes.flatMap((scope) => {
    const text = scope !== 'openid' && Object.hasOwn(own, scope) ? own[scope] : undefined;
    return text ? [{ scope, ...text }] : [];
  });
}

/** Scopes whose data another scope includes. A consent that shows the larger scope does not list them. */
const contained: Readonly<Record<string, readonly string[]>> = { personal_info: ['profile', 'document'] };

export function mergedScopeTexts(scopes: readonly string[], language: Language): ScopeText[] {
  const inside = new Set(scopes.flatMap((scope) => contained[scope] ?? []));
  return scopeTexts(
    scopes.filter((scope) => !inside.has(scope)),
    language,
  );
}

/** Scopes that a request needs for its `scope` and `claims` parameters, limited to those that the client is registered for. */
export function requestedScopes(scope: unknown, claims: unknown, registered: readonly string[]): readonly string[] {
  const named = new Set(typeof scope === 'string' ? scope.split(' ') : []);
  const wanted = new Set(claimNames(claims));
  const covers = (name: string): boolean =>
    Object.entries(scopeClaims).some(
      ([known, list]) =>
        known === name &&
        known !== 'openid' &&
        !named.has(name) &&
        list.some((claim) => wanted.has(claim) && !isCovered(claim, named)),
    );
  return scopeNames.filter((name) => registered.includes(name) && (named.has(name) || covers(name)));
}

export function listClaims(scopes: readonly string[]): string[] {
  return Object.entries(scopeClaims)
    .filter(([scope]) => scopes.includes(scope))
    .flatMap(([, claims]) => claims);
}

function isCovered(claim: string, scopes: ReadonlySet<string>): boolean {
  return listClaims([...scopes]).includes(claim);
}

function claimNames(claims: unknown): readonly string[] {
  if (typeof claims !== 'string') return [];
  const parsed: unknown = JSON.parse(claims); // validated by oidc-provider
  const parts = typeof parsed === 'object' && parsed !== null ? Object.values(parsed) : [];
  return parts.flatMap((part: unknown) => (typeof part === 'object' && part !== null ? Object.keys(part) : []));
}
