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
  /** `email` is masked, and there only where the server is configured to tell it. */
  resetRequested: { type: 'object', properties: { email: text }, additionalProperties: false },
  mfaStatus: {
    type: 'object',
    required: ['estado', 'methods', 'estado_email', 'errors', 'obligatorio', 'codigos_de_recuperacion'],
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
            anyOf: [{ type: 'object', required: ['id'], properties: { id: text }, additionalProperties: false }, { type: 'null' }],
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
  emailMethod: { type: 'object', required: ['id', 'email'], properties: { id: text, email: text }, additionalProperties: false },
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
    required: ['logout_urls', 'location', 'wait_longer', 'unreachable'],
    properties: {
      /** Addresses to load in hidden frames, one for each application that is told so. */
      logout_urls: { type: 'array', items: text },
      location: text,
      wait_longer: { type: 'boolean' },
      /** Names of the applications that could not be told. */
      unreachable: { type: 'array', items: text },
    },
    additionalProperties: false,
  },
  location: { type: 'object', required: ['location'], properties: { location: text }, additionalProperties: false },
  identityProviders: {
    type: 'object',
    required: ['idps', 'ci_allowed', 'gub_uy_allowed'],
    properties: {
      idps: {
        type: 'array',
        items: {
          type: 'object',
          required: ['identificador', 'nombre', 'descripcion', 'nivel_seguridad', 'logo'],
          properties: { identificador: text, nombre: text, descripcion: text, nivel_seguridad: text, logo: text },
          additionalProperties: false,
        },
      },
      ci_allowed: { type: 'boolean' },
      gub_uy_allowed: { type: 'boolean' },
    },
    additionalProperties: false,
  },
  consentClient: {
    type: 'object',
    required: ['name', 'website_url', 'url', 'terms_url', 'priv_url', 'logo', 'scopes', 'state'],
    properties: {
      name: text,
      website_url: optionalText,
      url: optionalText,
      terms_url: optionalText,
      priv_url: optionalText,
      logo: optionalText,
      scopes: {
        type: 'array',
        items: {
          type: 'object',
          required: ['scope', 'name', 'description'],
          properties: { scope: text, name: text, description: text },
          additionalProperties: false,
        },
      },
      /** Handle of this very question, which the answer repeats. */
      state: text,
    },
    additionalProperties: false,
  },
} as const;

export type AnswerName = keyof typeof answers;

/** The type of each answer: a mapped type, which the compiler can look into by a name that it does not know yet. */
type AnswerTypes = { readonly [Name in AnswerName]: FromSchema<(typeof answers)[Name]> };
export type AnswerOf<Name extends AnswerName> = AnswerTypes[Name];
