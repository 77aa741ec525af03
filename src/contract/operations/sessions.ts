import {
  defineGetOperation,
  definePostOperation,
  defineDeleteOperation,
  signedInRoles,
  type OperationDeclaration,
  ownAccountAccess,
  accountManagementAccess,
} from '../operation.ts';
import { extraFieldsSchema, listSchema, objectSchema, nullableTextSchema, textSchema } from '../schema-builders.ts';

const sessionAccess = { roles: signedInRoles, manages: true } as const;
const sessionEnd = { ...sessionAccess, proof: 'sign-in', limit: 'accountAct' } as const;

export const operations = {
  getSessions: defineGetOperation('/rest/sesiones/', {
    answer: 'sessions',
    ...sessionAccess,
    summary: 'Returns the active sessions of the signed-in citizen, and the sign-ins that await a second factor.',
  }),
  endSession: defineDeleteOperation('/rest/sesiones/:session/', {
    ...sessionEnd,
    summary: 'Ends one session of the signed-in citizen and its bearer tokens. Returns 404 for any other session.',
  }),
  endOtherSessions: definePostOperation('/rest/sesiones/cerrar_otras/', {
    body: 'empty',
    answer: 'sessionsEnded',
    ...sessionEnd,
    summary:
      'Ends every session except that of the request, with pending sign-ins and the applications’ grants from those sessions.',
  }),
  exportData: definePostOperation('/rest/ciudadanos/:id/exportar_datos/', {
    body: 'empty',
    answer: 'ownData',
    ...accountManagementAccess,
    proof: 'password',
    limit: 'export',
    summary: 'Returns all stored data about the citizen, without secrets (right of access, Law 18.331).',
  }),
  getClosure: defineGetOperation('/rest/ciudadanos/:id/cierre/', {
    answer: 'closure',
    ...ownAccountAccess,
    allowedBeforeFactor: true,
    summary: 'Returns the date on which the account will be deleted, or `null` if no closure was requested.',
  }),
  closeAccount: definePostOperation('/rest/ciudadanos/:id/cerrar_cuenta/', {
    screen: 'seguridad-cierre-pedir',
    reads: {},
    answer: 'closure',
    ...accountManagementAccess,
    proof: 'password',
    allowedBeforeFactor: true,
    limit: 'accountAct',
    summary: 'Schedules the deletion of the account, and ends its sessions and consents.',
  }),
  keepAccount: definePostOperation('/rest/ciudadanos/:id/conservar_cuenta/', {
    body: 'empty',
    ...ownAccountAccess,
    allowedBeforeFactor: true,
    limit: 'accountAct',
    summary: 'Cancels the closure of the account.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

/** Schema of a session. Times are in ISO 8601 with offset. */
const session = objectSchema({
  id: textSchema,
  /** Browser and operating system. */
  dispositivo: textSchema,
  /** Network of the IP address, without the host. */
  red: textSchema,
  inicio: textSchema,
  visto: textSchema,
  actual: { type: 'boolean' },
  /** Names of the applications that the session has signed in to. */
  aplicaciones: listSchema(textSchema),
});

const activityEntry = objectSchema({ fecha: textSchema }, { accion: textSchema, asunto: textSchema, red: textSchema });

export const responseSchemas = {
  sessions: objectSchema({
    sesiones: listSchema(session),
    /** Sign-ins that wait for the second factor after a correct password. */
    pendientes: listSchema(objectSchema({ dispositivo: textSchema, red: textSchema, inicio: textSchema })),
  }),
  sessionsEnded: objectSchema({ cerradas: { type: 'integer' } }),
  ownData: objectSchema({
    /** File name of the export, with the date. */
    archivo: textSchema,
    datos: objectSchema({
      generado: textSchema,
      persona: objectSchema({
        primer_nombre: textSchema,
        segundo_nombre: textSchema,
        primer_apellido: textSchema,
        segundo_apellido: textSchema,
      }),
      documento: objectSchema({
        pais_emisor: textSchema,
        tipo_documento: textSchema,
        numero_documento: textSchema,
      }),
      contacto: objectSchema({
        email: nullableTextSchema,
        email_validado: nullableTextSchema,
        email_por_validar: nullableTextSchema,
        numero_telefono: nullableTextSchema,
        /** Recent addresses and phone numbers. `hasta`: when they were replaced. */
        anteriores: listSchema(
          objectSchema({ email: nullableTextSchema, numero_telefono: nullableTextSchema, hasta: textSchema }),
        ),
      }),
      cuenta: objectSchema({
        id: textSchema,
        nivel: textSchema,
        /** How the account was created: `WEB` or `PRESENCIAL`. */
        origen_registro: textSchema,
        firma_validada: nullableTextSchema,
        creada: textSchema,
        activada: nullableTextSchema,
        bloqueada: nullableTextSchema,
        ultimo_login: nullableTextSchema,
        ultimo_cambio_contrasena: nullableTextSchema,
        cierre_previsto: nullableTextSchema,
        permisos: { type: 'object', additionalProperties: listSchema(textSchema) },
      }),
      /** Consents to applications. */
      permisos: listSchema(objectSchema({ aplicacion: textSchema, datos: listSchema(textSchema), fecha: textSchema })),
      segundos_factores: objectSchema({
        metodos: listSchema(objectSchema({ tipo: textSchema, activado: textSchema })),
        codigos_de_recuperacion: { type: 'integer' },
      }),
      llaves_de_acceso: listSchema(objectSchema({ nombre: textSchema, creada: textSchema, usada: nullableTextSchema })),
      /** Signed document that raised the level (at most one). `archivo` is base64. */
      firma: listSchema(
        objectSchema({
          fecha: textSchema,
          formato: textSchema,
          declaracion: textSchema,
          certificado_serie: textSchema,
          certificado_emisor: textSchema,
          archivo: textSchema,
        }),
      ),
      sesiones: listSchema(session),
      /** Last sign-in of each known browser. */
      dispositivos_conocidos: listSchema(activityEntry),
      /** Audit log entries about the citizen. */
      actividad: listSchema(activityEntry),
      /** Mails about the account that are still stored. */
      correos: listSchema(activityEntry),
      /** Messages sent with the contact form while signed in. */
      mensajes: listSchema(
        objectSchema({ fecha: textSchema, asunto: textSchema, mensaje: textSchema, agregado: extraFieldsSchema }),
      ),
      /** Saved progress of flows, with content and expiry. */
      borradores: listSchema(
        objectSchema({
          flujo: textSchema,
          guardado: textSchema,
          vence: textSchema,
          formularios: { type: 'object', additionalProperties: true },
        }),
      ),
      /** Booked support and elevation calls. */
      videollamadas: listSchema(
        objectSchema({
          reservada: textSchema,
          fecha: textSchema,
          tipo: textSchema,
          estado: textSchema,
          telefono: textSchema,
          mensaje: textSchema,
          agregado: extraFieldsSchema,
        }),
      ),
    }),
  }),
  /** Time at which the account will be deleted. `dia`: the date in words, in official Uruguayan time. */
  closure: objectSchema({ fecha: nullableTextSchema, dia: nullableTextSchema }),
} as const;
