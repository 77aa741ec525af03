/** The few routes that shell and blocks name themselves; each is a path of a flow, which a test checks. */
export const addresses = {
  home: '/',
  login: '/login',
  register: '/registro',
  security: '/seguridad',
  logout: '/logout-process',
} as const;
