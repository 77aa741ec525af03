import { signedIn, type Operation } from '../operation.ts';
import { extraFields, list, object, optionalText, text } from '../shapes.ts';

/** Sessions and devices of a citizen, the copy of the own data, and the end of the account. */
export const operations = {
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
      'Ends every session but the one of the request, half-finished sign-ins, and what applications hold from them.',
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
    beforeFactor: true,
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
    beforeFactor: true,
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
    beforeFactor: true,
    summary: 'Takes the wish to close the account back.',
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** Moments are in ISO 8601 with offset. */
const session = object({
  id: text,
  /** Browser and system in words. */
  dispositivo: text,
  /** The network of the address alone. */
  red: text,
  inicio: text,
  visto: text,
  /** It is the session of the operation. */
  actual: { type: 'boolean' },
  /** Names of the applications that were signed in to. */
  aplicaciones: list(text),
});

const dated = object({ fecha: text }, { accion: text, asunto: text, red: text });

/** Answers of the operations above. */
export const answers = {
  sessions: object({
    sesiones: list(session),
    /** Sign-ins with a right password that wait for the second factor. */
    pendientes: list(object({ dispositivo: text, red: text, inicio: text })),
  }),
  sessionsEnded: object({ cerradas: { type: 'integer' } }),
  ownData: object({
    /** Name of the file, with the day. */
    archivo: text,
    datos: object({
      generado: text,
      persona: object({ primer_nombre: text, segundo_nombre: text, primer_apellido: text, segundo_apellido: text }),
      documento: object({ pais_emisor: text, tipo_documento: text, numero_documento: text }),
      contacto: object({
        email: optionalText,
        email_validado: optionalText,
        email_por_validar: optionalText,
        numero_telefono: optionalText,
        /** Addresses and telephones from before a change that is remembered, and until when they stood. */
        anteriores: list(object({ email: optionalText, numero_telefono: optionalText, hasta: text })),
      }),
      cuenta: object({
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
        permisos: { type: 'object', additionalProperties: list(text) },
      }),
      /** What applications may read. */
      permisos: list(object({ aplicacion: text, datos: list(text), fecha: text })),
      segundos_factores: object({
        metodos: list(object({ tipo: text, activado: text })),
        /** How many are unused. */
        codigos_de_recuperacion: { type: 'integer' },
      }),
      llaves_de_acceso: list(object({ nombre: text, creada: text, usada: optionalText })),
      /** The document that raised the level, one at most: `archivo` in base64. */
      firma: list(
        object({
          fecha: text,
          formato: text,
          declaracion: text,
          certificado_serie: text,
          certificado_emisor: text,
          archivo: text,
        }),
      ),
      sesiones: list(session),
      /** When each browser that is known again last signed in. */
      dispositivos_conocidos: list(dated),
      /** What the audit log holds of the citizen. */
      actividad: list(dated),
      /** The mails about the account that are still held. */
      correos: list(dated),
      /** What was written by the contact form while signed in. */
      mensajes: list(object({ fecha: text, asunto: text, mensaje: text, agregado: extraFields })),
      /** What was begun and saved, with all that it holds, and until when. */
      borradores: list(
        object({
          flujo: text,
          guardado: text,
          vence: text,
          formularios: { type: 'object', additionalProperties: true },
        }),
      ),
      /** Booked calls, of the support and to raise the level. */
      videollamadas: list(
        object({
          reservada: text,
          fecha: text,
          tipo: text,
          estado: text,
          telefono: text,
          mensaje: text,
          agregado: extraFields,
        }),
      ),
    }),
  }),
  /** When the account is deleted. */
  closure: object({
    /** `dia`: in words, in official Uruguayan time. */
    fecha: optionalText,
    dia: optionalText,
  }),
} as const;
