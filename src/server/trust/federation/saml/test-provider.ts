import {
  listParticipants,
  type Participant,
  readLogoutAnswer,
  readLogoutRequest,
  writeLogoutAnswer,
  writeLogoutRequest,
} from './logout-messages.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { sessionOfCookie } from '../../sessions/sessions.ts';
import { pages } from '../../../../contract/pages.ts';
import { baseLanguage } from '../../../../contract/portal-config.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { textOf } from '../../../platform/base/texts.ts';
import { checkMessage } from './authn-request.ts';
import {
  decodeBase64Text,
  deflate,
  inflate,
  bindings,
  buildEntityId,
  ns,
  samlPaths,
  statuses,
  SamlError,
} from './names.ts';
import { newId, timeText } from './response.ts';
import { readSamlQuery, signQuery, verifyQuery, verifySigned, type Signers, type Credentials } from './signature.ts';
import type { ServiceProvider } from './service-providers.ts';
import { attribute, findChild, listChildren, escapeXml, isElement, parseXml, textIn } from './xml.ts';

export type TestPages = ReturnType<typeof openTestPages>;

export function openTestPages(dependencies: TestDependencies & { readonly store: Store }) {
  const { store, clock } = dependencies;
  return {
    request: () => testRequest(dependencies),
    /** Returns `null` if the session is not signed in to the test service provider. */
    async logout(secret: string | undefined): Promise<string | null> {
      const session = await sessionOfCookie(store.db, secret, clock.now());
      const participants = session === null ? [] : await listParticipants(store, session.id);
      const own = participants.find(({ provider }) => provider === testProviderId);
      return own ? testLogout(dependencies, own) : null;
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

/** The test service provider runs on this server and signs with its keys. */
interface TestDependencies {
  readonly config: { readonly baseUrl: string };
  readonly clock: Clock;
  readonly saml: { readonly credentials: Credentials };
}

export type ReceivedAttributes = readonly (readonly [name: string, value: string])[];

export function testProvider(baseUrl: string, credentials: Credentials): ServiceProvider {
  const at = (path: string): string => new URL(path, baseUrl).href;
  const service = at(testPaths.service);
  return {
    registration: {
      id: testProviderId,
      name: textOf('prueba_nombre', baseLanguage),
      scopes: ['personal_info', 'document', 'email', 'auth_info'],
    },
    metadata: {
      entityId: testEntity(baseUrl),
      consumers: [{ index: 0, location: at(testPaths.consumer) }],
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
      hasEnd: false,
      cacheS: null,
      display: {},
      contact: null,
    },
  };
}

/** URL of the broker with a new signed AuthnRequest. */
async function testRequest({ config, clock, saml: { credentials } }: TestDependencies): Promise<string> {
  const destination = new URL(samlPaths.ssoByRedirect, config.baseUrl).href;
  const consumer = new URL(testPaths.consumer, config.baseUrl).href;
  const xml = [
    `<samlp:AuthnRequest xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}" ID="${newId()}" Version="2.0" IssueInstant="${timeText(clock.now())}"`,
    ` Destination="${escapeXml(destination)}" AssertionConsumerServiceURL="${escapeXml(consumer)}" ProtocolBinding="${bindings.post}">`,
    `<saml:Issuer>${escapeXml(testEntity(config.baseUrl))}</saml:Issuer></samlp:AuthnRequest>`,
  ].join('');
  return `${destination}?${await signQuery({ name: 'SAMLRequest', message: deflate(xml), relayState: null }, credentials()[0])}`;
}

/** URL of the broker with a new signed LogoutRequest. */
async function testLogout(
  { config, clock, saml: { credentials } }: TestDependencies,
  participant: Participant,
): Promise<string> {
  const destination = new URL(samlPaths.sloByRedirect, config.baseUrl).href;
  const { xml } = writeLogoutRequest(frameTo(config.baseUrl, destination, clock), participant);
  return `${destination}?${await signQuery({ name: 'SAMLRequest', message: deflate(xml), relayState: null }, credentials()[0])}`;
}

/** Reads a response of the broker, for display. Throws a `SamlError` if it is invalid. The test service provider stores nothing. */
function readTestResponse(
  { config, clock, saml: { credentials } }: TestDependencies,
  response: string | undefined,
): ReceivedAttributes {
  const message = verifySigned(decodeBase64Text(response ?? ''), createSigners(credentials));
  if (!isElement(message, ns.protocol, 'Response')) throw new SamlError('the message is no Response');
  checkMessage(message, { destination: new URL(testPaths.consumer, config.baseUrl).href, clock });
  const assertion = findChild(message, ns.assertion, 'Assertion');
  if (assertion === null) return [['Status', readStatus(message)]];
  const subject = findChild(assertion, ns.assertion, 'Subject');
  const authentication = findChild(assertion, ns.assertion, 'AuthnStatement');
  const context = authentication && findChild(authentication, ns.assertion, 'AuthnContext');
  const statement = findChild(assertion, ns.assertion, 'AttributeStatement');
  return [
    ['Status', readStatus(message)],
    ['NameID', textIn(subject && findChild(subject, ns.assertion, 'NameID')) ?? ''],
    ['AuthnContextClassRef', textIn(context && findChild(context, ns.assertion, 'AuthnContextClassRef')) ?? ''],
    ...(statement === null ? [] : listChildren(statement, ns.assertion, 'Attribute')).map(
      (one) => [attribute(one, 'Name') ?? '', textIn(one) ?? ''] as const,
    ),
  ];
}

/** Returns the URL that delivers our LogoutResponse to the broker's request, or the status in the broker's LogoutResponse. Throws a `SamlError`. */
async function receiveTestLogout(
  { config, clock, saml: { credentials } }: TestDependencies,
  query: string,
): Promise<{ readonly next: string } | { readonly told: ReceivedAttributes }> {
  const read = readSamlQuery(query);
  verifyQuery(read, createSigners(credentials));
  const checks = { destination: new URL(testPaths.service, config.baseUrl).href, clock };
  const answer = read.value('SAMLResponse');
  if (answer !== null) {
    const message = parseXml(inflate(answer));
    const { succeeded } = readLogoutAnswer(message, checks);
    return { told: [['Status', succeeded ? 'Success' : readStatus(message)]] };
  }
  const { id } = readLogoutRequest(parseXml(inflate(read.value('SAMLRequest') ?? '')), checks);
  const destination = new URL(samlPaths.sloByRedirect, config.baseUrl).href;
  const frame = frameTo(config.baseUrl, destination, clock);
  const { xml } = writeLogoutAnswer(frame, { inResponseTo: id, status: statuses.success });
  const message = { name: 'SAMLResponse', message: deflate(xml), relayState: read.value('RelayState') } as const;
  return { next: `${destination}?${await signQuery(message, credentials()[0])}` };
}

function testEntity(baseUrl: string): string {
  return new URL(pages.samlIndex, baseUrl).href;
}

function frameTo(baseUrl: string, destination: string, clock: Clock) {
  return { issuer: testEntity(baseUrl), audience: buildEntityId(baseUrl), destination, now: clock.now() };
}

function createSigners(credentials: Credentials): Signers {
  return { certificates: credentials().map(({ certificate }) => certificate), sha1: false };
}

/** Last segments of a message's status codes, for example `Success PartialLogout`. */
function readStatus(message: Element): string {
  const status = findChild(message, ns.protocol, 'Status');
  const code = status && findChild(status, ns.protocol, 'StatusCode');
  const reason = code && findChild(code, ns.protocol, 'StatusCode');
  return [code, reason].flatMap((one) => (one ? (attribute(one, 'Value') ?? '').split(':').slice(-1) : [])).join(' ');
}
