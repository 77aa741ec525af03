import { randomBytes } from 'node:crypto';
import { bindings, buildEntityId, nameIdFormats, ns, samlPaths } from './names.ts';
import { signElement, type SigningCredential } from './signature.ts';
import { attributeNames, nameFormat } from './attributes.ts';
import { escapeXml } from './xml.ts';

export interface OwnMetadata {
  readonly baseUrl: string;
  /** The first signs. Service providers trust all of them. */
  readonly credentials: readonly [SigningCredential, ...SigningCredential[]];
  readonly organization: string;
}

export function writeMetadata({ baseUrl, credentials, organization }: OwnMetadata): string {
  const id = `_${randomBytes(16).toString('hex')}`;
  const at = (path: string): string => escapeXml(new URL(path, baseUrl).href);
  const keys = credentials
    .map(
      ({ certificate }) =>
        `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${ns.signature}"><ds:X509Data><ds:X509Certificate>${stripPem(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('');
  const service = (name: string, binding: keyof typeof bindings, path: string): string =>
    `<md:${name} Binding="${bindings[binding]}" Location="${at(path)}"/>`;
  const formats = [nameIdFormats.unspecified, nameIdFormats.persistent, nameIdFormats.transient, nameIdFormats.email];
  const url = at('/');
  const xml = [
    `<md:EntityDescriptor xmlns:md="${ns.metadata}" xmlns:saml="${ns.assertion}" ID="${id}" entityID="${escapeXml(buildEntityId(baseUrl))}">`,
    `<md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="${ns.protocol}">`,
    keys,
    service('SingleLogoutService', 'redirect', samlPaths.sloByRedirect),
    service('SingleLogoutService', 'post', samlPaths.sloByPost),
    ...formats.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`),
    service('SingleSignOnService', 'redirect', samlPaths.ssoByRedirect),
    service('SingleSignOnService', 'post', samlPaths.ssoByPost),
    ...attributeNames.map((name) => `<saml:Attribute Name="${name}" NameFormat="${nameFormat}"/>`),
    '</md:IDPSSODescriptor>',
    `<md:Organization><md:OrganizationName xml:lang="es">${escapeXml(organization)}</md:OrganizationName><md:OrganizationDisplayName xml:lang="es">${escapeXml(organization)}</md:OrganizationDisplayName><md:OrganizationURL xml:lang="es">${url}</md:OrganizationURL></md:Organization>`,
    '</md:EntityDescriptor>',
  ].join('');
  return signElement(xml, { id, hasIssuer: false }, credentials[0]);
}

function stripPem(pem: string): string {
  return pem.replace(/-----[A-Z ]+-----|\s/g, '');
}
