import {
  defineGetOperation,
  definePostOperation,
  allRoles,
  type OperationDeclaration,
  type ErrorCodesByOperation,
  ownAccountAccess,
} from '../operation.ts';
import { listSchema, codeAndNameSchema, objectSchema, textSchema } from '../schema-builders.ts';

const registrationForm = {
  screen: ['registro', 'registro-nombre', 'registro-correo', 'registro-contrasena'],
  reads: {
    primer_nombre: 'string',
    segundo_nombre: 'string',
    primer_apellido: 'string',
    segundo_apellido: 'string',
    pais_emisor: 'string',
    tipo_documento: 'string',
    numero_documento: 'string',
    email: 'string',
    numero_telefono: 'string',
    password: 'string',
  },
  answer: 'registration',
  captcha: true,
  limit: 'register',
  counts: { document: ['pais_emisor', 'tipo_documento', 'numero_documento'], email: 'email' },
} as const;

/** The specification does not define all paths of these operations. */
export const operations = {
  getCountries: defineGetOperation('/rest/paises/', {
    answer: 'countries',
    roles: allRoles,
    summary: 'Returns the countries with the document types that each issues.',
  }),
  getCaptcha: defineGetOperation('/rest/captcha/', {
    answer: 'captchaChallenge',
    roles: allRoles,
    summary: 'Returns a new altcha proof-of-work challenge. Send its solution in `captcha_response`.',
  }),
  registerCitizen: definePostOperation('/rest/ciudadanos/', {
    ...registrationForm,
    roles: ['anonymous'],
    summary: 'Creates an account that the citizen must activate by e-mail.',
  }),
  completeRegistration: definePostOperation('/rest/ciudadanos/:id/create_inside/', {
    ...registrationForm,
    roles: ['citizen', 'foreign'],
    callerIdParameter: 'id',
    rejectsRestricted: true,
    allowedBeforeFactor: true,
    summary:
      'Completes the record of a signed-in citizen who was registered elsewhere: e-mail, phone, and a password if there is none. An existing password is kept.',
  }),
  correctEmail: definePostOperation('/account/correct_email/', {
    screen: 'registro-corregir-correo',
    reads: { email: 'string' },
    answer: 'corrected',
    roles: allRoles,
    limit: 'correct',
    counts: { email: 'email' },
    summary:
      'Corrects the e-mail address of a pending account, authorized by the cookie of the browser that registered it, and mails the activation link to the new address.',
  }),
  activateAccount: definePostOperation('/account/activate_account/', {
    body: 'link',
    answer: 'activation',
    roles: allRoles,
    limit: 'activate',
    summary: 'Activates an account with its activation link.',
  }),
  resendActivation: definePostOperation('/account/resend_activation/', {
    screen: 'registro-reenviar-link-activacion',
    reads: { pais_emisor: 'string', tipo_doc: 'string', doc: 'string' },
    answer: 'resent',
    roles: allRoles,
    captcha: true,
    limit: 'resend',
    counts: { document: ['pais_emisor', 'tipo_doc', 'doc'] },
    summary: 'Sends the activation mail again, if the account exists and is not active yet.',
  }),
  resendPendingActivation: definePostOperation('/account/resend_pending_activation/', {
    body: 'resendPending',
    answer: 'resent',
    roles: allRoles,
    summary:
      'Sends the activation mail again right after registration, authorized by the token in the response to the registration.',
  }),
  resendOwnActivation: definePostOperation('/rest/ciudadanos/:id/resend_activation/', {
    body: 'empty',
    answer: 'resent',
    ...ownAccountAccess,
    limit: 'resend',
    summary: 'Sends the activation or confirmation mail of the signed-in citizen again.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  countries: listSchema(
    objectSchema({
      codigo: textSchema,
      nombre: textSchema,
      documentos: listSchema(objectSchema({ tipo_documento: codeAndNameSchema })),
    }),
  ),
  captchaChallenge: objectSchema({
    /** Challenge of altcha-lib: parameters and signature. */
    challenge: { type: 'object', additionalProperties: true },
  }),
  registration: objectSchema(
    {
      email: textSchema,
      /** One-time token that requests another activation mail without a captcha. */
      reenvio: textSchema,
    },
    { next: textSchema },
  ),
  corrected: objectSchema({ email: textSchema }),
  resent: objectSchema({ resended: { type: 'boolean' } }, { reenvio: textSchema }),
  activation: objectSchema({
    /** `ya_activada`: the link was used before, and the account is already active. */
    estado: { enum: ['activada', 'ya_activada'] },
  }),
} as const;

export const requestBodySchemas = {
  link: objectSchema({ uuid: { type: 'string', minLength: 1, maxLength: 512 } }),
  resendPending: objectSchema({ reenvio: { type: 'string', minLength: 1, maxLength: 512 } }),
} as const;

export const errorCodes = {
  registerCitizen: ['ya_registrado', 'datos_incorrectos'],
  completeRegistration: ['ya_registrado'],
  correctEmail: ['correccion_vencida'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
