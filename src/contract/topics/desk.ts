import { get, post, type Operation } from '../operation.ts';
import { deskActions, requireDeskPermission } from '../desk.ts';

export { answers, bodies } from './desk-payloads.ts';

const callAccess = requireDeskPermission('videollamadas');
const accountAccess = requireDeskPermission('cuentas');
const hoursAccess = requireDeskPermission('horarios');
const messageAccess = requireDeskPermission('mensajes');

/** Operations of the agents' desk. The citizens' script does not contain them. */
export const operations = {
  getDesk: get('/rest/agentes/mesa/', {
    answer: 'desk',
    ...requireDeskPermission(...deskActions),
    summary: 'Who sits at the desk, and what they may do there.',
  }),
  watchDesk: get('/rest/agentes/novedades/', {
    answer: 'deskNews',
    passive: true,
    streams: true,
    limit: 'stream',
    ...callAccess,
    summary:
      'Tells each time that something about a call has changed, on whatever replica: what is shown is then read again.',
  }),
  getDeskDay: get('/rest/agentes/llamadas/', {
    query: ['fecha', 'documento'],
    queryByPost: true,
    answer: 'deskDay',
    ...callAccess,
    summary: 'The calls of a date, of today without one, or all of an exact document.',
  }),
  getDeskCall: get('/rest/agentes/llamadas/:id/', {
    answer: 'deskCall',
    ...callAccess,
    summary: 'A call with what the account and the registry know of its person, and the calls before it.',
  }),
  takeCall: post('/rest/agentes/llamadas/:id/tomar/', {
    body: 'empty',
    ...callAccess,
    summary: 'Takes a call that nobody has; where two do at once one has it, and the other is told who.',
  }),
  getColleagues: get('/rest/agentes/colegas/', {
    answer: 'colleagues',
    ...callAccess,
    summary: 'The other agents who attend calls, to whom one can be handed over.',
  }),
  handOverCall: post('/rest/agentes/llamadas/:id/ceder/', {
    screen: 'desk-ceder',
    reads: { agente: 'string' },
    proof: 'passkey',
    ...callAccess,
    summary: 'Hands an own call over to another agent, or leaves it to whoever takes it.',
  }),
  keepChecklist: post('/rest/agentes/llamadas/:id/control/', {
    screen: 'desk-checklist',
    reads: { notas: 'string' },
    storesAllFields: true,
    proof: 'passkey',
    ...callAccess,
    summary: 'Keeps what the agent has checked in an own call, and the notes.',
  }),
  decideDeskCall: post('/rest/agentes/llamadas/:id/decidir/', {
    screen: 'desk-decidir',
    reads: { decision: 'string', motivo: 'string' },
    validators: { 'desk-checklist': { para: 'string' } },
    answer: 'deskDecision',
    proof: 'passkey',
    ...callAccess,
    summary:
      'Decides about an own call, with a reason. An approval asks for a call that was held and for every required point of the checklist.',
  }),
  findAccount: post('/rest/agentes/cuentas/buscar/', {
    screen: 'desk-buscar',
    reads: { documento: 'string' },
    answer: 'deskAccount',
    limit: 'lookUp',
    ...accountAccess,
    summary:
      'The account of an exact document or e-mail address and the records of foreign providers with it, or the record of whom such a provider means (`br:12345678909`), and nothing where there is none; each look is noted.',
  }),
  actOnAccount: post('/rest/agentes/cuentas/actuar/', {
    screen: 'desk-acto',
    reads: { documento: 'string', acto: 'string', motivo: 'string', visto: 'boolean' },
    answer: 'deskAct',
    limit: 'deskAct',
    proof: 'passkey',
    ...accountAccess,
    summary:
      'Blocks, frees, restricts, signs out, elevates in person, corrects, helps or closes an account, with a reason and a mail.',
  }),
  actOnForeignRecord: post('/rest/agentes/cuentas/actuar-proveedor/', {
    screen: 'desk-acto-proveedor',
    reads: { quien: 'string', acto: 'string', motivo: 'string' },
    answer: 'deskAct',
    limit: 'deskAct',
    proof: 'passkey',
    ...accountAccess,
    summary: 'Blocks, frees or signs out who comes by a foreign provider, with a reason; there is no address to tell.',
  }),
  startEmailChange: post('/rest/agentes/cuentas/correo/', {
    screen: 'desk-correo',
    reads: { documento: 'string', email: 'string', motivo: 'string', visto: 'boolean' },
    answer: 'deskAct',
    limit: 'deskAct',
    proof: 'passkey',
    ...accountAccess,
    summary: 'Mails the link that confirms a new address, for who lost the mailbox and was seen in person.',
  }),
  getDeskHours: get('/rest/agentes/horarios/', {
    query: ['agenda'],
    answer: 'deskHours',
    ...hoursAccess,
    summary: 'When calls of a kind are attended: the hours of the week, and the dates that differ.',
  }),
  setDeskWeek: post('/rest/agentes/horarios/semana/', {
    screen: 'desk-semana',
    reads: { agenda: 'string', horario: 'string', mover: 'boolean' },
    answer: 'deskHoursKept',
    proof: 'passkey',
    ...hoursAccess,
    summary:
      'Sets the hours of the week. Where bookings would be left without a place nothing is kept, unless they are to be moved.',
  }),
  setDeskDate: post('/rest/agentes/horarios/fecha/', {
    screen: 'desk-fecha',
    reads: { agenda: 'string', fecha: 'string', horario: 'string', nota: 'string', mover: 'boolean' },
    answer: 'deskHoursKept',
    proof: 'passkey',
    ...hoursAccess,
    summary: 'Sets the hours of one date, a holiday without any; as above where that leaves bookings without a place.',
  }),
  dropDeskDate: post('/rest/agentes/horarios/fecha/quitar/', {
    body: 'deskDate',
    answer: 'deskHoursKept',
    proof: 'passkey',
    ...hoursAccess,
    summary: 'Lets a date have the hours of its weekday again; as above where that leaves bookings without a place.',
  }),
  getDeskMessages: get('/rest/agentes/mensajes/', {
    answer: 'deskMessages',
    ...messageAccess,
    summary: 'The newest messages of the contact form, those that wait for an answer first, and the newest feedback.',
  }),
  answerMessage: post('/rest/agentes/mensajes/:id/responder/', {
    screen: 'desk-responder',
    reads: { respuesta: 'string' },
    proof: 'passkey',
    ...messageAccess,
    summary: 'Answers a message by mail, once.',
  }),
  readFeedback: post('/rest/agentes/opiniones/:id/leida/', {
    body: 'empty',
    ...messageAccess,
    summary: 'Notes that what a visitor thinks of a page was read.',
  }),
  getFigures: get('/rest/agentes/cifras/', {
    answer: 'figures',
    ...requireDeskPermission('cifras'),
    summary: 'Calls of the last twelve weeks by week and state, how long citizens waited, and who did not come.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;
