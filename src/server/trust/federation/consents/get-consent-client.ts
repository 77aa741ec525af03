import type { Language } from '../../../../contract/portal-config.ts';
import { writtenCountry } from '../../../../contract/written/country.ts';
import { writtenDocumentType } from '../../../../contract/written/document-type.ts';
import { consentTexts } from '../clients/release.ts';
import { scopeNames } from '../clients/scopes.ts';
import type { Caller, Handler } from '../../../platform/base/operation-request.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Logos } from '../clients/logos.ts';
import type { Interactions } from '../clients/pending-request.ts';
import type { Applications } from '../saml/applications.ts';

interface Needs {
  readonly config: Pick<Config, 'identityProviders'>;
  readonly logos: Logos;
  readonly interactions: Interactions;
  readonly applications: Applications;
  readonly store: Store;
}
import { fullName, type Citizen } from '../../identity/citizens.ts';
import { ownCitizen } from '../../identity/own-citizen.ts';
import { consentFacts } from './consent-facts.ts';

/**
 * Describes an application from its registration. With `next`, it must be waiting for this citizen's consent, and the scopes are those of its request
 * rather than of the URL. Without `next`, the scopes are the named ones that it is registered for, and `state` is empty, so no consent can be given.
 */
export function getConsentClient({
  config,
  interactions,
  applications,
  store,
  logos,
}: Needs): Handler<'getConsentClient'> {
  return async ({ params, query, caller, origin }) => {
    const { next, scopes = '' } = query;
    const id = params['client'] ?? '';
    const asked =
      next === undefined
        ? { clientId: id, scopes: scopeNames.filter((name) => scopes.split(' ').includes(name)) }
        : await interactions.findConsent(next, caller?.sessionId ?? '');
    const client = asked?.clientId === id ? await applications.find(id) : null;
    if (asked === null || client === null) throw new OperationError(404, 'no_encontrado');
    const { citizen } = await ownCitizen(store.db, caller);
    const { name, website, terms, privacy, logo } = client;
    return {
      body: {
        name,
        website_url: website ?? null,
        url: website ?? null,
        terms_url: terms ?? null,
        priv_url: privacy ?? null,
        logo: await logos.pathOf(logo),
        scopes: consentTexts(client.scopes, asked.scopes, origin.language).map((text) => ({
          ...text,
          value: valueOf(text.scope, citizen, origin.language),
        })),
        citizen: `${fullName(citizen)}, ${documentText(citizen, origin.language)}${await providerOf(store, config, caller)}`,
        state: next ?? '',
        ...consentFacts(citizen, caller?.nid ?? 0),
      },
    };
  };
}

/** Identity provider of the session, shown after the citizen's name. Empty for the portal's own account. */
async function providerOf(
  { db }: Store,
  { identityProviders }: Needs['config'],
  caller: Caller | null,
): Promise<string> {
  const session = await db
    .selectFrom('broker_sessions')
    .select('idp')
    .where('id', '=', caller?.sessionId ?? '')
    .executeTakeFirst();
  const idp = session?.idp ?? null;
  if (idp === null) return '';
  return ` (${identityProviders.find(({ identificador }) => identificador === idp)?.nombre ?? idp})`;
}

/** The value that an application would read with a scope, formatted for the citizen. Empty if the description is enough. */
function valueOf(scope: string, citizen: Citizen, language: Language): string {
  switch (scope) {
    case 'personal_info':
      return `${fullName(citizen)}, ${documentText(citizen, language)}`;
    case 'profile':
      return fullName(citizen);
    case 'document':
      return documentText(citizen, language);
    case 'email':
      return citizen.email ?? '';
    default:
      return '';
  }
}

function documentText(
  { type, type_name: typeName, number, country, country_name: countryName }: Citizen,
  language: Language,
): string {
  const [typed, issuer] = [
    writtenDocumentType(type, typeName, language),
    writtenCountry(country, countryName, language),
  ];
  return `${typed} ${number}, ${issuer}`;
}
