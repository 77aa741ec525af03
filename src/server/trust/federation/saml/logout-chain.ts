import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import { deflate } from './bindings.ts';
import type { LogoutService } from './metadata.ts';
import { readLogoutAnswer, writeLogoutAnswer, writeLogoutRequest, type LogoutFrame } from './logout-messages.ts';
import { entityIdOf, statuses } from './names.ts';
import type { Participant } from './participants.ts';
import { SamlError } from './saml-error.ts';
import type { ServiceProvider, ServiceProviders } from './service-providers.ts';
import { signElement, signQuery, type Credentials } from './signature.ts';
import type { SsoStep } from './sso.ts';

/** Where a logout goes once everybody was told: a path of ours, or back to the service provider that asked for it. */
export type LogoutEnd =
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'answer';
      readonly provider: string;
      readonly inResponseTo: string;
      readonly relayState: string | null;
    };

/** A logout on its way: the browser goes from one service provider to the next, and each sends it back. */
interface Chain {
  readonly end: LogoutEnd;
  readonly todo: readonly Participant[];
  /** Who was asked last, and by which message; who has not answered when the browser comes back did not hear of it. */
  readonly sent: { readonly provider: string; readonly id: string } | null;
  /** Ids of service providers that did not hear of it. */
  readonly failed: readonly string[];
  /** Addresses that tell applications of OpenID Connect in hidden frames. */
  readonly frames: readonly string[];
}

/** What logouts work with. */
export interface ChainNeeds {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly providers: ServiceProviders;
  readonly credentials: Credentials;
}

/** How long a logout may be on its way, in seconds. */
export const samlLogoutLifeS = 15 * 60;

/** Begins to tell service providers of a logout, in the browser of a cookie; answers its `process_state`. */
export async function beginChain(
  { store, clock }: ChainNeeds,
  {
    end,
    participants,
    frames,
    failed = [],
    browser,
  }: {
    end: LogoutEnd;
    participants: readonly Participant[];
    frames: readonly string[];
    /** Ids of service providers that nobody will know to have heard of it. */
    failed?: readonly string[];
    browser: string;
  },
): Promise<string> {
  const processState = randomSecret();
  const chain: Chain = { end, todo: participants, sent: null, failed, frames };
  await store.db
    .insertInto('saml_logouts')
    .values({
      hash: hashSecret(processState),
      browser: hashSecret(browser),
      chain: JSON.stringify(chain),
      expires_at: after(clock.now(), samlLogoutLifeS),
    })
    .execute();
  return processState;
}

/** The frames of a logout of this browser; null: there is no such logout. */
export async function framesOfChain(
  needs: ChainNeeds,
  processState: string,
  browser: string | undefined,
): Promise<readonly string[] | null> {
  return (await standingOfChain(needs, processState, browser))?.frames ?? null;
}

/** How a logout of this browser stands: its frames, and whether its next step answers the service provider that asked; null: there is no such logout. */
export async function standingOfChain(
  needs: ChainNeeds,
  processState: string,
  browser: string | undefined,
): Promise<{ readonly frames: readonly string[]; readonly answers: boolean } | null> {
  const chain = (await find(needs, processState, browser))?.chain;
  return chain ? { frames: chain.frames, answers: chain.end.kind === 'answer' && chain.todo.length === 0 } : null;
}

/** Goes on with a logout: to the next service provider, or to its end. Null: it is no logout of this browser. */
export async function continueChain(
  needs: ChainNeeds,
  processState: string,
  browser: string | undefined,
): Promise<SsoStep | null> {
  const found = await find(needs, processState, browser);
  if (found === null) return null;
  const { chain } = found;
  const failed = [...chain.failed, ...(chain.sent === null ? [] : [chain.sent.provider])];
  for (const [index, participant] of chain.todo.entries()) {
    const provider = await needs.providers.byId(participant.provider);
    const service = provider?.metadata.logout ?? null;
    if (provider === null || service === null) {
      failed.push(participant.provider);
      continue;
    }
    const message = writeLogoutRequest(frameOf(needs, provider, service.location), participant);
    const sent = { provider: participant.provider, id: message.id };
    const next = { ...chain, todo: chain.todo.slice(index + 1), sent, failed };
    if (!(await replace(needs, found, next))) return continueChain(needs, processState, browser); // another tab was before it
    return deliver(needs, service, { name: 'SAMLRequest', ...message, to: service.location, relayState: processState });
  }
  return finish(needs, processState, { ...chain, failed });
}

/**
 * Takes the answer of a service provider in, whose signature was checked; answers the `process_state` of its logout. Throws a SamlError where nobody
 * asked it.
 */
export async function takeAnswer(
  needs: ChainNeeds,
  {
    provider,
    message,
    relayState,
    destination,
    browser,
  }: {
    provider: ServiceProvider;
    message: Element;
    relayState: string | null;
    destination: string;
    browser: string | undefined;
  },
): Promise<string> {
  const { inResponseTo, succeeded } = readLogoutAnswer(message, { destination, clock: needs.clock });
  const processState = relayState ?? '';
  const found = await find(needs, processState, browser);
  const failed = found?.chain.failed ?? [];
  const { id } = provider.registration;
  if (
    found?.chain.sent?.provider !== id ||
    found.chain.sent.id !== inResponseTo ||
    !(await replace(needs, found, { ...found.chain, sent: null, failed: succeeded ? failed : [...failed, id] }))
  )
    throw new SamlError('nobody asked for this answer');
  return processState;
}

/** The answer to a request for a logout where nothing is left to do. */
export async function answerLogout(
  needs: ChainNeeds,
  { provider, inResponseTo, relayState }: Extract<LogoutEnd, { kind: 'answer' }>,
  status: readonly string[],
): Promise<SsoStep> {
  const known = await needs.providers.byId(provider);
  const service = known?.metadata.logout ?? null;
  if (known === null || service === null) return { kind: 'go', path: '/' };
  const to = service.responseLocation;
  const message = writeLogoutAnswer(frameOf(needs, known, to), { inResponseTo, status });
  return deliver(needs, service, { name: 'SAMLResponse', ...message, to, relayState });
}

async function finish(needs: ChainNeeds, processState: string, { end, failed }: Chain): Promise<SsoStep> {
  await needs.store.db.deleteFrom('saml_logouts').where('hash', '=', hashSecret(processState)).execute();
  if (end.kind === 'path') return { kind: 'go', path: end.path };
  return answerLogout(needs, end, failed.length === 0 ? statuses.success : statuses.partialLogout);
}

function deliver(
  { credentials }: ChainNeeds,
  { binding }: LogoutService,
  {
    name,
    id,
    xml,
    to,
    relayState,
  }: { name: 'SAMLRequest' | 'SAMLResponse'; id: string; xml: string; to: string; relayState: string | null },
): SsoStep {
  if (binding === 'redirect') {
    const query = signQuery({ name, message: deflate(xml), relayState }, credentials()[0]);
    return { kind: 'go', path: `${to}${to.includes('?') ? '&' : '?'}${query}` };
  }
  const message = Buffer.from(signElement(xml, { id, hasIssuer: true }, credentials()[0])).toString('base64');
  return {
    kind: 'send',
    action: to,
    fields: { [name]: message, ...(relayState !== null && { RelayState: relayState }) },
  };
}

/** What a message of ours to a service provider says of its sender and receiver. */
export function frameOf(
  { config, clock }: ChainNeeds,
  { metadata }: ServiceProvider,
  destination: string,
): LogoutFrame {
  return { issuer: entityIdOf(config.baseUrl), audience: metadata.entityId, destination, now: clock.now() };
}

/** A chain as it stood when it was read. */
interface Found {
  readonly hash: string;
  readonly written: string;
  readonly chain: Chain;
}

async function find(
  { store, clock }: ChainNeeds,
  processState: string,
  browser: string | undefined,
): Promise<Found | null> {
  if (browser === undefined) return null;
  const hash = hashSecret(processState);
  const row = await store.db
    .selectFrom('saml_logouts')
    .select('chain')
    .where('hash', '=', hash)
    .where('browser', '=', hashSecret(browser))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row ? { hash, written: row.chain, chain: JSON.parse(row.chain) as Chain } : null; // as it was written here
}

/** Writes what follows on a chain, unless it has moved meanwhile: two tabs of a browser may go on with it at once. */
async function replace({ store }: ChainNeeds, { hash, written }: Found, chain: Chain): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('saml_logouts')
    .set({ chain: JSON.stringify(chain) })
    .where('hash', '=', hash)
    .where('chain', '=', written)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The page that tells of a logout that is on its way. */
export function logoutPage(processState: string): string {
  return href(pages.samlLogout, { process_state: processState });
}
