import { everyone, signedIn, type Call } from '../call.ts';
import { named, optionalText, text } from '../shapes.ts';

/** The citizen's record and what of it the citizen changes. */
export const accountCalls = {
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
} as const satisfies Readonly<Record<string, Call>>;

/** Answers of the calls above. */
export const accountAnswers = {
  citizen: {
    type: 'object',
    required: [
      'id', 'user', 'nombre_completo', 'primer_nombre', 'segundo_nombre', 'primer_apellido', 'segundo_apellido',
      'numero_documento', 'numero_telefono', 'documento', 'nivel', 'nivel_de_confianza', 'rid', 'acr', 'origen_registro',
      'firma_validada', 'email_validado', 'email_por_validar', 'cuenta_activa', 'bloqueado', 'acceso_funcionalidades',
      'ultimo_login', 'ultimo_cambio_contrasena', 'info_tramite_videollamada_pendiente',
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
    },
    additionalProperties: false,
  },
  /** `email` is masked, and there only where the server is configured to tell it. */
  resetRequested: { type: 'object', properties: { email: text }, additionalProperties: false },
} as const;
