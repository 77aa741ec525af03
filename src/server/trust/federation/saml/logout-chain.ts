import { buildHref } from '../../../../contract/build-href.ts';
import { pagePaths } from '../../../../contract/page-paths.ts';
import { addSeconds } from '../../../platform/base/clock.ts';
import { hashSecret, generateSecret } from '../../../platform/keys/random-secrets.ts';
import { buildSamlRedirectUrl, type SamlMessageName } from './bindings.ts';
import { buildSamlEntityId, samlStatuses, SamlError } from './saml-constants.ts';
import type { AuthenticatedSamlMessage } from './authenticate-saml-message.ts';
import type { SamlLogoutEndpoint } from './metadata.ts';
import {
  readLogoutResponse,
  writeLogoutResponse,
  writeLogoutRequest,
  type SamlLogoutEnvelope,
  type SamlSessionParticipant,
} from './logout-messages.ts';
import type { ServiceProvider } from './service-providers.ts';
import { selectSigningCredential, signXmlElement } from './xml-signature.ts';
import type { SamlDependencies, SamlBrowserAction } from './single-sign-on.ts';

/** Last step of a logout: a path of the portal, or a LogoutResponse to the service provider that requested it. */
export type LogoutCompletion =
  | { readonly kind: 'path'; readonly path: string }
  | {
      readonly kind: 'answer';
      readonly provider: string;
      readonly inResponseTo: string;
      readonly relayState: string | null;
    };

/** A single logout in progress. The browser visits one service provider after the other, and each service provider redirects the browser back. */
interface LogoutChain {
  readonly end: LogoutCompletion;
  readonly todo: readonly SamlSessionParticipant[];
  /** Last LogoutRequest. Its service provider counts as failed if the browser returns without a LogoutResponse. */
  readonly sent: { readonly provider: string; readonly id: string } | null;
  readonly failed: readonly string[];
  readonly frames: readonly string[];
}

export const samlLogoutLifeS = 15 * 60;

/** Returns the path at which the browser continues the logout. */
export async function startLogoutChain(
  { store, clock }: SamlDependencies,
  {
    participants,
    browser,
    ...rest
  }: Pick<LogoutChain, 'end' | 'frames' | 'failed'> & {
    participants: readonly SamlSessionParticipant[];
    browser: string;
  },
): Promise<string> {
  const processState = generateSecret();
  const chain: LogoutChain = { ...rest, todo: participants, sent: null };
  await store.db
    .insertInto('saml_logouts')
    .values({
      hash: hashSecret(processState),
      browser: hashSecret(browser),
      chain: JSON.stringify(chain),
      expires_at: addSeconds(clock.now(), samlLogoutLifeS),
    })
    .execute();
  return buildHref(pagePaths.samlLogout, { process_state: processState });
}

/**
 * Returns the frames of a logout, and whether the next step of the logout is a LogoutResponse. Returns `null` if the logout is unknown or of another
 * browser.
 */
export async function findLogoutProgress(
  dependencies: SamlDependencies,
  processState: string,
  browser: string | undefined,
): Promise<{ readonly frames: readonly string[]; readonly answers: boolean } | null> {
  const chain = (await findChain(dependencies, processState, browser))?.chain;
  return chain ? { frames: chain.frames, answers: chain.end.kind === 'answer' && chain.todo.length === 0 } : null;
}

export async function continueLogoutChain(
  dependencies: SamlDependencies,
  processState: string,
  browser: string | undefined,
): Promise<SamlBrowserAction | null> {
  const found = await findChain(dependencies, processState, browser);
  if (found === null) return null;
  const { chain } = found;
  const failed = [...chain.failed, ...(chain.sent === null ? [] : [chain.sent.provider])];
  for (const [index, participant] of chain.todo.entries()) {
    const provider = await dependencies.saml.providers.findCurrent(participant.provider, dependencies.clock.now());
    const service = provider?.metadata.logout ?? null;
    if (provider === null || service === null) {
      failed.push(participant.provider);
      continue;
    }
    const message = writeLogoutRequest(buildSamlLogoutEnvelope(dependencies, provider, service.location), participant);
    const sent = { provider: participant.provider, id: message.id };
    const next = { ...chain, todo: chain.todo.slice(index + 1), sent, failed };
    if (!(await replaceChain(dependencies, found, next)))
      return continueLogoutChain(dependencies, processState, browser); // another tab has continued the logout: read its new state
    return sendLogoutMessage(dependencies, provider, service, {
      name: 'SAMLRequest',
      ...message,
      to: service.location,
      relayState: processState,
    });
  }
  const { end } = chain;
  await dependencies.store.db.deleteFrom('saml_logouts').where('hash', '=', found.hash).execute();
  if (end.kind === 'path') return { kind: 'go', path: end.path };
  return sendLogoutResponse(dependencies, end, failed.length === 0 ? samlStatuses.success : samlStatuses.partialLogout);
}

/** Records a verified LogoutResponse and returns its `process_state`. Throws a `SamlError` if it does not match the last LogoutRequest. */
export async function recordLogoutResponse(
  dependencies: SamlDependencies,
  answer: AuthenticatedSamlMessage & { readonly destination: string; readonly browser: string | undefined },
): Promise<string> {
  const { provider, message, destination, browser, relayState } = answer;
  const { inResponseTo, succeeded } = readLogoutResponse(message, { destination, clock: dependencies.clock });
  const processState = relayState ?? '';
  const found = await findChain(dependencies, processState, browser);
  const failed = found?.chain.failed ?? [];
  const { id } = provider.registration;
  if (
    found?.chain.sent?.provider !== id ||
    found.chain.sent.id !== inResponseTo ||
    !(await replaceChain(dependencies, found, {
      ...found.chain,
      sent: null,
      failed: succeeded ? failed : [...failed, id],
    }))
  )
    throw new SamlError('the response does not match a pending request');
  return processState;
}

export async function sendLogoutResponse(
  dependencies: SamlDependencies,
  { provider, inResponseTo, relayState }: Extract<LogoutCompletion, { kind: 'answer' }>,
  status: readonly string[],
): Promise<SamlBrowserAction> {
  const known = await dependencies.saml.providers.findCurrent(provider, dependencies.clock.now());
  const service = known?.metadata.logout ?? null;
  if (known === null || service === null) return { kind: 'go', path: '/' };
  const to = service.responseLocation;
  const message = writeLogoutResponse(buildSamlLogoutEnvelope(dependencies, known, to), { inResponseTo, status });
  return sendLogoutMessage(dependencies, known, service, { name: 'SAMLResponse', ...message, to, relayState });
}

async function sendLogoutMessage(
  { saml }: SamlDependencies,
  provider: ServiceProvider,
  { binding }: SamlLogoutEndpoint,
  message: { name: SamlMessageName; id: string; xml: string; to: string; relayState: string | null },
): Promise<SamlBrowserAction> {
  const { name, id, xml, to, relayState } = message;
  const credential = selectSigningCredential(saml.credentials(), provider);
  if (binding === 'redirect')
    return { kind: 'go', path: await buildSamlRedirectUrl(to, { name, xml, relayState }, credential) };
  const signed = Buffer.from(await signXmlElement(xml, { id, hasIssuer: true }, credential)).toString('base64');
  return {
    kind: 'send',
    action: to,
    fields: { [name]: signed, ...(relayState !== null && { RelayState: relayState }) },
  };
}

export function buildSamlLogoutEnvelope(
  { config, clock }: Pick<SamlDependencies, 'config' | 'clock'>,
  { metadata }: ServiceProvider,
  destination: string,
): SamlLogoutEnvelope {
  return { issuer: buildSamlEntityId(config.baseUrl), audience: metadata.entityId, destination, now: clock.now() };
}

interface StoredChain {
  readonly hash: string;
  readonly storedJson: string;
  readonly chain: LogoutChain;
}

async function findChain({ store, clock }: SamlDependencies, processState: string, browser: string | undefined) {
  if (browser === undefined) return null;
  const hash = hashSecret(processState);
  const row = await store.db
    .selectFrom('saml_logouts')
    .select('chain')
    .where('hash', '=', hash)
    .where('browser', '=', hashSecret(browser))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row ? { hash, storedJson: row.chain, chain: JSON.parse(row.chain) as LogoutChain } : null; // the cast is safe: this module wrote the value
}

/** Stores a chain. Returns `false` if it has changed since it was read, because two browser tabs may continue it at the same time. */
async function replaceChain({ store }: SamlDependencies, { hash, storedJson }: StoredChain, chain: LogoutChain) {
  const { numUpdatedRows } = await store.db
    .updateTable('saml_logouts')
    .set({ chain: JSON.stringify(chain) })
    .where('hash', '=', hash)
    .where('chain', '=', storedJson)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
