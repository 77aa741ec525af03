import type { Clock } from '../../../platform/base/clock.ts';
import { addRefusalLogFacts } from '../../../platform/base/errors.ts';
import { SamlError, samlClockSkewMs, samlBindings, nameIdFormats, samlNamespaces } from './saml-constants.ts';
import {
  decodePostMessage,
  decodeRedirectMessage,
  parseSamlQuery,
  verifyQuerySignature,
  type SamlMessageName,
} from './bindings.ts';
import { isSignedElement, verifyXmlSignature } from './signature.ts';
import type { ServiceProvider, ServiceProviderStore } from './service-providers.ts';
import {
  parseXml,
  readXmlAttribute,
  findXmlChild,
  readBooleanAttribute,
  hasXmlName,
  readXmlText,
  readDateTimeAttribute,
  listXmlChildren,
} from './xml.ts';
import { isMetadataExpired, type ServiceProviderMetadata } from './metadata.ts';
import { formatAcr, parseAcr } from '../../identity/levels.ts';

export type ReceivedSamlMessage = { readonly destination: string } & (
  | { readonly binding: 'redirect'; readonly query: string }
  | { readonly binding: 'post'; readonly fields: Readonly<Record<string, string | undefined>> }
);

export interface AuthenticatedSamlMessage {
  readonly provider: ServiceProvider;
  /** Root element. For a signed POST message, it has only the signed content. */
  readonly message: Element;
  readonly relayState: string | null;
  readonly hasSignature: boolean;
}

/** Maximum length of RelayState, in characters. The standard allows 80 bytes, but many implementations exceed that. */
const maxRelayStateLength = 2000;

/** `unsigned` accepts an unsigned message if the service provider may omit signatures. Use it only if the response goes to a URL in the metadata. */
export async function authenticateSamlMessage(
  { saml: { providers }, clock }: { saml: { providers: ServiceProviderStore }; clock: Clock },
  arrival: ReceivedSamlMessage,
  name: SamlMessageName,
  unsigned = false,
): Promise<AuthenticatedSamlMessage> {
  const query = arrival.binding === 'redirect' ? parseSamlQuery(arrival.query) : null;
  const value = (field: string): string | null =>
    query !== null ? query.value(field) : arrival.binding === 'post' ? (arrival.fields[field] ?? null) : null;
  const text = value(name);
  if (text === null) throw new SamlError(`there is no ${name}`);
  const xml = query !== null ? decodeRedirectMessage(text) : decodePostMessage(text);
  const relayState = value('RelayState');
  if ((relayState?.length ?? 0) > maxRelayStateLength) throw new SamlError('the RelayState is too long');
  const root = parseXml(xml);
  const provider = await providers.byEntity(readSamlIssuer(root));
  if (provider === null) throw new SamlError('the service provider is not registered');
  return addProviderToSamlError(provider, () => {
    if (isMetadataExpired(provider.metadata, clock.now())) throw new SamlError('the metadata are out of date');
    const { signingCertificates } = provider.metadata;
    const hasSignature =
      query === null ? isSignedElement(root) : ['Signature', 'SigAlg'].some((name) => value(name) !== null);
    if (unsigned && !hasSignature && canOmitSamlSignature(provider))
      return { provider, message: root, relayState, hasSignature };
    if (query !== null) verifyQuerySignature(query, signingCertificates);
    const message = query === null ? verifyXmlSignature(xml, signingCertificates, root) : root;
    if (readSamlIssuer(message) !== provider.metadata.entityId)
      throw new SamlError('the signed message names another issuer');
    return { provider, message, relayState, hasSignature };
  });
}

/** Not if the metadata requires signed requests or, in the dialect of ID Uruguay, has a signing key. */
export function canOmitSamlSignature({ registration, metadata }: ServiceProvider): boolean {
  return (
    metadata.requestsSigned !== true &&
    (registration.profile === 'saml2int' || metadata.signingCertificates.length === 0)
  );
}

export function addProviderToSamlError<Result>({ registration }: ServiceProvider, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof SamlError ? addRefusalLogFacts(error, { client: registration.id }) : error;
  }
}

export interface AuthnRequest {
  readonly id: string;
  readonly consumer: string;
  readonly forceAuthn: boolean;
  readonly isPassive: boolean;
  readonly nameIdFormat: string;
  readonly context: RequestedContext;
  /** Names of the requested attributes. `null` for all allowed attributes. */
  readonly attributes: readonly string[] | null;
}

/** In milliseconds. A request waits this long for the citizen. Its ID is stored for `samlClockSkewMs` longer, to detect replays. */
export const maxSamlMessageAgeMs = 10 * 60_000;

export function readSamlIssuer(message: Element): string {
  const issuer = findXmlChild(message, samlNamespaces.assertion, 'Issuer');
  const name = readXmlText(issuer) ?? '';
  if (name === '' || (readXmlAttribute(issuer, 'Format') ?? nameIdFormats.entity) !== nameIdFormats.entity)
    throw new SamlError('the message has no issuer');
  return name;
}

/** Checks version, ID, age and destination, and returns the ID. `addressed` makes the destination mandatory. */
export function validateSamlMessage(
  message: Element,
  { destination, clock, addressed = false }: { destination: string; clock: Clock; addressed?: boolean },
): string {
  const id = readXmlAttribute(message, 'ID') ?? '';
  if (!/^[A-Za-z_][\w.-]{0,255}$/.test(id)) throw new SamlError('the message has no proper ID');
  if (readXmlAttribute(message, 'Version') !== '2.0') throw new SamlError('the version is not 2.0');
  const issued = readDateTimeAttribute(message, 'IssueInstant');
  const age = clock.now().getTime() - (issued?.getTime() ?? Number.NaN);
  if (!(age >= -samlClockSkewMs && age <= maxSamlMessageAgeMs)) throw new SamlError('the message is not of now');
  const meant = readXmlAttribute(message, 'Destination');
  if (meant === null ? addressed : meant !== destination)
    throw new SamlError('the message is meant for another address');
  return id;
}

export function readAuthnRequest(
  message: Element,
  { registration, metadata }: ServiceProvider,
  checks: { destination: string; clock: Clock; addressed: boolean },
): AuthnRequest {
  if (!hasXmlName(message, samlNamespaces.protocol, 'AuthnRequest'))
    throw new SamlError('the message is not an AuthnRequest');
  const id = validateSamlMessage(message, checks);
  const policy = findXmlChild(message, samlNamespaces.protocol, 'NameIDPolicy');
  if (findXmlChild(message, samlNamespaces.assertion, 'Subject'))
    throw new SamlError('requests for a specific Subject are not supported');
  return {
    id,
    consumer: selectConsumer(message, metadata),
    forceAuthn: readBooleanAttribute(message, 'ForceAuthn') ?? false,
    isPassive: readBooleanAttribute(message, 'IsPassive') ?? false,
    nameIdFormat: selectNameIdFormat(policy, registration.profile === 'saml2int', metadata),
    context: readRequestedContext(findXmlChild(message, samlNamespaces.protocol, 'RequestedAuthnContext')),
    attributes: selectAttributes(message, metadata),
  };
}

/** Returns an empty string if the NameID is for another service provider. `AllowCreate` is irrelevant: no NameID is created for later use. */
function selectNameIdFormat(policy: Element | null, isSaml2int: boolean, metadata: ServiceProviderMetadata): string {
  const qualifier = readXmlAttribute(policy, 'SPNameQualifier');
  if (qualifier !== null && qualifier !== metadata.entityId) return '';
  const format = readXmlAttribute(policy, 'Format');
  if (!isSaml2int) return format ?? metadata.nameIdFormats[0] ?? nameIdFormats.unspecified;
  return format === null || format === nameIdFormats.unspecified ? nameIdFormats.transient : format;
}

/** Finds the requested assertion consumer service by index or URL. It must be in the metadata in either case. */
function selectConsumer(message: Element, { assertionConsumers }: ServiceProviderMetadata): string {
  const index = readXmlAttribute(message, 'AssertionConsumerServiceIndex');
  const url = readXmlAttribute(message, 'AssertionConsumerServiceURL');
  const binding = readXmlAttribute(message, 'ProtocolBinding');
  if (index !== null && (url !== null || binding !== null)) throw new SamlError('the request names its address twice');
  if (binding !== null && binding !== samlBindings.post) throw new SamlError('responses go by POST alone');
  const consumer =
    index !== null
      ? assertionConsumers.find((known) => String(known.index) === index)
      : url !== null
        ? assertionConsumers.find(({ location }) => location === url)
        : assertionConsumers[0];
  if (!consumer) throw new SamlError('the request names an address that is not in the metadata');
  return consumer.location;
}

function selectAttributes(message: Element, { attributeSets }: ServiceProviderMetadata): readonly string[] | null {
  const index = readXmlAttribute(message, 'AttributeConsumingServiceIndex');
  if (index === null || attributeSets.length === 0) return attributeSets[0]?.names ?? null;
  const set = attributeSets.find((known) => String(known.index) === index);
  if (!set) throw new SamlError('the request names a set of attributes that is not in the metadata');
  return set.names;
}

const classPrefix = 'urn:oasis:names:tc:SAML:2.0:ac:classes:';
const smartcardClass = `${classPrefix}SmartcardPKI`;

/** Session level of each SAML authentication context class: 1 for one factor, 2 for two, 3 for the identity card. */
const levelsByClass: Readonly<Record<string, number>> = {
  [`${classPrefix}unspecified`]: 0,
  [`${classPrefix}Password`]: 1,
  [`${classPrefix}PasswordProtectedTransport`]: 1,
  [`${classPrefix}TimeSyncToken`]: 2,
  [`${classPrefix}MobileTwoFactorContract`]: 2,
  [smartcardClass]: 3,
};

interface RequestedContext {
  /** Minimum session level that satisfies the request, 0 to 3. `null` if no level does. */
  readonly nid: number | null;
  /** Classes of which the response must contain one. `null` if every class is allowed. */
  readonly exact: readonly string[] | null;
}

function readRequestedContext(element: Element | null): RequestedContext {
  if (element === null) return { nid: 0, exact: null };
  const asked = listXmlChildren(element, samlNamespaces.assertion, 'AuthnContextClassRef')
    .map((reference) => readXmlText(reference) ?? '')
    .filter((name) => name !== ''); // some service providers send an empty element
  if (findXmlChild(element, samlNamespaces.assertion, 'AuthnContextDeclRef'))
    throw new SamlError('declarations of contexts are not known');
  if (asked.length === 0) return { nid: 0, exact: null };
  const known = asked.filter((name) => findLevelOfClass(name) !== null);
  const nids = known.map((name) => findLevelOfClass(name) ?? 0);
  switch (readXmlAttribute(element, 'Comparison') ?? 'exact') {
    case 'exact':
      return { nid: known.length === 0 ? null : Math.min(...nids), exact: known };
    case 'minimum':
      return { nid: known.length === 0 ? null : Math.min(...nids), exact: null };
    case 'better':
      return { nid: known.length < asked.length || Math.max(...nids) > 2 ? null : Math.max(...nids) + 1, exact: null };
    case 'maximum':
      return { nid: 0, exact: known };
    default:
      throw new SamlError('unsupported Comparison in RequestedAuthnContext');
  }
}

/** Returns the highest class in `exact` that the session reaches. Without `exact`, returns the class of the session's level. */
export function selectContextClass(
  { nid, card: byCard }: { nid: number; card: boolean },
  exact: readonly string[] | null,
): string | null {
  if (exact === null)
    return byCard ? smartcardClass : nid === 1 ? `${classPrefix}PasswordProtectedTransport` : formatAcr(nid);
  const reached = exact
    .filter((name) => (findLevelOfClass(name) ?? 0) <= nid && (name !== smartcardClass || byCard))
    .toSorted((a, b) => (findLevelOfClass(b) ?? 0) - (findLevelOfClass(a) ?? 0));
  return reached[0] ?? null;
}

function findLevelOfClass(name: string): number | null {
  return parseAcr(name) ?? (Object.hasOwn(levelsByClass, name) ? (levelsByClass[name] ?? null) : null);
}
