import { everyone, type Operation } from '../operation.ts';
import { list, nullableText, object, text } from '../shapes.ts';

const host = 'broker';

/** The portal's own sign-in and logout, and a logout on its way through service providers of SAML (section 7.2 of the specification), in the browser that it began in. */
export const operations = {
  samlLogin: {
    method: 'GET',
    path: '/saml-login-:product',
    host: 'backend',
    query: ['redirectUrl'],
    answer: 'samlAddress',
    roles: everyone,
    summary: 'Sends the browser to the sign-in (303). This backend serves one product and takes any name for it.',
  },
  samlLogout: {
    method: 'GET',
    path: '/saml-logout-:product',
    host: 'backend',
    answer: 'samlAddress',
    roles: everyone,
    summary: 'The address that ends the session and tells service providers of it; the request itself ends nothing.',
  },
  getSloResponse: {
    method: 'GET',
    path: '/v1.1/idp/profile/SAML2/slo-response',
    host,
    query: ['process_state', 'status'],
    answer: 'samlLogout',
    roles: everyone,
    summary: 'How a logout goes on; with status=finish, where.',
  },
  getForcedLogoutRequests: {
    method: 'GET',
    path: '/v1.1/idp/profile/SAML2/logout-requests-force-auth',
    host,
    query: ['process_state'],
    answer: 'samlLogout',
    roles: everyone,
    summary: 'What is told before the new sign-in that a service provider demands, and where that is.',
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** Answers of the operations above. */
export const answers = {
  samlAddress: object({ url: text }),
  /** Section 3: the SAML state, as far as it tells of a logout. */
  samlLogout: object({
    /** Addresses to load in hidden frames. */
    logout_requests: list(text),
    wait_longer: { type: 'boolean' },
    /** With status=finish: where the final LogoutResponse goes out, once everybody was told; null: no service provider waits for one. */
    logout_response: nullableText,
    logout_redirect: nullableText,
  }),
} as const;
