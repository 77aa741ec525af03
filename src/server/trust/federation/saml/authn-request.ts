import type { Clock } from '../../../platform/base/clock.ts';
import { SamlError, samlBindings, nameIdFormats, samlNamespaces } from './saml-constants.ts';
import { validateSamlMessage } from './authenticate-saml-message.ts';
import type { ServiceProvider } from './service-providers.ts';
import {
  readXmlAttribute,
  findXmlChild,
  readBooleanAttribute,
  hasXmlName,
  readXmlText,
  listXmlChildren,
} from './xml.ts';
import type { ServiceProviderMetadata } from './metadata.ts';
import { formatAcr, parseAcr } from '../../identity/assurance-levels.ts';

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

/**
 * Returns an empty string if the request asks for a NameID of another service provider. Ignores `AllowCreate`, because no NameID is created for later
 * use.
 */
function selectNameIdFormat(policy: Element | null, isSaml2int: boolean, metadata: ServiceProviderMetadata): string {
  const qualifier = readXmlAttribute(policy, 'SPNameQualifier');
  if (qualifier !== null && qualifier !== metadata.entityId) return '';
  const format = readXmlAttribute(policy, 'Format');
  if (!isSaml2int) return format ?? metadata.nameIdFormats[0] ?? nameIdFormats.unspecified;
  return format === null || format === nameIdFormats.unspecified ? nameIdFormats.transient : format;
}

/** Finds the requested assertion consumer service by index or URL. Throws a `SamlError` if the metadata does not contain it. */
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
export function selectAuthnContextClass(
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
