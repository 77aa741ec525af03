import type { Language } from '../../../../contract/portal-config.ts';
import { mergedScopeTexts, scopeNames, type ScopeText } from './scopes.ts';

/**
 * What an application may get of a citizen, by whatever way it asks (scope, `claims` parameter, attribute set, NameID format): the scopes that
 * it is registered for and that the citizen allowed. Absent `registered`: its registration names none, and it may ask for every scope.
 */
export function releasedScopes(
  registered: readonly string[] = scopeNames,
  consented: readonly string[] = registered,
): readonly string[] {
  return consented.filter((scope) => scope === 'openid' || registered.includes(scope));
}

/** What a citizen reads of a consent, wherever it is shown: in the question, in the overview, in the exported data. */
export function consentTexts(
  registered: readonly string[] | undefined,
  consented: readonly string[],
  language: Language,
): readonly ScopeText[] {
  return mergedScopeTexts(releasedScopes(registered, consented), language);
}
