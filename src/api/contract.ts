import type { AnswerName, AnswerOf } from './answers.ts';
import type { BodyName, BodyOf } from './bodies.ts';

/** Who calls: section 6 of the specification. */
export type Role = 'anonymous' | 'citizen' | 'agent' | 'foreign';

/** One call between the portal and its two hosts. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path with `:name` parameters, as in section 7 of the specification. */
  readonly path: string;
  readonly host: 'backend' | 'broker';
  /** The screen whose schema checks the body. */
  readonly screen?: string;
  /** The schema of a body that is no screen's form. */
  readonly body?: BodyName;
  /** Query parameters that the call reads. */
  readonly query?: readonly string[];
  readonly answer: AnswerName;
  readonly roles: readonly Role[];
  /** The path parameter that must be the caller's own id; another one is answered with 404. */
  readonly own?: string;
  /** A (resource, action) pair that the caller's permisos must hold. */
  readonly permission?: readonly [resource: string, action: string];
  /** One English sentence for the OpenAPI description. */
  readonly summary: string;
}

const everyone = ['anonymous', 'citizen', 'agent', 'foreign'] as const;
const signedIn = ['citizen', 'agent', 'foreign'] as const;

/**
 * The table of calls: browser client, server router, authorization, tests and OpenAPI description all come from it.
 * Paths that the specification does not show (registration) are chosen here.
 */
export const contract = {
  getCountries: {
    method: 'GET', path: '/rest/paises/', host: 'backend', answer: 'countries', roles: everyone,
    summary: 'Countries with the document types that each issues.',
  },
  getCaptcha: {
    method: 'GET', path: '/rest/captcha/', host: 'backend', answer: 'captchaChallenge', roles: everyone,
    summary: 'A new proof-of-work challenge.',
  },
  registerCitizen: {
    method: 'POST', path: '/rest/ciudadanos/', host: 'backend', screen: 'registro', answer: 'registration',
    roles: ['anonymous'],
    summary: 'Creates an account that waits for its activation by e-mail.',
  },
  completeRegistration: {
    method: 'POST', path: '/rest/ciudadanos/:id/create_inside/', host: 'backend', screen: 'registro', answer: 'registration',
    roles: ['citizen', 'foreign'], own: 'id',
    summary: 'Completes the record of a citizen who is signed in and was registered elsewhere.',
  },
  activateAccount: {
    method: 'POST', path: '/account/activate_account/', host: 'backend', body: 'link', answer: 'activation', roles: everyone,
    summary: 'Activates the account of an activation link.',
  },
  resendActivation: {
    method: 'POST', path: '/account/resend_activation/', host: 'backend', screen: 'registro-reenviar-link-activacion',
    answer: 'resent', roles: everyone,
    summary: 'Sends the activation mail again, if the account exists and waits for it.',
  },
  resendPendingActivation: {
    method: 'POST', path: '/account/resend_pending_activation/', host: 'backend', body: 'resendPending', answer: 'resent',
    roles: everyone,
    summary: 'Sends the activation mail again right after registration, by the right that its answer gave.',
  },
  resendOwnActivation: {
    method: 'POST', path: '/rest/ciudadanos/:id/resend_activation/', host: 'backend', body: 'empty', answer: 'resent',
    roles: ['citizen', 'foreign'], own: 'id',
    summary: 'Sends the activation or validation mail of the citizen who is signed in again.',
  },
  getCitizen: {
    method: 'GET', path: '/rest/ciudadanos/:id/', host: 'backend', answer: 'citizen', roles: signedIn, own: 'id',
    summary: 'The record of the citizen who is signed in.',
  },
  requestPasswordReset: {
    method: 'POST', path: '/account/reset-password/', host: 'backend', screen: 'contrasena-restablecer', answer: 'resetRequested',
    roles: everyone,
    summary: 'Mails a link that sets a new password, if the account exists; the answer is the same when it does not.',
  },
  confirmPasswordReset: {
    method: 'POST', path: '/account/reset-password/confirm', host: 'backend', screen: 'contrasena-restablecer-nueva', answer: 'empty',
    roles: everyone,
    summary: 'Sets a new password by the link of a mail; it does not sign in.',
  },
  resendRecoveryCode: {
    method: 'POST', path: '/account/resend-recovery-code-email/', host: 'backend', body: 'token', answer: 'empty', roles: everyone,
    summary: 'Mails a new code for the sign-in of the token, which waits for one.',
  },
  getMfaStatus: {
    method: 'GET', path: '/rest/ciudadanos/:id/mfa_status/', host: 'backend', answer: 'mfaStatus', roles: signedIn, own: 'id',
    summary: 'The second factors of the citizen who is signed in.',
  },
  createTotp: {
    method: 'POST', path: '/rest/ciudadanos/authenticators/totp/', host: 'backend', body: 'empty', answer: 'totp', roles: signedIn,
    summary: 'Prepares an authenticator app; it counts once a code of it was verified.',
  },
  verifyTotp: {
    method: 'POST', path: '/rest/ciudadanos/authenticators/totp/:method/verify/', host: 'backend', screen: 'segundo-factor-codigo',
    answer: 'mfaVerified', roles: signedIn,
    summary: 'Activates an authenticator app by a code of it.',
  },
  deleteTotp: {
    method: 'DELETE', path: '/rest/ciudadanos/authenticators/totp/:method/', host: 'backend', answer: 'empty', roles: signedIn,
    summary: 'Removes the authenticator app.',
  },
  activateEmailMethod: {
    method: 'POST', path: '/rest/ciudadanos/authenticators/email/email_activate/', host: 'backend', body: 'emailActivate',
    answer: 'emailMethod', roles: signedIn,
    summary: 'Prepares codes by e-mail as a second factor and mails the first one.',
  },
  verifyEmailMethod: {
    method: 'POST', path: '/rest/ciudadanos/authenticators/email/:method/verify/', host: 'backend', screen: 'segundo-factor-codigo',
    answer: 'mfaVerified', roles: signedIn,
    summary: 'Activates codes by e-mail by the code that was mailed.',
  },
  deleteEmailMethod: {
    method: 'DELETE', path: '/rest/ciudadanos/authenticators/email/:method/', host: 'backend', answer: 'empty', roles: signedIn,
    summary: 'Removes codes by e-mail as a second factor.',
  },
  createRecoveryCodes: {
    method: 'POST', path: '/rest/ciudadanos/authenticators/recovery/', host: 'backend', body: 'empty', answer: 'recoveryCodes',
    roles: signedIn,
    summary: 'Makes ten new recovery codes in place of the old ones.',
  },
  answerChallenge: {
    method: 'POST', path: '/auth/login', host: 'broker', body: 'signIn', answer: 'signIn', roles: everyone,
    summary: 'Answers one sign-in challenge; the answer names the next.',
  },
  obtainToken: {
    method: 'GET', path: '/jwt/obtain/', host: 'broker', answer: 'token', roles: everyone,
    summary: 'A bearer token for the broker session of the cookie.',
  },
  refreshToken: {
    method: 'POST', path: '/jwt/refresh/', host: 'broker', body: 'token', answer: 'token', roles: everyone,
    summary: 'A new bearer token in place of one of the same broker session.',
  },
  logout: {
    method: 'POST', path: '/auth/logout', host: 'broker', body: 'logout', answer: 'logout', roles: everyone,
    summary: 'Ends the broker session of the cookie and names what else must be told.',
  },
  getIdentityProviders: {
    method: 'GET', path: '/rest/idps/', host: 'backend', query: ['process_state'], answer: 'identityProviders', roles: everyone,
    summary: 'The identity providers that sign-in offers.',
  },
  getConsentClient: {
    method: 'GET', path: '/rest/clients/:client/', host: 'backend', query: ['scopes', 'next'], answer: 'consentClient', roles: signedIn,
    summary: 'The application that waits for the consent of the citizen who is signed in; 404 for any other.',
  },
  giveConsent: {
    method: 'POST', path: '/oidc/v1/consent', host: 'broker', body: 'consent', answer: 'location', roles: signedIn,
    summary: 'Allows or refuses what an application asks for.',
  },
} as const satisfies Readonly<Record<string, Call>>;

export type Contract = typeof contract;
export type CallName = keyof Contract;
export const callNames = Object.keys(contract) as readonly CallName[]; // keys of a const table are its names

/** Pages of the broker at addresses beside the calls (section 7.2 of the specification): each leads on to a page of the portal. */
export const brokerPages = {
  login: '/auth/login',
  cardLogin: '/auth/login-con-ci',
  cancelLogin: '/auth/cancel-login',
  logout: '/auth/logout',
  consent: '/oidc/v1/consent',
} as const;

/** Whether a name is a call of the contract. */
export function isCallName(name: string): name is CallName {
  return Object.hasOwn(contract, name);
}

/** What a call answers with a 2xx. */
export type Answer<Name extends CallName> = AnswerOf<Contract[Name]['answer']>;

/** The body of a call: typed where the contract holds its schema, plain values where a screen's schema checks it. */
export type Body<Name extends CallName> = Contract[Name] extends { readonly body: infer B extends BodyName }
  ? BodyOf<B>
  : Readonly<Record<string, unknown>>;

/** The one shape of an error on the wire: `field` and `error` repeat the first pair of `errors`. */
export interface ErrorBody {
  readonly error: string;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  /** Machine-readable name, e.g. `ya_registrado`. */
  readonly code?: string;
  /** Where the browser must go instead (through the redirect check). */
  readonly next?: string;
  /** The link behind the call is unknown, used or expired. */
  readonly invalid_token?: true;
}
