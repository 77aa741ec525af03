import { get, post, allRoles, type Operation } from '../operation.ts';
import { buildDeskOperationAccess } from '../desk-permissions.ts';
import { list, object, orNull, text } from '../schema-builders.ts';

/** Maximum length of a picture in base64. A picture of 1280 by 720 pixels needs about a third. */
const maxPictureLength = 1_200_000;
const shortText = { type: 'string', minLength: 1, maxLength: 128 } as const;
/** `llamada`: secret of a mailed link, or id of the call. `cliente`: id that the page generated for itself. */
const roomFields = { llamada: shortText, cliente: shortText } as const;

const agentAccess = buildDeskOperationAccess('videollamadas');
const roomAccess = { roles: allRoles, limit: 'room' } as const;

/** Signalling between the two browsers of a video call. The browsers transmit sound and picture directly to each other (WebRTC). */
export const operations = {
  enterRoom: post('/rest/sala-videollamada/', {
    body: 'roomEntry',
    answer: 'roomEvent',
    streams: true,
    roles: allRoles,
    limit: 'stream',
    summary:
      'Takes the citizen’s seat in the room of a call, authorized by its mailed link or the session, and streams the room’s events.',
  }),
  waitForAgent: post('/rest/sala-videollamada/espera/', {
    body: 'roomWait',
    ...roomAccess,
    summary: 'Records that the citizen entered the external room, so that agents see who is waiting.',
  }),
  signalRoom: post('/rest/sala-videollamada/senal/', {
    body: 'roomSignal',
    limitKb: 32,
    ...roomAccess,
    summary:
      'Sends a WebRTC signal from the citizen’s browser to the agent’s browser, or reports that the citizen leaves.',
  }),
  sendStill: post('/rest/sala-videollamada/foto/', {
    body: 'still',
    limitKb: 1_280,
    ...roomAccess,
    summary:
      'Sends the picture that the agent requested, as a JPEG in base64, or declines the request if there is no picture.',
  }),
  attendRoom: post('/rest/agentes/sala/', {
    body: 'roomEntry',
    answer: 'roomEvent',
    streams: true,
    limit: 'stream',
    ...agentAccess,
    summary:
      'Takes the agent’s seat in the room of a call that is assigned to the agent, and streams the room’s events.',
  }),
  recordExternalRoomEntry: post('/rest/agentes/sala/entrada/', {
    body: 'roomWait',
    ...agentAccess,
    summary: 'Records that the agent entered the external room of a call that is assigned to the agent.',
  }),
  signalFromDesk: post('/rest/agentes/sala/senal/', {
    body: 'roomSignal',
    limitKb: 32,
    ...agentAccess,
    summary:
      'Sends a WebRTC signal from the agent’s browser to the citizen’s browser, or reports that the agent leaves.',
  }),
  requestStill: post('/rest/agentes/sala/foto/', {
    body: 'stillRequest',
    ...agentAccess,
    summary: 'Requests a picture of the citizen’s document or face. The citizen may decline.',
  }),
  getStill: get('/rest/agentes/videollamadas/:id/fotos/:foto', {
    answer: 'still',
    ...agentAccess,
    summary: 'Returns a picture from a call that is assigned to the agent. Each access is audited.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const requestBodies = {
  roomWait: object({ llamada: shortText }),
  /** `desde`: number of the last received signal, when reconnecting. */
  roomEntry: object(roomFields, { desde: { type: 'integer', minimum: 0 } }),
  roomSignal: object({
    ...roomFields,
    senal: object({
      tipo: { enum: ['oferta', 'respuesta', 'candidato', 'adios'] },
      /** Id of the connection to which the signal belongs. */
      sesion: shortText,
      datos: { type: 'string', maxLength: 24_000 },
    }),
  }),
  stillRequest: object({ ...roomFields, tipo: { enum: ['documento', 'cara'] } }),
  still: object({ ...roomFields, foto: shortText }, { imagen: { type: 'string', maxLength: maxPictureLength } }),
} as const;

const photoRequest = { id: text, tipo: { enum: ['documento', 'cara'] } } as const;

export const responses = {
  /** `imagen`: a JPEG in base64. */
  still: object({ imagen: text }),
  roomEvent: object(
    /** `sala`: state of the room. `senal`: signal of the other browser. `ocupado`: another page has taken the seat. */
    { tipo: { enum: ['sala', 'senal', 'ocupado'] } },
    {
      estado: text,
      /** Client id of the page in the other seat. `null` if the seat is empty. */
      otro: orNull(text),
      hielo: object({
        servidores: list(object({ urls: list(text) }, { username: text, credential: text })),
        solo_rele: { type: 'boolean' },
      }),
      /** Photo that the agent has requested and not yet received. */
      foto: orNull(object(photoRequest)),
      /** State of the pictures that the agent requested. */
      fotos: list(object({ ...photoRequest, estado: { enum: ['pedida', 'tomada', 'rechazada'] } })),
      numero: { type: 'integer' },
      senal: object({ tipo: text, sesion: text, datos: text }),
    },
  ),
} as const;
