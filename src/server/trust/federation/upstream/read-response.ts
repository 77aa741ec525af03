import { promisify } from 'node:util';
import { decrypt } from 'xml-encryption';
import { XMLSerializer } from '@xmldom/xmldom';
import type { Clock } from '../../../platform/base/clock.ts';
import { checkMessage, readIssuer } from '../saml/authn-request.ts';
import { decodePostMessage, nameIdFormats, namespaces, SamlError, skewMs } from '../saml/saml-names.ts';
import { isSignedElement, verifyXmlSignature } from '../saml/signature.ts';
import {
  readAttribute,
  findChild,
  listChildren,
  listChildElements,
  hasQualifiedName,
  parseXml,
  readElementText,
  readDateTimeAttribute,
} from '../saml/xml.ts';
import { type Assertion, UpstreamFailedError } from './adapter.ts';
import type { ProviderMetadata } from '../saml/metadata.ts';

export interface ExpectedResponse {
  readonly provider: ProviderMetadata;
  /** Entity ID of the portal for this provider. */
  readonly audience: string;
  readonly consumer: string;
  readonly inResponseTo: string;
  readonly clock: Clock;
  /** Private keys in PEM that decrypt assertions. */
  readonly decryptionKeys: readonly string[];
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
/**
 * Conditions that this file checks, or that are irrelevant because the portal uses an assertion once and does not pass
 * it on.
 */
const knownConditions: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const decryptXml = promisify(decrypt);

/**
 * Reads a response from the exact bytes that a signature of the provider covers. The signature can be that of the response, or of its only
 * assertion. Throws a `SamlError` if the response is invalid or not authentic, and an `UpstreamFailedError` if the provider reports an error.
 */
export async function readResponse(message: string, expected: ExpectedResponse): Promise<Assertion> {
  const xml = decodePostMessage(message);
  const signers = { certificates: expected.provider.signing };
  const sent = parseXml(xml);
  const whole = isSignedElement(sent);
  const response = whole ? verifyXmlSignature(xml, signers, sent) : sent;
  checkResponse(response, expected, whole);
  const [statement, sealed] = findAssertion(response);
  const text =
    sealed === null
      ? new XMLSerializer().serializeToString(statement ?? response)
      : await decryptAssertion(sealed, expected.decryptionKeys);
  return readAssertion(verifyAssertion(text, whole, signers), expected);
}

/** Verifies the signature of an assertion. An unsigned assertion is accepted only inside a signed response. */
function verifyAssertion(xml: string, covered: boolean, signers: Parameters<typeof verifyXmlSignature>[1]): Element {
  const root = parseXml(xml);
  return covered && !isSignedElement(root) ? root : verifyXmlSignature(xml, signers, root);
}

/** Checks a response. A signed response (`addressed`) must contain its destination (SAML bindings, section 3.5.5.2). */
function checkResponse(
  response: Element,
  { consumer, inResponseTo, clock, provider }: ExpectedResponse,
  addressed: boolean,
): void {
  if (!hasQualifiedName(response, namespaces.protocol, 'Response'))
    throw new SamlError('the message is not a Response');
  checkMessage(response, { destination: consumer, clock, addressed });
  if (findChild(response, namespaces.assertion, 'Issuer') !== null && readIssuer(response) !== provider.entityId)
    throw new SamlError('the response names another issuer');
  if (readAttribute(response, 'InResponseTo') !== inResponseTo)
    throw new SamlError('the response answers another request');
  const status = findChild(response, namespaces.protocol, 'Status');
  const code = status && findChild(status, namespaces.protocol, 'StatusCode');
  if (code === null) throw new SamlError('the response has no status');
  if (readAttribute(code, 'Value') === success) return;
  const inner = findChild(code, namespaces.protocol, 'StatusCode');
  const statusMessage = status && readElementText(findChild(status, namespaces.protocol, 'StatusMessage'));
  throw new UpstreamFailedError(`the provider answers ${inner && readAttribute(inner, 'Value')}`, {
    description: statusMessage ?? '',
  });
}

function findAssertion(response: Element): readonly [statement: Element | null, sealed: Element | null] {
  const clear = listChildren(response, namespaces.assertion, 'Assertion');
  const sealed = listChildren(response, namespaces.assertion, 'EncryptedAssertion');
  if (clear.length + sealed.length !== 1) throw new SamlError('the response does not hold one assertion');
  return [clear[0] ?? null, sealed[0] ?? null];
}

async function decryptAssertion(sealed: Element, keys: readonly string[]): Promise<string> {
  const data = new XMLSerializer().serializeToString(sealed);
  for (const key of keys) {
    const text = await decryptXml(data, { key, disallowDecryptionWithInsecureAlgorithm: true }).catch(() => null);
    if (typeof text === 'string' && text !== '') return text;
  }
  throw new SamlError('the assertion cannot be opened');
}

function readAssertion(assertion: Element, expected: ExpectedResponse): Assertion {
  const { provider, audience, clock } = expected;
  if (!hasQualifiedName(assertion, namespaces.assertion, 'Assertion'))
    throw new SamlError('the signed element is not an Assertion');
  if (readAttribute(assertion, 'Version') !== '2.0') throw new SamlError('the version is not 2.0');
  if (readIssuer(assertion) !== provider.entityId) throw new SamlError('the assertion names another issuer');
  const conditions = findChild(assertion, namespaces.assertion, 'Conditions');
  if (conditions === null) throw new SamlError('the assertion has no conditions');
  assertTimeConditions(conditions, clock);
  if (
    !listChildElements(conditions).every(
      (one) => one.namespaceURI === namespaces.assertion && knownConditions.has(one.localName),
    )
  )
    throw new SamlError('the assertion has an unknown condition'); // unknown conditions invalidate an assertion (SAML core, section 2.5.1.1)
  const audiences = listChildren(conditions, namespaces.assertion, 'AudienceRestriction');
  const isForUs = audiences.every((restriction) =>
    listChildren(restriction, namespaces.assertion, 'Audience').some((one) => readElementText(one) === audience),
  );
  if (audiences.length === 0 || !isForUs) throw new SamlError('the assertion is for another audience');
  const signedIn = findChild(assertion, namespaces.assertion, 'AuthnStatement');
  if (signedIn === null) throw new SamlError('the assertion has no AuthnStatement');
  const sessionEnd = readDateTimeAttribute(signedIn, 'SessionNotOnOrAfter');
  if (sessionEnd !== null && sessionEnd.getTime() + skewMs <= clock.now().getTime())
    throw new SamlError('the session at the provider is over');
  const context = findChild(signedIn, namespaces.assertion, 'AuthnContext');
  return {
    issuer: provider.entityId,
    signedInAt: readDateTimeAttribute(signedIn, 'AuthnInstant'),
    subject: readSubject(assertion, expected),
    context: context && readElementText(findChild(context, namespaces.assertion, 'AuthnContextClassRef')),
    claims: readAttributes(assertion),
  };
}

/**
 * Returns the NameID. Requires an unexpired bearer confirmation for the portal's assertion consumer service and
 * request.
 */
function readSubject(assertion: Element, { consumer, inResponseTo, clock }: ExpectedResponse): string {
  const subject = findChild(assertion, namespaces.assertion, 'Subject');
  const name = subject && findChild(subject, namespaces.assertion, 'NameID');
  if (!subject || !name) throw new SamlError('the assertion has no Subject with a NameID');
  const format = readAttribute(name, 'Format') ?? nameIdFormats.unspecified;
  if (format !== nameIdFormats.persistent && format !== nameIdFormats.unspecified)
    throw new SamlError('the NameID is transient');
  const confirmed = listChildren(subject, namespaces.assertion, 'SubjectConfirmation').some((confirmation) => {
    const data = findChild(confirmation, namespaces.assertion, 'SubjectConfirmationData');
    if (readAttribute(confirmation, 'Method') !== bearer || data === null) return false;
    const end = readDateTimeAttribute(data, 'NotOnOrAfter');
    return (
      readAttribute(data, 'Recipient') === consumer &&
      readAttribute(data, 'InResponseTo') === inResponseTo &&
      !data.hasAttribute('NotBefore') &&
      end !== null &&
      end.getTime() + skewMs > clock.now().getTime()
    );
  });
  if (!confirmed) throw new SamlError('the SubjectConfirmation is not valid for this service provider');
  if (listChildElements(name).length > 0) throw new SamlError('the NameID is not plain text');
  return readElementText(name) ?? '';
}

function assertTimeConditions(conditions: Element, clock: Clock): void {
  const now = clock.now().getTime();
  const from = readDateTimeAttribute(conditions, 'NotBefore');
  const until = readDateTimeAttribute(conditions, 'NotOnOrAfter');
  if (until === null || until.getTime() + skewMs <= now || (from !== null && from.getTime() - skewMs > now))
    throw new SamlError('the assertion is not valid at this time');
}

/**
 * Returns the attributes by name. A single value becomes a string, and several become an array. A value that is not
 * text becomes `null`.
 */
function readAttributes(assertion: Element): Readonly<Record<string, unknown>> {
  const found: [string, unknown][] = listChildren(assertion, namespaces.assertion, 'AttributeStatement').flatMap(
    (statement) =>
      listChildren(statement, namespaces.assertion, 'Attribute').map((one): [string, unknown] => {
        const values = listChildren(one, namespaces.assertion, 'AttributeValue').map((value) =>
          listChildElements(value).length > 0 ? null : readElementText(value),
        );
        return [readAttribute(one, 'Name') ?? '', values.length === 1 ? values[0] : values];
      }),
  );
  if (new Set(found.map(([name]) => name)).size < found.length) throw new SamlError('duplicate attribute');
  return Object.fromEntries(found);
}
