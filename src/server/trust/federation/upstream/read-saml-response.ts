import { promisify } from 'node:util';
import { decrypt } from 'xml-encryption';
import { XMLSerializer } from '@xmldom/xmldom';
import type { Clock } from '../../../platform/base/clock.ts';
import { validateSamlMessage, readSamlIssuer } from '../saml/authenticate-saml-message.ts';
import { decodeSamlPostMessage } from '../saml/bindings.ts';
import { nameIdFormats, samlNamespaces, samlStatuses, SamlError, samlClockSkewMs } from '../saml/saml-constants.ts';
import { isSignedElement, verifyXmlSignature } from '../saml/xml-signature.ts';
import {
  readXmlAttribute,
  findXmlChild,
  listXmlChildren,
  listXmlChildElements,
  hasXmlName,
  parseXml,
  readXmlText,
  readDateTimeAttribute,
} from '../saml/xml.ts';
import { type UpstreamAssertion, UpstreamFailedError } from './upstream-adapter.ts';
import type { IdentityProviderMetadata } from '../saml/metadata.ts';

export interface ExpectedSamlResponse {
  readonly provider: IdentityProviderMetadata;
  /** Entity ID of the portal for this provider. */
  readonly audience: string;
  readonly consumer: string;
  readonly inResponseTo: string;
  readonly clock: Clock;
  readonly decryptionKeys: readonly string[];
}

/** Conditions that are checked here, or irrelevant because the portal uses an assertion once and does not pass it on. */
const knownConditions: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
const decryptXml = promisify(decrypt);

/**
 * Verifies and reads a SAML response. Accepts a signature of the response, or of its only assertion. Throws an `UpstreamFailedError` if the provider
 * reports an error.
 */
export async function readSamlResponse(message: string, expected: ExpectedSamlResponse): Promise<UpstreamAssertion> {
  const xml = decodeSamlPostMessage(message);
  const { signing } = expected.provider;
  const sent = parseXml(xml);
  const whole = isSignedElement(sent);
  const response = whole ? verifyXmlSignature(xml, signing, sent) : sent;
  validateSamlResponse(response, expected, whole);
  const clear = listXmlChildren(response, samlNamespaces.assertion, 'Assertion');
  const encrypted = listXmlChildren(response, samlNamespaces.assertion, 'EncryptedAssertion');
  if (clear.length + encrypted.length !== 1) throw new SamlError('the response does not hold one assertion');
  const [sealed] = encrypted;
  const text =
    sealed === undefined
      ? new XMLSerializer().serializeToString(clear[0] ?? response)
      : await decryptAssertion(sealed, expected.decryptionKeys);
  const assertion = parseXml(text);
  const isCovered = whole && !isSignedElement(assertion); // an unsigned assertion is accepted only inside a signed response
  return readAssertion(isCovered ? assertion : verifyXmlSignature(text, signing, assertion), expected);
}

/** Checks a response. A signed response (`addressed`) must contain its destination (SAML bindings, section 3.5.5.2). */
function validateSamlResponse(
  response: Element,
  { consumer, inResponseTo, clock, provider }: ExpectedSamlResponse,
  addressed: boolean,
): void {
  if (!hasXmlName(response, samlNamespaces.protocol, 'Response')) throw new SamlError('the message is not a Response');
  validateSamlMessage(response, { destination: consumer, clock, addressed });
  if (
    findXmlChild(response, samlNamespaces.assertion, 'Issuer') !== null &&
    readSamlIssuer(response) !== provider.entityId
  )
    throw new SamlError('the response names another issuer');
  if (readXmlAttribute(response, 'InResponseTo') !== inResponseTo)
    throw new SamlError('the response answers another request');
  const code = findXmlChild(response, samlNamespaces.protocol, 'Status', 'StatusCode');
  if (code === null) throw new SamlError('the response has no status');
  if (readXmlAttribute(code, 'Value') === samlStatuses.success[0]) return;
  const inner = findXmlChild(code, samlNamespaces.protocol, 'StatusCode');
  const description = readXmlText(findXmlChild(response, samlNamespaces.protocol, 'Status', 'StatusMessage')) ?? '';
  throw new UpstreamFailedError(`the provider answers ${readXmlAttribute(inner, 'Value')}`, { description });
}

async function decryptAssertion(sealed: Element, keys: readonly string[]): Promise<string> {
  const data = new XMLSerializer().serializeToString(sealed);
  for (const key of keys) {
    const text = await decryptXml(data, { key, disallowDecryptionWithInsecureAlgorithm: true }).catch(() => null);
    if (typeof text === 'string' && text !== '') return text;
  }
  throw new SamlError('the assertion cannot be opened');
}

function readAssertion(assertion: Element, expected: ExpectedSamlResponse): UpstreamAssertion {
  const { provider, audience, clock } = expected;
  if (!hasXmlName(assertion, samlNamespaces.assertion, 'Assertion'))
    throw new SamlError('the signed element is not an Assertion');
  if (readXmlAttribute(assertion, 'Version') !== '2.0') throw new SamlError('the version is not 2.0');
  if (readSamlIssuer(assertion) !== provider.entityId) throw new SamlError('the assertion names another issuer');
  const conditions = findXmlChild(assertion, samlNamespaces.assertion, 'Conditions');
  if (conditions === null) throw new SamlError('the assertion has no conditions');
  const now = clock.now().getTime();
  const from = readDateTimeAttribute(conditions, 'NotBefore');
  const until = readDateTimeAttribute(conditions, 'NotOnOrAfter');
  const isEarly = from !== null && from.getTime() - samlClockSkewMs > now;
  if (until === null || until.getTime() + samlClockSkewMs <= now || isEarly)
    throw new SamlError('the assertion is not valid at this time');
  if (
    !listXmlChildElements(conditions).every(
      (one) => one.namespaceURI === samlNamespaces.assertion && knownConditions.has(one.localName),
    )
  )
    throw new SamlError('the assertion has an unknown condition'); // unknown conditions invalidate an assertion (SAML core, section 2.5.1.1)
  const audiences = listXmlChildren(conditions, samlNamespaces.assertion, 'AudienceRestriction');
  const isForUs = audiences.every((restriction) =>
    listXmlChildren(restriction, samlNamespaces.assertion, 'Audience').some((one) => readXmlText(one) === audience),
  );
  if (audiences.length === 0 || !isForUs) throw new SamlError('the assertion is for another audience');
  const signedIn = findXmlChild(assertion, samlNamespaces.assertion, 'AuthnStatement');
  if (signedIn === null) throw new SamlError('the assertion has no AuthnStatement');
  const sessionEnd = readDateTimeAttribute(signedIn, 'SessionNotOnOrAfter');
  if (sessionEnd !== null && sessionEnd.getTime() + samlClockSkewMs <= now)
    throw new SamlError('the session at the provider is over');
  return {
    issuer: provider.entityId,
    signedInAt: readDateTimeAttribute(signedIn, 'AuthnInstant'),
    subject: readSubject(assertion, expected),
    context: readXmlText(findXmlChild(signedIn, samlNamespaces.assertion, 'AuthnContext', 'AuthnContextClassRef')),
    claims: readAttributes(assertion),
  };
}

/** Requires an unexpired bearer confirmation for the portal's assertion consumer service and request. */
function readSubject(assertion: Element, { consumer, inResponseTo, clock }: ExpectedSamlResponse): string {
  const subject = findXmlChild(assertion, samlNamespaces.assertion, 'Subject');
  const name = findXmlChild(subject, samlNamespaces.assertion, 'NameID');
  if (!name) throw new SamlError('the assertion has no Subject with a NameID');
  const format = readXmlAttribute(name, 'Format') ?? nameIdFormats.unspecified;
  if (format !== nameIdFormats.persistent && format !== nameIdFormats.unspecified)
    throw new SamlError('the NameID is transient');
  const confirmed = listXmlChildren(subject, samlNamespaces.assertion, 'SubjectConfirmation').some((confirmation) => {
    const data = findXmlChild(confirmation, samlNamespaces.assertion, 'SubjectConfirmationData');
    if (readXmlAttribute(confirmation, 'Method') !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer' || data === null)
      return false;
    const end = readDateTimeAttribute(data, 'NotOnOrAfter');
    return (
      readXmlAttribute(data, 'Recipient') === consumer &&
      readXmlAttribute(data, 'InResponseTo') === inResponseTo &&
      !data.hasAttribute('NotBefore') &&
      end !== null &&
      end.getTime() + samlClockSkewMs > clock.now().getTime()
    );
  });
  if (!confirmed) throw new SamlError('the SubjectConfirmation is not valid for this service provider');
  if (listXmlChildElements(name).length > 0) throw new SamlError('the NameID is not plain text');
  return readXmlText(name) ?? '';
}

/** Reads the attributes. A single value becomes a string, and several values become an array. A value that is not text becomes `null`. */
function readAttributes(assertion: Element): Readonly<Record<string, unknown>> {
  const found: [string, unknown][] = listXmlChildren(assertion, samlNamespaces.assertion, 'AttributeStatement').flatMap(
    (statement) =>
      listXmlChildren(statement, samlNamespaces.assertion, 'Attribute').map((one): [string, unknown] => {
        const values = listXmlChildren(one, samlNamespaces.assertion, 'AttributeValue').map((value) =>
          listXmlChildElements(value).length > 0 ? null : readXmlText(value),
        );
        return [readXmlAttribute(one, 'Name') ?? '', values.length === 1 ? values[0] : values];
      }),
  );
  if (new Set(found.map(([name]) => name)).size < found.length) throw new SamlError('duplicate attribute');
  return Object.fromEntries(found);
}
