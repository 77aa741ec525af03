import { everyone, signedIn, type Call } from '../call.ts';
import { named, optionalText, text } from '../shapes.ts';

/** The citizen's record and what of it the citizen changes. */
export const accountCalls = {
  getCitizen: {
    method: 'GET', path: '/rest/ciudadanos/:id/', host: 'backend', answer: 'citizen', roles: signedIn, own: 'id',
    summary: 'The record of the citizen who is signed in.',
  },
  verifyPassword: {
    method: 'POST', path: '/rest/ciudadanos/:id/verify_password/', host: 'backend', screen: 'seguridad-contrasena-verificar', answer: 'empty',
    roles: signedIn, own: 'id', manages: true,
    summary: 'Proves the identity of who is signed in by the current password; for ten minutes it opens the calls that ask for that.',
  },
  updatePassword: {
    method: 'POST', path: '/rest/ciudadanos/:id/update_password/', host: 'backend', screen: 'seguridad-contrasena-modificar', answer: 'empty',
    roles: signedIn, own: 'id', manages: true, proof: 'password', unrestricted: true,
    summary: 'Changes the password of the citizen who is signed in; every other session ends.',
  },
  changePassword: {
    method: 'POST', path: '/account/change-password/', host: 'backend', screen: 'seguridad-contrasena-modificar', answer: 'empty',
    roles: signedIn, manages: true, proof: 'password', unrestricted: true,
    summary: 'The same by the address of the account, without an id.',
  },
  getEmail: {
    method: 'GET', path: '/rest/ciudadanos/:id/email/', host: 'backend', answer: 'email', roles: signedIn, own: 'id',
    summary: 'The e-mail address of the citizen who is signed in, and whether it is validated.',
  },
  getPendingEmail: {
    method: 'GET', path: '/rest/ciudadanos/:id/email_por_validar/', host: 'backend', answer: 'pendingEmail', roles: signedIn, own: 'id',
    summary: 'The address that waits for its validation: the one of a requested change, else the own one while it is not validated.',
  },
  updateEmail: {
    method: 'POST', path: '/rest/ciudadanos/:id/update_email/', host: 'backend', screen: 'seguridad-correo-modificar', answer: 'emailChange',
    roles: signedIn, own: 'id', manages: true, proof: 'password', unrestricted: true,
    summary: 'Requests a change of the e-mail address, which is made when the new address is confirmed by a mailed link or, with second_factor_flow, by a mailed code.',
  },
  approveEmailChange: {
    method: 'POST', path: '/account/approve_email_change/', host: 'backend', body: 'link', answer: 'emailChanged', roles: everyone,
    summary: 'Changes the e-mail address by the link that was mailed to the new one.',
  },
  updatePhone: {
    method: 'POST', path: '/rest/ciudadanos/:id/update_numero_telefono/', host: 'backend', screen: 'seguridad-telefono-modificar', answer: 'phone',
    roles: signedIn, own: 'id', manages: true, unrestricted: true,
    summary: 'Changes the phone number of the citizen who is signed in; none removes it.',
  },
  requestPasswordReset: {
    method: 'POST', path: '/account/reset-password/', host: 'backend', screen: 'contrasena-restablecer', answer: 'resetRequested',
    roles: everyone,
    summary: 'Mails a link that sets a new password, if the account exists; the answer is the same when it does not.',
  },
  checkPasswordReset: {
    method: 'POST', path: '/account/reset-password/check', host: 'backend', body: 'token', answer: 'empty', roles: everyone,
    summary: 'Whether the link of a mail still sets a new password; it uses nothing up, and says the same of every link that does not.',
  },
  confirmPasswordReset: {
    method: 'POST', path: '/account/reset-password/confirm', host: 'backend', screen: 'contrasena-restablecer-nueva', answer: 'empty',
    roles: everyone,
    summary: 'Sets a new password by the link of a mail; it does not sign in.',
  },
} as const satisfies Readonly<Record<string, Call>>;

/** Answers of the calls above. */
export const accountAnswers = {
  citizen: {
    type: 'object',
    required: [
      'id', 'user', 'nombre_completo', 'primer_nombre', 'segundo_nombre', 'primer_apellido', 'segundo_apellido',
      'numero_documento', 'numero_telefono', 'documento', 'nivel', 'nivel_de_confianza', 'rid', 'acr', 'origen_registro',
      'firma_validada', 'email_validado', 'email_por_validar', 'cuenta_activa', 'bloqueado', 'acceso_funcionalidades',
      'ultimo_login', 'ultimo_cambio_contrasena', 'info_tramite_videollamada_pendiente', 'identidad_verificada',
    ],
    properties: {
      id: text,
      user: {
        type: 'object',
        required: ['id', 'email', 'permisos'],
        properties: {
          id: text,
          email: optionalText,
          permisos: { type: 'object', additionalProperties: { type: 'array', items: text } },
        },
        additionalProperties: false,
      },
      nombre_completo: text,
      primer_nombre: text,
      segundo_nombre: text,
      primer_apellido: text,
      segundo_apellido: text,
      numero_documento: text,
      numero_telefono: optionalText,
      documento: {
        type: 'object',
        required: ['tipo_documento', 'pais_emisor'],
        properties: { tipo_documento: named, pais_emisor: named },
        additionalProperties: false,
      },
      nivel: text,
      nivel_de_confianza: { type: 'object', required: ['value'], properties: { value: text }, additionalProperties: false },
      rid: text,
      acr: text,
      origen_registro: { type: 'object', required: ['nombre'], properties: { nombre: text }, additionalProperties: false },
      firma_validada: optionalText,
      email_validado: { type: 'boolean' },
      email_por_validar: {
        anyOf: [
          { type: 'object', required: ['email'], properties: { email: text }, additionalProperties: false },
          { type: 'null' },
        ],
      },
      cuenta_activa: { type: 'boolean' },
      bloqueado: { type: 'boolean' },
      acceso_funcionalidades: { type: 'boolean' },
      /** ISO 8601 with offset. */
      ultimo_login: optionalText,
      ultimo_cambio_contrasena: optionalText,
      info_tramite_videollamada_pendiente: {
        anyOf: [
          {
            type: 'object',
            required: ['id', 'estado', 'fecha', 'hora_inicio', 'link', 'jwt'],
            properties: { id: text, estado: text, fecha: text, hora_inicio: text, link: optionalText, jwt: optionalText },
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
      /** Password and e-mail change are open to this session: the current password was given a short time ago, or nobody asks for it. */
      identidad_verificada: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  email: {
    type: 'object',
    required: ['email', 'email_validado', 'email_por_validar'],
    properties: { email: optionalText, email_validado: { type: 'boolean' }, email_por_validar: optionalText },
    additionalProperties: false,
  },
  pendingEmail: { type: 'object', required: ['email'], properties: { email: optionalText }, additionalProperties: false },
  /** `uuid`: names the change where a second factor by e-mail is set up for the new address; it confirms nothing by itself. */
  emailChange: { type: 'object', required: ['uuid'], properties: { uuid: text }, additionalProperties: false },
  /** `ya_confirmado`: the link was used before, for the address that the account has. */
  emailChanged: { type: 'object', required: ['estado'], properties: { estado: { enum: ['confirmado', 'ya_confirmado'] } }, additionalProperties: false },
  phone: { type: 'object', required: ['numero_telefono'], properties: { numero_telefono: optionalText }, additionalProperties: false },
  /** `email` is masked, and there only where the server is configured to tell it. */
  resetRequested: { type: 'object', properties: { email: text }, additionalProperties: false },
} as const;
