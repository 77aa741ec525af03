import {
  post,
  remove,
  type Operation,
  type ErrorCodesByOperation,
  get,
  ownAccountAccess,
  signInChangeAccess,
} from '../operation.ts';
import { object, text, list, nullableText, optionalText, orNull } from '../schema-builders.ts';

const factorSetUp = { ...signInChangeAccess, proof: 'sign-in', allowedBeforeFactor: true } as const;
const codeForm = {
  screen: 'segundo-factor-codigo',
  reads: { code: 'string', uuid: 'string' },
  answer: 'mfaVerified',
  limit: 'accountAct',
} as const;
const factorChange = { ...signInChangeAccess, proof: 'password', limit: 'accountAct' } as const;

export const operations = {
  getMfaStatus: get('/rest/ciudadanos/:id/mfa_status/', {
    answer: 'mfaStatus',
    ...ownAccountAccess,
    allowedBeforeFactor: true,
    summary: 'Returns the second factors of the signed-in citizen.',
  }),
  createTotp: post('/rest/ciudadanos/authenticators/totp/', {
    body: 'empty',
    answer: 'totp',
    ...factorSetUp,
    limit: 'accountAct',
    summary: 'Creates an authenticator app, which becomes active when one of its codes is verified.',
  }),
  verifyTotp: post('/rest/ciudadanos/authenticators/totp/:method/verify/', {
    ...codeForm,
    ...factorSetUp,
    summary: 'Activates an authenticator app with one of its codes.',
  }),
  deleteTotp: remove('/rest/ciudadanos/authenticators/totp/:method/', {
    ...factorChange,
    summary: 'Removes the authenticator app.',
  }),
  activateEmailMethod: post('/rest/ciudadanos/authenticators/email/email_activate/', {
    body: 'emailActivate',
    answer: 'emailMethod',
    ...factorSetUp,
    limit: 'mailedCode',
    summary: 'Starts the setup of codes by e-mail as a second factor, and mails the first code.',
  }),
  verifyEmailMethod: post('/rest/ciudadanos/authenticators/email/:method/verify/', {
    ...codeForm,
    ...factorSetUp,
    summary: 'Activates codes by e-mail with the mailed code.',
  }),
  deleteEmailMethod: remove('/rest/ciudadanos/authenticators/email/:method/', {
    ...factorChange,
    summary: 'Removes codes by e-mail as a second factor.',
  }),
  createRecoveryCodes: post('/rest/ciudadanos/authenticators/recovery/', {
    body: 'empty',
    answer: 'recoveryCodes',
    ...signInChangeAccess,
    proof: 'password',
    limit: 'changeAccount',
    summary: 'Creates ten new recovery codes, which replace the previous ones.',
  }),
  createPasskeyOptions: post('/rest/ciudadanos/authenticators/llaves/opciones/', {
    body: 'empty',
    answer: 'passkeyOptions',
    ...signInChangeAccess,
    proof: 'password',
    limit: 'passkey',
    allowedBeforeFactor: true,
    summary: 'Returns the WebAuthn options to create a passkey.',
  }),
  createPasskey: post('/rest/ciudadanos/authenticators/llaves/', {
    screen: 'llaves-agregar',
    reads: { nombre: 'string', credential: 'string' },
    answer: 'mfaVerified',
    ...signInChangeAccess,
    limit: 'passkey',
    allowedBeforeFactor: true,
    summary: 'Adds a passkey that the browser created.',
  }),
  renamePasskey: post('/rest/ciudadanos/authenticators/llaves/:llave/', {
    screen: 'llaves-renombrar',
    reads: { nombre: 'string' },
    ...factorChange,
    summary: 'Renames a passkey.',
  }),
  deletePasskey: remove('/rest/ciudadanos/authenticators/llaves/:llave/', {
    ...factorChange,
    summary: 'Removes a passkey.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const responses = {
  mfaStatus: object({
    estado: object({ activado: { type: 'boolean' }, fecha_activado: optionalText }),
    methods: object({
      totp: orNull(object({ id: text, secret: { type: 'null' }, url: { type: 'null' } })),
      email: orNull(object({ id: text })),
    }),
    estado_email: { enum: ['validado', 'pendiente', 'sin_correo'] },
    errors: optionalText,
    /** Whether the level requires a second factor. */
    obligatorio: { type: 'boolean' },
    /** Number of unused recovery codes. */
    codigos_de_recuperacion: { type: 'integer' },
    /** The passkeys, oldest first. Times are in ISO 8601. `sincronizada`: whether the passkey is on several devices. */
    llaves: list(
      object({
        id: text,
        nombre: text,
        creada: text,
        usada: optionalText,
        sincronizada: { type: 'boolean' },
      }),
    ),
  }),
  /** This is the only answer with the secret of an authenticator app. */
  totp: object({ id: text, secret: text, url: text }),
  /** `email`: masked address to which the code was mailed. */
  emailMethod: object({ id: text, email: text }),
  /** `codigos`: recovery codes. Returned only when the first method is set up. */
  mfaVerified: object({ activado: { enum: [true] } }, { codigos: list(text) }),
  recoveryCodes: object({ codigos: list(text) }),
  /** `options`: WebAuthn creation options in JSON. */
  passkeyOptions: object({
    options: { type: 'object', additionalProperties: true },
    /** Suggested name of the passkey, derived from the device. */
    nombre: text,
  }),
} as const;

export const requestBodies = {
  /** `uuid`: token of a pending change of the e-mail address. */
  emailActivate: object({}, { uuid: nullableText }),
} as const;

export const errors = {
  createTotp: ['factor_insuficiente'],
  verifyTotp: ['factor_insuficiente'],
  deleteTotp: ['factor_insuficiente'],
  createRecoveryCodes: ['factor_insuficiente'],
  activateEmailMethod: ['vinculo_invalido'],
  createPasskeyOptions: ['factor_insuficiente'],
  createPasskey: ['llave_invalida', 'factor_insuficiente'],
  deletePasskey: ['factor_insuficiente'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
