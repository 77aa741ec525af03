import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { href } from '../../../../contract/href.ts';
import { pages, proofingPage, redirectOnlyPages } from '../../../../contract/pages.ts';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { activeFactors, isActive } from '../../credentials/second-factors.ts';
import { awaitsProofing } from '../../identity/levels.ts';
import { findCitizen, type Citizen } from '../../identity/citizens.ts';
import { formatUid } from '../../identity/uid.ts';
import { providerSkewS, isLive, signedInAt } from '../../sessions/sessions.ts';
import { randomSecret, hashSecret } from '../../../platform/keys/secrets.ts';
import { consentedScopes } from '../clients/consents.ts';
import { believe, withClient, type Arrival } from './arrival.ts';
import { releasedScopes } from '../clients/release.ts';
import { attributesFor, scopeOfNameId, selectScopes } from './attributes.ts';
import { readAuthnRequest } from './authn-request.ts';
import { selectContextClass } from './context-classes.ts';
import { buildEntityId, nameIdFormats, samlPaths, statuses, type Status } from './names.ts';
import type { SamlRequests, WaitingRequest } from './requests.ts';
import { writeRefusal, writeResponse, type NameId, type ResponseFrame } from './response.ts';
import type { ServiceProviders } from './service-providers.ts';
import type { Credentials } from './signature.ts';
import { challengeNames } from '../../identity/names.ts';

export interface SsoDependencies {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly providers: ServiceProviders;
  readonly requests: SamlRequests;
  readonly credentials: Credentials;
  readonly pairwiseKey: Buffer;
}

/** Next step of the browser: a redirect, or a form that is posted to the service provider. */
export type SsoStep =
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'send'; readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** Stores an AuthnRequest, bound to the browser's cookie, and returns the path that continues it. Throws a `SamlError` if it is not acceptable. */
export async function receiveRequest(
  dependencies: SsoDependencies,
  arrival: Arrival,
  browser: string,
): Promise<string> {
  const { provider, message, relayState } = await believe(arrival, 'SAMLRequest', { ...dependencies, unsigned: true });
  const { destination } = arrival;
  const request = withClient(provider, () =>
    readAuthnRequest(message, provider.metadata, {
      destination,
      clock: dependencies.clock,
      addressed: provider.metadata.signing.length > 0, // the standard requires a Destination in signed messages
    }),
  );
  const processState = await dependencies.requests.keep({ provider, request, relayState, browser });
  return href(samlPaths.send, { process_state: processState });
}

/** Returns the next page for the citizen, or the response to the service provider. Returns `null` if this browser has no such open request. */
export async function continueRequest(
  dependencies: SsoDependencies,
  { processState, browser, secret }: { processState: string; browser: string | undefined; secret: string | undefined },
): Promise<SsoStep | null> {
  const waiting = await dependencies.requests.open(processState, browser);
  if (waiting === null) return null;
  if (waiting.refused) return refuse(dependencies, waiting, statuses.denied);
  const { request, provider } = waiting;
  if (request.context.nid === null) return refuse(dependencies, waiting, statuses.noContext);
  const session = secret === undefined ? null : await liveSession(dependencies, secret);
  const signIn = (): Promise<SsoStep> | SsoStep =>
    request.isPassive
      ? refuse(dependencies, waiting, statuses.noPassive)
      : go(href(pages.login, { process_state: processState }));
  const isNew = session !== null && isSince(session, waiting.createdAt);
  if (session === null) return signIn();
  if (request.forceAuthn && !isNew)
    return request.isPassive
      ? refuse(dependencies, waiting, statuses.noPassive)
      : go(href(pages.samlLogout, { process_state: processState, forceLogin: 'True' }));
  if (session.nid < request.context.nid) return isNew ? refuse(dependencies, waiting, statuses.noContext) : signIn();
  const citizen = await findCitizen(dependencies.store.db, session.citizenId);
  if (citizen === null) return signIn();
  if (awaitsProofing(citizen, isActive(await activeFactors(dependencies.store.db, citizen.id))))
    return request.isPassive ? refuse(dependencies, waiting, statuses.noPassive) : go(proofingPage);
  if (citizen.closing_at !== null)
    return request.isPassive
      ? refuse(dependencies, waiting, statuses.noPassive)
      : go(href(redirectOnlyPages.keepAccount, { next: href(samlPaths.send, { process_state: processState }) }));
  const { registration } = provider;
  const asked = selectScopes(request, registration.scopes);
  const consented =
    registration.consent === true ? await consentedScopes(dependencies.store.db, citizen.id, registration.id) : asked;
  if (consented === null || !asked.every((scope) => consented.includes(scope))) {
    if (request.isPassive) return refuse(dependencies, waiting, statuses.noPassive);
    await dependencies.requests.ask(waiting, session.id);
    return go(
      href(redirectOnlyPages.consent, { client_id: registration.id, scope: asked.join(' '), next: processState }),
    );
  }
  return answer(dependencies, waiting, session, { citizen, scopes: releasedScopes(registration.scopes, consented) });
}

async function answer(
  dependencies: SsoDependencies,
  waiting: WaitingRequest,
  session: SamlSession,
  { citizen, scopes }: { citizen: Citizen; scopes: readonly string[] },
): Promise<SsoStep> {
  const { request, provider } = waiting;
  const contextClass = selectContextClass(session, request.context.exact);
  if (contextClass === null) return refuse(dependencies, waiting, statuses.noContext);
  const nameId = await createNameId(dependencies, provider.metadata.entityId, request.nameIdFormat, {
    citizen,
    scopes,
  });
  if (nameId === null) return refuse(dependencies, waiting, statuses.nameId);
  const participant = await join(dependencies, waiting, session, nameId);
  if (participant === null) return go(pages.home); // already answered in another tab
  const told = { citizen, nid: session.nid, idp: session.idp };
  const xml = await writeResponse(buildResponseFrame(dependencies, waiting), {
    nameId: participant.nameId,
    sessionIndex: participant.sessionIndex,
    contextClass,
    signedInAt: session.signedInAt ?? session.createdAt,
    sessionEndsAt: session.expiresAt,
    attributes: attributesFor(told, { names: request.attributes, scopes }),
  });
  return send(waiting, xml);
}

/** Whether the citizen signed in after the request arrived. With an identity provider, only if it reports the time of the sign-in. */
function isSince({ createdAt, signedInAt, idp }: SamlSession, since: Date): boolean {
  if (createdAt < since) return false;
  return idp === null || (signedInAt !== null && after(signedInAt, providerSkewS) >= since);
}

/** Completes the request and records the session for single logout. A repeated sign-in keeps the session index. Returns `null` if done already. */
async function join(
  { store, clock }: SsoDependencies,
  { hash, provider }: WaitingRequest,
  session: SamlSession,
  nameId: NameId,
): Promise<{ nameId: NameId; sessionIndex: string } | null> {
  return store.transaction(async (tx) => {
    const used = await tx
      .updateTable('saml_requests')
      .set({ answered_at: clock.now() })
      .where('hash', '=', hash)
      .where('answered_at', 'is', null)
      .returning('hash')
      .executeTakeFirst();
    if (!used) return null;
    const row = await tx
      .insertInto('saml_participants')
      .values({
        session_id: session.id,
        provider: provider.registration.id,
        name_id: nameId.value,
        name_id_format: nameId.format,
        session_index: randomSecret(),
        signed_in_at: clock.now(),
      })
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'provider']).doUpdateSet({
          name_id: nameId.value,
          name_id_format: nameId.format,
        }),
      )
      .returning('session_index')
      .executeTakeFirstOrThrow();
    return { nameId, sessionIndex: row.session_index };
  });
}

async function refuse(dependencies: SsoDependencies, waiting: WaitingRequest, status: Status): Promise<SsoStep> {
  await dependencies.store.db
    .updateTable('saml_requests')
    .set({ answered_at: dependencies.clock.now() })
    .where('hash', '=', waiting.hash)
    .execute();
  return send(waiting, writeRefusal(buildResponseFrame(dependencies, waiting), status));
}

function buildResponseFrame(
  { config, clock, credentials }: SsoDependencies,
  { provider, request }: WaitingRequest,
): ResponseFrame {
  return {
    issuer: buildEntityId(config.baseUrl),
    audience: provider.metadata.entityId,
    consumer: request.consumer,
    inResponseTo: request.id,
    now: clock.now(),
    credential: credentials()[0],
    encryption: provider.metadata.encryption,
  };
}

function send({ request, relayState }: WaitingRequest, xml: string): SsoStep {
  const SAMLResponse = Buffer.from(xml).toString('base64');
  return {
    kind: 'send',
    action: request.consumer,
    fields: { SAMLResponse, ...(relayState !== null && { RelayState: relayState }) },
  };
}

function go(path: string): SsoStep {
  return { kind: 'go', path };
}

/**
 * The NameID of a citizen for a service provider. Returns `null` if the requested format is not possible. Formats that disclose the document or
 * e-mail address need its scope: without it, `unspecified` becomes `persistent`. An e-mail address that two accounts share is not used.
 */
async function createNameId(
  { pairwiseKey, store }: SsoDependencies,
  entityId: string,
  format: string,
  { citizen, scopes }: { citizen: Citizen; scopes: readonly string[] },
): Promise<NameId | null> {
  const needed = scopeOfNameId(format);
  const isReleased = needed === undefined || scopes.includes(needed);
  const persistent = (): NameId => ({
    value: createHmac('sha256', pairwiseKey).update(`${entityId}\n${citizen.id}`).digest('base64url'),
    format: nameIdFormats.persistent,
  });
  switch (format) {
    case nameIdFormats.unspecified:
      return isReleased ? { value: formatUid(citizen), format } : persistent();
    case nameIdFormats.persistent:
      return persistent();
    case nameIdFormats.transient:
      return { value: randomSecret(), format };
    case nameIdFormats.email: {
      const { email, email_verified_at: verifiedAt } = citizen;
      if (!isReleased || email === null || verifiedAt === null) return null;
      return (await isSharedMailbox(store.db, email)) ? null : { value: email, format };
    }
    default:
      return null;
  }
}

async function isSharedMailbox(db: Store['db'], email: string): Promise<boolean> {
  const owners = await db
    .selectFrom('citizens')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .limit(2)
    .execute();
  return owners.length > 1;
}

interface SamlSession {
  readonly id: string;
  readonly citizenId: string;
  readonly nid: number;
  /** Identity provider of the sign-in. `null` for the portal's own account. */
  readonly idp: string | null;
  /** Whether the citizen signed in with the key of the identity card. */
  readonly card: boolean;
  readonly createdAt: Date;
  /** Time of the sign-in, here or at the identity provider. `null` if the identity provider does not report it. */
  readonly signedInAt: Date | null;
  readonly expiresAt: Date;
}

/** Finds the live session of a cookie. Returns `null` if there is none or its citizen is blocked. */
async function liveSession(
  { store, clock }: { store: Store; clock: Clock },
  secret: string,
): Promise<SamlSession | null> {
  const row = await store.db
    .selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .select([
      'broker_sessions.id',
      'citizen_id',
      'nid',
      'broker_sessions.idp',
      'amr',
      'broker_sessions.created_at',
      'authenticated_at',
      'broker_sessions.expires_at',
    ])
    .where('hash', '=', hashSecret(secret))
    .where(isLive(clock.now()))
    .where('citizens.blocked_at', 'is', null)
    .executeTakeFirst();
  return row
    ? {
        id: row.id,
        citizenId: row.citizen_id,
        nid: row.nid,
        idp: row.idp,
        card: row.amr.split(' ').includes(challengeNames.card),
        createdAt: row.created_at,
        signedInAt: signedInAt(row),
        expiresAt: row.expires_at,
      }
    : null;
}
