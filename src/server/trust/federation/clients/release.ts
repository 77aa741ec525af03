import type { Language } from '../../../../contract/portal-config.ts';
import { mergedScopeTexts, scopeNames, type ScopeText } from './scopes.ts';

/**
 * Scopes whose data an application may read: those it is registered for and the citizen has consented to. Applies to every way of requesting data
 * (scope, `claims` parameter, attribute set, NameID format). Without `registered`, the registration allows every scope.
 */
export function releasedScopes(
  registered: readonly string[] = scopeNames,
  consented: readonly string[] = registered,
): readonly string[] {
  return consented.filter((scope) => scope === 'openid' || registered.includes(scope));
}

/** Texts that describe a consent to the citizen: in the consent page, the list of applications and the data export. */
export function consentTexts(
  registered: readonly string[] | undefined,
  consented: readonly string[],
  language: Language,
): readonly ScopeText[] {
  return mergedScopeTexts(releasedScopes(registered, consented), language);
}
