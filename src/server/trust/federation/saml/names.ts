import { brokerPages } from '../../../../contract/contract.ts';

/** Names of SAML 2.0 (OASIS, March 2005) and XML Signature that more than one file writes. */
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

/** Status codes: the first word is the top level one, a second one says why. */
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

/** Addresses of the SAML provider, as ID Uruguay has them (section 6 of its profile), and where its metadata stand. */
export const samlPaths = {
  metadata: '/v1.1/idp/metadata',
  ssoByRedirect: '/v1.1/idp/profile/SAML2/Redirect/SSO',
  ssoByPost: '/v1.1/idp/profile/SAML2/POST/SSO',
  sloByRedirect: '/v1.1/idp/profile/SAML2/Redirect/SLO',
  sloByPost: '/v1.1/idp/profile/SAML2/POST/SLO',
  /** Where a logout goes on: to the next service provider, or to its end. */
  logoutNext: '/v1.1/idp/profile/SAML2/SLO/next',
  /** The page that hands a response over to its service provider, and its script. */
  send: brokerPages.samlResponse,
  sendScript: `${brokerPages.samlResponse}/enviar.js`,
} as const;

/** How long a browser is known by its cookie, in seconds: no request and no logout lives longer. */
export const samlBrowserLifeS = 3600;

/** The name of the provider, which is the address of its metadata. */
export function entityIdOf(baseUrl: string): string {
  return new URL(samlPaths.metadata, baseUrl).href;
}
