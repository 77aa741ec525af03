import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../../platform/keys/secrets.ts';
import { deflate, entityIdOf, statuses, SamlError } from './names.ts';
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

export interface ChainNeeds {
  readonly config: Pick<Config, 'baseUrl'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly providers: ServiceProviders;
  readonly credentials: Credentials;
}

export const samlLogoutLifeS = 15 * 60;

/** Starts a single logout, bound to the browser's cookie value. Returns its `process_state`. */
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
  needs: ChainNeeds,
  processState: string,
  browser: string | undefined,
): Promise<readonly string[] | null> {
  return (await standingOfChain(needs, processState, browser))?.frames ?? null;
}

/** Frames of a logout, and whether its next step is a LogoutResponse. Returns `null` if this browser has no such logout. */
export async function standingOfChain(
  needs: ChainNeeds,
  processState: string,
  browser: string | undefined,
): Promise<{ readonly frames: readonly string[]; readonly answers: boolean } | null> {
  const chain = (await find(needs, processState, browser))?.chain;
  return chain ? { frames: chain.frames, answers: chain.end.kind === 'answer' && chain.todo.length === 0 } : null;
}

/** Continues a logout at the next service provider, or ends it. Returns `null` if this browser has no such logout. */
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
    if (!(await replace(needs, found, next))) return continueChain(needs, processState, browser); // another tab was faster
    return deliver(needs, service, { name: 'SAMLRequest', ...message, to: service.location, relayState: processState });
  }
  return finish(needs, processState, { ...chain, failed });
}

/** Records a verified LogoutResponse and returns its `process_state`. Throws a `SamlError` if it does not match the last LogoutRequest. */
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

/** Sends a LogoutResponse when nothing is left to do. */
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

export function frameOf(
  { config, clock }: ChainNeeds,
  { metadata }: ServiceProvider,
  destination: string,
): LogoutFrame {
  return { issuer: entityIdOf(config.baseUrl), audience: metadata.entityId, destination, now: clock.now() };
}

/** A chain and its JSON as stored, which `replace` compares. */
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
  return row ? { hash, written: row.chain, chain: JSON.parse(row.chain) as Chain } : null; // written by this module
}

/** Stores a chain. Returns `false` if it has changed since it was read, because two browser tabs may continue it at the same time. */
async function replace({ store }: ChainNeeds, { hash, written }: Found, chain: Chain): Promise<boolean> {
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
