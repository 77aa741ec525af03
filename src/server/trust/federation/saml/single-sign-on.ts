import { sql } from 'kysely';
import { buildHref } from '../../../../contract/build-href.ts';
import { pagePaths, proofingPagePath, redirectOnlyPagePaths } from '../../../../contract/page-paths.ts';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { hasSecondFactor } from '../../credentials/second-factors.ts';
import { awaitsIdentityProofing } from '../../identity/assurance-levels.ts';
import { findCitizen, type Citizen, formatUidClaim } from '../../identity/citizens.ts';
import {
  identityProviderSkewS,
  selectLiveSessions,
  findSignInTime,
  type BrokerSessionRow,
} from '../../sessions/broker-sessions.ts';
import { generateSecret, hashSecret } from '../../../platform/keys/random-secrets.ts';
import { findConsentedScopes, selectReleasedScopes } from '../clients/scopes.ts';
import {
  authenticateSamlMessage,
  addProviderToSamlError,
  type ReceivedSamlMessage,
} from './authenticate-saml-message.ts';
import { readAuthnRequest, selectAuthnContextClass } from './authn-request.ts';
import {
  selectReleasedSamlAttributes,
  requiresSubjectId,
  scopeByNameIdFormat,
  selectScopesOfAuthnRequest,
  scopeForSubjectId,
  writeSamlStatusResponse,
  writeSamlResponse,
  type SamlNameId,
  type SamlResponseEnvelope,
  type AssertionStatement,
} from './saml-response.ts';
import {
  buildSamlEntityId,
  nameIdFormats,
  samlPaths,
  samlStatuses,
  subjectIdentifierAttributes,
  type SamlStatus,
} from './saml-constants.ts';
import type { StoredAuthnRequest } from './saml-requests.ts';
import type { ServiceProvider } from './service-providers.ts';
import { selectSigningCredential } from './xml-signature.ts';
import type { SamlProvider } from './open-saml.ts';
import { challengeNames } from '../../identity/challenge-names.ts';

export interface SamlDependencies {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: DatabaseStore;
  readonly saml: SamlProvider;
}

export type SamlBrowserAction =
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'send'; readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** Stores an AuthnRequest, bound to the browser by a cookie. Returns the path that continues the request. */
export async function receiveAuthnRequest(
  dependencies: SamlDependencies,
  arrival: ReceivedSamlMessage,
  browser: string,
): Promise<string> {
  const { provider, message, relayState, hasSignature } = await authenticateSamlMessage(
    dependencies,
    arrival,
    'SAMLRequest',
    true,
  );
  const { destination } = arrival;
  const request = addProviderToSamlError(provider, () =>
    readAuthnRequest(message, provider, {
      destination,
      clock: dependencies.clock,
      addressed: hasSignature, // the standard requires a Destination in signed messages
    }),
  );
  const processState = await dependencies.saml.requests.storeRequest({ provider, request, relayState, browser });
  return buildHref(samlPaths.send, { process_state: processState });
}

/**
 * Returns the next page for the citizen, or the response to the service provider. Returns `null` if the request is unknown, closed, or belongs to
 * another browser.
 */
export async function continueAuthnRequest(
  dependencies: SamlDependencies,
  { processState, browser, secret }: { processState: string; browser: string | undefined; secret: string | undefined },
): Promise<SamlBrowserAction | null> {
  const waiting = await dependencies.saml.requests.findRequestOfBrowser(processState, browser);
  if (waiting === null) return null;
  if (waiting.isRefused) return respondWithError(dependencies, waiting, samlStatuses.denied);
  const { request, provider } = waiting;
  if (request.context.nid === null) return respondWithError(dependencies, waiting, samlStatuses.noContext);
  const sessions = selectLiveSessions(dependencies.store.db, dependencies.clock.now());
  const session =
    secret === undefined ? undefined : await sessions.where('hash', '=', hashSecret(secret)).executeTakeFirst();
  const prompt = async (path: string): Promise<SamlBrowserAction> =>
    request.isPassive ? respondWithError(dependencies, waiting, samlStatuses.noPassive) : { kind: 'go', path };
  const login = buildHref(pagePaths.login, { process_state: processState });
  if (session === undefined) return prompt(login);
  const isNew = hasSignedInSince(session, waiting.createdAt);
  if (request.forceAuthn && !isNew)
    return prompt(buildHref(pagePaths.samlLogout, { process_state: processState, forceLogin: 'True' }));
  if (session.nid < request.context.nid)
    return isNew ? respondWithError(dependencies, waiting, samlStatuses.noContext) : prompt(login);
  const citizen = await findCitizen(dependencies.store.db, session.citizen_id);
  if (citizen === null) return prompt(login);
  if (awaitsIdentityProofing(citizen, await hasSecondFactor(dependencies.store.db, citizen.id)))
    return prompt(proofingPagePath);
  if (citizen.closing_at !== null) {
    const next = buildHref(samlPaths.send, { process_state: processState });
    return prompt(buildHref(redirectOnlyPagePaths.keepAccount, { next }));
  }
  const { registration } = provider;
  const requestedScopes = selectScopesOfAuthnRequest(request, provider);
  const consented =
    registration.consent === true
      ? await findConsentedScopes(dependencies.store.db, citizen.id, registration.id)
      : requestedScopes;
  if (consented === null || !requestedScopes.every((scope) => consented.includes(scope))) {
    if (!request.isPassive) await dependencies.saml.requests.bindConsentSession(waiting, session.id);
    const query = { client_id: registration.id, scope: requestedScopes.join(' '), next: processState };
    return prompt(buildHref(redirectOnlyPagePaths.consent, query));
  }
  return respondWithAssertion(dependencies, waiting, session, {
    citizen,
    scopes: selectReleasedScopes(registration.scopes, consented),
  });
}

async function respondWithAssertion(
  dependencies: SamlDependencies,
  waiting: StoredAuthnRequest,
  session: BrokerSessionRow,
  { citizen, scopes }: { citizen: Citizen; scopes: readonly string[] },
): Promise<SamlBrowserAction> {
  const { request, provider } = waiting;
  const isByCard = session.amr.split(' ').includes(challengeNames.card);
  const contextClass = selectAuthnContextClass({ nid: session.nid, card: isByCard }, request.context.exact);
  if (contextClass === null) return respondWithError(dependencies, waiting, samlStatuses.noContext);
  const isSaml2int = provider.registration.profile === 'saml2int';
  const nameId = await createNameId(dependencies, waiting, { citizen, scopes });
  if (nameId === null) return respondWithError(dependencies, waiting, samlStatuses.nameId);
  const identifiers = isSaml2int ? await listIdentifiers(dependencies, provider, { citizen, scopes }) : [];
  if (identifiers === null) return respondWithError(dependencies, waiting, samlStatuses.requestDenied);
  const sessionIndex = await completeRequest(dependencies, waiting, session.id, nameId);
  if (sessionIndex === null) return { kind: 'go', path: pagePaths.home }; // another tab has sent the response
  const told = { citizen, nid: session.nid, idp: session.idp };
  const xml = await writeSamlResponse(buildResponseFrame(dependencies, waiting), {
    nameId,
    sessionIndex,
    contextClass,
    signedInAt: findSignInTime(session) ?? session.created_at,
    sessionEndsAt: session.expires_at,
    attributes: [
      ...identifiers,
      ...selectReleasedSamlAttributes(told, { names: request.attributes, scopes, isSaml2int }),
    ],
  });
  return createPostStep(waiting, xml);
}

/** Whether the citizen signed in at or after `since`. Returns `false` if the identity provider does not report the time of the sign-in. */
function hasSignedInSince(session: BrokerSessionRow, since: Date): boolean {
  if (session.created_at < since) return false;
  const at = findSignInTime(session);
  return session.idp === null || (at !== null && addSeconds(at, identityProviderSkewS) >= since);
}

/**
 * Marks a request as complete. Returns the service provider's session index, which a repeated sign-in reuses, or `null` if the request is already
 * complete.
 */
async function completeRequest(
  { store, clock }: SamlDependencies,
  { hash, provider }: StoredAuthnRequest,
  sessionId: string,
  nameId: SamlNameId,
): Promise<string | null> {
  return store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('saml_requests')
      .set({ answered_at: clock.now() })
      .where('hash', '=', hash)
      .where('answered_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    const row = await tx
      .insertInto('saml_participants')
      .values({
        session_id: sessionId,
        provider: provider.registration.id,
        name_id: nameId.value,
        name_id_format: nameId.format,
        session_index: generateSecret(),
        signed_in_at: clock.now(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['session_id', 'provider'])
          .doUpdateSet({ name_id: nameId.value, name_id_format: nameId.format }),
      )
      .returning('session_index')
      .executeTakeFirstOrThrow();
    return row.session_index;
  });
}

async function respondWithError(dependencies: SamlDependencies, waiting: StoredAuthnRequest, status: SamlStatus) {
  await dependencies.store.db
    .updateTable('saml_requests')
    .set({ answered_at: dependencies.clock.now() })
    .where('hash', '=', waiting.hash)
    .execute();
  return createPostStep(waiting, await writeSamlStatusResponse(buildResponseFrame(dependencies, waiting), status));
}

function buildResponseFrame(
  { config, clock, saml: { credentials } }: SamlDependencies,
  { provider, request }: StoredAuthnRequest,
): SamlResponseEnvelope {
  return {
    issuer: buildSamlEntityId(config.baseUrl),
    audience: provider.metadata.entityId,
    consumer: request.consumer,
    inResponseTo: request.id,
    now: clock.now(),
    credential: selectSigningCredential(credentials(), provider),
    encryption: provider.metadata.encryptionCertificate,
    oaepDigest: provider.registration.profile === 'saml2int' ? 'sha256' : 'sha1',
  };
}

function createPostStep({ request, relayState }: StoredAuthnRequest, xml: string): SamlBrowserAction {
  const SAMLResponse = Buffer.from(xml).toString('base64');
  return {
    kind: 'send',
    action: request.consumer,
    fields: { SAMLResponse, ...(relayState !== null && { RelayState: relayState }) },
  };
}

/**
 * Returns `null` if the requested format is not possible. Formats that disclose the document or e-mail address need a scope. Without this scope,
 * `unspecified` becomes `persistent`. An e-mail address that two accounts share is not used.
 */
async function createNameId(
  { saml: { identifyCitizen }, store }: SamlDependencies,
  { provider: { registration, metadata }, request: { nameIdFormat: format } }: StoredAuthnRequest,
  { citizen, scopes }: { citizen: Citizen; scopes: readonly string[] },
): Promise<SamlNameId | null> {
  if (registration.profile === 'saml2int' && format !== nameIdFormats.transient) return null;
  const needed = scopeByNameIdFormat.get(format);
  const isReleased = needed === undefined || scopes.includes(needed);
  const createPersistentNameId = async (): Promise<SamlNameId> => ({
    value: await identifyCitizen(metadata.entityId, citizen.id),
    format: nameIdFormats.persistent,
  });
  switch (format) {
    case nameIdFormats.unspecified:
      return isReleased ? { value: formatUidClaim(citizen), format } : createPersistentNameId();
    case nameIdFormats.persistent:
      return createPersistentNameId();
    case nameIdFormats.transient:
      return { value: generateSecret(), format };
    case nameIdFormats.email: {
      const { email, email_verified_at: verifiedAt } = citizen;
      if (!isReleased || email === null || verifiedAt === null) return null;
      const owners = await store.db
        .selectFrom('citizens')
        .select('id')
        .where(sql<boolean>`lower(email) = lower(${email})`)
        .limit(2)
        .execute();
      return owners.length > 1 ? null : { value: email, format };
    }
    default:
      return null;
  }
}

/**
 * Returns the subject identifier as an attribute, or `null` if the service provider requires one that it may not receive. A pairwise identifier is in
 * hex, because receivers may ignore case.
 */
async function listIdentifiers(
  { saml: { identifyCitizen }, config }: SamlDependencies,
  provider: ServiceProvider,
  { citizen, scopes }: { citizen: Citizen; scopes: readonly string[] },
): Promise<AssertionStatement['attributes'] | null> {
  const scope = new URL(config.baseUrl).hostname;
  if (provider.metadata.subjectId === 'none') return [];
  if (requiresSubjectId(provider))
    return scopes.includes(scopeForSubjectId)
      ? [[subjectIdentifierAttributes.subject, `${citizen.id}@${scope}`]]
      : null;
  const identifier = await identifyCitizen(provider.metadata.entityId, citizen.id);
  const pairwise = Buffer.from(identifier, 'base64url').toString('hex');
  return [[subjectIdentifierAttributes.pairwise, `${pairwise}@${scope}`]];
}
