import { brokerPages } from '../../../../contract/contract.ts';

/** XML namespaces of SAML 2.0 (OASIS, March 2005) and XML Signature. */
export const ns = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

export const bindings = {
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

const status = 'urn:oasis:names:tc:SAML:2.0:status:';

/** Status codes. The first is the top-level code, the second the reason. */
export const statuses = {
  success: [`${status}Success`],
  partialLogout: [`${status}Success`, `${status}PartialLogout`],
  denied: [`${status}Responder`, `${status}AuthnFailed`],
  noPassive: [`${status}Responder`, `${status}NoPassive`],
  noContext: [`${status}Responder`, `${status}NoAuthnContext`],
  nameId: [`${status}Requester`, `${status}InvalidNameIDPolicy`],
  unknownPrincipal: [`${status}Requester`, `${status}UnknownPrincipal`],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Status = (typeof statuses)[keyof typeof statuses];

/** Endpoint paths of the SAML identity provider, as in section 6 of ID Uruguay's profile. */
export const samlPaths = {
  metadata: '/v1.1/idp/metadata',
  ssoByRedirect: '/v1.1/idp/profile/SAML2/Redirect/SSO',
  ssoByPost: '/v1.1/idp/profile/SAML2/POST/SSO',
  sloByRedirect: '/v1.1/idp/profile/SAML2/Redirect/SLO',
  sloByPost: '/v1.1/idp/profile/SAML2/POST/SLO',
  /** Continues a logout at the next service provider, or ends it. */
  logoutNext: '/v1.1/idp/profile/SAML2/SLO/next',
  /** The page that posts a response to its service provider, and its script. */
  send: brokerPages.samlResponse,
  sendScript: `${brokerPages.samlResponse}/enviar.js`,
} as const;

/** Lifetime of the cookie that binds requests and logouts to a browser, in seconds. It outlives all of them. */
export const samlBrowserLifeS = 3600;

/** Entity ID of our identity provider, which is the URL of its metadata. */
export function entityIdOf(baseUrl: string): string {
  return new URL(samlPaths.metadata, baseUrl).href;
}
