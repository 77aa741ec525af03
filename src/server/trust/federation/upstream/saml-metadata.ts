import { bindings, ns, SamlError } from '../saml/names.ts';
import { readCertificates, findValidUntil, findEntity, readLocation } from '../saml/metadata.ts';
import { metadataBounds } from '../xml/bound-xml.ts';
import type { SigningCredential } from '../saml/signature.ts';
import { attribute, listChildren, escapeXml, parseXml } from '../saml/xml.ts';

export interface ProviderMetadata {
  readonly entityId: string;
  /** URL of the SingleSignOnService with the redirect binding. */
  readonly signOn: string;
  /** PEM certificates. */
  readonly signing: readonly string[];
  readonly validUntil: Date | null;
}

/** Reads the metadata of a single identity provider. Throws a `SamlError` that describes the problem. */
export function readProviderMetadata(xml: string): ProviderMetadata {
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

/** Our service provider metadata for one identity provider. Assertions are encrypted for the signing key, but any of our keys decrypts them. */
export function consumerMetadata({
  entityId,
  consumer,
  credentials,
}: {
  readonly entityId: string;
  readonly consumer: string;
  readonly credentials: readonly [SigningCredential, ...SigningCredential[]];
}): string {
  const key = (use: string, { certificate }: SigningCredential): string =>
    `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${ns.signature}"><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  return [
    `<md:EntityDescriptor xmlns:md="${ns.metadata}" entityID="${escapeXml(entityId)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${ns.protocol}">`,
    ...credentials.map((credential) => key('signing', credential)),
    key('encryption', credentials[0]),
    `<md:AssertionConsumerService index="0" isDefault="true" Binding="${bindings.post}" Location="${escapeXml(consumer)}"/>`,
    '</md:SPSSODescriptor></md:EntityDescriptor>',
  ].join('');
}
