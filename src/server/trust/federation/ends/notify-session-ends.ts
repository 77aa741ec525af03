import type { Logger } from 'pino';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import {
  claimDueSessionEnd,
  postponeSessionEnd,
  type PendingSessionEnd,
  type NotifySessionEnds,
} from '../../sessions/session-ends.ts';
import {
  listSamlParticipants,
  type SamlSessionParticipant,
  readLogoutStatus,
  writeLogoutRequest,
} from '../saml/logout-messages.ts';
import type { OidcProvider } from '../oidc/open-oidc.ts';
import { listOidcSessionClients, decryptSessionApplications } from '../oidc/link-oidc-sessions.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { sendOutboundRequest } from '../../../platform/http/outbound-fetch.ts';
import { buildSamlLogoutEnvelope } from '../saml/logout-chain.ts';
import { samlNamespaces } from '../saml/saml-constants.ts';
import type { SamlProvider } from '../saml/open-saml.ts';
import type { ServiceProvider } from '../saml/service-providers.ts';
import { selectSigningCredential, signXmlElement } from '../saml/xml-signature.ts';
import { findXmlChild, hasXmlName, parseXml } from '../saml/xml.ts';

interface NotifyDependencies {
  readonly config: Pick<Config, 'baseUrl' | 'backchannelPrivate'>;
  readonly clock: Clock;
  readonly saml: Pick<SamlProvider, 'providers' | 'credentials'>;
  readonly store: DatabaseStore;
  readonly vault: Vault;
  readonly oidc: OidcProvider;
  readonly log: Logger;
}

/** Timeout for notifying all applications of a session, in milliseconds. */
const notifyTimeoutMs = 2000;
/** Maximum number of attempts to notify an application. With the pauses between them, they take most of a day. */
const maxAttempts = 20;

/** Number of session ends that one replica processes in parallel. An unresponsive application delays only one session end. */
const maxParallelEnds = 8;

/** Creates the function that notifies the applications of ended sessions. Call it after the commit that ends a session, and repeatedly in a job. */
export function createSessionEndNotifier(dependencies: NotifyDependencies): NotifySessionEnds {
  const notifyEnd = async (sessionId: string): Promise<readonly string[]> => {
    const end = await claimDueSessionEnd(dependencies.store, sessionId);
    return end === undefined ? [] : notifyRecipients(dependencies, end);
  };
  const notifyDueEnds = async (): Promise<readonly string[]> => {
    const missed: string[] = [];
    for (
      let end = await claimDueSessionEnd(dependencies.store);
      end !== undefined;
      end = await claimDueSessionEnd(dependencies.store)
    )
      missed.push(...(await notifyRecipients(dependencies, end)));
    return missed;
  };
  return async (sessionIds) =>
    (await Promise.all(sessionIds?.map(notifyEnd) ?? Array.from({ length: maxParallelEnds }, notifyDueEnds))).flat();
}

async function notifyRecipients(dependencies: NotifyDependencies, end: PendingSessionEnd): Promise<readonly string[]> {
  const { store, log } = dependencies;
  const hearers = (await listRecipients(dependencies, end)).filter(({ id }) => !end.told.includes(id));
  const limit = new Promise<false>((resolve) => {
    setTimeout(resolve, notifyTimeoutMs, false).unref();
  });
  const heard = await Promise.all(hearers.map((hearer) => Promise.race([hearer.tell().catch(() => false), limit])));
  const missed = hearers.filter((_, index) => heard[index] !== true);
  if (missed.length === 0 || end.attempts >= maxAttempts) {
    for (const { id } of missed) log.warn({ application: id }, 'an application did not hear of the end of a session');
    for (const table of ['saml_participants', 'session_ends'] as const)
      await store.db.deleteFrom(table).where('session_id', '=', end.sessionId).execute();
  } else {
    const told = hearers.filter((_, index) => heard[index] === true).map(({ id }) => id);
    await postponeSessionEnd(store, end, [...end.told, ...told]);
  }
  return missed.map(({ name }) => name);
}

/**
 * Returns the applications of an ended session that can be notified: OpenID Connect clients with a back-channel logout URI, and SAML service
 * providers with the SOAP binding.
 */
async function listRecipients(dependencies: NotifyDependencies, { sessionId, payload }: PendingSessionEnd) {
  const { clock, oidc, vault, store, saml } = dependencies;
  const clients =
    payload === null ? [] : await listOidcSessionClients(oidc.provider, [decryptSessionApplications(vault, payload)]);
  const participants = await listSamlParticipants(store, sessionId);
  const services = await Promise.all(
    participants.map(async (participant) => ({
      participant,
      provider: await saml.providers.findCurrent(participant.provider, clock.now()),
    })),
  );
  return [
    ...clients.flatMap(({ client, sid, accountId }) => {
      if (client.backchannelLogoutUri === undefined) return [];
      const tell = () => client.backchannelLogout(accountId, sid).then(() => true);
      return { id: client.clientId, name: client.clientName ?? client.clientId, tell };
    }),
    ...services.flatMap(({ participant, provider }) => {
      const destination = provider?.metadata.soapLogout ?? null;
      if (provider === null || destination === null) return [];
      const { id, name } = provider.registration;
      const tell = () => sendSoapLogout(dependencies, { provider, destination }, participant);
      return { id: `saml:${id}`, name, tell };
    }),
  ];
}

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';

/**
 * Sends a LogoutRequest over SOAP (SAML bindings, section 3.2). Does not verify the signature of the response, because the TLS connection
 * authenticates the sender.
 */
async function sendSoapLogout(
  { config, clock, saml: { credentials } }: NotifyDependencies,
  { provider, destination }: { provider: ServiceProvider; destination: string },
  participant: SamlSessionParticipant,
): Promise<boolean> {
  const { id, xml } = writeLogoutRequest(
    buildSamlLogoutEnvelope({ config, clock }, provider, destination),
    participant,
  );
  const signed = await signXmlElement(xml, { id, hasIssuer: true }, selectSigningCredential(credentials(), provider));
  const { status, body } = await sendOutboundRequest(
    new URL(destination),
    {
      method: 'POST',
      headers: {
        'content-type': 'text/xml; charset=utf-8',
        soapaction: '"http://www.oasis-open.org/committees/security"',
      },
      content: `<soap:Envelope xmlns:soap="${soap}"><soap:Body>${signed}</soap:Body></soap:Envelope>`,
      maxBytes: 64 * 1024,
    },
    { limitMs: notifyTimeoutMs, allowsPrivateTargets: config.backchannelPrivate },
  );
  if (status !== 200) return false;
  const root = parseXml(body.toString('utf8'));
  const content = hasXmlName(root, soap, 'Envelope') ? findXmlChild(root, soap, 'Body') : null;
  const answer = findXmlChild(content, samlNamespaces.protocol, 'LogoutResponse');
  if (!answer) throw new Error(`${provider.registration.id} answered no LogoutResponse`);
  const { inResponseTo, succeeded } = readLogoutStatus(answer);
  return succeeded && inResponseTo === id;
}
