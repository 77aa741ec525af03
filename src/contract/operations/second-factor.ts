import {
  definePostOperation,
  defineDeleteOperation,
  type OperationDeclaration,
  type ErrorCodesByOperation,
  defineGetOperation,
  ownAccountAccess,
  signInChangeAccess,
} from '../operation.ts';
import {
  objectSchema,
  textSchema,
  listSchema,
  nullableInputTextSchema,
  nullableTextSchema,
  nullableSchema,
} from '../schema-builders.ts';

const factorSetUp = { ...signInChangeAccess, proof: 'sign-in', allowedBeforeFactor: true } as const;
const codeForm = {
  screen: 'segundo-factor-codigo',
  reads: { code: 'string', uuid: 'string' },
  answer: 'mfaVerified',
  limit: 'accountAct',
} as const;
const factorChange = { ...signInChangeAccess, proof: 'password', limit: 'accountAct' } as const;

export const operations = {
  getMfaStatus: defineGetOperation('/rest/ciudadanos/:id/mfa_status/', {
    answer: 'mfaStatus',
    ...ownAccountAccess,
    allowedBeforeFactor: true,
    summary: 'Returns the second factors of the signed-in citizen.',
  }),
  createTotp: definePostOperation('/rest/ciudadanos/authenticators/totp/', {
    body: 'empty',
    answer: 'totp',
    ...factorSetUp,
    limit: 'accountAct',
    summary: 'Creates an authenticator app, which becomes active when one of its codes is verified.',
  }),
  verifyTotp: definePostOperation('/rest/ciudadanos/authenticators/totp/:method/verify/', {
    ...codeForm,
    ...factorSetUp,
    summary: 'Activates an authenticator app with one of its codes.',
  }),
  deleteTotp: defineDeleteOperation('/rest/ciudadanos/authenticators/totp/:method/', {
    ...factorChange,
    summary: 'Removes the authenticator app.',
  }),
  activateEmailMethod: definePostOperation('/rest/ciudadanos/authenticators/email/email_activate/', {
    body: 'emailActivate',
    answer: 'emailMethod',
    ...factorSetUp,
    limit: 'mailedCode',
    summary: 'Starts the setup of codes by e-mail as a second factor, and mails the first code.',
  }),
  verifyEmailMethod: definePostOperation('/rest/ciudadanos/authenticators/email/:method/verify/', {
    ...codeForm,
    ...factorSetUp,
    summary: 'Activates codes by e-mail with the mailed code.',
  }),
  deleteEmailMethod: defineDeleteOperation('/rest/ciudadanos/authenticators/email/:method/', {
    ...factorChange,
    summary: 'Removes codes by e-mail as a second factor.',
  }),
  createRecoveryCodes: definePostOperation('/rest/ciudadanos/authenticators/recovery/', {
    body: 'empty',
    answer: 'recoveryCodes',
    ...signInChangeAccess,
    proof: 'password',
    limit: 'changeAccount',
    summary: 'Creates ten new recovery codes, which replace the previous ones.',
  }),
  createPasskeyOptions: definePostOperation('/rest/ciudadanos/authenticators/llaves/opciones/', {
    body: 'empty',
    answer: 'passkeyOptions',
    ...signInChangeAccess,
    proof: 'password',
    limit: 'passkey',
    allowedBeforeFactor: true,
    summary: 'Returns the WebAuthn options to create a passkey.',
  }),
  createPasskey: definePostOperation('/rest/ciudadanos/authenticators/llaves/', {
    screen: 'llaves-agregar',
    reads: { nombre: 'string', credential: 'string' },
    answer: 'mfaVerified',
    ...signInChangeAccess,
    limit: 'passkey',
    allowedBeforeFactor: true,
    summary: 'Adds a passkey that the browser created.',
  }),
  renamePasskey: definePostOperation('/rest/ciudadanos/authenticators/llaves/:llave/', {
    screen: 'llaves-renombrar',
    reads: { nombre: 'string' },
    ...factorChange,
    summary: 'Renames a passkey.',
  }),
  deletePasskey: defineDeleteOperation('/rest/ciudadanos/authenticators/llaves/:llave/', {
    ...factorChange,
    summary: 'Removes a passkey.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  mfaStatus: objectSchema({
    estado: objectSchema({ activado: { type: 'boolean' }, fecha_activado: nullableTextSchema }),
    methods: objectSchema({
      totp: nullableSchema(objectSchema({ id: textSchema, secret: { type: 'null' }, url: { type: 'null' } })),
      email: nullableSchema(objectSchema({ id: textSchema })),
    }),
    estado_email: { enum: ['validado', 'pendiente', 'sin_correo'] },
    errors: nullableTextSchema,
    /** Whether the level requires a second factor. */
    obligatorio: { type: 'boolean' },
    /** Number of unused recovery codes. */
    codigos_de_recuperacion: { type: 'integer' },
    /** The passkeys, oldest first. Times are in ISO 8601. `sincronizada`: whether the passkey is on several devices. */
    llaves: listSchema(
      objectSchema({
        id: textSchema,
        nombre: textSchema,
        creada: textSchema,
        usada: nullableTextSchema,
        sincronizada: { type: 'boolean' },
      }),
    ),
  }),
  /** This is the only answer with the secret of an authenticator app. */
  totp: objectSchema({ id: textSchema, secret: textSchema, url: textSchema }),
  /** `email`: masked address to which the code was mailed. */
  emailMethod: objectSchema({ id: textSchema, email: textSchema }),
  /** `codigos`: recovery codes. Returned only when the first method is set up. */
  mfaVerified: objectSchema({ activado: { enum: [true] } }, { codigos: listSchema(textSchema) }),
  recoveryCodes: objectSchema({ codigos: listSchema(textSchema) }),
  /** `options`: WebAuthn creation options in JSON. */
  passkeyOptions: objectSchema({
    options: { type: 'object', additionalProperties: true },
    /** Suggested name of the passkey, derived from the device. */
    nombre: textSchema,
  }),
} as const;

export const requestBodySchemas = {
  /** `uuid`: token of a pending change of the e-mail address. */
  emailActivate: objectSchema({}, { uuid: nullableInputTextSchema }),
} as const;

export const errorCodes = {
  createTotp: ['factor_insuficiente'],
  verifyTotp: ['factor_insuficiente'],
  deleteTotp: ['factor_insuficiente'],
  createRecoveryCodes: ['factor_insuficiente'],
  activateEmailMethod: ['vinculo_invalido'],
  createPasskeyOptions: ['factor_insuficiente'],
  createPasskey: ['llave_invalida', 'factor_insuficiente'],
  deletePasskey: ['factor_insuficiente'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
