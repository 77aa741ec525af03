import type { Agenda } from '../../platform/base/agenda.ts';
import type { CallMail } from './mails/mails.ts';

/**
 * The states of a call. The eight of an elevation are those of section 4.2 of the specification; beside them stand what only a reservation of the
 * support has (`Reservado`, `Vencido`, `Atendido`), and `Cancelado`.
 */
export type CallState =
  | 'Reservado'
  | 'Agendado'
  | 'Pendiente agente'
  | 'Pendiente verificación'
  | 'Pendiente usuario'
  | 'Rechazado agente'
  | 'Rechazado verificación'
  | 'Error'
  | 'Exitoso'
  | 'Atendido'
  | 'Cancelado'
  | 'Vencido';

/** Who may move a call on. */
type Mover = 'citizen' | 'agent' | 'system';

/** One way on: who goes it, from where, to where, and what the call's person is told of it. */
export interface Transition {
  readonly by: readonly Mover[];
  readonly from: readonly CallState[];
  readonly to: CallState;
  /** Absent: nothing, or it is told elsewhere. */
  readonly mail?: CallMail;
}

/** The whole life of each kind of call: what is not here does not happen. */
export const transitions = {
  support: {
    confirm: { by: ['citizen'], from: ['Reservado'], to: 'Agendado', mail: 'call-booked' },
    cancel: {
      by: ['citizen', 'agent'],
      from: ['Reservado', 'Agendado', 'Pendiente agente'],
      to: 'Cancelado',
      mail: 'call-cancelled',
    },
    lapse: { by: ['system'], from: ['Reservado'], to: 'Vencido', mail: 'call-lapsed' },
    wait: { by: ['citizen'], from: ['Agendado'], to: 'Pendiente agente' },
    attend: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Atendido' },
    fail: { by: ['agent', 'system'], from: ['Agendado', 'Pendiente agente'], to: 'Error', mail: 'call-failed' },
  },
  elevation: {
    cancel: {
      by: ['citizen', 'agent'],
      from: ['Agendado', 'Pendiente agente'],
      to: 'Cancelado',
      mail: 'call-cancelled',
    },
    wait: { by: ['citizen'], from: ['Agendado'], to: 'Pendiente agente' },
    /** The agent has seen all, and a second pair of eyes is asked for. */
    refer: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Pendiente verificación' },
    approve: {
      by: ['agent'],
      from: ['Agendado', 'Pendiente agente'],
      to: 'Pendiente usuario',
      mail: 'call-approved',
    },
    reject: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Rechazado agente', mail: 'call-rejected' },
    verify: { by: ['agent'], from: ['Pendiente verificación'], to: 'Pendiente usuario', mail: 'call-approved' },
    refuse: { by: ['agent'], from: ['Pendiente verificación'], to: 'Rechazado verificación', mail: 'call-rejected' },
    /** Something technical, or nobody came. */
    fail: { by: ['agent', 'system'], from: ['Agendado', 'Pendiente agente'], to: 'Error', mail: 'call-failed' },
    /** Something technical again, but the call itself was held. */
    abort: { by: ['agent'], from: ['Pendiente verificación'], to: 'Error', mail: 'call-aborted' },
    /** What there is to cancel of a call that was held: a yes that is waited for. */
    withdraw: {
      by: ['citizen', 'agent'],
      from: ['Pendiente verificación', 'Pendiente usuario'],
      to: 'Cancelado',
      mail: 'call-withdrawn',
    },
    /** The level was raised by another way. */
    spare: {
      by: ['system'],
      from: ['Agendado', 'Pendiente agente', 'Pendiente verificación', 'Pendiente usuario'],
      to: 'Cancelado',
      mail: 'call-spared',
    },
    accept: { by: ['citizen'], from: ['Pendiente usuario'], to: 'Exitoso' },
    /** The terms were not accepted in time: another call can be booked. */
    expire: { by: ['system'], from: ['Pendiente usuario'], to: 'Error', mail: 'call-expired' },
    /** No second pair of eyes looked in time: the same. */
    overlook: { by: ['system'], from: ['Pendiente verificación'], to: 'Error', mail: 'call-overlooked' },
  },
} as const satisfies Record<Agenda, Record<string, Transition>>;

/** What can be done to a call of a kind. */
export type Act<Kind extends Agenda> = keyof (typeof transitions)[Kind] & string;

/** The transition of a name, where calls of the kind have it. */
export function transitionOf(kind: Agenda, act: string): Transition | null {
  const table: Readonly<Record<string, Transition>> = transitions[kind];
  return (Object.hasOwn(table, act) && table[act]) || null;
}

/** States of a call that is agreed on and that no agent has decided about: its citizen may be in the room already, also long before its time. */
export const awaited = ['Agendado', 'Pendiente agente'] as const satisfies readonly CallState[];

/** States in which an elevation waits for somebody's yes: a second agent's, its citizen's. */
export const waitingStates = {
  verification: 'Pendiente verificación',
  acceptance: 'Pendiente usuario',
} as const satisfies Readonly<Record<string, CallState>>;

const held: ReadonlySet<CallState> = new Set(Object.values(waitingStates));
const onceHeld = { fail: 'abort', cancel: 'withdraw' } as const;
type OnceHeld = (typeof onceHeld)[keyof typeof onceHeld];

/** The name of an act on a call in a state: what fails or is cancelled once the call was held goes by another one, and is told otherwise. */
export function actIn<Name extends string>(state: CallState, act: Name): Name | OnceHeld {
  const names: Readonly<Record<string, OnceHeld>> = onceHeld;
  return (held.has(state) && names[act]) || act;
}

/** States from which there is no way on. */
const ends: ReadonlySet<CallState> = new Set([
  'Rechazado agente',
  'Rechazado verificación',
  'Error',
  'Exitoso',
  'Atendido',
  'Cancelado',
  'Vencido',
]);

/** Whether a call has come to its end, and holds no place any more. */
export function isOver(state: CallState): boolean {
  return ends.has(state);
}
