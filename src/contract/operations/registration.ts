import { get, post, allRoles, type Operation, type ErrorCodesByOperation, ownAccountAccess } from '../operation.ts';
import { list, codeAndName, object, text } from '../schema-builders.ts';

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
  getCountries: get('/rest/paises/', {
    answer: 'countries',
    roles: allRoles,
    summary: 'Returns the countries with the document types that each issues.',
  }),
  getCaptcha: get('/rest/captcha/', {
    answer: 'captchaChallenge',
    roles: allRoles,
    summary: 'Returns a new altcha proof-of-work challenge. Send its solution in `captcha_response`.',
  }),
  registerCitizen: post('/rest/ciudadanos/', {
    ...registrationForm,
    roles: ['anonymous'],
    summary: 'Creates an account that the citizen must activate by e-mail.',
  }),
  completeRegistration: post('/rest/ciudadanos/:id/create_inside/', {
    ...registrationForm,
    roles: ['citizen', 'foreign'],
    callerIdParameter: 'id',
    rejectsRestricted: true,
    allowedBeforeFactor: true,
    summary:
      'Completes the record of a signed-in citizen who was registered elsewhere: e-mail, phone, and a password if there is none. An existing password is kept.',
  }),
  correctEmail: post('/account/correct_email/', {
    screen: 'registro-corregir-correo',
    reads: { email: 'string' },
    answer: 'corrected',
    roles: allRoles,
    limit: 'correct',
    counts: { email: 'email' },
    summary:
      'Corrects the e-mail address of a pending account, authorized by the cookie of the browser that registered it, and mails the activation link to the new address.',
  }),
  activateAccount: post('/account/activate_account/', {
    body: 'link',
    answer: 'activation',
    roles: allRoles,
    limit: 'activate',
    summary: 'Activates an account with its activation link.',
  }),
  resendActivation: post('/account/resend_activation/', {
    screen: 'registro-reenviar-link-activacion',
    reads: { pais_emisor: 'string', tipo_doc: 'string', doc: 'string' },
    answer: 'resent',
    roles: allRoles,
    captcha: true,
    limit: 'resend',
    counts: { document: ['pais_emisor', 'tipo_doc', 'doc'] },
    summary: 'Sends the activation mail again, if the account exists and is not active yet.',
  }),
  resendPendingActivation: post('/account/resend_pending_activation/', {
    body: 'resendPending',
    answer: 'resent',
    roles: allRoles,
    summary:
      'Sends the activation mail again right after registration, authorized by the token in the response to the registration.',
  }),
  resendOwnActivation: post('/rest/ciudadanos/:id/resend_activation/', {
    body: 'empty',
    answer: 'resent',
    ...ownAccountAccess,
    limit: 'resend',
    summary: 'Sends the activation or confirmation mail of the signed-in citizen again.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const responses = {
  countries: list(
    object({
      codigo: text,
      nombre: text,
      documentos: list(object({ tipo_documento: codeAndName })),
    }),
  ),
  captchaChallenge: object({
    /** Challenge of altcha-lib: parameters and signature. */
    challenge: { type: 'object', additionalProperties: true },
  }),
  registration: object(
    {
      email: text,
      /** One-time token that requests another activation mail without a captcha. */
      reenvio: text,
    },
    { next: text },
  ),
  corrected: object({ email: text }),
  resent: object({ resended: { type: 'boolean' } }, { reenvio: text }),
  activation: object({
    /** `ya_activada`: the link was used before, and the account is already active. */
    estado: { enum: ['activada', 'ya_activada'] },
  }),
} as const;

export const requestBodies = {
  link: object({ uuid: { type: 'string', minLength: 1, maxLength: 512 } }),
  resendPending: object({ reenvio: { type: 'string', minLength: 1, maxLength: 512 } }),
} as const;

export const errors = {
  registerCitizen: ['ya_registrado', 'datos_incorrectos'],
  completeRegistration: ['ya_registrado'],
  correctEmail: ['correccion_vencida'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
