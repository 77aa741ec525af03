import { defineGetOperation, definePostOperation, allRoles, type OperationDeclaration } from '../operation.ts';
import { buildDeskOperationAccess } from '../desk-permissions.ts';
import { listSchema, objectSchema, nullableSchema, textSchema } from '../schema-builders.ts';

/** Maximum length of a picture in base64. A picture of 1280 by 720 pixels needs about a third. */
const maxPictureLength = 1_200_000;
const shortText = { type: 'string', minLength: 1, maxLength: 128 } as const;
/** `llamada`: secret of a mailed link, or id of the call. `cliente`: id that the page generated for itself. */
const roomFields = { llamada: shortText, cliente: shortText } as const;

const agentAccess = buildDeskOperationAccess('videollamadas');
const roomAccess = { roles: allRoles, limit: 'room' } as const;

/** Signalling between the two browsers of a video call. The browsers transmit sound and picture directly to each other (WebRTC). */
export const operations = {
  enterRoom: definePostOperation('/rest/sala-videollamada/', {
    body: 'roomEntry',
    answer: 'roomEvent',
    streams: true,
    roles: allRoles,
    limit: 'stream',
    summary:
      'Takes the citizen’s seat in the room of a call, authorized by its mailed link or the session, and streams the room’s events.',
  }),
  recordCitizenRoomEntry: definePostOperation('/rest/sala-videollamada/espera/', {
    body: 'roomWait',
    ...roomAccess,
    summary: 'Records that the citizen entered the external room, so that agents see who is waiting.',
  }),
  signalRoom: definePostOperation('/rest/sala-videollamada/senal/', {
    body: 'roomSignal',
    limitKb: 32,
    ...roomAccess,
    summary:
      'Sends a WebRTC signal from the citizen’s browser to the agent’s browser, or reports that the citizen leaves.',
  }),
  sendStill: definePostOperation('/rest/sala-videollamada/foto/', {
    body: 'still',
    limitKb: 1_280,
    ...roomAccess,
    summary:
      'Sends the picture that the agent requested, as a JPEG in base64, or declines the request if there is no picture.',
  }),
  attendRoom: definePostOperation('/rest/agentes/sala/', {
    body: 'roomEntry',
    answer: 'roomEvent',
    streams: true,
    limit: 'stream',
    ...agentAccess,
    summary:
      'Takes the agent’s seat in the room of a call that is assigned to the agent, and streams the room’s events.',
  }),
  recordExternalRoomEntry: definePostOperation('/rest/agentes/sala/entrada/', {
    body: 'roomWait',
    ...agentAccess,
    summary: 'Records that the agent entered the external room of a call that is assigned to the agent.',
  }),
  signalFromDesk: definePostOperation('/rest/agentes/sala/senal/', {
    body: 'roomSignal',
    limitKb: 32,
    ...agentAccess,
    summary:
      'Sends a WebRTC signal from the agent’s browser to the citizen’s browser, or reports that the agent leaves.',
  }),
  requestStill: definePostOperation('/rest/agentes/sala/foto/', {
    body: 'stillRequest',
    ...agentAccess,
    summary: 'Requests a picture of the citizen’s document or face. The citizen may decline.',
  }),
  getStill: defineGetOperation('/rest/agentes/videollamadas/:id/fotos/:foto', {
    answer: 'still',
    ...agentAccess,
    summary: 'Returns a picture from a call that is assigned to the agent. Each access is audited.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;

export const requestBodySchemas = {
  roomWait: objectSchema({ llamada: shortText }),
  /** `desde`: number of the last received signal, when reconnecting. */
  roomEntry: objectSchema(roomFields, { desde: { type: 'integer', minimum: 0 } }),
  roomSignal: objectSchema({
    ...roomFields,
    senal: objectSchema({
      tipo: { enum: ['oferta', 'respuesta', 'candidato', 'adios'] },
      /** Id of the connection to which the signal belongs. */
      sesion: shortText,
      datos: { type: 'string', maxLength: 24_000 },
    }),
  }),
  stillRequest: objectSchema({ ...roomFields, tipo: { enum: ['documento', 'cara'] } }),
  still: objectSchema({ ...roomFields, foto: shortText }, { imagen: { type: 'string', maxLength: maxPictureLength } }),
} as const;

const photoRequest = { id: textSchema, tipo: { enum: ['documento', 'cara'] } } as const;

export const responseSchemas = {
  /** `imagen`: a JPEG in base64. */
  still: objectSchema({ imagen: textSchema }),
  roomEvent: objectSchema(
    /** `sala`: state of the room. `senal`: signal of the other browser. `ocupado`: another page has taken the seat. */
    { tipo: { enum: ['sala', 'senal', 'ocupado'] } },
    {
      estado: textSchema,
      /** Client id of the page in the other seat. `null` if the seat is empty. */
      otro: nullableSchema(textSchema),
      hielo: objectSchema({
        servidores: listSchema(
          objectSchema({ urls: listSchema(textSchema) }, { username: textSchema, credential: textSchema }),
        ),
        solo_rele: { type: 'boolean' },
      }),
      /** Photo that the agent has requested and not yet received. */
      foto: nullableSchema(objectSchema(photoRequest)),
      /** State of the pictures that the agent requested. */
      fotos: listSchema(objectSchema({ ...photoRequest, estado: { enum: ['pedida', 'tomada', 'rechazada'] } })),
      numero: { type: 'integer' },
      senal: objectSchema({ tipo: textSchema, sesion: textSchema, datos: textSchema }),
    },
  ),
} as const;
