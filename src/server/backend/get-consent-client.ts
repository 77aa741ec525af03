import { scopeTexts } from '../broker/oidc/scopes.ts';
import type { Handler } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';

/**
 * The application that asks the citizen for consent, from its registration, and what it asks for, from its request: nothing
 * comes from the address of the page, and who was not asked learns nothing of an application.
 */
export function getConsentClient({ oidc }: Parts): Handler<'getConsentClient'> {
  return async ({ params, query, caller, language }) => {
    const next = query['next'] ?? '';
    const asked = await oidc.interactions.findConsent(next, caller?.sessionId ?? '');
    const client = asked === null || asked.clientId !== params['client'] ? null : await oidc.clients.find(asked.clientId);
    if (asked === null || client === null) throw new CallError(404, 'no_encontrado');
    const { name, website, terms, privacy, logo } = client.registration;
    return {
      body: {
        name,
        website_url: website ?? null,
        url: website ?? null,
        terms_url: terms ?? null,
        priv_url: privacy ?? null,
        logo: logo ?? null,
        scopes: scopeTexts(asked.scopes, language),
        state: next,
      },
    };
  };
}
