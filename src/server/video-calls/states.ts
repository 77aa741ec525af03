import type { Agenda } from '../base/agenda.ts';

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

/** One way on: who goes it, from where, and to where. */
export interface Transition {
  readonly by: readonly Mover[];
  readonly from: readonly CallState[];
  readonly to: CallState;
}

/** The whole life of each kind of call: what is not here does not happen. */
export const transitions = {
  support: {
    confirm: { by: ['citizen'], from: ['Reservado'], to: 'Agendado' },
    cancel: { by: ['citizen', 'agent'], from: ['Reservado', 'Agendado', 'Pendiente agente'], to: 'Cancelado' },
    lapse: { by: ['system'], from: ['Reservado'], to: 'Vencido' },
    wait: { by: ['citizen'], from: ['Agendado'], to: 'Pendiente agente' },
    attend: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Atendido' },
    fail: { by: ['agent', 'system'], from: ['Agendado', 'Pendiente agente'], to: 'Error' },
  },
  elevation: {
    cancel: {
      by: ['citizen', 'agent'],
      from: ['Agendado', 'Pendiente agente', 'Pendiente verificación', 'Pendiente usuario'],
      to: 'Cancelado',
    },
    wait: { by: ['citizen'], from: ['Agendado'], to: 'Pendiente agente' },
    /** The agent has seen all, and a second pair of eyes is asked for. */
    refer: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Pendiente verificación' },
    approve: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Pendiente usuario' },
    reject: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Rechazado agente' },
    verify: { by: ['agent'], from: ['Pendiente verificación'], to: 'Pendiente usuario' },
    refuse: { by: ['agent'], from: ['Pendiente verificación'], to: 'Rechazado verificación' },
    /** Something technical, or nobody came. */
    fail: { by: ['agent', 'system'], from: ['Agendado', 'Pendiente agente', 'Pendiente verificación'], to: 'Error' },
    accept: { by: ['citizen'], from: ['Pendiente usuario'], to: 'Exitoso' },
    /** The terms were not accepted in time: another call can be booked. */
    expire: { by: ['system'], from: ['Pendiente usuario'], to: 'Error' },
    /** No second pair of eyes looked in time: the same. */
    overlook: { by: ['system'], from: ['Pendiente verificación'], to: 'Error' },
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

/** Whether a call did not prove who its citizen is. */
export function isRejected(state: CallState): boolean {
  return state === 'Rechazado agente' || state === 'Rechazado verificación';
}
