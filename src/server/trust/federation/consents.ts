import type { OperationResponse } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { formatIdentityDocumentWithCountry } from '../../../contract/format/document-type.ts';
import {
  listConsentTexts,
  supportedScopes,
  scopeTextsVersion,
  addConsent,
  revokeClientAccess,
  withdrawConsentedScope,
} from './clients/scopes.ts';
import type { OperationHandler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import type { LogoStore } from './clients/logo-store.ts';
import type { PendingRequestStore } from './clients/pending-request.ts';
import type { ApplicationLookup } from './saml/open-saml.ts';
import { formatFullName, type Citizen } from '../identity/citizens.ts';
import { readCallerAccount } from '../identity/read-caller-account.ts';
import type { DatabaseCommandRunner } from '../notices/database-commands.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import { portalConstants } from '../../../contract/constants.ts';
import { requiresSecondFactor, minSecondFactorLevel } from '../identity/assurance-levels.ts';

interface ConsentParts {
  readonly config: Pick<Config, 'identityProviders'>;
  readonly commands: DatabaseCommandRunner;
  readonly logos: LogoStore;
  readonly pendingRequests: PendingRequestStore;
  readonly applications: ApplicationLookup;
  readonly store: DatabaseStore;
}

/**
 * With `next`, the application must be waiting for this citizen's consent, and its request determines the scopes, not the URL. Without `next`, the
 * page shows the registered scopes in the URL, and `state` is empty, so no consent can be given.
 */
export const getConsentClient: OperationHandler<'getConsentClient', ConsentParts> = async (
  { config, pendingRequests, applications, store, logos },
  { params, query, caller, origin },
) => {
  const { next, scopes = '' } = query;
  const id = params['client'] ?? '';
  const asked =
    next === undefined
      ? { clientId: id, scopes: supportedScopes.filter((name) => scopes.split(' ').includes(name)) }
      : await pendingRequests.findRequestAwaitingConsent(next, caller?.sessionId ?? '');
  const client = asked?.clientId === id ? await applications.find(id) : null;
  if (asked === null || client === null) throw new OperationError(404, 'no_encontrado');
  const { citizen, sessionId } = await readCallerAccount(store.db, caller);
  const session = await store.db
    .selectFrom('broker_sessions')
    .select('idp')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  const idp = session?.idp ?? null;
  const provider = config.identityProviders.find(({ identificador }) => identificador === idp)?.nombre ?? idp;
  const { name, website, terms, privacy, logo } = client;
  return {
    body: {
      name,
      website_url: website ?? null,
      url: website ?? null,
      terms_url: terms ?? null,
      priv_url: privacy ?? null,
      logo: await logos.findLogoPath(logo),
      scopes: listConsentTexts(client.scopes, asked.scopes, origin.language).map((text) => ({
        ...text,
        value: scopeValues[text.scope]?.(citizen, origin.language) ?? '',
      })),
      citizen: `${formatFullName(citizen)}, ${formatIdentityDocumentWithCountry(citizen, origin.language)}${provider === null ? '' : ` (${provider})`}`,
      state: next ?? '',
      ...buildConsentFacts(citizen, caller?.nid ?? 0),
    },
  };
};

/** The citizen's data that the application would read, by scope. The page shows no data for scopes that are not listed. */
const scopeValues: Readonly<Record<string, (citizen: Citizen, language: Language) => string>> = {
  personal_info: (citizen, language) =>
    `${formatFullName(citizen)}, ${formatIdentityDocumentWithCountry(citizen, language)}`,
  profile: formatFullName,
  document: formatIdentityDocumentWithCountry,
  email: ({ email }) => email ?? '',
};

/**
 * Stores the citizen's consent or refusal. If no request waits for it, throws a 404 whose `location` is the error page (section 7.1 of the
 * specification).
 */
export const giveConsent: OperationHandler<'giveConsent', ConsentParts> = async (
  { commands, pendingRequests },
  { body, caller, origin },
) => {
  const { next, client_id: clientId, allow } = body;
  const citizenId = caller?.citizenId ?? '';
  const asked = await pendingRequests.findRequestAwaitingConsent(next, caller?.sessionId ?? '');
  if (asked === null || asked.clientId !== clientId)
    throw new OperationError(404, 'no_encontrado', {
      location: buildHref(pagePaths.error, { errorCode: 'OIDC_ERROR' }),
    });
  await commands.run(origin, async ({ tx, now, audit }) => {
    const { citizen } = await readCallerAccount(tx, caller);
    if (allow) await addConsent(tx, { citizenId, clientId, scopes: asked.scopes, now });
    await audit(allow ? 'consent-given' : 'consent-refused', citizenId, {
      client: clientId,
      scopes: [...asked.scopes],
      textsVersion: scopeTextsVersion,
      ...buildConsentFacts(citizen, caller?.nid ?? 0),
    });
  });
  await (allow ? pendingRequests.recordConsent(next) : pendingRequests.recordRefusal(next));
  return { body: { location: asked.resumePath } };
};

/** Lists the applications that have the citizen's consent. An application that is no longer registered appears with its id as the name. */
export const getApplications: OperationHandler<'getApplications', ConsentParts> = async (parts, { caller, origin }) => {
  const { citizen } = await readCallerAccount(parts.store.db, caller);
  return { body: await listApplications(parts, citizen.id, origin.language) };
};

async function listApplications(
  { store, applications, logos }: ConsentParts,
  citizenId: string,
  language: Language,
): Promise<OperationResponse<'getApplications'>> {
  const rows = await store.db
    .selectFrom('consents')
    .selectAll()
    .where('citizen_id', '=', citizenId)
    .orderBy('given_at', 'desc')
    .execute();
  return Promise.all(
    rows.map(async ({ id, client_id, scopes, given_at }) => {
      const application = await applications.find(client_id);
      return {
        id,
        client: { name: application?.name ?? client_id, logo: await logos.findLogoPath(application?.logo) },
        scopes: listConsentTexts(application?.scopes, scopes.split(' '), language).map(({ scope, name }) => ({
          scope,
          name,
        })),
        date_given: given_at.toISOString(),
      };
    }),
  );
}

/** Revokes an application's access. The consent of another citizen gets the same response as an unknown consent. */
export const revokeApplication: OperationHandler<'revokeApplication', ConsentParts> = async (
  { commands },
  { params, caller, origin },
) => {
  await commands.run(origin, async ({ tx, audit, notify }) => {
    const { citizen, sessionId } = await readCallerAccount(tx, caller);
    const consent = await tx
      .selectFrom('consents')
      .select('client_id')
      .where('id', '=', params['consent'] ?? '')
      .where('citizen_id', '=', citizen.id)
      .executeTakeFirst();
    if (consent === undefined || !(await revokeClientAccess(tx, citizen.id, consent.client_id)))
      throw new OperationError(404, 'no_encontrado');
    await audit('application-revoked', citizen.id, { client: consent.client_id });
    await notify('application-revoked', citizen, { sessionId });
  });
  return { body: {} };
};

/** Withdraws one scope of a consent and revokes the application's tokens. The next sign-in issues new tokens, and prompts only for missing scopes. */
export const revokeScope: OperationHandler<'revokeScope', ConsentParts> = async (parts, { params, caller, origin }) => {
  const { consent: id = '', scope = '' } = params;
  const citizenId = await parts.commands.run(origin, async ({ tx, audit, notify }) => {
    const { citizen, sessionId } = await readCallerAccount(tx, caller);
    const withdrawn = await withdrawConsentedScope(tx, { citizenId: citizen.id, id, scope });
    if (withdrawn === null) throw new OperationError(404, 'no_encontrado');
    await audit('scope-revoked', citizen.id, { client: withdrawn.clientId, scopes: [scope] });
    if (withdrawn.isLast) await notify('application-revoked', citizen, { sessionId });
    return citizen.id;
  });
  return { body: await listApplications(parts, citizenId, origin.language) };
};

/** Facts for the consent page (section 3 of the specification), from the database and the session, never from the browser. */
export function buildConsentFacts(citizen: Pick<Citizen, 'country' | 'level'>, sessionNid: number) {
  return {
    es_extranjero: citizen.country !== portalConstants.defaultCountry,
    rid_alto_sin_2do_factor: requiresSecondFactor(citizen) && sessionNid < minSecondFactorLevel,
  };
}
