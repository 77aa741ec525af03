import { identityBrokerPaths } from '../../../../contract/contract.ts';

/** Error for a rejected SAML message. The user sees an error page, and the log contains the reason. */
export class SamlError extends Error {
  override readonly name = 'SamlError';
}

/** Tolerated clock difference of both parties, in milliseconds (saml2int 2.0, SDP-G01). */
export const samlClockSkewMs = 3 * 60_000;

/** XML namespaces of SAML 2.0 (OASIS, March 2005) and XML Signature. */
export const samlNamespaces = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  ui: 'urn:oasis:names:tc:SAML:metadata:ui',
  entityAttributes: 'urn:oasis:names:tc:SAML:metadata:attribute',
  scope: 'urn:mace:shibboleth:metadata:1.0',
} as const;

export const samlBindings = {
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  soap: 'urn:oasis:names:tc:SAML:2.0:bindings:SOAP',
} as const;

export const nameIdFormats = {
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  entity: 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
} as const;

/** SAML V2.0 Subject Identifier Attributes Profile 1.0. A service provider requests an identifier with `requirement`. */
export const subjectIdentifierAttributes = {
  subject: 'urn:oasis:names:tc:SAML:attribute:subject-id',
  pairwise: 'urn:oasis:names:tc:SAML:attribute:pairwise-id',
  requirement: 'urn:oasis:names:tc:SAML:profiles:subject-id:req',
} as const;

const statusPrefix = 'urn:oasis:names:tc:SAML:2.0:status:';

export const samlStatuses = {
  success: [`${statusPrefix}Success`],
  partialLogout: [`${statusPrefix}Success`, `${statusPrefix}PartialLogout`],
  denied: [`${statusPrefix}Responder`, `${statusPrefix}AuthnFailed`],
  noPassive: [`${statusPrefix}Responder`, `${statusPrefix}NoPassive`],
  noContext: [`${statusPrefix}Responder`, `${statusPrefix}NoAuthnContext`],
  nameId: [`${statusPrefix}Requester`, `${statusPrefix}InvalidNameIDPolicy`],
  requestDenied: [`${statusPrefix}Responder`, `${statusPrefix}RequestDenied`],
  unknownPrincipal: [`${statusPrefix}Requester`, `${statusPrefix}UnknownPrincipal`],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SamlStatus = (typeof samlStatuses)[keyof typeof samlStatuses];

/** Endpoint paths of the SAML identity provider, as in section 6 of ID Uruguay's profile. */
export const samlPaths = {
  metadata: '/v1.1/idp/metadata',
  ssoByRedirect: '/v1.1/idp/profile/SAML2/Redirect/SSO',
  ssoByPost: '/v1.1/idp/profile/SAML2/POST/SSO',
  sloByRedirect: '/v1.1/idp/profile/SAML2/Redirect/SLO',
  sloByPost: '/v1.1/idp/profile/SAML2/POST/SLO',
  /** Path that continues a logout at the next service provider, or ends it. */
  logoutNext: '/v1.1/idp/profile/SAML2/SLO/next',
  send: identityBrokerPaths.samlResponse,
  sendScript: `${identityBrokerPaths.samlResponse}/enviar.js`,
} as const;

/** Lifetime of the cookie that binds requests and logouts to a browser, in seconds. The cookie outlives every request and logout. */
export const samlCookieLifeS = 3600;

export function buildSamlEntityId(baseUrl: string): string {
  return new URL(samlPaths.metadata, baseUrl).href;
}
