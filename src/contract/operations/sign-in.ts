import {
  defineGetOperation,
  allRoles,
  type OperationDeclaration,
  definePostOperation,
  type ErrorCodesByOperation,
} from '../operation.ts';
import {
  listSchema,
  nullableInputTextSchema,
  objectSchema,
  textSchema,
  nullableTextSchema,
  nullableSchema,
} from '../schema-builders.ts';
import { languages } from '../portal-config.ts';

const brokerAccess = { host: 'broker', roles: allRoles } as const;

/** Sign-in challenges, bearer tokens and logout (sections 7.2 and 7.3 of the specification). */
export const operations = {
  answerChallenge: definePostOperation('/auth/login', {
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
  getPasskeyOptions: defineGetOperation('/auth/login/llave/', {
    ...brokerAccess,
    query: ['redirect_url', 'agnt', 'process_state'],
    answer: 'signIn',
    limit: 'passkeyOptions',
    summary: 'Starts a sign-in with a passkey that the browser offers in the document field.',
  }),
  getPendingSignIn: defineGetOperation('/auth/login/pendiente/', {
    ...brokerAccess,
    answer: 'pendingSignIn',
    summary: 'Returns the document of the pending sign-in to the browser that started it.',
  }),
  resendRecoveryCode: definePostOperation('/account/resend-recovery-code-email/', {
    body: 'token',
    roles: allRoles,
    summary: 'Mails a new code for the sign-in of this token, if that sign-in awaits a code.',
  }),
  obtainToken: defineGetOperation('/jwt/obtain/', {
    ...brokerAccess,
    answer: 'token',
    summary: 'Issues a bearer token for the broker session of the cookie.',
  }),
  refreshToken: definePostOperation('/jwt/refresh/', {
    ...brokerAccess,
    body: 'refresh',
    answer: 'token',
    passive: true,
    summary: 'Issues a new bearer token in exchange for one of the same broker session.',
  }),
  logout: definePostOperation('/auth/logout', {
    ...brokerAccess,
    body: 'logout',
    answer: 'logout',
    summary: 'Ends the broker session of the cookie. Returns the logout URLs that the browser must load.',
  }),
  getIdentityProviders: defineGetOperation('/rest/idps/', {
    query: ['process_state'],
    answer: 'identityProviders',
    roles: allRoles,
    summary: 'Returns the identity providers available at sign-in.',
  }),
  getWalletState: definePostOperation('/auth/billetera/estado/', {
    ...brokerAccess,
    body: 'token',
    answer: 'walletState',
    passive: true,
    summary: 'Returns the state of a request to a digital wallet to the browser that started it.',
  }),
  samlLogin: defineGetOperation('/saml-login-:product', {
    query: ['redirectUrl'],
    answer: 'samlAddress',
    roles: allRoles,
    summary:
      'Redirects the browser to the sign-in (303). This backend serves a single product and accepts any product name.',
  }),
  samlLogout: defineGetOperation('/saml-logout-:product', {
    answer: 'samlAddress',
    roles: allRoles,
    summary:
      'Returns the URL of the logout, which ends the session and notifies service providers. This request does not end the session.',
  }),
  getSloResponse: defineGetOperation('/v1.1/idp/profile/SAML2/slo-response', {
    ...brokerAccess,
    query: ['process_state', 'status'],
    answer: 'samlLogout',
    summary:
      'Returns the logout requests that the browser must load or, with `status=finish`, the next URL of the logout.',
  }),
  getForcedLogoutRequests: defineGetOperation('/v1.1/idp/profile/SAML2/logout-requests-force-auth', {
    ...brokerAccess,
    query: ['process_state'],
    answer: 'samlLogout',
    summary:
      'Returns the logout requests before a sign-in that a service provider forces (always none), and the URL of that sign-in.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  /** Section 7.3 of the specification: the next challenge, or the redirect target of a completed sign-in. */
  signIn: objectSchema(
    { challenge: nullableTextSchema, token: nullableTextSchema },
    {
      name: textSchema,
      level: textSchema,
      forced: { type: 'boolean' },
      email: textSchema,
      action: textSchema,
      authn_response: textSchema,
      relay_state: textSchema,
      location: textSchema,
      redirect: textSchema,
      /** WebAuthn request options in JSON, if a passkey is requested. */
      options: { type: 'object', additionalProperties: true },
      /** Whether the citizen may use another method in place of a passkey, or a code by e-mail in place of the authenticator app. */
      other: { type: 'boolean' },
      /** Whether the password was reset by mail. If so, codes by e-mail do not count as a second factor until another factor is verified. */
      reset: { type: 'boolean' },
      /** Number of unused recovery codes. Absent unless a recovery code completed the sign-in. */
      recovery_codes_left: { type: 'integer', minimum: 0 },
      /** Expiry of the sign-in, in ISO 8601. */
      expires_at: textSchema,
    },
  ),
  /** Document of the pending sign-in. The object is empty if no sign-in by document is pending. */
  pendingSignIn: objectSchema({}, { pais_emisor: textSchema, tipo_documento: textSchema, username: textSchema }),
  walletState: objectSchema({ state: { enum: ['waiting', 'ready', 'refused', 'over'] } }),
  token: objectSchema({ token: textSchema }),
  logout: objectSchema({
    /** URLs to load in hidden frames, one per application with front-channel logout. */
    logout_urls: listSchema(textSchema),
    location: textSchema,
    wait_longer: { type: 'boolean' },
    /** Names of the applications that could not be notified of the logout. */
    unreachable: listSchema(textSchema),
  }),
  identityProviders: objectSchema(
    {
      idps: listSchema(
        objectSchema(
          {
            identificador: textSchema,
            nombre: textSchema,
            descripcion: textSchema,
            nivel_seguridad: textSchema,
            logo: textSchema,
          },
          /** `idioma`: language of the provider's users. `color`: button colour in hex. */
          { idioma: { enum: languages }, color: textSchema },
        ),
      ),
      ci_allowed: { type: 'boolean' },
      gub_uy_allowed: { type: 'boolean' },
    },
    { /** Registered name of the application that requested the sign-in. */ aplicacion: textSchema },
  ),
  samlAddress: objectSchema({ url: textSchema }),
  /** Section 3: the SAML state of a logout. */
  samlLogout: objectSchema({
    /** URLs to load in hidden frames. */
    logout_requests: listSchema(textSchema),
    wait_longer: { type: 'boolean' },
    /** URL that sends the final LogoutResponse. Only with `status=finish`. `null` if no service provider waits for it. */
    logout_response: nullableInputTextSchema,
    logout_redirect: nullableInputTextSchema,
  }),
} as const;

export const requestBodySchemas = {
  /** Section 7.3 of the specification. The screen of the challenge validates `data_challenge`. */
  signIn: objectSchema(
    {
      /** Challenge to answer. `null` starts a sign-in. */
      challenge: { type: ['string', 'null'], maxLength: 100 },
      data_challenge: nullableSchema({ type: 'object', additionalProperties: true, maxProperties: 8 }),
    },
    {
      extra: nullableSchema(
        objectSchema(
          {},
          {
            redirect_url: nullableInputTextSchema,
            agnt: nullableInputTextSchema,
            process_state: nullableInputTextSchema,
          },
        ),
      ),
      token: nullableInputTextSchema,
    },
  ),
  logout: objectSchema({}, { redirect_uri: nullableInputTextSchema, state: nullableInputTextSchema }),
  token: objectSchema({ token: { type: 'string', minLength: 1, maxLength: 4096 } }),
  /** `activo`: whether the citizen has used the page since the previous refresh. If not, the refresh does not extend the idle timeout. */
  refresh: objectSchema({ token: { type: 'string', minLength: 1, maxLength: 4096 } }, { activo: { type: 'boolean' } }),
} as const;

export const errorCodes = {
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
