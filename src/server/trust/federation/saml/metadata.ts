import { X509Certificate } from 'node:crypto';
import { bindings, ns, SamlError, skewMs, subjectAttributes } from './names.ts';
import { metadataBounds } from '../xml/bound-xml.ts';
import {
  attribute,
  listChildren,
  findChild,
  flag,
  isElement,
  parseXml,
  textIn,
  readDuration,
  readTime,
  escapeXml,
} from './xml.ts';
import { readPublicKey, verifySigned, type Credentials, type SigningCredential } from './signature.ts';

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
  readonly consumers: readonly [AssertionConsumer, ...AssertionConsumer[]];
  /** The redirect binding is preferred, because browsers send cookies with it. `null` if there is no front-channel logout. */
  readonly logout: LogoutService | null;
  readonly soapLogout: string | null;
  /** `AuthnRequestsSigned`. `null` if the metadata do not say. */
  readonly requestsSigned: boolean | null;
  readonly signing: readonly string[];
  /** PEM certificate with an RSA key. `null` if assertions are not to be encrypted. */
  readonly encryption: string | null;
  readonly nameIdFormats: readonly string[];
  /** Attribute sets by index, the default one first. */
  readonly attributeSets: readonly { readonly index: number; readonly names: readonly string[] }[];
  /** The required subject identifier: `subject-id`, `pairwise-id`, `none` or `any`. `null` if the metadata do not say. */
  readonly subjectId: string | null;
  readonly validUntil: Date | null;
  /** Whether the root element itself has a `validUntil`. */
  readonly hasEnd: boolean;
  /** `cacheDuration` in seconds. */
  readonly cacheS: number | null;
  /** Name, logo and links for citizens, as far as they are present. They are keys of a registration. */
  readonly display: Readonly<Partial<Record<'name' | 'logo' | 'privacy' | 'website', string>>>;
  /** E-mail address of the technical contact. */
  readonly contact: string | null;
}

/**
 * Reads the metadata of a single service provider. `signers` are the PEM certificates of which one must have signed them. Throws a `SamlError` that
 * describes the problem.
 */
export function readServiceMetadata(xml: string, signers?: string): ServiceMetadata {
  const parsed = parseXml(xml, metadataBounds);
  const certificates = signers === undefined ? [] : splitCertificates(signers);
  const root =
    signers === undefined ? parsed : verifySigned(xml, { certificates, sha1: false }, parsed, metadataBounds);
  const { entityId, role } = findEntity(root, 'SPSSODescriptor');
  return {
    entityId,
    consumers: readConsumers(role),
    logout: findLogoutService(role),
    soapLogout: findSoapLogout(role),
    requestsSigned: flag(role, 'AuthnRequestsSigned'),
    signing: readCertificates(role, 'signing'),
    encryption: findEncryptionKey(role),
    nameIdFormats: listChildren(role, ns.metadata, 'NameIDFormat').map((format) => textIn(format) ?? ''),
    attributeSets: byDefault(listChildren(role, ns.metadata, 'AttributeConsumingService')).map((set) => ({
      index: readIndex(set),
      names: listChildren(set, ns.metadata, 'RequestedAttribute').map((wanted) => attribute(wanted, 'Name') ?? ''),
    })),
    subjectId: findSubjectRequirement(root),
    validUntil: findValidUntil(root, role),
    hasEnd: root.hasAttribute('validUntil'),
    cacheS: readDuration(root, 'cacheDuration'),
    ...readDisplay(root, role),
  };
}

/** Whether metadata are past their `validUntil`. */
export function isExpired({ validUntil }: { readonly validUntil: Date | null }, now: Date): boolean {
  return validUntil !== null && validUntil.getTime() + skewMs <= now.getTime();
}

const roleNames = { SPSSODescriptor: 'service provider', IDPSSODescriptor: 'identity provider' } as const;

/** Finds the entity ID and the descriptor of a role. There must be exactly one that supports SAML 2.0. */
function findEntity(
  root: Element,
  name: keyof typeof roleNames,
): { readonly entityId: string; readonly role: Element } {
  if (!isElement(root, ns.metadata, 'EntityDescriptor')) throw new SamlError('the metadata are no EntityDescriptor');
  const entityId = attribute(root, 'entityID') ?? '';
  if (entityId.trim() === '' || entityId.length > 1024) throw new SamlError('the metadata have no entityID');
  const [role, second] = listChildren(root, ns.metadata, name).filter((one) =>
    (attribute(one, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(ns.protocol),
  );
  if (!role) throw new SamlError(`the metadata describe no ${roleNames[name]} of SAML 2.0`);
  if (second) throw new SamlError(`the metadata describe two ${roleNames[name]}s`);
  return { entityId, role };
}

/** The earlier `validUntil` of the entity and the role. Returns `null` if neither has one. */
function findValidUntil(root: Element, role: Element): Date | null {
  const ends = [root, role].flatMap((one) => readTime(one, 'validUntil') ?? []);
  return ends.reduce<Date | null>((first, end) => (first === null || end < first ? end : first), null);
}

/** The value of the entity attribute that requests a subject identifier. */
function findSubjectRequirement(root: Element): string | null {
  const attributes = listExtensions(root, ns.entityAttributes, 'EntityAttributes').flatMap((one) =>
    listChildren(one, ns.assertion, 'Attribute'),
  );
  const wanted = attributes.find((one) => attribute(one, 'Name') === subjectAttributes.requirement);
  return wanted ? textIn(findChild(wanted, ns.assertion, 'AttributeValue')) : null;
}

function readDisplay(root: Element, role: Element): Pick<ServiceMetadata, 'display' | 'contact'> {
  const [info = null] = listExtensions(role, ns.ui, 'UIInfo');
  const organization = findChild(root, ns.metadata, 'Organization');
  const found = {
    name: findText(info, ns.ui, 'DisplayName'),
    logo: listTexts(info, ns.ui, 'Logo').find((text) => text.startsWith('https:')), // logos are fetched, and `data:` cannot be
    privacy: findText(info, ns.ui, 'PrivacyStatementURL'),
    website: findText(info, ns.ui, 'InformationURL') ?? findText(organization, ns.metadata, 'OrganizationURL'),
  };
  const contact = listChildren(root, ns.metadata, 'ContactPerson').find(
    (person) => attribute(person, 'contactType') === 'technical',
  );
  return {
    display: Object.fromEntries(Object.entries(found).filter(([, text]) => text !== undefined)),
    contact: findText(contact ?? null, ns.metadata, 'EmailAddress')?.replace(/^mailto:/i, '') ?? null,
  };
}

function listExtensions(parent: Element, namespace: string, name: string): readonly Element[] {
  const extensions = findChild(parent, ns.metadata, 'Extensions');
  return extensions === null ? [] : listChildren(extensions, namespace, name);
}

/** Texts of the child elements with this name, Spanish first. */
function listTexts(parent: Element | null, namespace: string, name: string): readonly string[] {
  const found = parent === null ? [] : listChildren(parent, namespace, name);
  const isSpanish = (one: Element): boolean => /^es\b/i.test(attribute(one, 'xml:lang') ?? '');
  return [...found.filter(isSpanish), ...found.filter((one) => !isSpanish(one))]
    .map((one) => textIn(one) ?? '')
    .filter((text) => text !== '');
}

function findText(parent: Element | null, namespace: string, name: string): string | undefined {
  return listTexts(parent, namespace, name)[0];
}

function readConsumers(role: Element): ServiceMetadata['consumers'] {
  const consumers = byDefault(
    listChildren(role, ns.metadata, 'AssertionConsumerService').filter(
      (service) => attribute(service, 'Binding') === bindings.post,
    ),
  ).map((service) => ({ index: readIndex(service), location: readLocation(service, 'Location') }));
  const [first, ...others] = consumers;
  if (!first) throw new SamlError('the metadata have no AssertionConsumerService that takes a POST');
  if (new Set(consumers.map(({ index }) => index)).size < consumers.length)
    throw new SamlError('two AssertionConsumerServices have one index');
  return [first, ...others];
}

function findLogoutService(role: Element): LogoutService | null {
  const services = listChildren(role, ns.metadata, 'SingleLogoutService');
  for (const binding of ['redirect', 'post'] as const) {
    const service = services.find((candidate) => attribute(candidate, 'Binding') === bindings[binding]);
    if (!service) continue;
    const location = readLocation(service, 'Location');
    const hasOther = service.hasAttribute('ResponseLocation');
    return { binding, location, responseLocation: hasOther ? readLocation(service, 'ResponseLocation') : location };
  }
  return null;
}

function findSoapLogout(role: Element): string | null {
  const services = listChildren(role, ns.metadata, 'SingleLogoutService');
  const service = services.find((candidate) => attribute(candidate, 'Binding') === bindings.soap);
  return service ? readLocation(service, 'Location') : null;
}

/** PEM certificates for a use. Those declared for it precede those for any use. */
function readCertificates(role: Element, use: 'signing' | 'encryption'): readonly string[] {
  const descriptors = listChildren(role, ns.metadata, 'KeyDescriptor');
  const fitting = [use, null].flatMap((wanted) => descriptors.filter((key) => attribute(key, 'use') === wanted));
  return fitting.flatMap((key) => {
    const info = findChild(key, ns.signature, 'KeyInfo');
    const data = info === null ? [] : listChildren(info, ns.signature, 'X509Data');
    return data.flatMap((x509) =>
      listChildren(x509, ns.signature, 'X509Certificate').map((certificate) =>
        readCertificate(textIn(certificate) ?? ''),
      ),
    );
  });
}

/** The first RSA key for encryption. Throws a `SamlError` if all keys for encryption are of another type: the assertion must not be sent in clear. */
function findEncryptionKey(role: Element): string | null {
  const isRsa = (certificate: string): boolean => readPublicKey(certificate).asymmetricKeyType === 'rsa';
  const fit = readCertificates(role, 'encryption').find(isRsa);
  const isWanted = listChildren(role, ns.metadata, 'KeyDescriptor').some(
    (key) => attribute(key, 'use') === 'encryption',
  );
  if (fit === undefined && isWanted) throw new SamlError('the metadata have no RSA key for encryption');
  return fit ?? null;
}

/** PEM certificates of a text. Throws a `SamlError` if one cannot be used. */
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
      throw new Error('it is no RSA key, and no key of a NIST curve');
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
  const text = attribute(service, 'index') ?? '';
  if (!/^\d{1,5}$/.test(text)) throw new SamlError(`${service.localName} has no index`);
  return Number(text);
}

/** Requires https, or http on a loopback address, in characters that a header can contain. */
function readLocation(service: Element, name: string): string {
  const text = attribute(service, name) ?? '';
  const url = /^[!-~]+$/.test(text) && URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || isLocal) || url.username !== '' || url.hash !== '')
    throw new SamlError(`the ${name} of a ${service.localName} is no address of https`);
  return text;
}

/** Puts the default first, as the standard defines it: `isDefault="true"`, then without the attribute, then `isDefault="false"`. */
function byDefault(services: readonly Element[]): readonly Element[] {
  const ranked = services.map((service) => ({ service, says: flag(service, 'isDefault') }));
  return [true, null, false].flatMap((says) => ranked.filter((one) => one.says === says).map(({ service }) => service));
}

export type ProviderMetadata = ReturnType<typeof readProviderMetadata>;

/** Reads the metadata of a single identity provider. Throws a `SamlError` that describes the problem. */
export function readProviderMetadata(xml: string) {
  const root = parseXml(xml, metadataBounds);
  const { entityId, role } = findEntity(root, 'IDPSSODescriptor');
  const service = listChildren(role, ns.metadata, 'SingleSignOnService').find(
    (one) => attribute(one, 'Binding') === bindings.redirect,
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

/** Our service provider metadata for one identity provider. Assertions are encrypted for a key that signs nothing. */
export function consumerMetadata(
  { entityId, consumer }: { readonly entityId: string; readonly consumer: string },
  { signing, decryption }: { signing: ReturnType<Credentials>; decryption: SigningCredential },
): string {
  return [
    `<md:EntityDescriptor xmlns:md="${ns.metadata}" entityID="${escapeXml(entityId)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${ns.protocol}">`,
    ...signing.map((credential) => keyDescriptor('signing', credential)),
    keyDescriptor('encryption', decryption),
    `<md:AssertionConsumerService index="0" isDefault="true" Binding="${bindings.post}" Location="${escapeXml(consumer)}"/>`,
    '</md:SPSSODescriptor></md:EntityDescriptor>',
  ].join('');
}

export function keyDescriptor(use: 'signing' | 'encryption', { certificate }: SigningCredential): string {
  const base64 = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
  return `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${ns.signature}"><ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}
