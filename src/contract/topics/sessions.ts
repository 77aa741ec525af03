import { signedIn, type Call } from '../call.ts';
import { optionalText, text } from '../shapes.ts';

/** Sessions and devices of a citizen, the copy of the own data, and the end of the account. */
export const sessionsCalls = {
  getSessions: {
    method: 'GET',
    path: '/rest/sesiones/',
    host: 'backend',
    answer: 'sessions',
    roles: signedIn,
    manages: true,
    summary: 'The live sessions of who is signed in, and the sign-ins that wait for their second factor.',
  },
  endSession: {
    method: 'DELETE',
    path: '/rest/sesiones/:session/',
    host: 'backend',
    answer: 'empty',
    roles: signedIn,
    manages: true,
    summary: 'Ends one session of who is signed in, its bearer at once; 404 for any other.',
  },
  endOtherSessions: {
    method: 'POST',
    path: '/rest/sesiones/cerrar_otras/',
    host: 'backend',
    body: 'empty',
    answer: 'sessionsEnded',
    roles: signedIn,
    manages: true,
    summary:
      'Ends every session but the one of the call, half-finished sign-ins, and what applications hold from them.',
  },
  exportData: {
    method: 'POST',
    path: '/rest/ciudadanos/:id/exportar_datos/',
    host: 'backend',
    body: 'empty',
    answer: 'ownData',
    roles: signedIn,
    own: 'id',
    manages: true,
    proof: 'password',
    limit: 'export',
    summary: 'Everything that is held of the citizen (right of access of Law 18.331), without secrets.',
  },
  getClosure: {
    method: 'GET',
    path: '/rest/ciudadanos/:id/cierre/',
    host: 'backend',
    answer: 'closure',
    roles: signedIn,
    own: 'id',
    summary: 'When the account of who is signed in is deleted; nulls where nobody asked for it.',
  },
  closeAccount: {
    method: 'POST',
    path: '/rest/ciudadanos/:id/cerrar_cuenta/',
    host: 'backend',
    screen: 'seguridad-cierre-pedir',
    answer: 'closure',
    roles: signedIn,
    own: 'id',
    manages: true,
    proof: 'password',
    summary: 'Sets the day on which the account is deleted and ends its sessions and consents.',
  },
  keepAccount: {
    method: 'POST',
    path: '/rest/ciudadanos/:id/conservar_cuenta/',
    host: 'backend',
    body: 'empty',
    answer: 'empty',
    roles: signedIn,
    own: 'id',
    summary: 'Takes the wish to close the account back.',
  },
} as const satisfies Readonly<Record<string, Call>>;

/** Moments are in ISO 8601 with offset. */
const session = {
  type: 'object',
  required: ['id', 'dispositivo', 'red', 'inicio', 'visto', 'actual', 'aplicaciones'],
  properties: {
    id: text,
    /** Browser and system in words. */
    dispositivo: text,
    /** The network of the address alone. */
    red: text,
    inicio: text,
    visto: text,
    /** It is the session of the call. */
    actual: { type: 'boolean' },
    /** Names of the applications that were signed in to. */
    aplicaciones: { type: 'array', items: text },
  },
  additionalProperties: false,
} as const;

const dated = {
  type: 'object',
  required: ['fecha'],
  properties: { fecha: text, accion: text, asunto: text, red: text },
  additionalProperties: false,
} as const;

/** Answers of the calls above. */
export const sessionsAnswers = {
  sessions: {
    type: 'object',
    required: ['sesiones', 'pendientes'],
    properties: {
      sesiones: { type: 'array', items: session },
      /** Sign-ins with a right password that wait for the second factor. */
      pendientes: {
        type: 'array',
        items: {
          type: 'object',
          required: ['dispositivo', 'red', 'inicio'],
          properties: { dispositivo: text, red: text, inicio: text },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  sessionsEnded: {
    type: 'object',
    required: ['cerradas'],
    properties: { cerradas: { type: 'integer' } },
    additionalProperties: false,
  },
  ownData: {
    type: 'object',
    required: ['archivo', 'datos'],
    properties: {
      /** Name of the file, with the day. */
      archivo: text,
      datos: {
        type: 'object',
        required: [
          'generado',
          'persona',
          'documento',
          'contacto',
          'cuenta',
          'permisos',
          'segundos_factores',
          'llaves_de_acceso',
          'firma',
          'sesiones',
          'dispositivos_conocidos',
          'actividad',
          'correos',
          'mensajes',
        ],
        properties: {
          generado: text,
          persona: {
            type: 'object',
            required: ['primer_nombre', 'segundo_nombre', 'primer_apellido', 'segundo_apellido'],
            properties: { primer_nombre: text, segundo_nombre: text, primer_apellido: text, segundo_apellido: text },
            additionalProperties: false,
          },
          documento: {
            type: 'object',
            required: ['pais_emisor', 'tipo_documento', 'numero_documento'],
            properties: { pais_emisor: text, tipo_documento: text, numero_documento: text },
            additionalProperties: false,
          },
          contacto: {
            type: 'object',
            required: ['email', 'email_validado', 'email_por_validar', 'numero_telefono', 'anteriores'],
            properties: {
              email: optionalText,
              email_validado: optionalText,
              email_por_validar: optionalText,
              numero_telefono: optionalText,
              /** Addresses and telephones from before a change that is remembered, and until when they stood. */
              anteriores: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['email', 'numero_telefono', 'hasta'],
                  properties: { email: optionalText, numero_telefono: optionalText, hasta: text },
                  additionalProperties: false,
                },
              },
            },
            additionalProperties: false,
          },
          cuenta: {
            type: 'object',
            required: [
              'id',
              'nivel',
              'origen_registro',
              'firma_validada',
              'creada',
              'activada',
              'bloqueada',
              'ultimo_login',
              'ultimo_cambio_contrasena',
              'cierre_previsto',
              'permisos',
            ],
            properties: {
              id: text,
              nivel: text,
              /** Where the level comes from. */
              origen_registro: text,
              firma_validada: optionalText,
              creada: text,
              activada: optionalText,
              bloqueada: optionalText,
              ultimo_login: optionalText,
              ultimo_cambio_contrasena: optionalText,
              cierre_previsto: optionalText,
              permisos: { type: 'object', additionalProperties: { type: 'array', items: text } },
            },
            additionalProperties: false,
          },
          /** What applications may read. */
          permisos: {
            type: 'array',
            items: {
              type: 'object',
              required: ['aplicacion', 'datos', 'fecha'],
              properties: { aplicacion: text, datos: { type: 'array', items: text }, fecha: text },
              additionalProperties: false,
            },
          },
          segundos_factores: {
            type: 'object',
            required: ['metodos', 'codigos_de_recuperacion'],
            properties: {
              metodos: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['tipo', 'activado'],
                  properties: { tipo: text, activado: text },
                  additionalProperties: false,
                },
              },
              /** How many are unused. */
              codigos_de_recuperacion: { type: 'integer' },
            },
            additionalProperties: false,
          },
          llaves_de_acceso: {
            type: 'array',
            items: {
              type: 'object',
              required: ['nombre', 'creada', 'usada'],
              properties: { nombre: text, creada: text, usada: optionalText },
              additionalProperties: false,
            },
          },
          /** The document that raised the level, one at most: `archivo` in base64. */
          firma: {
            type: 'array',
            items: {
              type: 'object',
              required: ['fecha', 'formato', 'declaracion', 'certificado_serie', 'certificado_emisor', 'archivo'],
              properties: {
                fecha: text,
                formato: text,
                declaracion: text,
                certificado_serie: text,
                certificado_emisor: text,
                archivo: text,
              },
              additionalProperties: false,
            },
          },
          sesiones: { type: 'array', items: session },
          /** When each browser that is known again last signed in. */
          dispositivos_conocidos: { type: 'array', items: dated },
          /** What the audit log holds of the citizen. */
          actividad: { type: 'array', items: dated },
          /** The mails about the account that are still held. */
          correos: { type: 'array', items: dated },
          /** What was written by the contact form while signed in. */
          mensajes: {
            type: 'array',
            items: {
              type: 'object',
              required: ['fecha', 'asunto', 'mensaje'],
              properties: { fecha: text, asunto: text, mensaje: text },
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  /** When the account is deleted. */
  closure: {
    type: 'object',
    required: ['fecha', 'dia'],
    /** `dia`: in words, in official Uruguayan time. */
    properties: { fecha: optionalText, dia: optionalText },
    additionalProperties: false,
  },
} as const;
