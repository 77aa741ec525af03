import { X509Certificate } from 'node:crypto';
import {
  samlBindings,
  samlNamespaces,
  SamlError,
  samlClockSkewMs,
  subjectIdentifierAttributes,
} from './saml-constants.ts';
import { xmlMetadataLimits } from '../xml/xml-limits.ts';
import {
  readXmlAttribute,
  listXmlChildren,
  findXmlChild,
  readBooleanAttribute,
  hasXmlName,
  parseXml,
  readXmlText,
  readDurationAttribute,
  readDateTimeAttribute,
  escapeXml,
} from './xml.ts';
import {
  readCertificatePublicKey,
  verifyXmlSignature,
  type ListSigningCredentials,
  type SigningCredential,
} from './xml-signature.ts';

interface AssertionConsumer {
  readonly index: number;
  readonly location: string;
}

export interface SamlLogoutEndpoint {
  readonly binding: 'redirect' | 'post';
  readonly location: string;
  readonly responseLocation: string;
}

export interface ServiceProviderMetadata {
  readonly entityId: string;
  /** Services with the POST binding, the default one first. */
  readonly assertionConsumers: readonly [AssertionConsumer, ...AssertionConsumer[]];
  /** Logout service, with the redirect binding if the metadata has one, because browsers send cookies with a redirect. */
  readonly logout: SamlLogoutEndpoint | null;
  readonly soapLogout: string | null;
  readonly requestsSigned: boolean | null;
  readonly signingCertificates: readonly string[];
  /** PEM certificate with an RSA key. `null` if assertions are not to be encrypted. */
  readonly encryptionCertificate: string | null;
  readonly nameIdFormats: readonly string[];
  /** Attribute sets by index, the default one first. */
  readonly attributeSets: readonly { readonly index: number; readonly names: readonly string[] }[];
  /** Required subject identifier: `subject-id`, `pairwise-id`, `none` or `any`. `null` if the metadata does not specify one. */
  readonly subjectId: string | null;
  readonly validUntil: Date | null;
  /** Whether the root element itself has a `validUntil`. */
  readonly hasValidUntil: boolean;
  readonly cacheS: number | null;
  readonly display: Readonly<Partial<Record<'name' | 'logo' | 'privacy' | 'website', string>>>;
  readonly contact: string | null;
}

/**
 * Reads the metadata of a service provider. Throws a `SamlError` if it is invalid, or if `signers` (PEM certificates) is given and none of them
 * signed it.
 */
export function readServiceProviderMetadata(xml: string, signers?: string): ServiceProviderMetadata {
  const parsed = parseXml(xml, xmlMetadataLimits);
  const root =
    signers === undefined ? parsed : verifyXmlSignature(xml, parsePemCertificates(signers), parsed, xmlMetadataLimits);
  const { entityId, role } = findEntity(root, 'SPSSODescriptor');
  const soapLogout = findService(role, 'SingleLogoutService', 'soap');
  return {
    entityId,
    assertionConsumers: readConsumers(role),
    logout: findLogoutService(role),
    soapLogout: soapLogout === undefined ? null : readLocation(soapLogout, 'Location'),
    requestsSigned: readBooleanAttribute(role, 'AuthnRequestsSigned'),
    signingCertificates: readCertificates(role, 'signing'),
    encryptionCertificate: findEncryptionKey(role),
    nameIdFormats: listChildren(role, 'NameIDFormat').map((format) => readXmlText(format) ?? ''),
    attributeSets: sortDefaultFirst(listChildren(role, 'AttributeConsumingService')).map((set) => ({
      index: readIndex(set),
      names: listChildren(set, 'RequestedAttribute').map((wanted) => readXmlAttribute(wanted, 'Name') ?? ''),
    })),
    subjectId: findSubjectRequirement(root),
    validUntil: findValidUntil(root, role),
    hasValidUntil: root.hasAttribute('validUntil'),
    cacheS: readDurationAttribute(root, 'cacheDuration'),
    ...readDisplay(root, role),
  };
}

export function isMetadataExpired({ validUntil }: { readonly validUntil: Date | null }, now: Date): boolean {
  return validUntil !== null && validUntil.getTime() + samlClockSkewMs <= now.getTime();
}

const roleNames = { SPSSODescriptor: 'service provider', IDPSSODescriptor: 'identity provider' } as const;

/** Throws a `SamlError` unless exactly one descriptor supports SAML 2.0. */
function findEntity(root: Element, name: keyof typeof roleNames) {
  if (!hasXmlName(root, samlNamespaces.metadata, 'EntityDescriptor'))
    throw new SamlError('the metadata root is not an EntityDescriptor');
  const entityId = readXmlAttribute(root, 'entityID') ?? '';
  if (entityId.trim() === '' || entityId.length > 1024) throw new SamlError('the metadata have no entityID');
  const [role, second] = listChildren(root, name).filter((one) =>
    (readXmlAttribute(one, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(samlNamespaces.protocol),
  );
  if (!role) throw new SamlError(`the metadata describe no ${roleNames[name]} of SAML 2.0`);
  if (second) throw new SamlError(`the metadata describe two ${roleNames[name]}s`);
  return { entityId, role };
}

function findValidUntil(root: Element, role: Element): Date | null {
  const ends = [root, role].flatMap((one) => readDateTimeAttribute(one, 'validUntil') ?? []);
  return ends.reduce<Date | null>((first, end) => (first === null || end < first ? end : first), null);
}

function findSubjectRequirement(root: Element): string | null {
  const wanted = listExtensions(root, samlNamespaces.entityAttributes, 'EntityAttributes')
    .flatMap((one) => listXmlChildren(one, samlNamespaces.assertion, 'Attribute'))
    .find((one) => readXmlAttribute(one, 'Name') === subjectIdentifierAttributes.requirement);
  return readXmlText(findXmlChild(wanted ?? null, samlNamespaces.assertion, 'AttributeValue'));
}

function readDisplay(root: Element, role: Element): Pick<ServiceProviderMetadata, 'display' | 'contact'> {
  const [info = null] = listExtensions(role, samlNamespaces.ui, 'UIInfo');
  const organization = findXmlChild(root, samlNamespaces.metadata, 'Organization');
  const found = {
    name: findText(info, samlNamespaces.ui, 'DisplayName'),
    logo: listTexts(info, samlNamespaces.ui, 'Logo').find((text) => text.startsWith('https:')), // logos are fetched, which is impossible for `data:` URLs
    privacy: findText(info, samlNamespaces.ui, 'PrivacyStatementURL'),
    website:
      findText(info, samlNamespaces.ui, 'InformationURL') ??
      findText(organization, samlNamespaces.metadata, 'OrganizationURL'),
  };
  const contact = listChildren(root, 'ContactPerson').find(
    (person) => readXmlAttribute(person, 'contactType') === 'technical',
  );
  return {
    display: Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined)),
    contact: findText(contact ?? null, samlNamespaces.metadata, 'EmailAddress')?.replace(/^mailto:/i, '') ?? null,
  };
}

function listChildren(parent: Element | null, name: string): readonly Element[] {
  return listXmlChildren(parent, samlNamespaces.metadata, name);
}

function listExtensions(parent: Element, namespace: string, name: string): readonly Element[] {
  return listXmlChildren(findXmlChild(parent, samlNamespaces.metadata, 'Extensions'), namespace, name);
}

/** Returns the texts of the child elements with this name, Spanish first. */
function listTexts(parent: Element | null, namespace: string, name: string): readonly string[] {
  const found = listXmlChildren(parent, namespace, name);
  const isSpanish = (one: Element): boolean => /^es\b/i.test(readXmlAttribute(one, 'xml:lang') ?? '');
  return [...found.filter(isSpanish), ...found.filter((one) => !isSpanish(one))]
    .map((one) => readXmlText(one) ?? '')
    .filter((text) => text !== '');
}

function findText(parent: Element | null, namespace: string, name: string): string | undefined {
  return listTexts(parent, namespace, name)[0];
}

function readConsumers(role: Element): ServiceProviderMetadata['assertionConsumers'] {
  const assertionConsumers = sortDefaultFirst(
    listChildren(role, 'AssertionConsumerService').filter(
      (service) => readXmlAttribute(service, 'Binding') === samlBindings.post,
    ),
  ).map((service) => ({ index: readIndex(service), location: readLocation(service, 'Location') }));
  const [first, ...others] = assertionConsumers;
  if (!first) throw new SamlError('the metadata have no AssertionConsumerService that takes a POST');
  if (new Set(assertionConsumers.map(({ index }) => index)).size < assertionConsumers.length)
    throw new SamlError('two AssertionConsumerServices have one index');
  return [first, ...others];
}

function findService(role: Element, name: string, binding: keyof typeof samlBindings): Element | undefined {
  return listChildren(role, name).find((service) => readXmlAttribute(service, 'Binding') === samlBindings[binding]);
}

function findLogoutService(role: Element): SamlLogoutEndpoint | null {
  for (const binding of ['redirect', 'post'] as const) {
    const service = findService(role, 'SingleLogoutService', binding);
    if (!service) continue;
    const location = readLocation(service, 'Location');
    const hasOther = service.hasAttribute('ResponseLocation');
    return { binding, location, responseLocation: hasOther ? readLocation(service, 'ResponseLocation') : location };
  }
  return null;
}

/** Returns the PEM certificates for a use. Certificates that are declared for this use precede certificates for any use. */
function readCertificates(role: Element, use: 'signing' | 'encryption'): readonly string[] {
  const descriptors = listChildren(role, 'KeyDescriptor');
  const fitting = [use, null].flatMap((wanted) => descriptors.filter((key) => readXmlAttribute(key, 'use') === wanted));
  return fitting.flatMap((key) => {
    const info = findXmlChild(key, samlNamespaces.signature, 'KeyInfo');
    return listXmlChildren(info, samlNamespaces.signature, 'X509Data').flatMap((x509) =>
      listXmlChildren(x509, samlNamespaces.signature, 'X509Certificate').map((certificate) =>
        readCertificate(readXmlText(certificate) ?? ''),
      ),
    );
  });
}

/**
 * Returns the first RSA certificate for encryption, or `null` if there is none. Throws if a key is only for encryption and none is RSA, because the
 * assertion must not be sent unencrypted.
 */
function findEncryptionKey(role: Element): string | null {
  const isRsa = (certificate: string): boolean => readCertificatePublicKey(certificate).asymmetricKeyType === 'rsa';
  const fit = readCertificates(role, 'encryption').find(isRsa);
  const isWanted = listChildren(role, 'KeyDescriptor').some((key) => readXmlAttribute(key, 'use') === 'encryption');
  if (fit === undefined && isWanted) throw new SamlError('the metadata have no RSA key for encryption');
  return fit ?? null;
}

export function parsePemCertificates(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => readCertificate(block.replace(/-----[A-Z ]+-----/g, '')));
}

const acceptedCurves: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];

function readCertificate(base64: string): string {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    if (type !== 'rsa' && !(type === 'ec' && acceptedCurves.includes(details?.namedCurve)))
      throw new Error('the key is neither an RSA key nor a key on a NIST curve');
    if (type === 'rsa' && (details?.modulusLength ?? 0) < 2048) throw new Error('it has less than 2048 bits');
    return certificate.toString();
  } catch (cause) {
    throw new SamlError(
      `a certificate of the metadata cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

function readIndex(service: Element): number {
  const text = readXmlAttribute(service, 'index') ?? '';
  if (!/^\d{1,5}$/.test(text)) throw new SamlError(`${service.localName} has no index`);
  return Number(text);
}

/** Reads the URL of a service. The URL must be https, or http on a loopback address, in characters that a header can contain. */
function readLocation(service: Element, name: string): string {
  const text = readXmlAttribute(service, name) ?? '';
  const url = /^[!-~]+$/.test(text) && URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || isLocal) || url.username !== '' || url.hash !== '')
    throw new SamlError(`the ${name} of a ${service.localName} is no address of https`);
  return text;
}

/** Sorts services with `isDefault="true"` first, those without the attribute next, and those with `isDefault="false"` last, as in the standard. */
function sortDefaultFirst(services: readonly Element[]): readonly Element[] {
  const ranked = services.map((service) => ({ service, says: readBooleanAttribute(service, 'isDefault') }));
  return [true, null, false].flatMap((says) => ranked.filter((one) => one.says === says).map(({ service }) => service));
}

export type IdentityProviderMetadata = ReturnType<typeof readIdentityProviderMetadata>;

export function readIdentityProviderMetadata(xml: string) {
  const root = parseXml(xml, xmlMetadataLimits);
  const { entityId, role } = findEntity(root, 'IDPSSODescriptor');
  const service = findService(role, 'SingleSignOnService', 'redirect');
  if (!service) throw new SamlError('the metadata have no SingleSignOnService that takes a redirect');
  const signing = readCertificates(role, 'signing');
  if (signing.length === 0) throw new SamlError('the metadata have no key that signs');
  return { entityId, signOn: readLocation(service, 'Location'), signing, validUntil: findValidUntil(root, role) };
}

/** Writes the metadata of the portal as a service provider. Its key for encryption is separate from its signing keys. */
export function writeServiceProviderMetadata(
  { entityId, consumer }: { readonly entityId: string; readonly consumer: string },
  { signing, decryption }: { signing: ReturnType<ListSigningCredentials>; decryption: SigningCredential },
): string {
  return [
    `<md:EntityDescriptor xmlns:md="${samlNamespaces.metadata}" entityID="${escapeXml(entityId)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${samlNamespaces.protocol}">`,
    ...signing.map((credential) => writeKeyDescriptor('signing', credential)),
    writeKeyDescriptor('encryption', decryption),
    `<md:AssertionConsumerService index="0" isDefault="true" Binding="${samlBindings.post}" Location="${escapeXml(consumer)}"/>`,
    '</md:SPSSODescriptor></md:EntityDescriptor>',
  ].join('');
}

export function writeKeyDescriptor(use: 'signing' | 'encryption', { certificate }: SigningCredential): string {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${samlNamespaces.signature}"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}
