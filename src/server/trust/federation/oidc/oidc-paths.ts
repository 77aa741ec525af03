/** Endpoint paths of the OpenID Provider (section 1 of ID Uruguay's profile). */
export const oidcPaths = {
  authorize: '/oidc/v1/authorize',
  token: '/oidc/v1/token',
  par: '/oidc/v1/par',
  revoke: '/oidc/v1/revoke',
  introspect: '/oidc/v1/introspect',
  userinfo: '/oidc/v1/userinfo',
  jwks: '/oidc/v1/jwks',
  logout: '/oidc/v1/logout',
  discovery: '/.well-known/openid-configuration',
  discoveryBelow: '/oidc/v1/.well-known/openid-configuration',
} as const;
