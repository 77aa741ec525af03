import type { HandlerContext } from '../handler-context.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../../contract/sanitize-redirect.ts';
import { formatDocumentId, isNationalIdentityDocument } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { generateSecret } from '../../platform/keys/random-secrets.ts';
import type { OperationRequest } from '../../platform/base/operation-request.ts';
import type { ChangeOrigin } from '../../platform/base/change-origin.ts';
import {
  findActiveSecondFactors,
  hasActiveSecondFactor,
  type ActiveSecondFactors,
} from '../../trust/credentials/second-factors.ts';
import type { IdentityProvider } from '../../platform/config/identity-providers.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import type { PendingAuthenticationRequest } from '../../trust/federation/clients/pending-request.ts';
import {
  type UpstreamResponse,
  assertFreshSignIn,
  createMaxAgeState,
  removeInvalidSignInTime,
  readUpstreamUser,
  type UpstreamUser,
  UpstreamRefusedError,
} from '../../trust/federation/upstream/upstream-adapter.ts';
import {
  resolveLinkedIdentity,
  wasIdentityUnlinked,
  saveForeignCitizen,
} from '../../trust/federation/upstream/provider-identities.ts';
import type { UpstreamProvider } from '../../trust/federation/upstream/upstream-providers.ts';
import { type ProviderSignIn, type SignInDestination } from '../../trust/federation/upstream/provider-sign-ins.ts';
import { assertDocumentTypeIssued, verifyIdentityInRegistry } from '../../trust/identity/verify-identity.ts';
import { findCitizen, findCitizenByDocument } from '../../trust/identity/citizens.ts';
import { getIdentityLevel, minSecondFactorLevel } from '../../trust/identity/assurance-levels.ts';
import { formatProviderAmr } from '../../trust/identity/session-level.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { findKnownDevice } from '../../trust/sessions/known-devices.ts';
import { findLiveSessionOfCookie } from '../../trust/sessions/broker-sessions.ts';
import { createProviderFailureRedirect, handleProviderFailure, ProviderUserRejectedError } from './provider-failure.ts';
import {
  startBrowserSession,
  resolveSignInDestination,
  type SignInResult,
  type SignInDependencies,
} from './complete-sign-in.ts';
import { sessionAttemptLimits } from '../../trust/sessions/index.ts';

type Cookies = OperationRequest<'answerChallenge'>['cookies'];

export type ProviderSignInDependencies = SignInDependencies &
  Pick<HandlerContext, 'clock' | 'commands' | 'pendingRequests' | 'registry' | 'store' | 'throttle' | 'upstreams'>;

interface ProviderCallback {
  readonly idp: string;
  readonly state: string;
  readonly answer: UpstreamResponse;
  readonly cookies: Cookies;
  readonly origin: ChangeOrigin;
}

export interface ProviderSignInStep {
  readonly location: string;
  /** URL to open after `location`. `undefined` if no session has started. */
  readonly next?: string;
  readonly cookies?: SignInResult['cookies'];
  readonly after?: SignInResult['after'];
}

export type ProviderEndpoints = ReturnType<typeof createProviderEndpoints>;

export function createProviderEndpoints(dependencies: ProviderSignInDependencies) {
  const { upstreams, throttle, clock } = dependencies;
  return {
    metadata: upstreams.metadata,
    /**
     * `crossSite`: whether another site sent the browser here. Such a request starts a sign-in only if an application asked for it; otherwise it opens
     * the sign-in page.
     */
    async begin(wanted: {
      idp: string;
      destination: SignInDestination;
      browser: string;
      session: string | undefined;
      origin: ChangeOrigin;
      crossSite: boolean;
    }): Promise<ProviderSignInStep> {
      const { idp, destination, browser, session, origin, crossSite } = wanted;
      const interaction = await findAuthorizationRequest(dependencies, destination);
      if (crossSite && interaction === null)
        return { location: buildHref(pagePaths.login, { redirectUrl: destination.redirect_url }) };
      const upstream = upstreams.find(idp);
      if (upstream === null) return createProviderFailureRedirect(destination);
      await throttle.admit(sessionAttemptLimits.challenge, { address: origin.address }, clock.now());
      const state = generateSecret();
      try {
        // Requests a new sign-in (maximum age 0) if this browser already has a session from this provider. The response is checked only against the
        // application's own maximum age, because some providers do not report the time of the sign-in.
        const current = await findLiveSessionOfCookie(dependencies.store.db, session, clock.now());
        const maxAgeS = current?.idp === idp ? 0 : (interaction?.maxAgeS ?? null);
        const { location, kept } = await upstream.adapter.beginSignIn(state, maxAgeS);
        const demand = createMaxAgeState(interaction?.maxAgeS ?? null, clock.now());
        const stored = { ...kept, ...demand };
        await upstreams.signIns.storeSignIn({ state, browser, provider: idp, kept: stored, destination });
        return { location };
      } catch (error) {
        return handleProviderFailure(dependencies, error, { idp, destination, origin, client: interaction?.clientId });
      }
    },
    async receive(arrival: ProviderCallback): Promise<ProviderSignInStep> {
      const { idp, state, answer, cookies, origin } = arrival;
      const upstream = upstreams.find(idp);
      const begun = upstream && (await upstreams.signIns.redeemState(state, idp, cookies.saml));
      if (upstream === null || begun === null)
        throw new UpstreamRefusedError('there is no such sign-in of this browser');
      try {
        const finished = await upstream.adapter.finishSignIn(answer, begun.kept, state);
        const assertion = removeInvalidSignInTime(finished, clock);
        assertFreshSignIn(assertion, begun.kept);
        const arrived = readUpstreamUser(upstream.entry, assertion);
        const step = await signInOrAskToLink(dependencies, arrival, upstream, begun, arrived);
        // A success does not count towards the limit of the IP address, because the provider has authenticated the person, and many people may share
        // the IP address.
        await throttle.forgive({ limit: sessionAttemptLimits.challenge, counted: { address: origin.address } });
        return step;
      } catch (error) {
        const client = (await findAuthorizationRequest(dependencies, begun))?.clientId;
        return handleProviderFailure(dependencies, error, { idp, destination: begun, origin, client });
      }
    },
  };
}

/** Signs the person in with the record of a foreign provider, or with the linked account. Asks the citizen to link an account if none is linked. */
async function signInOrAskToLink(
  dependencies: ProviderSignInDependencies,
  { cookies, origin }: ProviderCallback,
  { entry }: UpstreamProvider,
  begun: ProviderSignIn,
  arrived: UpstreamUser,
): Promise<ProviderSignInStep> {
  const { store, commands, upstreams, clock } = dependencies;
  const interaction = await findAuthorizationRequest(dependencies, begun);
  const entering = { entry, arrived, destination: begun, cookies, interaction };
  if (entry.federated !== false) {
    if (isNationalIdentityDocument(arrived.document))
      throw new UpstreamRefusedError('a foreign provider names a national document');
    await assertDocumentType(store, arrived);
    return commands.run(origin, async (command) => {
      const id = await saveForeignCitizen(command.tx, arrived, command.now);
      return startProviderSession(dependencies, command, { ...entering, id });
    });
  }
  const linked = await store.transaction((tx) => resolveLinkedIdentity(tx, arrived, clock.now()));
  if (linked !== null)
    return commands.run(origin, (command) => startProviderSession(dependencies, command, { ...entering, id: linked }));
  const owner = await findCitizenByDocument(store.db, arrived.document);
  if (owner === null) throw new ProviderUserRejectedError('unregistered', null);
  if (owner.active_at === null) throw new ProviderUserRejectedError('inactive', owner.id);
  if (owner.blocked_at !== null) throw new ProviderUserRejectedError('blocked', owner.id);
  await assertPersonMatchesRegistry(dependencies, arrived, owner.id);
  await assertCanLinkProvider(store.db, cookies, { id: owner.id, arrived, now: clock.now() });
  assertFactors(await findActiveSecondFactors(store.db, owner.id), arrived, owner.id);
  await upstreams.signIns.storeProviderUser(begun, arrived);
  return { location: buildHref(redirectOnlyPagePaths.providerReturn) };
}

/** Returns the authorization request for which a sign-in was started. Returns `null` if there is none, or if the request has ended. */
export async function findAuthorizationRequest(
  { pendingRequests }: ProviderSignInDependencies,
  { process_state: state }: SignInDestination,
): Promise<PendingAuthenticationRequest | null> {
  return state === null ? null : pendingRequests.findRequest(state);
}

async function assertDocumentType(store: DatabaseStore, { document }: UpstreamUser): Promise<void> {
  try {
    await assertDocumentTypeIssued(store, document);
  } catch (cause) {
    if (!(cause instanceof OperationError)) throw cause;
    throw new UpstreamRefusedError('the claims name a document that its country does not issue', { cause });
  }
}

/**
 * Throws if the person whom a provider identified does not match the registry. Throws for a foreign document, because the registry contains only
 * national documents.
 */
export async function assertPersonMatchesRegistry(
  { registry }: Pick<ProviderSignInDependencies, 'registry'>,
  { document, person }: UpstreamUser,
  id: string,
): Promise<void> {
  if (!isNationalIdentityDocument(document))
    throw new UpstreamRefusedError('a national provider names a foreign document');
  try {
    await verifyIdentityInRegistry(registry, document, person);
  } catch (cause) {
    if (cause instanceof OperationError) throw new ProviderUserRejectedError('registry', id, cause);
    throw cause;
  }
}

interface ProviderSessionRequest {
  readonly id: string;
  readonly entry: IdentityProvider;
  readonly arrived: UpstreamUser;
  readonly destination: SignInDestination;
  readonly cookies: Cookies;
  readonly interaction: PendingAuthenticationRequest | null;
}

/** Starts the session of a citizen whom a provider identified. The redirect passes through the portal's page that obtains the access token. */
export async function startProviderSession(
  dependencies: ProviderSignInDependencies,
  command: DatabaseCommand,
  { id, entry, arrived, destination, cookies, interaction }: ProviderSessionRequest,
): Promise<ProviderSignInStep> {
  const { config } = dependencies;
  const { tx, now } = command;
  const citizen = await findCitizen(tx, id);
  if (citizen === null) throw new UpstreamRefusedError('the linked account is gone');
  if (citizen.blocked_at !== null) throw new ProviderUserRejectedError('blocked', id);
  const isForeign = entry.federated !== false;
  const isSameDocument = formatDocumentId(citizen) === formatDocumentId(arrived.document);
  if (isForeign ? isNationalIdentityDocument(citizen) : citizen.idp !== null || !isSameDocument)
    throw new ProviderUserRejectedError('document', id);
  await assertOwnBrowser(tx, cookies, id, now);
  const active = await findActiveSecondFactors(tx, id);
  // Checks the factors for every account of the portal, even if its owner first signed in as a user of a foreign provider and created the account
  // later.
  if (citizen.idp === null) assertFactors(active, arrived, id);
  const amr = [formatProviderAmr(arrived.nid)];
  const nid = isForeign ? arrived.nid : Math.min(arrived.nid, getIdentityLevel(citizen).nid);
  const signedIn = await startBrowserSession(command, dependencies, cookies, {
    citizen,
    device: await findKnownDevice(tx, { citizenId: id, cookie: cookies.device }),
    amr,
    nid,
    role: 'citizen',
    idp: entry.identificador,
    authenticatedAt: arrived.signedInAt === null ? null : new Date(arrived.signedInAt),
  });
  const { redirect_url: url } = destination;
  const ownDestination = url === null ? null : sanitizeRedirect(url, listRedirectOrigins(config.baseUrl, config));
  const next = isForeign
    ? (interaction?.resumePath ?? ownDestination ?? pagePaths.foreign)
    : (resolveSignInDestination(config, {
        record: { ...destination, factors: amr.join(' ') },
        citizen,
        interaction,
        hasFactor: hasActiveSecondFactor(active),
      }).location ??
      interaction?.resumePath ?? // returns to the application, which gets the error for an insufficient level
      pagePaths.home);
  return { location: buildHref(redirectOnlyPagePaths.providerReturn, { next }), next, ...signedIn };
}

async function assertOwnBrowser(db: DatabaseStore['db'], { session: secret }: Cookies, id: string, now: Date) {
  const session = await findLiveSessionOfCookie(db, secret, now);
  if (session !== null && session.citizenId !== id) throw new ProviderUserRejectedError('other-session', id);
  return session;
}

/** Throws if the citizen removed the link to this provider earlier, unless the citizen is signed in in this browser with another method. */
export async function assertCanLinkProvider(
  db: DatabaseStore['db'],
  cookies: Cookies,
  { id, arrived, now }: { id: string; arrived: UpstreamUser; now: Date },
): Promise<void> {
  const session = await assertOwnBrowser(db, cookies, id, now);
  if ((session === null || session.idp !== null) && (await wasIdentityUnlinked(db, arrived, id)))
    throw new ProviderUserRejectedError('taken-back', id);
}

/** Rejects a sign-in for which the provider asserts no factor, or only one factor although the account has a second factor. */
function assertFactors(active: ActiveSecondFactors, { nid }: UpstreamUser, id: string): void {
  if (nid < 1) throw new ProviderUserRejectedError('no-factor', id);
  if (hasActiveSecondFactor(active) && nid < minSecondFactorLevel)
    throw new ProviderUserRejectedError('second-factor', id);
}
