import { get, everyone, type Operation } from '../operation.ts';
import { list, nullableText, object, text } from '../shapes.ts';

const host = 'broker';

/** The portal's own SAML sign-in and logout, and the progress of a logout through service providers in the browser that started it (section 7.2). */
export const operations = {
  samlLogin: get('/saml-login-:product', {
    query: ['redirectUrl'],
    answer: 'samlAddress',
    roles: everyone,
    summary: 'Sends the browser to the sign-in (303). This backend serves one product and takes any name for it.',
  }),
  samlLogout: get('/saml-logout-:product', {
    answer: 'samlAddress',
    roles: everyone,
    summary: 'The address that ends the session and tells service providers of it; the request itself ends nothing.',
  }),
  getSloResponse: get('/v1.1/idp/profile/SAML2/slo-response', {
    host,
    query: ['process_state', 'status'],
    answer: 'samlLogout',
    roles: everyone,
    summary: 'How a logout goes on; with status=finish, where.',
  }),
  getForcedLogoutRequests: get('/v1.1/idp/profile/SAML2/logout-requests-force-auth', {
    host,
    query: ['process_state'],
    answer: 'samlLogout',
    roles: everyone,
    summary: 'What is told before the new sign-in that a service provider demands, and where that is.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const answers = {
  samlAddress: object({ url: text }),
  /** Section 3: the part of the SAML state that concerns a logout. */
  samlLogout: object({
    /** URLs to load in hidden frames. */
    logout_requests: list(text),
    wait_longer: { type: 'boolean' },
    /** With `status=finish`, the URL that sends the final LogoutResponse. `null` if no service provider waits for one. */
    logout_response: nullableText,
    logout_redirect: nullableText,
  }),
} as const;
