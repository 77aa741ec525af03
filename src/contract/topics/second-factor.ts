import { signedIn, type Call } from '../call.ts';
import { nullableText, optionalText, text } from '../shapes.ts';

/** Second factors and their recovery codes. */
export const secondFactorCalls = {
  getMfaStatus: {
    method: 'GET',
    path: '/rest/ciudadanos/:id/mfa_status/',
    host: 'backend',
    answer: 'mfaStatus',
    roles: signedIn,
    own: 'id',
    summary: 'The second factors of the citizen who is signed in.',
  },
  createTotp: {
    method: 'POST',
    path: '/rest/ciudadanos/authenticators/totp/',
    host: 'backend',
    body: 'empty',
    answer: 'totp',
    roles: signedIn,
    proof: 'sign-in',
    unrestricted: true,
    summary: 'Prepares an authenticator app; it counts once a code of it was verified.',
  },
  verifyTotp: {
    method: 'POST',
    path: '/rest/ciudadanos/authenticators/totp/:method/verify/',
    host: 'backend',
    screen: 'segundo-factor-codigo',
    reads: { code: 'string', uuid: 'string' },
    answer: 'mfaVerified',
    roles: signedIn,
    proof: 'sign-in',
    unrestricted: true,
    summary: 'Activates an authenticator app by a code of it.',
  },
  deleteTotp: {
    method: 'DELETE',
    path: '/rest/ciudadanos/authenticators/totp/:method/',
    host: 'backend',
    answer: 'empty',
    roles: signedIn,
    manages: true,
    proof: 'password',
    unrestricted: true,
    summary: 'Removes the authenticator app.',
  },
  activateEmailMethod: {
    method: 'POST',
    path: '/rest/ciudadanos/authenticators/email/email_activate/',
    host: 'backend',
    body: 'emailActivate',
    answer: 'emailMethod',
    roles: signedIn,
    proof: 'sign-in',
    unrestricted: true,
    limit: 'mailedCode',
    summary: 'Prepares codes by e-mail as a second factor and mails the first one.',
  },
  verifyEmailMethod: {
    method: 'POST',
    path: '/rest/ciudadanos/authenticators/email/:method/verify/',
    host: 'backend',
    screen: 'segundo-factor-codigo',
    reads: { code: 'string', uuid: 'string' },
    answer: 'mfaVerified',
    roles: signedIn,
    proof: 'sign-in',
    unrestricted: true,
    summary: 'Activates codes by e-mail by the code that was mailed.',
  },
  deleteEmailMethod: {
    method: 'DELETE',
    path: '/rest/ciudadanos/authenticators/email/:method/',
    host: 'backend',
    answer: 'empty',
    roles: signedIn,
    manages: true,
    proof: 'password',
    unrestricted: true,
    summary: 'Removes codes by e-mail as a second factor.',
  },
  createRecoveryCodes: {
    method: 'POST',
    path: '/rest/ciudadanos/authenticators/recovery/',
    host: 'backend',
    body: 'empty',
    answer: 'recoveryCodes',
    roles: signedIn,
    proof: 'password',
    unrestricted: true,
    summary: 'Makes ten new recovery codes in place of the old ones.',
  },
} as const satisfies Readonly<Record<string, Call>>;

/** Answers of the calls above. */
export const secondFactorAnswers = {
  mfaStatus: {
    type: 'object',
    required: ['estado', 'methods', 'estado_email', 'errors', 'obligatorio', 'codigos_de_recuperacion', 'llaves'],
    properties: {
      estado: {
        type: 'object',
        required: ['activado', 'fecha_activado'],
        properties: { activado: { type: 'boolean' }, fecha_activado: optionalText },
        additionalProperties: false,
      },
      methods: {
        type: 'object',
        required: ['totp', 'email'],
        properties: {
          totp: {
            anyOf: [
              {
                type: 'object',
                required: ['id', 'secret', 'url'],
                properties: { id: text, secret: { type: 'null' }, url: { type: 'null' } },
                additionalProperties: false,
              },
              { type: 'null' },
            ],
          },
          email: {
            anyOf: [
              { type: 'object', required: ['id'], properties: { id: text }, additionalProperties: false },
              { type: 'null' },
            ],
          },
        },
        additionalProperties: false,
      },
      estado_email: { enum: ['validado', 'pendiente', 'sin_correo'] },
      errors: optionalText,
      /** The level demands a second factor. */
      obligatorio: { type: 'boolean' },
      /** How many recovery codes are unused. */
      codigos_de_recuperacion: { type: 'integer' },
      /** The passkeys, oldest first: times in ISO 8601, whether each is kept on several devices. */
      llaves: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'nombre', 'creada', 'usada', 'sincronizada'],
          properties: { id: text, nombre: text, creada: text, usada: optionalText, sincronizada: { type: 'boolean' } },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  /** The only answer that shows the secret of an authenticator app. */
  totp: {
    type: 'object',
    required: ['id', 'secret', 'url'],
    properties: { id: text, secret: text, url: text },
    additionalProperties: false,
  },
  /** A code was mailed to the masked address. */
  emailMethod: {
    type: 'object',
    required: ['id', 'email'],
    properties: { id: text, email: text },
    additionalProperties: false,
  },
  /** `codigos`: the recovery codes, shown once, after the first method. */
  mfaVerified: {
    type: 'object',
    required: ['activado'],
    properties: { activado: { enum: [true] }, codigos: { type: 'array', items: text } },
    additionalProperties: false,
  },
  recoveryCodes: {
    type: 'object',
    required: ['codigos'],
    properties: { codigos: { type: 'array', items: text } },
    additionalProperties: false,
  },
} as const;

/** Bodies of the calls above that no screen sends as they are. */
export const secondFactorBodies = {
  /** `uuid`: of the change of address that the set-up belongs to. */
  emailActivate: { type: 'object', properties: { uuid: nullableText }, additionalProperties: false },
} as const;
