import type { videoCallStates } from '../../../contract/operations/video-call-schemas.ts';
import type { CallKind } from '../../platform/base/call-kind.ts';
import type { MailName } from '../../platform/modules/mail-templates.ts';

/**
 * State of a video call. Section 4.2 of the specification defines the states of an elevation. Only support calls can be `Reservado`, `Vencido` and
 * `Atendido`.
 */
export type CallState = (typeof videoCallStates)[number];

export type CallMailName = Extract<MailName, `call-${string}`>;

export interface CallTransition {
  readonly by: readonly ('citizen' | 'agent' | 'system')[];
  readonly from: readonly CallState[];
  readonly to: CallState;
  /** Mail that the transition sends. Absent if there is none, or other code sends it. */
  readonly mail?: CallMailName;
}

export const callTransitions = {
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
    /** Records the approval of a first agent, which a second agent must verify. */
    refer: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Pendiente verificación' },
    approve: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Pendiente usuario', mail: 'call-approved' },
    reject: { by: ['agent'], from: ['Agendado', 'Pendiente agente'], to: 'Rechazado agente', mail: 'call-rejected' },
    verify: { by: ['agent'], from: ['Pendiente verificación'], to: 'Pendiente usuario', mail: 'call-approved' },
    refuse: { by: ['agent'], from: ['Pendiente verificación'], to: 'Rechazado verificación', mail: 'call-rejected' },
    /** Ends a call after a technical problem, or if nobody joined. */
    fail: { by: ['agent', 'system'], from: ['Agendado', 'Pendiente agente'], to: 'Error', mail: 'call-failed' },
    /** Ends an elevation after a technical problem that was noticed after the call. */
    abort: { by: ['agent'], from: ['Pendiente verificación'], to: 'Error', mail: 'call-aborted' },
    /** Cancels an elevation after the call, while it awaits verification or acceptance. */
    withdraw: {
      by: ['citizen', 'agent'],
      from: ['Pendiente verificación', 'Pendiente usuario'],
      to: 'Cancelado',
      mail: 'call-withdrawn',
    },
    /** Cancels an elevation because another method has raised the level. */
    spare: {
      by: ['system'],
      from: ['Agendado', 'Pendiente agente', 'Pendiente verificación', 'Pendiente usuario'],
      to: 'Cancelado',
      mail: 'call-spared',
    },
    accept: { by: ['citizen'], from: ['Pendiente usuario'], to: 'Exitoso' },
    /** Ends an elevation whose citizen did not accept the terms in time. Another call can be booked. */
    expire: { by: ['system'], from: ['Pendiente usuario'], to: 'Error', mail: 'call-expired' },
    /** Ends an elevation that no second agent verified in time. Another call can be booked. */
    overlook: { by: ['system'], from: ['Pendiente verificación'], to: 'Error', mail: 'call-overlooked' },
  },
} as const satisfies Record<CallKind, Record<string, CallTransition>>;

export type CallTransitionName<Kind extends CallKind> = keyof (typeof callTransitions)[Kind] & string;

export function findCallTransition(kind: CallKind, act: string): CallTransition | null {
  const table: Readonly<Record<string, CallTransition>> = callTransitions[kind];
  return (Object.hasOwn(table, act) && table[act]) || null;
}

/** States of a booked call that is not decided yet. In these states, the citizen may enter the room. */
export const undecidedCallStates = ['Agendado', 'Pendiente agente'] as const satisfies readonly CallState[];

/** States in which an elevation awaits a second agent or its citizen. */
export const waitingElevationStates = {
  verification: 'Pendiente verificación',
  acceptance: 'Pendiente usuario',
} as const satisfies Readonly<Record<string, CallState>>;

const statesAfterCall: ReadonlySet<CallState> = new Set(Object.values(waitingElevationStates));
const transitionsAfterCall = { fail: 'abort', cancel: 'withdraw' } as const;
type TransitionAfterCall = (typeof transitionsAfterCall)[keyof typeof transitionsAfterCall];

/** Returns the name of the transition for an action. After the call took place, failing and cancelling use other transitions, with other mails. */
export function selectCallTransitionName<Name extends string>(state: CallState, act: Name): Name | TransitionAfterCall {
  const names: Readonly<Record<string, TransitionAfterCall>> = transitionsAfterCall;
  return (statesAfterCall.has(state) && names[act]) || act;
}

const finalStates: ReadonlySet<CallState> = new Set([
  ...(['Rechazado agente', 'Rechazado verificación', 'Error'] as const),
  ...(['Exitoso', 'Atendido', 'Cancelado', 'Vencido'] as const),
]);

export function isFinalCallState(state: CallState): boolean {
  return finalStates.has(state);
}
