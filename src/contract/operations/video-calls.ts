import {
  defineGetOperation,
  definePostOperation,
  defineDeleteOperation,
  allRoles,
  type OperationDeclaration,
  type ErrorCodesByOperation,
} from '../operation.ts';
import { listSchema, objectSchema, textSchema } from '../schema-builders.ts';
import { callEntrySchemaProperties, videoCallSchemaProperties } from './video-call-schemas.ts';

const ownElevationAccess = { roles: ['citizen'], manages: true, limit: 'accountAct' } as const;

/** The caller needs one of the two permissions (section 6 of the specification). */
const elevationAccess = {
  roles: ['citizen'],
  manages: true,
  permissions: [
    ['videollamada', 'crear'],
    ['tramitar_videollamada', 'crear'],
  ],
} as const;

const mailedLinkAccess = { roles: allRoles, limit: 'openCall' } as const;

export const operations = {
  getSupportDates: defineGetOperation('/rest/configuracion-turno-consulta/lista-fechas-configuradas/', {
    query: ['fecha_inicio', 'fecha_fin', 'disponible'],
    answer: 'callDates',
    roles: allRoles,
    summary: 'Returns the dates on which a support call can be booked, from tomorrow to three months ahead.',
  }),
  getSupportHours: defineGetOperation('/rest/disponibilidad-consulta/', {
    query: ['fecha'],
    answer: 'callHours',
    roles: allRoles,
    summary: 'Returns the times of a date at which a support call can be booked.',
  }),
  bookSupportCall: definePostOperation('/rest/videollamada-soporte/', {
    screen: ['agenda-soporte', 'agenda-soporte-telefono', 'agenda-soporte-fecha', 'agenda-soporte-confirmar'],
    reads: {
      nombre_completo: 'string',
      pais_emisor: 'string',
      tipo_documento: 'string',
      numero_documento: 'string',
      correo_electronico: 'string',
      numero_telefono: 'string',
      asunto: 'string',
      mensaje: 'string',
      fecha: 'string',
      hora: 'string',
    },
    groups: {
      informacion_contacto: [
        'nombre_completo',
        'numero_documento',
        'correo_electronico',
        'numero_telefono',
        'asunto',
        'mensaje',
        'pais_emisor',
        'tipo_documento',
      ],
    },
    allowsExtraFields: true,
    answer: 'bookedCall',
    roles: allRoles,
    captcha: 'anonymous',
    limit: 'bookCall',
    counts: { document: ['pais_emisor', 'tipo_documento', 'numero_documento'], email: 'correo_electronico' },
    summary:
      'Books a support call. The reservation expires after two hours unless the mailed link confirms it. For a signed-in citizen, name, document and e-mail address come from the account.',
  }),
  getSupportCall: defineGetOperation('/rest/videollamada-soporte/:id', {
    answer: 'supportCall',
    ...mailedLinkAccess,
    summary: 'Returns a support call by its mailed link, or by its id for the citizen who booked it.',
  }),
  confirmSupportCall: definePostOperation('/rest/videollamada-soporte/:id/confirmar', {
    body: 'empty',
    answer: 'bookedCall',
    ...mailedLinkAccess,
    summary: 'Confirms the reservation of a support call with its mailed link.',
  }),
  cancelSupportCall: definePostOperation('/rest/videollamada-soporte/:id/cancelar-tramite-con-uuid/', {
    body: 'empty',
    ...mailedLinkAccess,
    summary: 'Cancels a support call with its mailed link, and frees its time slot.',
  }),
  getElevationDates: defineGetOperation('/rest/configuracion-turno/lista-fechas-configuradas/', {
    query: ['fecha_inicio', 'fecha_fin'],
    answer: 'elevationDates',
    ...elevationAccess,
    summary: 'Returns the dates with elevation calls, and whether each still has free times.',
  }),
  getElevationHours: defineGetOperation('/rest/disponibilidad/', {
    query: ['fecha'],
    answer: 'callHours',
    ...elevationAccess,
    summary: 'Returns the times of a date at which an elevation call can be booked.',
  }),
  checkCard: defineGetOperation('/rest/info-dnic/', {
    query: ['primer_apellido', 'numero_serie', 'cedula'],
    queryByPost: true,
    answer: 'identityCheck',
    ...elevationAccess,
    rejectsRestricted: true,
    limit: 'checkCard',
    summary:
      'Checks whether surname and serial number match the citizen’s own card, and whether its holder is of age. The session records a passed check.',
  }),
  bookElevation: definePostOperation('/rest/tramite-videollamada/', {
    screen: ['elevacion-condiciones', 'elevacion-datos', 'elevacion-fecha'],
    reads: { numero_serie: 'string', numero_telefono: 'string', fecha: 'string', hora: 'string' },
    optional: ['terminos', 'clausula', 'numero_serie'],
    allowsExtraFields: true,
    answer: 'bookedCall',
    ...elevationAccess,
    rejectsRestricted: true,
    limit: 'checkCard',
    summary:
      'Books the call that raises the level of the account. Without a serial number, the session must have passed the identity check in the last half hour.',
  }),
  cancelElevation: defineDeleteOperation('/rest/tramite-videollamada/:id/', {
    ...ownElevationAccess,
    summary: 'Cancels the pending call of the signed-in citizen.',
  }),
  acceptElevation: definePostOperation('/rest/ciudadanos/elevarse_a_intermedio_con_videollamada/', {
    body: 'empty',
    answer: 'levelRaised',
    ...ownElevationAccess,
    rejectsRestricted: true,
    summary: 'Accepts the terms after the call, which raises the account to level Intermedio.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const responseSchemas = {
  callDates: listSchema(objectSchema({ fecha: textSchema })),
  elevationDates: listSchema(objectSchema({ fecha: textSchema, disponible: { type: 'boolean' } })),
  callHours: listSchema(objectSchema({ hora_inicio: textSchema })),
  bookedCall: objectSchema(videoCallSchemaProperties),
  supportCall: objectSchema({
    ...videoCallSchemaProperties,
    asunto: textSchema,
    informacion_contacto: objectSchema({ nombre_completo: textSchema }),
    ...callEntrySchemaProperties,
  }),
  identityCheck: objectSchema({
    primer_apellido: { type: 'boolean' },
    numero_serie: { type: 'boolean' },
    mayor_de_edad: { type: 'boolean' },
  }),
} as const;

export const errorCodes = {
  bookSupportCall: [
    'sin_cupos',
    'consulta_por_email',
    'consulta_por_documento',
    'usuario_con_videollamada',
    'muchas_canceladas',
  ],
  confirmSupportCall: ['vinculo_invalido'],
  cancelSupportCall: ['vinculo_invalido'],
  bookElevation: [
    'sin_cupos',
    'cupo_ocupado',
    'tramite_en_curso',
    'usuario_con_videollamada',
    'serie_no_coincide',
    'apellido_no_coincide',
    'menor_de_edad',
    'nivel_ya_alcanzado',
    'muchas_canceladas',
  ],
} as const satisfies ErrorCodesByOperation<typeof operations>;
