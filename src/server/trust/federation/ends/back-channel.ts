import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { outwardSend } from '../clients/outward-fetch.ts';
import { readStatus, writeLogoutRequest } from '../saml/logout-messages.ts';
import { buildEntityId, ns } from '../saml/names.ts';
import type { Participant } from '../saml/participants.ts';
import type { ServiceProvider, ServiceProviders } from '../saml/service-providers.ts';
import { signElement, type Credentials } from '../saml/signature.ts';
import { findChild, isElement, parseXml } from '../saml/xml.ts';

export interface BackChannelDependencies {
  readonly config: Pick<Config, 'baseUrl' | 'backchannelPrivate'>;
  readonly clock: Clock;
  readonly providers: ServiceProviders;
  readonly credentials: Credentials;
}

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const limitMs = 2000;
const mostBytes = 64 * 1024;

/**
 * Sends a LogoutRequest by SOAP (SAML bindings, section 3.2). Returns `false` if the service provider did not accept it. The response decides only
 * whether to retry, so authenticating the connection is enough: its signature is not verified.
 */
export async function tellProvider(
  { config, clock, credentials }: BackChannelDependencies,
  { metadata, registration }: ServiceProvider,
  participant: Participant,
): Promise<boolean> {
  const destination = metadata.soapLogout;
  if (destination === null) return false;
  const frame = { issuer: buildEntityId(config.baseUrl), audience: metadata.entityId, destination, now: clock.now() };
  const { id, xml } = writeLogoutRequest(frame, participant);
  const signed = signElement(xml, { id, hasIssuer: true }, credentials()[0]);
  const { status, body } = await outwardSend(
    new URL(destination),
    {
      method: 'POST',
      headers: {
        'content-type': 'text/xml; charset=utf-8',
        soapaction: '"http://www.oasis-open.org/committees/security"',
      },
      content: `<soap:Envelope xmlns:soap="${soap}"><soap:Body>${signed}</soap:Body></soap:Envelope>`,
      mostBytes,
    },
    { limitMs, privateToo: config.backchannelPrivate },
  );
  if (status !== 200) return false;
  const root = parseXml(body.toString('utf8'));
  const content = isElement(root, soap, 'Envelope') ? findChild(root, soap, 'Body') : null;
  const answer = content && findChild(content, ns.protocol, 'LogoutResponse');
  if (!answer) throw new Error(`${registration.id} answered no LogoutResponse`);
  const { inResponseTo, succeeded } = readStatus(answer);
  return succeeded && inResponseTo === id;
}
