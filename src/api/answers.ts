import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;
const named = {
  type: 'object',
  required: ['codigo', 'nombre'],
  properties: { codigo: text, nombre: text },
  additionalProperties: false,
} as const;

/**
 * JSON Schemas of the answers of the contract's calls (section 3 of the specification). The server serializes by them,
 * so that a field that is not declared never leaves it; the OpenAPI description and the TypeScript types come from them.
 */
export const answers = {
  empty: { type: 'object', properties: {}, additionalProperties: false },
  countries: {
    type: 'array',
    items: {
      type: 'object',
      required: ['codigo', 'nombre', 'documentos'],
      properties: {
        codigo: text,
        nombre: text,
        documentos: {
          type: 'array',
          items: {
            type: 'object',
            required: ['tipo_documento'],
            properties: { tipo_documento: named },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
  captchaChallenge: {
    type: 'object',
    required: ['challenge'],
    /** The challenge of altcha-lib as it stands: parameters and signature. */
    properties: { challenge: { type: 'object', additionalProperties: true } },
    additionalProperties: false,
  },
  registration: {
    type: 'object',
    required: ['email', 'reenvio'],
    /** `reenvio`: one-time right to have the activation mail sent again without another captcha. */
    properties: { email: text, reenvio: text, next: text },
    additionalProperties: false,
  },
  resent: {
    type: 'object',
    required: ['resended'],
    properties: { resended: { type: 'boolean' }, reenvio: text },
    additionalProperties: false,
  },
  activation: {
    type: 'object',
    required: ['estado'],
    /** `ya_activada`: the link was used before and the account is active. */
    properties: { estado: { enum: ['activada', 'ya_activada'] } },
    additionalProperties: false,
  },
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
  /** Section 7.3: the next challenge, or where the finished sign-in goes. */
  signIn: {
    type: 'object',
    required: ['challenge', 'token'],
    properties: {
      challenge: optionalText,
      token: optionalText,
      name: text,
      level: text,
      forced: { type: 'boolean' },
      email: text,
      action: text,
      authn_response: text,
      location: text,
      redirect: text,
    },
    additionalProperties: false,
  },
  token: { type: 'object', required: ['token'], properties: { token: text }, additionalProperties: false },
  logout: {
    type: 'object',
    required: ['logout_urls', 'location', 'wait_longer'],
    properties: { logout_urls: { type: 'array', items: text }, location: text, wait_longer: { type: 'boolean' } },
    additionalProperties: false,
  },
} as const;

export type AnswerName = keyof typeof answers;

/** The type of each answer: a mapped type, which the compiler can look into by a name that it does not know yet. */
type AnswerTypes = { readonly [Name in AnswerName]: FromSchema<(typeof answers)[Name]> };
export type AnswerOf<Name extends AnswerName> = AnswerTypes[Name];
