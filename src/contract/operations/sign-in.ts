import { get, allRoles, type Operation, post, type ErrorCodesByOperation } from '../operation.ts';
import { list, nullableText, object, text, optionalText, orNull } from '../schema-builders.ts';
import { languages } from '../portal-config.ts';

const brokerAccess = { host: 'broker', roles: allRoles } as const;

/** Sign-in challenges, bearer tokens and logout (sections 7.2 and 7.3). */
export const operations = {
  answerChallenge: post('/auth/login', {
    ...brokerAccess,
    body: 'signIn',
    validators: {
      login: { username: 'string' },
      'login-documento-extranjero': { pais_emisor: 'string', tipo_documento: 'string', username: 'string' },
      'login-contrasena': { password: 'string' },
      'login-institutional-email': { institutional_email: 'string' },
      'login-recoverycode': { recoverycode: 'string' },
      'login-recovery': { recovery: 'string' },
      'login-totp': { totp: 'string' },
      'login-llave': { credential: 'string' },
      'login-llave-ingreso': { credential: 'string' },
    },
    answer: 'signIn',
    summary: 'Answers one sign-in challenge. Returns the next one.',
  }),
  getPasskeyOptions: get('/auth/login/llave/', {
    ...brokerAccess,
    query: ['redirect_url', 'agnt', 'process_state'],
    answer: 'signIn',
    limit: 'passkeyOptions',
    summary: 'Starts a sign-in with a passkey that the browser offers in the document field.',
  }),
  getPendingSignIn: get('/auth/login/pendiente/', {
    ...brokerAccess,
    answer: 'pendingSignIn',
    summary: 'Returns the document of the pending sign-in to the browser that started it.',
  }),
  resendRecoveryCode: post('/account/resend-recovery-code-email/', {
    body: 'token',
    roles: allRoles,
    summary: 'Mails a new code for the sign-in of this token, if that sign-in awaits a code.',
  }),
  obtainToken: get('/jwt/obtain/', {
    ...brokerAccess,
    answer: 'token',
    summary: 'Issues a bearer token for the broker session of the cookie.',
  }),
  refreshToken: post('/jwt/refresh/', {
    ...brokerAccess,
    body: 'refresh',
    answer: 'token',
    passive: true,
    summary: 'Issues a new bearer token in exchange for one of the same broker session.',
  }),
  logout: post('/auth/logout', {
    ...brokerAccess,
    body: 'logout',
    answer: 'logout',
    summary: 'Ends the broker session of the cookie. Returns the logout URLs that the browser must load.',
  }),
  getIdentityProviders: get('/rest/idps/', {
    query: ['process_state'],
    answer: 'identityProviders',
    roles: allRoles,
    summary: 'Returns the identity providers available at sign-in.',
  }),
  getWalletState: post('/auth/billetera/estado/', {
    ...brokerAccess,
    body: 'token',
    answer: 'walletState',
    passive: true,
    summary: 'Returns the state of a request to a digital wallet to the browser that started it.',
  }),
  samlLogin: get('/saml-login-:product', {
    query: ['redirectUrl'],
    answer: 'samlAddress',
    roles: allRoles,
    summary:
      'Redirects the browser to the sign-in (303). This backend serves a single product and accepts any product name.',
  }),
  samlLogout: get('/saml-logout-:product', {
    answer: 'samlAddress',
    roles: allRoles,
    summary:
      'Returns the URL of the logout, which ends the session and notifies service providers. This request does not end the session.',
  }),
  getSloResponse: get('/v1.1/idp/profile/SAML2/slo-response', {
    ...brokerAccess,
    query: ['process_state', 'status'],
    answer: 'samlLogout',
    summary:
      'Returns the logout requests that the browser must load or, with `status=finish`, the next URL of the logout.',
  }),
  getForcedLogoutRequests: get('/v1.1/idp/profile/SAML2/logout-requests-force-auth', {
    ...brokerAccess,
    query: ['process_state'],
    answer: 'samlLogout',
    summary:
      'Returns the logout requests before a sign-in that a service provider forces (always none), and the URL of that sign-in.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const responses = {
  /** Section 7.3: the next challenge, or the redirect target of a completed sign-in. */
  signIn: object(
    { challenge: optionalText, token: optionalText },
    {
      name: text,
      level: text,
      forced: { type: 'boolean' },
      email: text,
      action: text,
      authn_response: text,
      relay_state: text,
      location: text,
      redirect: text,
      /** WebAuthn request options in JSON, if a passkey is requested. */
      options: { type: 'object', additionalProperties: true },
      /** Whether the citizen may use another method in place of a passkey, or a code by e-mail in place of the authenticator app. */
      other: { type: 'boolean' },
      /** Whether the password was reset by mail. If so, codes by e-mail do not count as a second factor until another factor is verified. */
      reset: { type: 'boolean' },
      /** Number of unused recovery codes. Absent unless a recovery code completed the sign-in. */
      recovery_codes_left: { type: 'integer', minimum: 0 },
      /** Expiry of the sign-in, in ISO 8601. */
      expires_at: text,
    },
  ),
  /** Empty if no sign-in by document is in progress. */
  pendingSignIn: object({}, { pais_emisor: text, tipo_documento: text, username: text }),
  walletState: object({ state: { enum: ['waiting', 'ready', 'refused', 'over'] } }),
  token: object({ token: text }),
  logout: object({
    /** URLs to load in hidden frames, one per application with front-channel logout. */
    logout_urls: list(text),
    location: text,
    wait_longer: { type: 'boolean' },
    /** Names of the applications that could not be told of the logout. */
    unreachable: list(text),
  }),
  identityProviders: object(
    {
      idps: list(
        object(
          {
            /** `idioma`: language of the provider's users. `color`: button colour in hex. */
            identificador: text,
            nombre: text,
            descripcion: text,
            nivel_seguridad: text,
            logo: text,
          },
          { idioma: { enum: languages }, color: text },
        ),
      ),
      ci_allowed: { type: 'boolean' },
      gub_uy_allowed: { type: 'boolean' },
    },
    { /** Registered name of the application that requested the sign-in. */ aplicacion: text },
  ),
  samlAddress: object({ url: text }),
  /** Section 3: the SAML state of a logout. */
  samlLogout: object({
    /** URLs to load in hidden frames. */
    logout_requests: list(text),
    wait_longer: { type: 'boolean' },
    /** URL that sends the final LogoutResponse. Only with `status=finish`. `null` if no service provider waits for it. */
    logout_response: nullableText,
    logout_redirect: nullableText,
  }),
} as const;

export const requestBodies = {
  /** Section 7.3. The screen of the challenge validates `data_challenge`. */
  signIn: object(
    {
      /** Challenge to answer. `null` starts a sign-in. */
      challenge: { type: ['string', 'null'], maxLength: 100 },
      data_challenge: orNull({ type: 'object', additionalProperties: true, maxProperties: 8 }),
    },
    {
      extra: orNull(object({}, { redirect_url: nullableText, agnt: nullableText, process_state: nullableText })),
      token: nullableText,
    },
  ),
  logout: object({}, { redirect_uri: nullableText, state: nullableText }),
  token: object({ token: { type: 'string', minLength: 1, maxLength: 4096 } }),
  /** `activo`: whether the citizen has used the page since the previous refresh. If not, the refresh does not extend the idle timeout. */
  refresh: object({ token: { type: 'string', minLength: 1, maxLength: 4096 } }, { activo: { type: 'boolean' } }),
} as const;

export const errors = {
  answerChallenge: [
    'account_blocked',
    'account_no_activated',
    'sesion_expirada',
    'dominio_no_registrado',
    'llave_invalida',
    'tarjeta_sin_cuenta',
    'tarjeta_no_disponible',
    'billetera_sin_cuenta',
    'sesion_de_otra_persona',
  ],
  resendRecoveryCode: ['account_blocked', 'account_no_activated', 'sesion_expirada'],
  getIdentityProviders: ['solicitud_terminada'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
