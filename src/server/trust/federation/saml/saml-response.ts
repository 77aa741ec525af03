import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { encrypt } from 'xml-encryption';
import type { AuthnRequest } from './authn-request.ts';
import { nameIdFormats, samlNamespaces, samlStatuses, samlClockSkewMs, type SamlStatus } from './saml-constants.ts';
import type { ServiceProvider } from './service-providers.ts';
import { readCertificatePublicKey, signXmlElement, type SigningCredential } from './xml-signature.ts';
import { escapeXml } from './xml.ts';
import { formatFullName, type Citizen, formatUidClaim } from '../../identity/citizens.ts';
import { getIdentityLevel } from '../../identity/assurance-levels.ts';

const assertionLifeMs = 5 * 60_000;

export interface SamlNameId {
  readonly value: string;
  readonly format: string;
}

export interface AssertionStatement {
  readonly nameId: SamlNameId;
  readonly sessionIndex: string;
  readonly contextClass: string;
  readonly signedInAt: Date;
  readonly sessionEndsAt: Date;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

export interface SamlResponseEnvelope {
  readonly issuer: string;
  readonly audience: string;
  readonly consumer: string;
  readonly inResponseTo: string;
  readonly now: Date;
  readonly credential: SigningCredential;
  readonly encryption: string | null;
  /** Digest of RSA-OAEP. Many libraries support only SHA-1, with which OAEP is secure. saml2int requires SHA-256. */
  readonly oaepDigest?: 'sha1' | 'sha256';
}

type EncryptOptions = Parameters<typeof encrypt>[1] & { readonly keyEncryptionDigest: string }; // the types lack the option `keyEncryptionDigest`
const encryptXml: (content: string, options: EncryptOptions) => Promise<string> = promisify(encrypt);

export function generateSamlMessageId(): string {
  return `_${randomBytes(20).toString('hex')}`;
}

export async function writeSamlResponse(frame: SamlResponseEnvelope, statement: AssertionStatement): Promise<string> {
  const id = generateSamlMessageId();
  const assertion = await signXmlElement(
    writeAssertion(frame, id, statement),
    { id, hasIssuer: true },
    frame.credential,
  );
  return writeSamlStatusResponse(
    frame,
    samlStatuses.success,
    frame.encryption === null ? assertion : await encryptAssertion(assertion, frame.encryption, frame.oaepDigest),
  );
}

export function writeSamlStatusResponse(
  { issuer, consumer, inResponseTo, now, credential }: SamlResponseEnvelope,
  status: SamlStatus,
  content = '',
): Promise<string> {
  const id = generateSamlMessageId();
  const xml = [
    `<samlp:Response xmlns:samlp="${samlNamespaces.protocol}" xmlns:saml="${samlNamespaces.assertion}" ID="${id}" Version="2.0" IssueInstant="${formatXmlTime(now)}" Destination="${escapeXml(consumer)}" InResponseTo="${escapeXml(inResponseTo)}">`,
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`,
    writeSamlStatus(status),
    content,
    '</samlp:Response>',
  ].join('');
  return signXmlElement(xml, { id, hasIssuer: true }, credential);
}

export function writeSamlStatus([code = '', reason]: readonly string[]): string {
  return `<samlp:Status><samlp:StatusCode Value="${code}">${reason === undefined ? '' : `<samlp:StatusCode Value="${reason}"/>`}</samlp:StatusCode></samlp:Status>`;
}

export function formatXmlTime(time: Date): string {
  return time.toISOString().replace(/[.]\d{3}Z$/, 'Z');
}

function writeAssertion(
  { issuer, audience, consumer, inResponseTo, now }: SamlResponseEnvelope,
  id: string,
  statement: AssertionStatement,
): string {
  const { nameId, sessionIndex, contextClass, signedInAt, sessionEndsAt, attributes } = statement;
  const before = formatXmlTime(new Date(now.getTime() - samlClockSkewMs));
  const after = formatXmlTime(new Date(now.getTime() + assertionLifeMs));
  const values = attributes
    .map(
      ([name, value]) =>
        `<saml:Attribute Name="${escapeXml(name)}" NameFormat="${getSamlAttributeNameFormat(name)}"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${escapeXml(value)}</saml:AttributeValue></saml:Attribute>`,
    )
    .join('');
  return [
    `<saml:Assertion xmlns:saml="${samlNamespaces.assertion}" ID="${id}" Version="2.0" IssueInstant="${formatXmlTime(now)}">`,
    `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`,
    `<saml:Subject>${writeNameId(nameId, { issuer, audience })}`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData InResponseTo="${escapeXml(inResponseTo)}" NotOnOrAfter="${after}" Recipient="${escapeXml(consumer)}"/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${before}" NotOnOrAfter="${after}"><saml:AudienceRestriction><saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${formatXmlTime(signedInAt)}" SessionIndex="${escapeXml(sessionIndex)}" SessionNotOnOrAfter="${formatXmlTime(sessionEndsAt)}">`,
    `<saml:AuthnContext><saml:AuthnContextClassRef>${escapeXml(contextClass)}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    values === '' ? '' : `<saml:AttributeStatement>${values}</saml:AttributeStatement>`,
    '</saml:Assertion>',
  ].join('');
}

export function writeNameId({ value, format }: SamlNameId, { issuer, audience }: { issuer: string; audience: string }) {
  const qualified = format === nameIdFormats.email || format === nameIdFormats.transient;
  const qualifiers = qualified ? '' : ` NameQualifier="${escapeXml(issuer)}" SPNameQualifier="${escapeXml(audience)}"`;
  return `<saml:NameID Format="${escapeXml(format)}"${qualifiers}>${escapeXml(value)}</saml:NameID>`;
}

async function encryptAssertion(assertion: string, certificate: string, digest: 'sha1' | 'sha256' = 'sha1') {
  const data = await encryptXml(assertion, {
    rsa_pub: readCertificatePublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString(),
    pem: certificate,
    encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    keyEncryptionDigest: digest,
    disallowEncryptionWithInsecureAlgorithm: true,
  });
  return `<saml:EncryptedAssertion>${data}</saml:EncryptedAssertion>`;
}

export function getSamlAttributeNameFormat(name: string): string {
  return `urn:oasis:names:tc:SAML:2.0:attrname-format:${name.startsWith('urn:') ? 'uri' : 'basic'}`;
}

interface AttributeFacts {
  readonly citizen: Citizen;
  readonly nid: number;
  readonly idp: string | null;
}

/** ID Uruguay's attributes (section 6 of ID Uruguay's profile), followed by the portal's. Some service providers read them by position. */
const samlAttributes: Readonly<
  Record<string, { readonly scope: string; readonly value: (facts: AttributeFacts) => string }>
> = {
  Certificado: { scope: 'auth_info', value: ({ citizen }) => String(getIdentityLevel(citizen).code === 'CERTIFICADO') },
  Presencial: { scope: 'auth_info', value: ({ citizen }) => String(getIdentityLevel(citizen).code === 'PRESENCIAL') },
  uid: { scope: 'personal_info', value: ({ citizen }) => formatUidClaim(citizen) },
  PrimerNombre: { scope: 'personal_info', value: ({ citizen }) => citizen.first_name },
  SegundoNombre: { scope: 'personal_info', value: ({ citizen }) => citizen.second_name },
  PrimerApellido: { scope: 'personal_info', value: ({ citizen }) => citizen.first_surname },
  SegundoApellido: { scope: 'personal_info', value: ({ citizen }) => citizen.second_surname },
  NombreCompleto: { scope: 'personal_info', value: ({ citizen }) => formatFullName(citizen) },
  PaisDocumento: { scope: 'document', value: ({ citizen }) => citizen.country },
  TipoDocumento: { scope: 'document', value: ({ citizen }) => citizen.type },
  NumeroDocumento: { scope: 'document', value: ({ citizen }) => citizen.number },
  CorreoElectronico: {
    scope: 'email',
    value: ({ citizen }) => (citizen.email_verified_at === null ? '' : (citizen.email ?? '')),
  },
  rid: { scope: 'auth_info', value: ({ citizen }) => String(getIdentityLevel(citizen).nid) },
  nid: { scope: 'auth_info', value: ({ nid }) => String(nid) },
  idp: { scope: 'auth_info', value: ({ idp }) => idp ?? '' },
};

export const samlAttributeNames: readonly string[] = Object.keys(samlAttributes);

/** Attribute names of the directory schemas in RFC 4519 (names), RFC 2798 (display name) and RFC 4524 (mail). */
const standardNames: Readonly<Record<string, string>> = {
  PrimerNombre: 'urn:oid:2.5.4.42',
  PrimerApellido: 'urn:oid:2.5.4.4',
  NombreCompleto: 'urn:oid:2.16.840.1.113730.3.1.241',
  CorreoElectronico: 'urn:oid:0.9.2342.19200300.100.1.3',
};

export function toSamlAttributeUri(name: string): string {
  return standardNames[name] ?? `urn:iduruguay:attribute:${name}`;
}

/** Maximum length of a value with saml2int, in characters (SDP-G02). */
const maxValueLength = 256;

function isRequested(names: readonly string[] | null, name: string): boolean {
  return names === null || names.length === 0 || names.includes(name) || names.includes(toSamlAttributeUri(name));
}

export function selectReleasedSamlAttributes(
  facts: AttributeFacts,
  {
    names,
    scopes,
    isSaml2int = false,
  }: { names: readonly string[] | null; scopes: readonly string[]; isSaml2int?: boolean },
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(samlAttributes)
    .filter(([name, { scope }]) => scopes.includes(scope) && isRequested(names, name))
    .map(([name, { value }]) => [name, value(facts)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) =>
      isSaml2int ? [toSamlAttributeUri(name), [...value].slice(0, maxValueLength).join('')] : [name, value],
    );
}

/** Scopes of the NameID formats that disclose personal data. */
export const scopeByNameIdFormat: ReadonlyMap<string, string> = new Map([
  [nameIdFormats.unspecified, 'personal_info'],
  [nameIdFormats.email, 'email'],
]);

/** Whether a service provider requires `subject-id`, the identifier of the citizen that is the same at all service providers. */
export function requiresSubjectId({ registration, metadata }: ServiceProvider): boolean {
  return registration.profile === 'saml2int' && metadata.subjectId === 'subject-id';
}

/** Scope that a request needs to receive `subject-id`. */
export const scopeForSubjectId = 'personal_info';

export function selectScopesOfAuthnRequest(
  { attributes: names, nameIdFormat }: Pick<AuthnRequest, 'attributes' | 'nameIdFormat'>,
  provider: ServiceProvider,
): readonly string[] {
  const wanted = Object.entries(samlAttributes)
    .filter(([name]) => isRequested(names, name))
    .map(([, { scope }]) => scope);
  const identifier = requiresSubjectId(provider) ? scopeForSubjectId : scopeByNameIdFormat.get(nameIdFormat);
  const all = new Set([...wanted, identifier]);
  return provider.registration.scopes.filter((scope) => all.has(scope));
}
