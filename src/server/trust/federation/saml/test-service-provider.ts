import {
  listSamlParticipants,
  type SamlSessionParticipant,
  readLogoutResponse,
  readLogoutRequest,
  writeLogoutResponse,
  writeLogoutRequest,
} from './logout-messages.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { findLiveSessionOfCookie } from '../../sessions/broker-sessions.ts';
import { pagePaths } from '../../../../contract/page-paths.ts';
import { baseLanguage } from '../../../../contract/portal-config.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { getSharedText } from '../../../platform/base/texts.ts';
import { validateSamlMessage } from './authenticate-saml-message.ts';
import {
  samlBindings,
  buildSamlEntityId,
  samlNamespaces,
  samlPaths,
  samlStatuses,
  SamlError,
} from './saml-constants.ts';
import { generateSamlMessageId, formatXmlTime } from './saml-response.ts';
import {
  buildSamlRedirectUrl,
  decodeSamlPostMessage,
  decodeSamlRedirectMessage,
  parseSamlQuery,
  verifySamlQuerySignature,
} from './bindings.ts';
import { verifyXmlSignature, type ListSigningCredentials } from './xml-signature.ts';
import type { ServiceProvider } from './service-providers.ts';
import {
  readXmlAttribute,
  findXmlChild,
  listXmlChildren,
  escapeXml,
  hasXmlName,
  parseXml,
  readXmlText,
} from './xml.ts';

export type TestServiceProviderEndpoints = ReturnType<typeof createTestServiceProviderEndpoints>;

export function createTestServiceProviderEndpoints(dependencies: TestDependencies & { readonly store: DatabaseStore }) {
  const { store, clock } = dependencies;
  return {
    request: () => buildTestRequestUrl(dependencies),
    async logout(secret: string | undefined): Promise<string | null> {
      const session = await findLiveSessionOfCookie(store.db, secret, clock.now());
      const participants = session === null ? [] : await listSamlParticipants(store, session.id);
      const own = participants.find(({ provider }) => provider === testProviderId);
      return own ? buildTestLogoutUrl(dependencies, own) : null;
    },
    readResponse: (response: string | undefined) => readTestResponse(dependencies, response),
    receiveLogout: (query: string) => receiveTestLogout(dependencies, query),
  };
}

export const testServiceProviderPaths = {
  request: '/saml-index/pedido',
  logout: '/saml-index/salida',
  consumer: '/saml-index/acs',
  service: '/saml-index/slo',
} as const;

const testProviderId = 'saml-index';

/** Dependencies of the test service provider, which runs on this server and signs with the keys of this server. */
interface TestDependencies {
  readonly config: { readonly baseUrl: string };
  readonly clock: Clock;
  readonly saml: { readonly credentials: ListSigningCredentials };
}

export type ReceivedSamlAttributes = readonly (readonly [name: string, value: string])[];

export function createTestServiceProvider(baseUrl: string, credentials: ListSigningCredentials): ServiceProvider {
  const at = (path: string): string => new URL(path, baseUrl).href;
  const service = at(testServiceProviderPaths.service);
  return {
    registration: {
      id: testProviderId,
      name: getSharedText('prueba_nombre', baseLanguage),
      scopes: ['personal_info', 'document', 'email', 'auth_info'],
    },
    metadata: {
      entityId: buildTestEntityId(baseUrl),
      assertionConsumers: [{ index: 0, location: at(testServiceProviderPaths.consumer) }],
      logout: { binding: 'redirect', location: service, responseLocation: service },
      get signingCertificates() {
        return listCertificates(credentials);
      },
      requestsSigned: true,
      soapLogout: null,
      encryptionCertificate: null,
      nameIdFormats: [],
      attributeSets: [],
      subjectId: null,
      validUntil: null,
      hasValidUntil: false,
      cacheS: null,
      display: {},
      contact: null,
    },
  };
}

async function buildTestRequestUrl({ config, clock, saml: { credentials } }: TestDependencies): Promise<string> {
  const destination = new URL(samlPaths.ssoByRedirect, config.baseUrl).href;
  const consumer = new URL(testServiceProviderPaths.consumer, config.baseUrl).href;
  const xml = [
    `<samlp:AuthnRequest xmlns:samlp="${samlNamespaces.protocol}" xmlns:saml="${samlNamespaces.assertion}" ID="${generateSamlMessageId()}" Version="2.0" IssueInstant="${formatXmlTime(clock.now())}"`,
    ` Destination="${escapeXml(destination)}" AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${samlBindings.post}">`,
    `<saml:Issuer>${escapeXml(buildTestEntityId(config.baseUrl))}</saml:Issuer></samlp:AuthnRequest>`,
  ].join('');
  return buildSamlRedirectUrl(destination, { name: 'SAMLRequest', xml }, credentials()[0]);
}

async function buildTestLogoutUrl(
  { config, clock, saml: { credentials } }: TestDependencies,
  participant: SamlSessionParticipant,
): Promise<string> {
  const destination = new URL(samlPaths.sloByRedirect, config.baseUrl).href;
  const { xml } = writeLogoutRequest(createEnvelope(config.baseUrl, destination, clock), participant);
  return buildSamlRedirectUrl(destination, { name: 'SAMLRequest', xml }, credentials()[0]);
}

function readTestResponse(
  { config, clock, saml: { credentials } }: TestDependencies,
  response: string | undefined,
): ReceivedSamlAttributes {
  const message = verifyXmlSignature(decodeSamlPostMessage(response ?? ''), listCertificates(credentials));
  if (!hasXmlName(message, samlNamespaces.protocol, 'Response')) throw new SamlError('the message is not a Response');
  validateSamlMessage(message, { destination: new URL(testServiceProviderPaths.consumer, config.baseUrl).href, clock });
  const assertion = findXmlChild(message, samlNamespaces.assertion, 'Assertion');
  if (assertion === null) return [['Status', readStatus(message)]];
  const readText = (...names: readonly string[]) =>
    readXmlText(findXmlChild(assertion, samlNamespaces.assertion, ...names)) ?? '';
  const statement = findXmlChild(assertion, samlNamespaces.assertion, 'AttributeStatement');
  return [
    ['Status', readStatus(message)],
    ['NameID', readText('Subject', 'NameID')],
    ['AuthnContextClassRef', readText('AuthnStatement', 'AuthnContext', 'AuthnContextClassRef')],
    ...listXmlChildren(statement, samlNamespaces.assertion, 'Attribute').map(
      (one) => [readXmlAttribute(one, 'Name') ?? '', readXmlText(one) ?? ''] as const,
    ),
  ];
}

/**
 * Handles a message of the broker. For a LogoutRequest, returns the URL that delivers the LogoutResponse. For a LogoutResponse, returns its status.
 */
async function receiveTestLogout(
  { config, clock, saml: { credentials } }: TestDependencies,
  query: string,
): Promise<{ readonly next: string } | { readonly received: ReceivedSamlAttributes }> {
  const read = parseSamlQuery(query);
  verifySamlQuerySignature(read, listCertificates(credentials));
  const checks = { destination: new URL(testServiceProviderPaths.service, config.baseUrl).href, clock };
  const answer = read.value('SAMLResponse');
  if (answer !== null) {
    const message = parseXml(decodeSamlRedirectMessage(answer));
    const { succeeded } = readLogoutResponse(message, checks);
    return { received: [['Status', succeeded ? 'Success' : readStatus(message)]] };
  }
  const { id } = readLogoutRequest(parseXml(decodeSamlRedirectMessage(read.value('SAMLRequest') ?? '')), checks);
  const destination = new URL(samlPaths.sloByRedirect, config.baseUrl).href;
  const frame = createEnvelope(config.baseUrl, destination, clock);
  const { xml } = writeLogoutResponse(frame, { inResponseTo: id, status: samlStatuses.success });
  const message = { name: 'SAMLResponse', xml, relayState: read.value('RelayState') } as const;
  return { next: await buildSamlRedirectUrl(destination, message, credentials()[0]) };
}

function buildTestEntityId(baseUrl: string): string {
  return new URL(pagePaths.samlIndex, baseUrl).href;
}

function createEnvelope(baseUrl: string, destination: string, clock: Clock) {
  return { issuer: buildTestEntityId(baseUrl), audience: buildSamlEntityId(baseUrl), destination, now: clock.now() };
}

function listCertificates(credentials: ListSigningCredentials): readonly string[] {
  return credentials().map(({ certificate }) => certificate);
}

function readStatus(message: Element): string {
  const code = findXmlChild(message, samlNamespaces.protocol, 'Status', 'StatusCode');
  const reason = findXmlChild(code, samlNamespaces.protocol, 'StatusCode');
  return [code, reason].flatMap((one) => readXmlAttribute(one, 'Value')?.split(':').slice(-1) ?? []).join(' ');
}
