import { defineGetOperation, definePostOperation, type OperationDeclaration } from '../operation.ts';
import { deskPermissionActions, buildDeskOperationAccess } from '../desk-permissions.ts';

export { responseSchemas, requestBodySchemas } from './desk-payload-schemas.ts';

const callAccess = buildDeskOperationAccess('videollamadas');
const accountAccess = buildDeskOperationAccess('cuentas');
const hoursAccess = buildDeskOperationAccess('horarios');
const messageAccess = buildDeskOperationAccess('mensajes');
const accountChange = { answer: 'deskAct', limit: 'deskAct', proof: 'passkey', ...accountAccess } as const;
const hoursChange = { answer: 'deskHoursKept', proof: 'passkey', ...hoursAccess } as const;

/** Operations of the agents' desk. The citizens' script does not contain them. */
export const operations = {
  getDesk: defineGetOperation('/rest/agentes/mesa/', {
    answer: 'desk',
    ...buildDeskOperationAccess(...deskPermissionActions),
    summary: 'Returns the agent’s profile and permissions.',
  }),
  watchDesk: defineGetOperation('/rest/agentes/novedades/', {
    answer: 'deskNews',
    passive: true,
    streams: true,
    limit: 'stream',
    ...callAccess,
    summary: 'Streams an event each time that a call changes on any replica, so that the client reloads its data.',
  }),
  getDeskDay: defineGetOperation('/rest/agentes/llamadas/', {
    query: ['fecha', 'documento'],
    queryByPost: true,
    answer: 'deskDay',
    ...callAccess,
    summary: 'Returns the calls of a date (today by default), or all calls of an exact document number.',
  }),
  getDeskCall: defineGetOperation('/rest/agentes/llamadas/:id/', {
    answer: 'deskCall',
    ...callAccess,
    summary: 'Returns a call with the account and registry data of its person, and the person’s previous calls.',
  }),
  takeCall: definePostOperation('/rest/agentes/llamadas/:id/tomar/', {
    body: 'empty',
    ...callAccess,
    summary:
      'Assigns an unassigned call to the agent. If two agents try at once, one gets the call and the other gets an error with that agent’s name.',
  }),
  getColleagues: defineGetOperation('/rest/agentes/colegas/', {
    answer: 'colleagues',
    ...callAccess,
    summary: 'Returns the other agents to whom a call can be handed over.',
  }),
  handOverCall: definePostOperation('/rest/agentes/llamadas/:id/ceder/', {
    screen: 'desk-ceder',
    reads: { agente: 'string' },
    proof: 'passkey',
    ...callAccess,
    summary: 'Hands a call of the agent over to another agent, or releases it for any agent.',
  }),
  keepChecklist: definePostOperation('/rest/agentes/llamadas/:id/control/', {
    screen: 'desk-checklist',
    reads: { notas: 'string' },
    storesAllFields: true,
    proof: 'passkey',
    ...callAccess,
    summary: 'Saves the checklist and notes of a call that is assigned to the agent.',
  }),
  decideDeskCall: definePostOperation('/rest/agentes/llamadas/:id/decidir/', {
    screen: 'desk-decidir',
    reads: { decision: 'string', motivo: 'string' },
    validators: { 'desk-checklist': { para: 'string' } },
    answer: 'deskDecision',
    proof: 'passkey',
    ...callAccess,
    summary:
      'Decides a call that is assigned to the agent, with a reason. An approval requires that the call was held and that every mandatory item of the checklist is checked.',
  }),
  findDeskAccount: definePostOperation('/rest/agentes/cuentas/buscar/', {
    screen: 'desk-buscar',
    reads: { documento: 'string' },
    answer: 'deskAccount',
    limit: 'lookUp',
    ...accountAccess,
    summary:
      'Returns the account with an exact document or e-mail address and its records of foreign providers, or the record of a provider’s subject (`br:12345678909`). Returns nothing if there is none. Each lookup is audited.',
  }),
  actOnAccount: definePostOperation('/rest/agentes/cuentas/actuar/', {
    screen: 'desk-acto',
    reads: { documento: 'string', acto: 'string', motivo: 'string', visto: 'boolean' },
    ...accountChange,
    summary:
      'Performs an administrative action on an account, with a reason: blocks, unblocks, restricts, signs out, elevates in person, corrects or closes it, or sends a link to its citizen.',
  }),
  actOnForeignRecord: definePostOperation('/rest/agentes/cuentas/actuar-proveedor/', {
    screen: 'desk-acto-proveedor',
    reads: { quien: 'string', acto: 'string', motivo: 'string' },
    ...accountChange,
    summary:
      'Blocks, unblocks or signs out a user of a foreign provider, with a reason. The user is not notified, because no e-mail address is known.',
  }),
  startEmailChange: definePostOperation('/rest/agentes/cuentas/correo/', {
    screen: 'desk-correo',
    reads: { documento: 'string', email: 'string', motivo: 'string', visto: 'boolean' },
    ...accountChange,
    summary:
      'Mails the link that confirms a new e-mail address, for a citizen who lost access to the mailbox and was identified in person.',
  }),
  getDeskHours: defineGetOperation('/rest/agentes/horarios/', {
    query: ['agenda'],
    answer: 'deskHours',
    ...hoursAccess,
    summary: 'Returns the opening hours of a kind of call: those of the week, and the dates with other hours.',
  }),
  setDeskWeek: definePostOperation('/rest/agentes/horarios/semana/', {
    screen: 'desk-semana',
    reads: { agenda: 'string', horario: 'string', mover: 'boolean' },
    ...hoursChange,
    summary:
      'Sets the opening hours of the week. If bookings would fall outside the new hours, nothing is saved unless they are to be moved.',
  }),
  setDeskDate: definePostOperation('/rest/agentes/horarios/fecha/', {
    screen: 'desk-fecha',
    reads: { agenda: 'string', fecha: 'string', horario: 'string', nota: 'string', mover: 'boolean' },
    ...hoursChange,
    summary:
      'Sets the opening hours of one date, or none for a holiday. If bookings would fall outside the new hours, nothing is saved unless they are to be moved.',
  }),
  dropDeskDate: definePostOperation('/rest/agentes/horarios/fecha/quitar/', {
    body: 'deskDate',
    ...hoursChange,
    summary:
      'Restores the hours of the weekday on a date. If bookings would fall outside these hours, nothing is saved unless they are to be moved.',
  }),
  getDeskMessages: defineGetOperation('/rest/agentes/mensajes/', {
    answer: 'deskMessages',
    ...messageAccess,
    summary: 'Returns the latest messages of the contact form, unanswered ones first, and the latest feedback.',
  }),
  answerContactMessage: definePostOperation('/rest/agentes/mensajes/:id/responder/', {
    screen: 'desk-responder',
    reads: { respuesta: 'string' },
    proof: 'passkey',
    ...messageAccess,
    summary: 'Answers a message by mail. A message can be answered once.',
  }),
  readFeedback: definePostOperation('/rest/agentes/opiniones/:id/leida/', {
    body: 'empty',
    ...messageAccess,
    summary: 'Marks a visitor’s feedback as read.',
  }),
  getFigures: defineGetOperation('/rest/agentes/cifras/', {
    answer: 'figures',
    ...buildDeskOperationAccess('cifras'),
    summary:
      'Returns the calls of the last twelve weeks and the next one by week and state, with waiting times and no-shows.',
  }),
} as const satisfies Readonly<Record<string, OperationDeclaration>>;
