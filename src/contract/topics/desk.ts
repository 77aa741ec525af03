import type { Call } from '../call.ts';
import { deskActions, ofDesk } from '../desk.ts';
import { callParts, list, object, optionalText, orNull, text } from '../shapes.ts';

const calls = ofDesk('videollamadas');
const accounts = ofDesk('cuentas');
const hours = ofDesk('horarios');
const messages = ofDesk('mensajes');

/** The desk of the agents. A citizen's script holds none of these rows. */
export const deskCalls = {
  getDesk: {
    method: 'GET',
    path: '/rest/agentes/mesa/',
    answer: 'desk',
    ...ofDesk(...deskActions),
    summary: 'Who sits at the desk, and what they may do there.',
  },
  watchDesk: {
    method: 'GET',
    path: '/rest/agentes/novedades/',
    answer: 'deskNews',
    passive: true,
    streams: true,
    ...calls,
    summary:
      'Tells each time that something about a call has changed, on whatever replica: what is shown is then read again.',
  },
  getDeskDay: {
    method: 'GET',
    path: '/rest/agentes/llamadas/',
    query: ['fecha', 'documento'],
    answer: 'deskDay',
    ...calls,
    summary: 'The calls of a date, of today without one, or all of an exact document.',
  },
  getDeskCall: {
    method: 'GET',
    path: '/rest/agentes/llamadas/:id/',
    answer: 'deskCall',
    ...calls,
    summary: 'A call with what the account and the registry know of its person, and the calls before it.',
  },
  takeCall: {
    method: 'POST',
    path: '/rest/agentes/llamadas/:id/tomar/',
    body: 'empty',
    answer: 'empty',
    ...calls,
    summary: 'Takes a call that nobody has; where two do at once one has it, and the other is told who.',
  },
  getColleagues: {
    method: 'GET',
    path: '/rest/agentes/colegas/',
    answer: 'colleagues',
    ...calls,
    summary: 'The other agents who attend calls, to whom one can be handed over.',
  },
  handOverCall: {
    method: 'POST',
    path: '/rest/agentes/llamadas/:id/ceder/',
    screen: 'desk-ceder',
    reads: { agente: 'string' },
    answer: 'empty',
    ...calls,
    summary: 'Hands an own call over to another agent, or leaves it to whoever takes it.',
  },
  keepChecklist: {
    method: 'POST',
    path: '/rest/agentes/llamadas/:id/control/',
    screen: 'desk-checklist',
    reads: { notas: 'string' },
    answer: 'empty',
    ...calls,
    summary: 'Keeps what the agent has checked in an own call, and the notes.',
  },
  decideDeskCall: {
    method: 'POST',
    path: '/rest/agentes/llamadas/:id/decidir/',
    screen: 'desk-decidir',
    reads: { decision: 'string', motivo: 'string' },
    answer: 'deskDecision',
    ...calls,
    summary: 'Decides about an own call, with a reason; a decision of its own agent is verified by another one.',
  },
  findAccount: {
    method: 'POST',
    path: '/rest/agentes/cuentas/buscar/',
    screen: 'desk-buscar',
    reads: { documento: 'string' },
    answer: 'deskAccount',
    ...accounts,
    summary: 'The account of an exact document, and nothing where nobody has it; each look is noted.',
  },
  actOnAccount: {
    method: 'POST',
    path: '/rest/agentes/cuentas/actuar/',
    screen: 'desk-acto',
    reads: { documento: 'string', acto: 'string', motivo: 'string', visto: 'boolean' },
    answer: 'deskAct',
    ...accounts,
    summary:
      'Blocks, frees, restricts, signs out, elevates in person or corrects an account, with a reason and a mail.',
  },
  startEmailChange: {
    method: 'POST',
    path: '/rest/agentes/cuentas/correo/',
    screen: 'desk-correo',
    reads: { documento: 'string', email: 'string', motivo: 'string', visto: 'boolean' },
    answer: 'empty',
    ...accounts,
    summary: 'Mails the link that confirms a new address, for who lost the mailbox and was seen in person.',
  },
  getDeskHours: {
    method: 'GET',
    path: '/rest/agentes/horarios/',
    query: ['agenda'],
    answer: 'deskHours',
    ...hours,
    summary: 'When calls of a kind are attended: the hours of the week, and the dates that differ.',
  },
  setDeskWeek: {
    method: 'POST',
    path: '/rest/agentes/horarios/semana/',
    screen: 'desk-semana',
    reads: { agenda: 'string', horario: 'string', mover: 'boolean' },
    answer: 'deskHoursKept',
    ...hours,
    summary:
      'Sets the hours of the week. Where bookings would be left without a place nothing is kept, unless they are to be moved.',
  },
  setDeskDate: {
    method: 'POST',
    path: '/rest/agentes/horarios/fecha/',
    screen: 'desk-fecha',
    reads: { agenda: 'string', fecha: 'string', horario: 'string', nota: 'string', mover: 'boolean' },
    answer: 'deskHoursKept',
    ...hours,
    summary: 'Sets the hours of one date, a holiday without any; as above where that leaves bookings without a place.',
  },
  dropDeskDate: {
    method: 'POST',
    path: '/rest/agentes/horarios/fecha/quitar/',
    body: 'deskDate',
    answer: 'deskHoursKept',
    ...hours,
    summary: 'Lets a date have the hours of its weekday again.',
  },
  getDeskMessages: {
    method: 'GET',
    path: '/rest/agentes/mensajes/',
    answer: 'deskMessages',
    ...messages,
    summary: 'The newest messages of the contact form, those that wait for an answer first, and the newest feedback.',
  },
  answerMessage: {
    method: 'POST',
    path: '/rest/agentes/mensajes/:id/responder/',
    screen: 'desk-responder',
    reads: { respuesta: 'string' },
    answer: 'empty',
    ...messages,
    summary: 'Answers a message by mail, once.',
  },
  readFeedback: {
    method: 'POST',
    path: '/rest/agentes/opiniones/:id/leida/',
    body: 'empty',
    answer: 'empty',
    ...messages,
    summary: 'Notes that what a visitor thinks of a page was read.',
  },
  getFigures: {
    method: 'GET',
    path: '/rest/agentes/cifras/',
    answer: 'figures',
    ...ofDesk('cifras'),
    summary: 'Calls of the last twelve weeks by week and state, how long citizens waited, and who did not come.',
  },
} as const satisfies Readonly<Record<string, Call>>;

const agent = object({ id: text, nombre: text });
const comparacion = list(object({ campo: text, cuenta: text, registro: optionalText, difiere: { type: 'boolean' } }));
const listed = {
  ...callParts,
  /** `support` or `elevation`. */
  tipo: text,
  nombre: text,
  documento: text,
  asunto: text,
  agente: orNull(agent),
  mia: { type: 'boolean' },
  /** Its time has come, and nobody has decided. */
  atrasada: { type: 'boolean' },
  terminada: { type: 'boolean' },
  /** It is about the agent's own account. */
  propia: { type: 'boolean' },
} as const;

/** Answers of the calls above. */
export const deskAnswers = {
  desk: object({
    id: text,
    nombre: text,
    /** Actions of the resource `agentes`. */
    permisos: list(text),
    /** Whether another agent verifies each approval. */
    segundo_agente: { type: 'boolean' },
  }),
  deskNews: object({ numero: { type: 'integer' } }),
  deskDay: object({ fecha: text, llamadas: list(object(listed)) }),
  deskCall: object({
    ...listed,
    correo: text,
    telefono: text,
    mensaje: text,
    /** The address of an outside room; empty: not open, or not the agent's; null: the call takes place in the portal's own. */
    entrada: optionalText,
    /** What can be decided now, by the names of the form. */
    decisiones: list(text),
    /** The account's record beside the registry's, field by field. */
    comparacion,
    /** `hallado`, `desconocido`, `inaccesible`, or `otro` for documents of which no registry is asked. */
    registro: text,
    /** What was checked, by the fields of the form; a JSON object. */
    control: text,
    anteriores: list(object({ ...callParts, tipo: text, motivo: text })),
  }),
  deskAccount: object({
    documento: text,
    /** Null: nobody has that document. */
    cuenta: orNull(
      object({
        nombre: text,
        nivel: text,
        activa: { type: 'boolean' },
        bloqueada: { type: 'boolean' },
        restringida: { type: 'boolean' },
        propia: { type: 'boolean' },
        correo: text,
        correo_validado: { type: 'boolean' },
        ultimo_ingreso: optionalText,
        sesiones: { type: 'integer' },
        comparacion,
        registro: text,
        /** What can be done now, by the names of the form. */
        actos: list(text),
      }),
    ),
  }),
  deskHours: object({
    agenda: text,
    minutos: { type: 'integer' },
    /** The hours of the week, one stretch a line. */
    horario: text,
    fechas: list(object({ fecha: text, horario: text, nota: text })),
  }),
  deskHoursKept: object({
    guardado: { type: 'boolean' },
    /** Bookings that have no place by the hours that were asked for, or that were moved. */
    reservas: list(object({ ...callParts, nombre: text })),
    /** The same in a sentence; empty: none. */
    lista: text,
  }),
  deskMessages: object({
    mensajes: list(
      object({
        id: text,
        momento: text,
        nombre: text,
        documento: text,
        correo: text,
        telefono: text,
        asunto: text,
        mensaje: text,
        /** Null: nobody has answered. */
        respuesta: orNull(object({ momento: text, agente: text, texto: text })),
      }),
    ),
    opiniones: list(
      object({
        id: text,
        momento: text,
        pagina: optionalText,
        util: optionalText,
        comentario: text,
        leida: { type: 'boolean' },
      }),
    ),
  }),
  figures: object({
    semanas: list(
      object({
        /** Its Monday. */
        semana: text,
        llamadas: { type: 'integer' },
        ausentes: { type: 'integer' },
        /** Minutes on average between entering and the decision; null: nobody waited. */
        espera: { type: ['integer', 'null'] },
        estados: list(object({ estado: text, cantidad: { type: 'integer' } })),
      }),
    ),
  }),
  deskAct: object({ hecho: { type: 'boolean' } }),
  deskDecision: object({ estado: text }),
  colleagues: list(agent),
} as const;

/** Bodies of the calls above that no screen sends as they are. */
export const deskBodies = {
  deskDate: object({ agenda: text, fecha: text }),
} as const;
