import {
  defineGetOperation,
  definePostOperation,
  allRoles,
  type OperationDeclaration,
  type ErrorCodesByOperation,
  ownAccountAccess,
  accountManagementAccess,
  signInChangeAccess,
} from '../operation.ts';
import {
  listSchema,
  objectSchema,
  nullableTextSchema,
  textSchema,
  codeAndNameSchema,
  nullableSchema,
} from '../schema-builders.ts';
import { callEntrySchemaProperties, videoCallSchemaProperties } from './video-call-schemas.ts';

const passwordChange = {
  screen: 'seguridad-contrasena-modificar',
  reads: { new_pass: 'string' },
  proof: 'password',
  limit: 'changeAccount',
} as const;

export const operations = {
  getCitizen: defineGetOperation('/rest/ciudadanos/:id/', {
    answer: 'citizen',
    ...ownAccountAccess,
    allowedBeforeFactor: 'restricted',
    summary:
      'Returns the record of the signed-in citizen. Omits surnames, phone, times and calls if an agent must verify the citizen’s identity first.',
  }),
  verifyPassword: definePostOperation('/rest/ciudadanos/:id/verify_password/', {
    screen: 'seguridad-contrasena-verificar',
    reads: { pwd: 'string' },
    ...accountManagementAccess,
    limit: 'verifyIdentity',
    allowedBeforeFactor: true,
    summary:
      'Verifies the current password of the signed-in citizen. For ten minutes, the session may then call the operations that require it.',
  }),
  updatePassword: definePostOperation('/rest/ciudadanos/:id/update_password/', {
    ...passwordChange,
    ...accountManagementAccess,
    rejectsRestricted: true,
    summary: 'Changes the password of the signed-in citizen and ends every other session.',
  }),
  changePassword: definePostOperation('/account/change-password/', {
    ...passwordChange,
    ...signInChangeAccess,
    summary: 'Changes the password of the signed-in citizen and ends every other session. The path has no id.',
  }),
  getEmail: defineGetOperation('/rest/ciudadanos/:id/email/', {
    answer: 'email',
    ...ownAccountAccess,
    summary: 'Returns the e-mail address of the signed-in citizen and whether it is confirmed.',
  }),
  getPendingEmail: defineGetOperation('/rest/ciudadanos/:id/email_por_validar/', {
    answer: 'pendingEmail',
    ...ownAccountAccess,
    summary:
      'Returns the e-mail address that awaits confirmation: that of a requested change, or else the unconfirmed current address.',
  }),
  updateEmail: definePostOperation('/rest/ciudadanos/:id/update_email/', {
    screen: 'seguridad-correo-modificar',
    reads: { email: 'string', second_factor_flow: 'boolean' },
    answer: 'emailChange',
    ...accountManagementAccess,
    proof: 'password',
    rejectsRestricted: true,
    limit: 'changeEmail',
    counts: { email: 'email' },
    allowedBeforeFactor: true,
    summary:
      'Requests a change of the e-mail address. The change takes effect when a mailed link confirms the new address or, with `second_factor_flow`, a mailed code.',
  }),
  approveEmailChange: definePostOperation('/account/approve_email_change/', {
    body: 'link',
    answer: 'emailChanged',
    roles: allRoles,
    limit: 'confirmEmail',
    summary: 'Confirms a change of the e-mail address with the link that was mailed to the new address.',
  }),
  updatePhone: definePostOperation('/rest/ciudadanos/:id/update_numero_telefono/', {
    screen: 'seguridad-telefono-modificar',
    reads: { numero_telefono: 'string' },
    answer: 'phone',
    ...accountManagementAccess,
    rejectsRestricted: true,
    proof: 'sign-in',
    limit: 'changeAccount',
    summary: 'Changes the phone number of the signed-in citizen, or removes it if none is given.',
  }),
  requestPasswordReset: definePostOperation('/account/reset-password/', {
    screen: 'contrasena-restablecer',
    reads: { pais_emisor: 'string', tipo_doc: 'string', doc: 'string' },
    answer: 'resetRequested',
    roles: allRoles,
    captcha: true,
    limit: 'reset',
    counts: { document: ['pais_emisor', 'tipo_doc', 'doc'] },
    summary: 'Mails a link to set a new password, if the account exists. The response is the same if it does not.',
  }),
  checkPasswordReset: definePostOperation('/account/reset-password/check', {
    body: 'token',
    roles: allRoles,
    limit: 'confirmReset',
    summary: 'Checks a password reset link without using it. The response is the same for every invalid link.',
  }),
  confirmPasswordReset: definePostOperation('/account/reset-password/confirm', {
    screen: 'contrasena-restablecer-nueva',
    reads: { password: 'string', token: 'string' },
    roles: allRoles,
    limit: 'confirmReset',
    summary: 'Sets a new password with a password reset link. Does not sign in.',
  }),
  getForeignCitizen: defineGetOperation('/federated-identity/obtener-mis-datos-idp/:id/', {
    answer: 'citizen',
    roles: ['foreign'],
    callerIdParameter: 'id',
    summary: 'Returns the record of the caller, who signed in with a foreign identity provider.',
  }),
  getActions: defineGetOperation('/rest/ciudadanos/:id/obtener_acciones/', {
    answer: 'actions',
    ...ownAccountAccess,
    summary: 'Returns the latest actions on the account of the signed-in citizen, newest first.',
  }),
  disavow: definePostOperation('/account/disavow/', {
    body: 'link',
    answer: 'disavowed',
    roles: allRoles,
    limit: 'activate',
    summary:
      'Undoes a change that the citizen did not make and secures the account, with the link of the mail about the change.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  citizen: objectSchema({
    id: textSchema,
    user: objectSchema({
      id: textSchema,
      email: nullableTextSchema,
      permisos: { type: 'object', additionalProperties: listSchema(textSchema) },
    }),
    nombre_completo: textSchema,
    primer_nombre: textSchema,
    segundo_nombre: textSchema,
    primer_apellido: textSchema,
    segundo_apellido: textSchema,
    numero_documento: textSchema,
    numero_telefono: nullableTextSchema,
    documento: objectSchema({ tipo_documento: codeAndNameSchema, pais_emisor: codeAndNameSchema }),
    nivel: textSchema,
    nivel_de_confianza: objectSchema({ value: textSchema }),
    rid: textSchema,
    acr: textSchema,
    origen_registro: objectSchema({ nombre: textSchema }),
    firma_validada: nullableTextSchema,
    email_validado: { type: 'boolean' },
    email_por_validar: nullableSchema(objectSchema({ email: textSchema })),
    cuenta_activa: { type: 'boolean' },
    bloqueado: { type: 'boolean' },
    acceso_funcionalidades: { type: 'boolean' },
    /** Time in ISO 8601 with offset. */
    ultimo_login: nullableTextSchema,
    ultimo_cambio_contrasena: nullableTextSchema,
    info_tramite_videollamada_pendiente: nullableSchema(
      objectSchema({ ...videoCallSchemaProperties, ...callEntrySchemaProperties }),
    ),
    /** The upcoming support call. */
    info_videollamada_consulta: nullableSchema(objectSchema(videoCallSchemaProperties)),
    /** Whether this session may change password and e-mail address, because the current password was entered recently or is not required. */
    identidad_verificada: { type: 'boolean' },
    /** Whether the level requires a second factor and none is set up. If so, most operations are refused. */
    segundo_factor_pendiente: { type: 'boolean' },
  }),
  email: objectSchema({
    email: nullableTextSchema,
    email_validado: { type: 'boolean' },
    email_por_validar: nullableTextSchema,
  }),
  pendingEmail: objectSchema({ email: nullableTextSchema }),
  /** `uuid`: token of the pending change, with which the client may set up codes by e-mail for the new address. It does not confirm the address. */
  emailChange: objectSchema({ uuid: textSchema }),
  /** `ya_confirmado`: the link was used before, and the account already has the new e-mail address. */
  emailChanged: objectSchema({ estado: { enum: ['confirmado', 'ya_confirmado'] } }),
  phone: objectSchema({ numero_telefono: nullableTextSchema }),
  /** `email`: masked address, only if the server is configured to reveal it. `minutos`: lifetime of the link, even if no link was mailed. */
  resetRequested: objectSchema({}, { email: textSchema, minutos: { type: 'integer' } }),
  /** Account activity. `timestamp_access`: ISO 8601 with offset. `responsable`: citizen, agent, system or unknown. */
  actions: listSchema(
    objectSchema({
      id: textSchema,
      timestamp_access: textSchema,
      descripcion: textSchema,
      responsable: textSchema,
      dispositivo: nullableTextSchema,
      red: nullableTextSchema,
    }),
  ),
  /** `email`: masked address to which the link for a new password was mailed. */
  disavowed: objectSchema({ email: textSchema }),
} as const;

export const errorCodes = {
  approveEmailChange: ['correo_antes_de_plazo'],
  checkPasswordReset: ['vinculo_invalido'],
  confirmPasswordReset: ['vinculo_invalido'],
  disavow: ['vinculo_invalido'],
} as const satisfies ErrorCodesByOperation<typeof operations>;
