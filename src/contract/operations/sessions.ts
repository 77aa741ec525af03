import {
  get,
  post,
  remove,
  signedInRoles,
  type Operation,
  ownAccountAccess,
  managedAccountAccess,
} from '../operation.ts';
import { extraFields, list, object, optionalText, text } from '../schema-builders.ts';

const sessionAccess = { roles: signedInRoles, manages: true } as const;
const sessionEnd = { ...sessionAccess, proof: 'sign-in', limit: 'accountAct' } as const;

export const operations = {
  getSessions: get('/rest/sesiones/', {
    answer: 'sessions',
    ...sessionAccess,
    summary: 'Returns the active sessions of the signed-in citizen, and the sign-ins that await a second factor.',
  }),
  endSession: remove('/rest/sesiones/:session/', {
    ...sessionEnd,
    summary: 'Ends one session of the signed-in citizen and its bearer tokens. Returns 404 for any other session.',
  }),
  endOtherSessions: post('/rest/sesiones/cerrar_otras/', {
    body: 'empty',
    answer: 'sessionsEnded',
    ...sessionEnd,
    summary:
      'Ends every session except that of the request, with pending sign-ins and the applications’ grants from those sessions.',
  }),
  exportData: post('/rest/ciudadanos/:id/exportar_datos/', {
    body: 'empty',
    answer: 'ownData',
    ...managedAccountAccess,
    proof: 'password',
    limit: 'export',
    summary: 'Returns all stored data about the citizen, without secrets (right of access, Law 18.331).',
  }),
  getClosure: get('/rest/ciudadanos/:id/cierre/', {
    answer: 'closure',
    ...ownAccountAccess,
    allowedBeforeFactor: true,
    summary: 'Returns the date on which the account will be deleted, or `null` if no closure was requested.',
  }),
  closeAccount: post('/rest/ciudadanos/:id/cerrar_cuenta/', {
    screen: 'seguridad-cierre-pedir',
    answer: 'closure',
    ...managedAccountAccess,
    proof: 'password',
    allowedBeforeFactor: true,
    limit: 'accountAct',
    summary: 'Schedules the deletion of the account, and ends its sessions and consents.',
  }),
  keepAccount: post('/rest/ciudadanos/:id/conservar_cuenta/', {
    body: 'empty',
    ...ownAccountAccess,
    allowedBeforeFactor: true,
    limit: 'accountAct',
    summary: 'Cancels the closure of the account.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

/** Schema of a session. Times are in ISO 8601 with offset. */
const session = object({
  id: text,
  /** Browser and operating system. */
  dispositivo: text,
  /** Network of the IP address, without the host. */
  red: text,
  inicio: text,
  visto: text,
  actual: { type: 'boolean' },
  /** Names of the applications that the session has signed in to. */
  aplicaciones: list(text),
});

const activityEntry = object({ fecha: text }, { accion: text, asunto: text, red: text });

export const responses = {
  sessions: object({
    sesiones: list(session),
    /** Sign-ins that wait for the second factor after a correct password. */
    pendientes: list(object({ dispositivo: text, red: text, inicio: text })),
  }),
  sessionsEnded: object({ cerradas: { type: 'integer' } }),
  ownData: object({
    /** File name of the export, with the date. */
    archivo: text,
    datos: object({
      generado: text,
      persona: object({
        primer_nombre: text,
        segundo_nombre: text,
        primer_apellido: text,
        segundo_apellido: text,
      }),
      documento: object({
        pais_emisor: text,
        tipo_documento: text,
        numero_documento: text,
      }),
      contacto: object({
        email: optionalText,
        email_validado: optionalText,
        email_por_validar: optionalText,
        numero_telefono: optionalText,
        /** Recent addresses and phone numbers. `hasta`: when they were replaced. */
        anteriores: list(object({ email: optionalText, numero_telefono: optionalText, hasta: text })),
      }),
      cuenta: object({
        id: text,
        nivel: text,
        /** How the account was created: `WEB` or `PRESENCIAL`. */
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
      /** Consents to applications. */
      permisos: list(object({ aplicacion: text, datos: list(text), fecha: text })),
      segundos_factores: object({
        metodos: list(object({ tipo: text, activado: text })),
        codigos_de_recuperacion: { type: 'integer' },
      }),
      llaves_de_acceso: list(object({ nombre: text, creada: text, usada: optionalText })),
      /** Signed document that raised the level (at most one). `archivo` is base64. */
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
      /** Last sign-in of each known browser. */
      dispositivos_conocidos: list(activityEntry),
      /** Audit log entries about the citizen. */
      actividad: list(activityEntry),
      /** Mails about the account that are still stored. */
      correos: list(activityEntry),
      /** Messages sent with the contact form while signed in. */
      mensajes: list(object({ fecha: text, asunto: text, mensaje: text, agregado: extraFields })),
      /** Saved progress of flows, with content and expiry. */
      borradores: list(
        object({
          flujo: text,
          guardado: text,
          vence: text,
          formularios: { type: 'object', additionalProperties: true },
        }),
      ),
      /** Booked support and elevation calls. */
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
  /** Time at which the account will be deleted. `dia`: the date in words, in official Uruguayan time. */
  closure: object({ fecha: optionalText, dia: optionalText }),
} as const;
