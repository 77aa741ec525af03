import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { encrypt } from 'xml-encryption';
import { nameFormat } from './attributes.ts';
import { skewMs } from './authn-request.ts';
import { nameIdFormats, ns, type Status } from './names.ts';
import { readPublicKey, signElement, type SigningCredential } from './signature.ts';
import { escapeXml } from './xml.ts';

/** How long an assertion is valid, in milliseconds. */
const lifeMs = 5 * 60_000;

export interface NameId {
  readonly value: string;
  readonly format: string;
}

export interface Statement {
  readonly nameId: NameId;
  readonly sessionIndex: string;
  readonly contextClass: string;
  readonly signedInAt: Date;
  readonly sessionEndsAt: Date;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

export interface ResponseFrame {
  readonly issuer: string;
  readonly audience: string;
  readonly consumer: string;
  readonly inResponseTo: string;
  readonly now: Date;
  readonly credential: SigningCredential;
  /** PEM certificate for which the assertion is encrypted. `null` if it is not to be encrypted. */
  readonly encryption: string | null;
}

const encrypted = promisify(encrypt);

export function newId(): string {
  return `_${randomBytes(20).toString('hex')}`;
}

export async function writeResponse(frame: ResponseFrame, statement: Statement): Promise<string> {
  const id = newId();
  const assertion = signElement(writeAssertion(frame, id, statement), { id, hasIssuer: true }, frame.credential);
  return wrap(
    frame,
    ['urn:oasis:names:tc:SAML:2.0:status:Success'],
    frame.encryption === null ? assertion : await seal(assertion, frame.encryption),
  );
}

export function writeRefusal(frame: ResponseFrame, status: Status): string {
  return wrap(frame, status, '');
}

function wrap(
  { issuer, consumer, inResponseTo, now, credential }: ResponseFrame,
  status: readonly string[],
  content: string,
): string {
  const id = newId();
  const xml = [
    `<samlp:Response xmlns:samlp="${ns.protocol}" xmlns:saml="${ns.assertion}" ID="${id}" Version="2.0" IssueInstant="${timeText(now)}" Destination="${escapeXml(consumer)}" InResponseTo="${escapeXml(inResponseTo)}">`,
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`,
    statusXml(status),
    content,
    '</samlp:Response>',
  ].join('');
  return signElement(xml, { id, hasIssuer: true }, credential);
}

export function statusXml([code = '', reason]: readonly string[]): string {
  return `<samlp:Status><samlp:StatusCode Value="${code}">${reason === undefined ? '' : `<samlp:StatusCode Value="${reason}"/>`}</samlp:StatusCode></samlp:Status>`;
}

/** Formats a time as an xs:dateTime in UTC, without milliseconds. */
export function timeText(time: Date): string {
  return time.toISOString().replace(/[.]\d{3}Z$/, 'Z');
}

function writeAssertion(
  { issuer, audience, consumer, inResponseTo, now }: ResponseFrame,
  id: string,
  statement: Statement,
): string {
  const { nameId, sessionIndex, contextClass, signedInAt, sessionEndsAt, attributes } = statement;
  const before = timeText(new Date(now.getTime() - skewMs));
  const after = timeText(new Date(now.getTime() + lifeMs));
  const values = attributes
    .map(
      ([name, value]) =>
        `<saml:Attribute Name="${escapeXml(name)}" NameFormat="${nameFormat}"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${escapeXml(value)}</saml:AttributeValue></saml:Attribute>`,
    )
    .join('');
  return [
    `<saml:Assertion xmlns:saml="${ns.assertion}" ID="${id}" Version="2.0" IssueInstant="${timeText(now)}">`,
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`,
    `<saml:Subject>${nameIdXml(nameId, { issuer, audience })}`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData InResponseTo="${escapeXml(inResponseTo)}" NotOnOrAfter="${after}" Recipient="${escapeXml(consumer)}"/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${before}" NotOnOrAfter="${after}"><saml:AudienceRestriction><saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${timeText(signedInAt)}" SessionIndex="${escapeXml(sessionIndex)}" SessionNotOnOrAfter="${timeText(sessionEndsAt)}">`,
    `<saml:AuthnContext><saml:AuthnContextClassRef>${escapeXml(contextClass)}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    values === '' ? '' : `<saml:AttributeStatement>${values}</saml:AttributeStatement>`,
    '</saml:Assertion>',
  ].join('');
}

/** Writes a NameID. It gets the name qualifiers of both parties, unless it is an e-mail address or transient. */
export function nameIdXml(
  { value, format }: NameId,
  { issuer, audience }: { issuer: string; audience: string },
): string {
  const qualified = format === nameIdFormats.email || format === nameIdFormats.transient;
  const qualifiers = qualified ? '' : ` NameQualifier="${escapeXml(issuer)}" SPNameQualifier="${escapeXml(audience)}"`;
  return `<saml:NameID Format="${escapeXml(format)}"${qualifiers}>${escapeXml(value)}</saml:NameID>`;
}

async function seal(assertion: string, certificate: string): Promise<string> {
  const data = await encrypted(assertion, {
    rsa_pub: readPublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString(),
    pem: certificate,
    encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    disallowEncryptionWithInsecureAlgorithm: true,
  });
  return `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`;
}
