import { X509Certificate } from 'node:crypto';
import { bindings, namespaces, SamlError, skewMs, subjectAttributes } from './saml-names.ts';
import { metadataLimits } from '../xml/xml-limits.ts';
import {
  readAttribute,
  listChildren,
  findChild,
  readBoolean,
  hasQualifiedName,
  parseXml,
  readElementText,
  readDuration,
  readDateTimeAttribute,
  escapeXml,
} from './xml.ts';
import { readPublicKey, verifyXmlSignature, type Credentials, type SigningCredential } from './signature.ts';

interface AssertionConsumer {
  readonly index: number;
  readonly location: string;
}

export interface LogoutService {
  readonly binding: 'redirect' | 'post';
  readonly location: string;
  readonly responseLocation: string;
}

export interface ServiceMetadata {
  readonly entityId: string;
  /** Services with the POST binding, the default one first. */
  readonly assertionConsumers: readonly [AssertionConsumer, ...AssertionConsumer[]];
  /**
   * Service for front-channel logout. The redirect binding is preferred, because browsers send cookies with it. `null`
   * if there is none.
   */
  readonly logout: LogoutService | null;
  readonly soapLogout: string | null;
  /** Value of `AuthnRequestsSigned`. `null` if it is absent. */
  readonly requestsSigned: boolean | null;
  readonly signing: readonly string[];
  /** PEM certificate with an RSA key. `null` if assertions are not to be encrypted. */
  readonly encryption: string | null;
  readonly nameIdFormats: readonly string[];
  /** Attribute sets by index, the default one first. */
  readonly attributeSets: readonly { readonly index: number; readonly names: readonly string[] }[];
  /** Required subject identifier: `subject-id`, `pairwise-id`, `none` or `any`. `null` if the metadata does not specify one. */
  readonly subjectId: string | null;
  readonly validUntil: Date | null;
  /** Whether the root element itself has a `validUntil`. */
  readonly hasValidUntil: boolean;
  /** Value of `cacheDuration` in seconds. */
  readonly cacheS: number | null;
  /** Display name, logo and links for citizens. Metadata may omit each of them. */
  readonly display: Readonly<Partial<Record<'name' | 'logo' | 'privacy' | 'website', string>>>;
  /** E-mail address of the technical contact. */
  readonly contact: string | null;
}

/**
 * Reads the metadata of a single service provider. If `signers` is given (PEM certificates), one of them must have signed the metadata. Throws a
 * `SamlError` that describes the problem.
 */
export function readServiceMetadata(xml: string, signers?: string): ServiceMetadata {
  const parsed = parseXml(xml, metadataLimits);
  const certificates = signers === undefined ? [] : splitCertificates(signers);
  const root = signers === undefined ? parsed : verifyXmlSignature(xml, { certificates }, parsed, metadataLimits);
  const { entityId, role } = findEntity(root, 'SPSSODescriptor');
  return {
    entityId,
    assertionConsumers: readConsumers(role),
    logout: findLogoutService(role),
    soapLogout: findSoapLogout(role),
    requestsSigned: readBoolean(role, 'AuthnRequestsSigned'),
    signing: readCertificates(role, 'signing'),
    encryption: findEncryptionKey(role),
    nameIdFormats: listChildren(role, namespaces.metadata, 'NameIDFormat').map(
      (format) => readElementText(format) ?? '',
    ),
    attributeSets: sortDefaultFirst(listChildren(role, namespaces.metadata, 'AttributeConsumingService')).map(
      (set) => ({
        index: readIndex(set),
        names: listChildren(set, namespaces.metadata, 'RequestedAttribute').map(
          (wanted) => readAttribute(wanted, 'Name') ?? '',
        ),
      }),
    ),
    subjectId: findSubjectRequirement(root),
    validUntil: findValidUntil(root, role),
    hasValidUntil: root.hasAttribute('validUntil'),
    cacheS: readDuration(root, 'cacheDuration'),
    ...readDisplay(root, role),
  };
}

export function isExpired({ validUntil }: { readonly validUntil: Date | null }, now: Date): boolean {
  return validUntil !== null && validUntil.getTime() + skewMs <= now.getTime();
}

const roleNames = { SPSSODescriptor: 'service provider', IDPSSODescriptor: 'identity provider' } as const;

/**
 * Finds the entity ID and the descriptor of a role. Throws a `SamlError` unless exactly one descriptor supports SAML
 * 2.0.
 */
function findEntity(
  root: Element,
  name: keyof typeof roleNames,
): { readonly entityId: string; readonly role: Element } {
  if (!hasQualifiedName(root, namespaces.metadata, 'EntityDescriptor'))
    throw new SamlError('the metadata root is not an EntityDescriptor');
  const entityId = readAttribute(root, 'entityID') ?? '';
  if (entityId.trim() === '' || entityId.length > 1024) throw new SamlError('the metadata have no entityID');
  const [role, second] = listChildren(root, namespaces.metadata, name).filter((one) =>
    (readAttribute(one, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(namespaces.protocol),
  );
  if (!role) throw new SamlError(`the metadata describe no ${roleNames[name]} of SAML 2.0`);
  if (second) throw new SamlError(`the metadata describe two ${roleNames[name]}s`);
  return { entityId, role };
}

/** Returns the earlier `validUntil` of the entity and the role. Returns `null` if neither has one. */
function findValidUntil(root: Element, role: Element): Date | null {
  const ends = [root, role].flatMap((one) => readDateTimeAttribute(one, 'validUntil') ?? []);
  return ends.reduce<Date | null>((first, end) => (first === null || end < first ? end : first), null);
}

/** Returns the value of the entity attribute that requests a subject identifier. */
function findSubjectRequirement(root: Element): string | null {
  const attributes = listExtensions(root, namespaces.entityAttributes, 'EntityAttributes').flatMap((one) =>
    listChildren(one, namespaces.assertion, 'Attribute'),
  );
  const wanted = attributes.find((one) => readAttribute(one, 'Name') === subjectAttributes.requirement);
  return wanted ? readElementText(findChild(wanted, namespaces.assertion, 'AttributeValue')) : null;
}

function readDisplay(root: Element, role: Element): Pick<ServiceMetadata, 'display' | 'contact'> {
  const [info = null] = listExtensions(role, namespaces.ui, 'UIInfo');
  const organization = findChild(root, namespaces.metadata, 'Organization');
  const found = {
    name: findText(info, namespaces.ui, 'DisplayName'),
    logo: listTexts(info, namespaces.ui, 'Logo').find((text) => text.startsWith('https:')), // logos are fetched, which is impossible for `data:` URLs
    privacy: findText(info, namespaces.ui, 'PrivacyStatementURL'),
    website:
      findText(info, namespaces.ui, 'InformationURL') ?? findText(organization, namespaces.metadata, 'OrganizationURL'),
  };
  const contact = listChildren(root, namespaces.metadata, 'ContactPerson').find(
    (person) => readAttribute(person, 'contactType') === 'technical',
  );
  return {
    display: Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined)),
    contact: findText(contact ?? null, namespaces.metadata, 'EmailAddress')?.replace(/^mailto:/i, '') ?? null,
  };
}

function listExtensions(parent: Element, namespace: string, name: string): readonly Element[] {
  const extensions = findChild(parent, namespaces.metadata, 'Extensions');
  return extensions === null ? [] : listChildren(extensions, namespace, name);
}

/** Returns the texts of the child elements with this name, Spanish first. */
function listTexts(parent: Element | null, namespace: string, name: string): readonly string[] {
  const found = parent === null ? [] : listChildren(parent, namespace, name);
  const isSpanish = (one: Element): boolean => /^es\b/i.test(readAttribute(one, 'xml:lang') ?? '');
  return [...found.filter(isSpanish), ...found.filter((one) => !isSpanish(one))]
    .map((one) => readElementText(one) ?? '')
    .filter((text) => text !== '');
}

function findText(parent: Element | null, namespace: string, name: string): string | undefined {
  return listTexts(parent, namespace, name)[0];
}

function readConsumers(role: Element): ServiceMetadata['assertionConsumers'] {
  const assertionConsumers = sortDefaultFirst(
    listChildren(role, namespaces.metadata, 'AssertionConsumerService').filter(
      (service) => readAttribute(service, 'Binding') === bindings.post,
    ),
  ).map((service) => ({ index: readIndex(service), location: readLocation(service, 'Location') }));
  const [first, ...others] = assertionConsumers;
  if (!first) throw new SamlError('the metadata have no AssertionConsumerService that takes a POST');
  if (new Set(assertionConsumers.map(({ index }) => index)).size < assertionConsumers.length)
    throw new SamlError('two AssertionConsumerServices have one index');
  return [first, ...others];
}

function findLogoutService(role: Element): LogoutService | null {
  const services = listChildren(role, namespaces.metadata, 'SingleLogoutService');
  for (const binding of ['redirect', 'post'] as const) {
    const service = services.find((candidate) => readAttribute(candidate, 'Binding') === bindings[binding]);
    if (!service) continue;
    const location = readLocation(service, 'Location');
    const hasOther = service.hasAttribute('ResponseLocation');
    return { binding, location, responseLocation: hasOther ? readLocation(service, 'ResponseLocation') : location };
  }
  return null;
}

function findSoapLogout(role: Element): string | null {
  const services = listChildren(role, namespaces.metadata, 'SingleLogoutService');
  const service = services.find((candidate) => readAttribute(candidate, 'Binding') === bindings.soap);
  return service ? readLocation(service, 'Location') : null;
}

/** Returns the PEM certificates for a use. Certificates that are declared for this use precede certificates for any use. */
function readCertificates(role: Element, use: 'signing' | 'encryption'): readonly string[] {
  const descriptors = listChildren(role, namespaces.metadata, 'KeyDescriptor');
  const fitting = [use, null].flatMap((wanted) => descriptors.filter((key) => readAttribute(key, 'use') === wanted));
  return fitting.flatMap((key) => {
    const info = findChild(key, namespaces.signature, 'KeyInfo');
    const data = info === null ? [] : listChildren(info, namespaces.signature, 'X509Data');
    return data.flatMap((x509) =>
      listChildren(x509, namespaces.signature, 'X509Certificate').map((certificate) =>
        readCertificate(readElementText(certificate) ?? ''),
      ),
    );
  });
}

/**
 * Returns the first RSA key for encryption. Throws a `SamlError` if all keys for encryption are of another type,
 * because the assertion must not be sent unencrypted.
 */
function findEncryptionKey(role: Element): string | null {
  const isRsa = (certificate: string): boolean => readPublicKey(certificate).asymmetricKeyType === 'rsa';
  const fit = readCertificates(role, 'encryption').find(isRsa);
  const isWanted = listChildren(role, namespaces.metadata, 'KeyDescriptor').some(
    (key) => readAttribute(key, 'use') === 'encryption',
  );
  if (fit === undefined && isWanted) throw new SamlError('the metadata have no RSA key for encryption');
  return fit ?? null;
}

/** Splits a PEM text into its certificates. Throws a `SamlError` if one cannot be used. */
export function splitCertificates(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => readCertificate(block.replace(/-----[A-Z ]+-----/g, '')));
}

const curves: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];

function readCertificate(base64: string): string {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    if (type !== 'rsa' && !(type === 'ec' && curves.includes(details?.namedCurve)))
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
  const text = readAttribute(service, 'index') ?? '';
  if (!/^\d{1,5}$/.test(text)) throw new SamlError(`${service.localName} has no index`);
  return Number(text);
}

/** Reads the URL of a service. The URL must be https, or http on a loopback address, in characters that a header can contain. */
function readLocation(service: Element, name: string): string {
  const text = readAttribute(service, name) ?? '';
  const url = /^[!-~]+$/.test(text) && URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || isLocal) || url.username !== '' || url.hash !== '')
    throw new SamlError(`the ${name} of a ${service.localName} is no address of https`);
  return text;
}

/**
 * Moves the default service to the front. The standard defines the order `isDefault="true"`, then without the attribute, then `isDefault="false"`.
 */
function sortDefaultFirst(services: readonly Element[]): readonly Element[] {
  const ranked = services.map((service) => ({ service, says: readBoolean(service, 'isDefault') }));
  return [true, null, false].flatMap((says) => ranked.filter((one) => one.says === says).map(({ service }) => service));
}

export type ProviderMetadata = ReturnType<typeof readProviderMetadata>;

/** Reads the metadata of a single identity provider. Throws a `SamlError` that describes the problem. */
export function readProviderMetadata(xml: string) {
  const root = parseXml(xml, metadataLimits);
  const { entityId, role } = findEntity(root, 'IDPSSODescriptor');
  const service = listChildren(role, namespaces.metadata, 'SingleSignOnService').find(
    (one) => readAttribute(one, 'Binding') === bindings.redirect,
  );
  if (!service) throw new SamlError('the metadata have no SingleSignOnService that takes a redirect');
  const signing = readCertificates(role, 'signing');
  if (signing.length === 0) throw new SamlError('the metadata have no key that signs');
  return {
    entityId,
    signOn: readLocation(service, 'Location'),
    signing,
    validUntil: findValidUntil(root, role),
  };
}

/**
 * Writes the portal's service provider metadata for one identity provider. Assertions are encrypted for a key that
 * signs nothing.
 */
export function writeConsumerMetadata(
  { entityId, consumer }: { readonly entityId: string; readonly consumer: string },
  { signing, decryption }: { signing: ReturnType<Credentials>; decryption: SigningCredential },
): string {
  return [
    `<md:EntityDescriptor xmlns:md="${namespaces.metadata}" entityID="${escapeXml(entityId)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${namespaces.protocol}">`,
    ...signing.map((credential) => writeKeyDescriptor('signing', credential)),
    writeKeyDescriptor('encryption', decryption),
    `<md:AssertionConsumerService index="0" isDefault="true" Binding="${bindings.post}" Location="${escapeXml(consumer)}"/>`,
    '</md:SPSSODescriptor></md:EntityDescriptor>',
  ].join('');
}

export function writeKeyDescriptor(use: 'signing' | 'encryption', { certificate }: SigningCredential): string {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${namespaces.signature}"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}
