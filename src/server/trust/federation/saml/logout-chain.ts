import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import { deflate, buildEntityId, statuses, SamlError } from './names.ts';
import type { LogoutService } from './metadata.ts';
import { readLogoutAnswer, writeLogoutAnswer, writeLogoutRequest, type LogoutFrame } from './logout-messages.ts';
import type { Participant } from './participants.ts';
import type { ServiceProvider, ServiceProviders } from './service-providers.ts';
import { signElement, signQuery, type Credentials } from './signature.ts';
import type { SsoStep } from './sso.ts';

/** The end of a logout after all service providers: a path of ours, or a LogoutResponse to the service provider that requested it. */
export type LogoutEnd =
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'answer';
      readonly provider: string;
      readonly inResponseTo: string;
      readonly relayState: string | null;
    };

/** A single logout in progress. The browser visits one service provider after the other, and each sends it back. */
interface Chain {
  readonly end: LogoutEnd;
  readonly todo: readonly Participant[];
  /** The last LogoutRequest. Its service provider counts as failed if the browser returns without a LogoutResponse. */
  readonly sent: { readonly provider: string; readonly id: string } | null;
  /** Ids of the service providers that could not be notified. */
  readonly failed: readonly string[];
  /** Front-channel logout URLs of OpenID Connect clients, for hidden frames. */
  readonly frames: readonly string[];
}

export interface ChainDependencies {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly providers: ServiceProviders;
  readonly credentials: Credentials;
}

export const samlLogoutLifeS = 15 * 60;

/** Starts a single logout, bound to the browser's cookie value. Returns its `process_state`. */
export async function beginChain(
  { store, clock }: ChainDependencies,
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
    /** Ids of service providers that count as failed from the start, because their result can never be known. */
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

/** Returns `null` if this browser has no such logout. */
export async function framesOfChain(
  dependencies: ChainDependencies,
  processState: string,
  browser: string | undefined,
): Promise<readonly string[] | null> {
  return (await standingOfChain(dependencies, processState, browser))?.frames ?? null;
}

/** Frames of a logout, and whether its next step is a LogoutResponse. Returns `null` if this browser has no such logout. */
export async function standingOfChain(
  dependencies: ChainDependencies,
  processState: string,
  browser: string | undefined,
): Promise<{ readonly frames: readonly string[]; readonly answers: boolean } | null> {
  const chain = (await find(dependencies, processState, browser))?.chain;
  return chain ? { frames: chain.frames, answers: chain.end.kind === 'answer' && chain.todo.length === 0 } : null;
}

/** Continues a logout at the next service provider, or ends it. Returns `null` if this browser has no such logout. */
export async function continueChain(
  dependencies: ChainDependencies,
  processState: string,
  browser: string | undefined,
): Promise<SsoStep | null> {
  const found = await find(dependencies, processState, browser);
  if (found === null) return null;
  const { chain } = found;
  const failed = [...chain.failed, ...(chain.sent === null ? [] : [chain.sent.provider])];
  for (const [index, participant] of chain.todo.entries()) {
    const provider = await dependencies.providers.byId(participant.provider);
    const service = provider?.metadata.logout ?? null;
    if (provider === null || service === null) {
      failed.push(participant.provider);
      continue;
    }
    const message = writeLogoutRequest(buildLogoutFrame(dependencies, provider, service.location), participant);
    const sent = { provider: participant.provider, id: message.id };
    const next = { ...chain, todo: chain.todo.slice(index + 1), sent, failed };
    if (!(await replace(dependencies, found, next))) return continueChain(dependencies, processState, browser); // another tab was faster
    return deliver(dependencies, service, {
      name: 'SAMLRequest',
      ...message,
      to: service.location,
      relayState: processState,
    });
  }
  return finish(dependencies, processState, { ...chain, failed });
}

/** Records a verified LogoutResponse and returns its `process_state`. Throws a `SamlError` if it does not match the last LogoutRequest. */
export async function takeAnswer(
  dependencies: ChainDependencies,
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
  const { inResponseTo, succeeded } = readLogoutAnswer(message, { destination, clock: dependencies.clock });
  const processState = relayState ?? '';
  const found = await find(dependencies, processState, browser);
  const failed = found?.chain.failed ?? [];
  const { id } = provider.registration;
  if (
    found?.chain.sent?.provider !== id ||
    found.chain.sent.id !== inResponseTo ||
    !(await replace(dependencies, found, { ...found.chain, sent: null, failed: succeeded ? failed : [...failed, id] }))
  )
    throw new SamlError('nobody asked for this answer');
  return processState;
}

/** Sends a LogoutResponse when nothing is left to do. */
export async function answerLogout(
  dependencies: ChainDependencies,
  { provider, inResponseTo, relayState }: Extract<LogoutEnd, { kind: 'answer' }>,
  status: readonly string[],
): Promise<SsoStep> {
  const known = await dependencies.providers.byId(provider);
  const service = known?.metadata.logout ?? null;
  if (known === null || service === null) return { kind: 'go', path: '/' };
  const to = service.responseLocation;
  const message = writeLogoutAnswer(buildLogoutFrame(dependencies, known, to), { inResponseTo, status });
  return deliver(dependencies, service, { name: 'SAMLResponse', ...message, to, relayState });
}

async function finish(dependencies: ChainDependencies, processState: string, { end, failed }: Chain): Promise<SsoStep> {
  await dependencies.store.db.deleteFrom('saml_logouts').where('hash', '=', hashSecret(processState)).execute();
  if (end.kind === 'path') return { kind: 'go', path: end.path };
  return answerLogout(dependencies, end, failed.length === 0 ? statuses.success : statuses.partialLogout);
}

function deliver(
  { credentials }: ChainDependencies,
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

export function buildLogoutFrame(
  { config, clock }: ChainDependencies,
  { metadata }: ServiceProvider,
  destination: string,
): LogoutFrame {
  return { issuer: buildEntityId(config.baseUrl), audience: metadata.entityId, destination, now: clock.now() };
}

/** A chain and its JSON as stored, which `replace` compares. */
interface Found {
  readonly hash: string;
  readonly written: string;
  readonly chain: Chain;
}

async function find(
  { store, clock }: ChainDependencies,
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
  return row ? { hash, written: row.chain, chain: JSON.parse(row.chain) as Chain } : null; // written by this module
}

/** Stores a chain. Returns `false` if it has changed since it was read, because two browser tabs may continue it at the same time. */
async function replace({ store }: ChainDependencies, { hash, written }: Found, chain: Chain): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('saml_logouts')
    .set({ chain: JSON.stringify(chain) })
    .where('hash', '=', hash)
    .where('chain', '=', written)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function logoutPage(processState: string): string {
  return href(pages.samlLogout, { process_state: processState });
}
