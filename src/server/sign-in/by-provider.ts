import type { Logger } from 'pino';
import { href } from '../../contract/href.ts';
import { pages, serverPages } from '../../contract/pages.ts';
import { allowedOrigins, safeRedirect } from '../../contract/redirect.ts';
import type { Throttle } from '../abuse/throttle.ts';
import { isNational } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { CallRequest } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import type { Origin } from '../base/origin.ts';
import { activeFactors, isActive, type ActiveFactors } from '../credentials/second-factors.ts';
import type { Store } from '../database/open-store.ts';
import type { Interactions, PendingRequest } from '../federation/clients/pending-request.ts';
import type { ProviderAnswer } from '../federation/upstream/adapter.ts';
import { findIdentity, keepForeigner } from '../federation/upstream/identities.ts';
import type { Upstream, Upstreams } from '../federation/upstream/open-upstream.ts';
import { readArrived, type Arrived } from '../federation/upstream/person.ts';
import { newState, type ProviderSignIn, type ProviderWay } from '../federation/upstream/sign-ins.ts';
import { UpstreamFailed, UpstreamRefused } from '../federation/upstream/upstream-error.ts';
import { checkDocumentType, checkIdentity } from '../identity/check-identity.ts';
import { findCitizen, findCitizenByDocument, type Citizen } from '../identity/citizens.ts';
import { levelOf, secondFactorNid } from '../identity/levels.ts';
import { providerMethod } from '../identity/session-level.ts';
import type { Registry } from '../identity/registry/registry.ts';
import type { Command, Commands } from '../notices/commands.ts';
import { beginSession, wayOn, type SignedIn, type SignInNeeds } from './sign-in.ts';

/** What sign-ins through identity providers work with. */
export interface ByProviderNeeds extends SignInNeeds {
  readonly clock: Clock;
  readonly commands: Commands;
  readonly interactions: Pick<Interactions, 'find'>;
  readonly log: Logger;
  readonly registry: Registry;
  readonly store: Store;
  readonly throttle: Throttle;
  readonly upstreams: Upstreams;
}

/** An answer of a provider, in the browser that brought it. */
export interface ProviderArrival {
  readonly idp: string;
  readonly state: string;
  readonly answer: ProviderAnswer;
  readonly cookies: CallRequest<'answerChallenge'>['cookies'];
  readonly origin: Origin;
}

/** Where the browser goes on. */
export interface ProviderStep {
  readonly location: string;
  /** Where it goes on from there, with the session that has begun. */
  readonly next?: string;
  readonly cookies?: SignedIn['cookies'];
  readonly after?: SignedIn['after'];
}

/** What the HTTP layer serves of identity providers. */
export interface ProviderPages {
  /** Begins a sign-in in a browser; answers where that goes. */
  begin(wanted: { idp: string; way: ProviderWay; browser: string; origin: Origin }): Promise<ProviderStep>;
  /** Our metadata for a provider of SAML, in XML; null: there is none of that id. */
  metadata(idp: string): string | null;
  /** Takes an answer in. Throws an UpstreamRefused for one that is not believed: nothing has changed then. */
  receive(arrival: ProviderArrival): Promise<ProviderStep>;
}

/** The pages of identity providers. */
export function openProviderPages(needs: ByProviderNeeds): ProviderPages {
  const { upstreams, throttle, clock } = needs;
  return {
    metadata: upstreams.metadata,
    async begin({ idp, way, browser, origin }) {
      const upstream = upstreams.find(idp);
      if (upstream === null) return failure(way);
      await throttle.admit('challenge', { address: origin.address }, clock.now());
      const state = newState();
      try {
        const { location, kept } = await upstream.adapter.begin(state);
        await upstreams.signIns.keep({ state, browser, provider: idp, kept, way });
        return { location };
      } catch (error) {
        const failed = failureOf(needs, error, { idp, way, origin });
        if (failed === null) throw error;
        return failed;
      }
    },
    async receive(arrival) {
      const { idp, state, answer, cookies, origin } = arrival;
      const upstream = upstreams.find(idp);
      const begun = upstream && (await upstreams.signIns.take(state, idp, cookies.saml));
      if (upstream === null || begun === null) throw new UpstreamRefused('there is no such sign-in of this browser');
      try {
        const assertion = await upstream.adapter.finish(answer, begun.kept, state);
        return await arrive(needs, arrival, upstream, begun, readArrived(upstream.entry, assertion));
      } catch (error) {
        const failed = failureOf(needs, error, { idp, way: begun, origin });
        if (failed === null) throw error;
        return failed;
      }
    },
  };
}

/** Who was identified signs in: from abroad in a record of the provider's, otherwise in the account that is linked, or asks for that. */
async function arrive(
  needs: ByProviderNeeds,
  { cookies, origin }: ProviderArrival,
  { entry }: Upstream,
  begun: ProviderSignIn,
  arrived: Arrived,
): Promise<ProviderStep> {
  const { store, commands, upstreams, clock } = needs;
  const idp = entry.identificador;
  const interaction = await requestOf(needs, begun);
  if (entry.federated !== false) {
    if (isNational(arrived.document)) throw new UpstreamRefused('a foreign provider names a national document');
    await believeDocument(store, arrived);
    return commands.run(origin, async (command) => {
      const id = await keepForeigner(command.tx, idp, arrived, command.now);
      return enter(needs, command, { id, idp, arrived, way: begun, cookies, interaction });
    });
  }
  const linked = await store.transaction((tx) => findIdentity(tx, arrived, clock.now()));
  if (linked !== null)
    return commands.run(origin, (command) =>
      enter(needs, command, { id: linked.citizenId, idp, arrived, way: begun, cookies, interaction }),
    );
  const owner = await findCitizenByDocument(store.db, arrived.document);
  if (owner === null || owner.active_at === null)
    return { location: href(pages.error, { errorCode: owner === null ? 'UNREGISTERED_USER' : 'UNACTIVE_ACCOUNT' }) };
  if (owner.blocked_at !== null) return { location: href(pages.error, { errorCode: 'BLOCKED_ACCOUNT' }) };
  await agreeWithRegistry(needs, arrived);
  assertFactors(await activeFactors(store.db, owner.id), arrived);
  await upstreams.signIns.ask(begun, arrived);
  return { location: href(serverPages.providerReturn) };
}

/** The request of an application that a sign-in is for; null: there is none, or no longer. */
export function requestOf({ interactions }: ByProviderNeeds, way: ProviderWay): Promise<PendingRequest | null> {
  return way.process_state === null ? Promise.resolve(null) : interactions.find(way.process_state);
}

/** A document of a kind that its country does not issue is nobody's. */
async function believeDocument(store: Store, { document }: Arrived): Promise<void> {
  try {
    await checkDocumentType(store, document);
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    throw new UpstreamRefused('the claims name a document that its country does not issue', { cause });
  }
}

/** The registry decides whether names and number are one person's; only a national document is in it. */
export async function agreeWithRegistry(
  { registry }: Pick<ByProviderNeeds, 'registry'>,
  { document, person }: Arrived,
): Promise<void> {
  if (!isNational(document)) throw new UpstreamRefused('a national provider names a foreign document');
  try {
    await checkIdentity(registry, document, person);
  } catch (cause) {
    if (cause instanceof CallError) throw new UpstreamFailed(`the registry does not agree: ${cause.code}`, { cause });
    throw cause;
  }
}

/** Starts the session of a citizen whom a provider names, and says where it leads: through the portal's page that takes the token. */
export async function enter(
  needs: ByProviderNeeds,
  command: Command,
  {
    id,
    idp,
    arrived,
    way,
    cookies,
    interaction,
  }: {
    id: string;
    idp: string;
    arrived: Arrived;
    way: ProviderWay;
    cookies: CallRequest<'answerChallenge'>['cookies'];
    interaction: PendingRequest | null;
  },
): Promise<ProviderStep> {
  const { config } = needs;
  const { tx } = command;
  const citizen = await findCitizen(tx, id);
  if (citizen === null) throw new UpstreamRefused('the linked account is gone');
  if (citizen.blocked_at !== null) return { location: href(pages.error, { errorCode: 'BLOCKED_ACCOUNT' }) };
  const isForeign = citizen.idp !== null || !isNational(arrived.document);
  const active = await activeFactors(tx, id);
  if (!isForeign) {
    if (!sameDocument(citizen, arrived))
      throw new UpstreamRefused('the provider names another document than at the link');
    assertFactors(active, arrived);
  }
  const amr = [providerMethod(arrived.nid)];
  const nid = isForeign ? arrived.nid : Math.min(arrived.nid, levelOf(citizen).nid);
  const signedIn = await beginSession(command, needs, cookies, { citizen, amr, nid, role: 'citizen', idp });
  const next = isForeign
    ? (interaction?.next ?? ownWay(needs, way) ?? pages.foreign)
    : (wayOn(config, { record: { ...way, factors: amr.join(' ') }, citizen, interaction, hasFactor: isActive(active) })
        .location ??
      interaction?.next ?? // which hears that the level is not reached
      pages.home);
  return { location: href(serverPages.providerReturn, { next }), next, ...signedIn };
}

/** Whoever protects an account by a second factor is let in by a provider that vouches for two alone. */
function assertFactors(active: ActiveFactors, { nid }: Arrived): void {
  if (isActive(active) && nid < secondFactorNid)
    throw new UpstreamFailed('the account asks for two factors, and the provider vouches for one');
}

function sameDocument(citizen: Citizen, { document }: Arrived): boolean {
  return citizen.country === document.country && citizen.type === document.type && citizen.number === document.number;
}

function ownWay({ config }: ByProviderNeeds, { redirect_url: url }: ProviderWay): string | null {
  return url === null ? null : safeRedirect(url, allowedOrigins(config.baseUrl, config));
}

/** Where a sign-in goes that a provider failed, which the log hears; null: that is not what happened. */
export function failureOf(
  { log }: Pick<ByProviderNeeds, 'log'>,
  error: unknown,
  { idp, way, origin }: { idp: string; way: ProviderWay; origin: Origin },
): ProviderStep | null {
  if (!(error instanceof UpstreamFailed)) return null;
  log.warn({ idp, reason: error.message, request: origin.requestId }, 'an identity provider signs nobody in');
  return failure(way, error);
}

/** The page of a provider that cannot say who somebody is; an application's request stays open. */
function failure({ process_state: state }: ProviderWay, error?: UpstreamFailed): ProviderStep {
  const about = state === null ? {} : { process_state: state, error_description: error?.description ?? 'GenericError' };
  return { location: href(pages.error, { errorCode: 'IDP_ERROR', ...about }) };
}
