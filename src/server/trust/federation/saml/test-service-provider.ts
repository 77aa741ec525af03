import {
  listParticipants,
  type Participant,
  readLogoutResponse,
  readLogoutRequest,
  writeLogoutResponse,
  writeLogoutRequest,
} from './logout-messages.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { findLiveSessionOfCookie } from '../../sessions/sessions.ts';
import { pages } from '../../../../contract/pages.ts';
import { baseLanguage } from '../../../../contract/portal-config.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { textOf } from '../../../platform/base/texts.ts';
import { checkMessage } from './authn-request.ts';
import {
  decodePostMessage,
  encodeRedirectMessage,
  decodeRedirectMessage,
  bindings,
  buildEntityId,
  namespaces,
  samlPaths,
  statuses,
  SamlError,
} from './saml-names.ts';
import { generateMessageId, formatXmlTime } from './response.ts';
import {
  readSamlQuery,
  signQuery,
  verifyQuerySignature,
  verifyXmlSignature,
  type SignatureTrust,
  type Credentials,
} from './signature.ts';
import type { ServiceProvider } from './service-providers.ts';
import {
  readAttribute,
  findChild,
  listChildren,
  escapeXml,
  hasQualifiedName,
  parseXml,
  readElementText,
} from './xml.ts';

export type TestEndpoints = ReturnType<typeof createTestEndpoints>;

export function createTestEndpoints(dependencies: TestDependencies & { readonly store: Store }) {
  const { store, clock } = dependencies;
  return {
    request: () => buildTestRequestUrl(dependencies),
    /** Returns the URL of a logout. Returns `null` if the session is not signed in to the test service provider. */
    async logout(secret: string | undefined): Promise<string | null> {
      const session = await findLiveSessionOfCookie(store.db, secret, clock.now());
      const participants = session === null ? [] : await listParticipants(store, session.id);
      const own = participants.find(({ provider }) => provider === testProviderId);
      return own ? buildTestLogoutUrl(dependencies, own) : null;
    },
    read: (response: string | undefined) => readTestResponse(dependencies, response),
    hear: (query: string) => receiveTestLogout(dependencies, query),
  };
}

export const testPaths = {
  request: '/saml-index/pedido',
  logout: '/saml-index/salida',
  consumer: '/saml-index/acs',
  service: '/saml-index/slo',
} as const;

const testProviderId = 'saml-index';

/** Dependencies of the test service provider. The test service provider runs on this server and signs with the server's keys. */
interface TestDependencies {
  readonly config: { readonly baseUrl: string };
  readonly clock: Clock;
  readonly saml: { readonly credentials: Credentials };
}

export type ReceivedAttributes = readonly (readonly [name: string, value: string])[];

export function createTestServiceProvider(baseUrl: string, credentials: Credentials): ServiceProvider {
  const at = (path: string): string => new URL(path, baseUrl).href;
  const service = at(testPaths.service);
  return {
    registration: {
      id: testProviderId,
      name: textOf('prueba_nombre', baseLanguage),
      scopes: ['personal_info', 'document', 'email', 'auth_info'],
    },
    metadata: {
      entityId: buildTestEntityId(baseUrl),
      assertionConsumers: [{ index: 0, location: at(testPaths.consumer) }],
      logout: { binding: 'redirect', location: service, responseLocation: service },
      get signing() {
        return credentials().map(({ certificate }) => certificate);
      },
      requestsSigned: true,
      soapLogout: null,
      encryption: null,
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

/** Returns the URL of the broker with a new signed AuthnRequest. */
async function buildTestRequestUrl({ config, clock, saml: { credentials } }: TestDependencies): Promise<string> {
  const destination = new URL(samlPaths.ssoByRedirect, config.baseUrl).href;
  const consumer = new URL(testPaths.consumer, config.baseUrl).href;
  const xml = [
    `<samlp:AuthnRequest xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}" ID="${generateMessageId()}" Version="2.0" IssueInstant="${formatXmlTime(clock.now())}"`,
    ` Destination="${escapeXml(destination)}" AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${bindings.post}">`,
    `<saml:Issuer>${escapeXml(buildTestEntityId(config.baseUrl))}</saml:Issuer></samlp:AuthnRequest>`,
  ].join('');
  return `${destination}?${await signQuery({ name: 'SAMLRequest', message: encodeRedirectMessage(xml), relayState: null }, credentials()[0])}`;
}

/** Returns the URL of the broker with a new signed LogoutRequest. */
async function buildTestLogoutUrl(
  { config, clock, saml: { credentials } }: TestDependencies,
  participant: Participant,
): Promise<string> {
  const destination = new URL(samlPaths.sloByRedirect, config.baseUrl).href;
  const { xml } = writeLogoutRequest(createEnvelope(config.baseUrl, destination, clock), participant);
  return `${destination}?${await signQuery({ name: 'SAMLRequest', message: encodeRedirectMessage(xml), relayState: null }, credentials()[0])}`;
}

/** Reads a response of the broker, for display. Throws a `SamlError` if it is invalid. The test service provider stores nothing. */
function readTestResponse(
  { config, clock, saml: { credentials } }: TestDependencies,
  response: string | undefined,
): ReceivedAttributes {
  const message = verifyXmlSignature(decodePostMessage(response ?? ''), createSigners(credentials));
  if (!hasQualifiedName(message, namespaces.protocol, 'Response')) throw new SamlError('the message is not a Response');
  checkMessage(message, { destination: new URL(testPaths.consumer, config.baseUrl).href, clock });
  const assertion = findChild(message, namespaces.assertion, 'Assertion');
  if (assertion === null) return [['Status', readStatus(message)]];
  const subject = findChild(assertion, namespaces.assertion, 'Subject');
  const authentication = findChild(assertion, namespaces.assertion, 'AuthnStatement');
  const context = authentication && findChild(authentication, namespaces.assertion, 'AuthnContext');
  const statement = findChild(assertion, namespaces.assertion, 'AttributeStatement');
  return [
    ['Status', readStatus(message)],
    ['NameID', readElementText(subject && findChild(subject, namespaces.assertion, 'NameID')) ?? ''],
    [
      'AuthnContextClassRef',
      readElementText(context && findChild(context, namespaces.assertion, 'AuthnContextClassRef')) ?? '',
    ],
    ...(statement === null ? [] : listChildren(statement, namespaces.assertion, 'Attribute')).map(
      (one) => [readAttribute(one, 'Name') ?? '', readElementText(one) ?? ''] as const,
    ),
  ];
}

/**
 * Returns the URL that delivers a LogoutResponse to the broker's request. For a LogoutResponse of the broker, returns its status. Throws a
 * `SamlError` if the message is invalid.
 */
async function receiveTestLogout(
  { config, clock, saml: { credentials } }: TestDependencies,
  query: string,
): Promise<{ readonly next: string } | { readonly received: ReceivedAttributes }> {
  const read = readSamlQuery(query);
  verifyQuerySignature(read, createSigners(credentials));
  const checks = { destination: new URL(testPaths.service, config.baseUrl).href, clock };
  const answer = read.value('SAMLResponse');
  if (answer !== null) {
    const message = parseXml(decodeRedirectMessage(answer));
    const { succeeded } = readLogoutResponse(message, checks);
    return { received: [['Status', succeeded ? 'Success' : readStatus(message)]] };
  }
  const { id } = readLogoutRequest(parseXml(decodeRedirectMessage(read.value('SAMLRequest') ?? '')), checks);
  const destination = new URL(samlPaths.sloByRedirect, config.baseUrl).href;
  const frame = createEnvelope(config.baseUrl, destination, clock);
  const { xml } = writeLogoutResponse(frame, { inResponseTo: id, status: statuses.success });
  const message = {
    name: 'SAMLResponse',
    message: encodeRedirectMessage(xml),
    relayState: read.value('RelayState'),
  } as const;
  return { next: `${destination}?${await signQuery(message, credentials()[0])}` };
}

function buildTestEntityId(baseUrl: string): string {
  return new URL(pages.samlIndex, baseUrl).href;
}

function createEnvelope(baseUrl: string, destination: string, clock: Clock) {
  return { issuer: buildTestEntityId(baseUrl), audience: buildEntityId(baseUrl), destination, now: clock.now() };
}

function createSigners(credentials: Credentials): SignatureTrust {
  return { certificates: credentials().map(({ certificate }) => certificate) };
}

/** Returns the last segments of a message's status codes, for example `Success PartialLogout`. */
function readStatus(message: Element): string {
  const status = findChild(message, namespaces.protocol, 'Status');
  const code = status && findChild(status, namespaces.protocol, 'StatusCode');
  const reason = code && findChild(code, namespaces.protocol, 'StatusCode');
  return [code, reason]
    .flatMap((one) => (one ? (readAttribute(one, 'Value') ?? '').split(':').slice(-1) : []))
    .join(' ');
}
