import type { Generated } from 'kysely';
import type { Clock } from '../../platform/base/clock.ts';
import type { CallKind } from '../../platform/base/call-kind.ts';
import { createPurgeRule } from '../../platform/modules/table-descriptions.ts';
import { defineMailTemplates, type MailPlaceholderValues } from '../../platform/modules/mail-templates.ts';
import { runWithLease } from '../../platform/jobs/lease.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { processDueCalls } from './process-due-calls.ts';
import { bookSupportCall } from './book-call.ts';
import {
  defineAttemptLimits,
  allowAttemptsPerHour,
  allowAttemptsPerDay,
} from '../../platform/modules/attempt-limits.ts';
import { toCallResponse, applyCallTransition } from './call-records.ts';
import { createCallRoomAccess, createInvalidCallLinkError, findSupportCall } from './call-access.ts';
import { isFinalCallState } from './call-states.ts';
import { createCommandHandler, type ResponseBodyHandler } from '../handler-context.ts';

const mailSenders = {
  'call-reserved': 'desk',
  'call-booked': 'desk',
  'call-cancelled': 'desk',
  'call-lapsed': 'desk',
  'call-reminder': 'desk',
  'call-failed': 'desk',
  'call-aborted': 'desk',
  'call-withdrawn': 'desk',
  'call-spared': 'desk',
  'call-approved': 'desk',
  'call-expired': 'desk',
  'call-overlooked': 'desk',
  'call-rejected': 'desk',
} as const;

export const serverModule = {
  handlers: () => ({ bookSupportCall, getSupportCall, confirmSupportCall, cancelSupportCall }),
  texts,
  mails: defineMailTemplates(import.meta.url, mailSenders),
  limits: defineAttemptLimits({
    bookCall: { address: allowAttemptsPerHour(20), document: allowAttemptsPerHour(5), email: allowAttemptsPerDay(3) },
    openCall: { address: allowAttemptsPerHour(300) },
  }),
  tables: {
    video_calls: {
      data: 'Document, name, address, phone, subject and message of the person who booked, and their network until the call is over; decision of the agent and its reason',
      why: 'Support and identity checks by video; evidence for the decision',
      readers: ['citizen', 'agent', 'operator'],
      hashed: ['network'],
      retention: createPurgeRule('ends_at', 'CALLS_YEARS', 'anios_videollamadas'),
    },
    room_seats: {
      data: 'Participants of a call, and when they entered',
      why: 'Running the call',
      readers: ['citizen', 'agent'],
      retention: 'until the call is deleted',
    },
    call_meetings: {
      data: 'Time that an agent and a citizen were in the call together',
      why: 'An approval requires a call of a minimum duration',
      readers: ['agent'],
      retention: 'until the call is deleted',
    },
  },
  jobs: (parts: Parameters<typeof processDueCalls>[0] & { readonly clock: Clock }) => [
    {
      name: 'watch video calls',
      everyMs: 20_000,
      run: () => runWithLease(parts.store, 'video-calls', (renew) => processDueCalls(parts, parts.clock.now(), renew)),
    },
  ],
} as const satisfies ServerModule;

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    'call-reserved': MailPlaceholderValues<'call' | 'when' | 'minutes' | 'expires' | 'confirm' | 'cancel'>;
    'call-booked': MailPlaceholderValues<'call' | 'when' | 'minutes' | 'cancel' | 'enter'>;
    'call-cancelled': MailPlaceholderValues<'call' | 'when' | 'book'>;
    'call-lapsed': MailPlaceholderValues<'call' | 'when' | 'book'>;
    'call-reminder': MailPlaceholderValues<'call' | 'when' | 'minutes' | 'cancel' | 'enter'>;
    'call-failed': MailPlaceholderValues<'call' | 'when' | 'book'>;
    'call-aborted': MailPlaceholderValues<'call' | 'when' | 'book' | 'support'>;
    'call-withdrawn': MailPlaceholderValues<'call' | 'when' | 'book' | 'support'>;
    'call-spared': MailPlaceholderValues<'call' | 'when' | 'support'>;
    'call-approved': MailPlaceholderValues<'call' | 'when' | 'expires' | 'accept' | 'support'>;
    'call-expired': MailPlaceholderValues<'call' | 'when' | 'book' | 'support'>;
    'call-overlooked': MailPlaceholderValues<'call' | 'when' | 'book' | 'support'>;
    'call-rejected': MailPlaceholderValues<'call' | 'when' | 'account' | 'reason' | 'support'>;
  }
}

declare module '../../platform/database/schema.ts' {
  interface Database {
    /** A booked call. Only `citizen_id` is verified, the rest of the personal data is not. */
    video_calls: {
      id: string;
      kind: CallKind;
      /** A `CallState` (see `call-states.ts`). */
      state: string;
      starts_at: Date;
      ends_at: Date;
      /** Place number of the call among the calls with the same start time, from 1. `null` if the call has ended. */
      place: number | null;
      citizen_id: string | null;
      country: string;
      type: string;
      number: string;
      name: string;
      email: string;
      /**
       * The e-mail address after `normalizeMailbox`, unique among upcoming anonymous support calls. `null` if another call of the same mailbox takes
       * precedence.
       */
      mailbox: Generated<string | null>;
      /** Hash of the network from which an anonymous visitor booked. `null` if the call has ended. */
      network: Generated<string | null>;
      /** Phone number. Empty if the form had no phone field. */
      phone: string;
      /** Id of the topic that the person chose. Empty for an elevation. */
      subject: string;
      message: string;
      language: string;
      created_at: Date;
      /** See `VideoCall.confirmBy`. */
      confirm_by: Date | null;
      /** Revision of the calendar entry. */
      sequence: Generated<number>;
      /** Number of reminders sent or skipped, out of two: a day before and an hour before. */
      reminders: Generated<number>;
      /** Agent who conducted the call and referred it to a second agent. */
      referred_by: Generated<string | null>;
      /** Account id of the agent to whom the call is assigned. */
      agent_id: Generated<string | null>;
      /** The agent's checklist: a JSON object with the values of the checklist form. */
      checklist: Generated<string>;
      /** Additional fields of the form: a JSON list of fields with their titles. */
      extra: Generated<string>;
      /** Reason for the agent's decision. The desk shows it, and the mail about a rejection contains it. */
      reason: Generated<string>;
      /** Duration of the call when it was approved, in seconds. `null` before an approval. */
      held_s: Generated<number | null>;
    };
    room_seats: {
      call_id: string;
      seat: 'citizen' | 'agent';
      /** Random id of the page that occupies the seat. `null` if the page left. */
      client: string | null;
      seen_at: Date;
      /** Start of the seat's occupation, including earlier pages of the same person. `null` in rows from versions without this column. */
      taken_at: Date | null;
      /** Account id of the agent. `null` in the citizen's seat. */
      agent_id: string | null;
      /** Number of the last signal that was sent to this seat. */
      sequence: Generated<number>;
    };
    /** Total time that an agent and the citizen were together in a call's room, up to the last departure. */
    call_meetings: { call_id: string; agent_id: string; met_ms: number };
  }
}

/** Returns a support call. Throws the error of an invalid link if the call is over, unless it was cancelled. */
const getSupportCall: ResponseBodyHandler<'getSupportCall'> = async ({ store, clock, config }, { params, caller }) => {
  const now = clock.now();
  const call = await findSupportCall(store.db, params['id'] ?? '', { caller, now });
  if (isFinalCallState(call.state) && call.state !== 'Cancelado') throw createInvalidCallLinkError();
  return {
    ...toCallResponse(call),
    asunto: call.subject,
    informacion_contacto: { nombre_completo: call.name },
    ...(await createCallRoomAccess(call, config, now)),
  };
};

/** Confirms a reservation. Repeated confirmations succeed, because mail programs and impatient citizens may open the link twice. */
const confirmSupportCall = createCommandHandler<'confirmSupportCall'>(
  async (command, { params, caller }, { callMails }) => {
    const { tx, now } = command;
    const found = await findSupportCall(tx, params['id'] ?? '', { caller, now });
    if (found.state === 'Agendado') return toCallResponse(found);
    if (found.confirmBy === null || found.confirmBy <= now) throw createInvalidCallLinkError();
    const confirmed = await applyCallTransition(command, found, 'confirm');
    if (confirmed === null) throw createInvalidCallLinkError();
    await callMails.sendTransitionMail(command, confirmed, 'confirm');
    return toCallResponse(confirmed);
  },
);

const cancelSupportCall = createCommandHandler<'cancelSupportCall'>(
  async (command, { params, caller }, { callMails }) => {
    const found = await findSupportCall(command.tx, params['id'] ?? '', { caller, now: command.now });
    const cancelled = await applyCallTransition(command, found, 'cancel');
    if (cancelled === null) throw createInvalidCallLinkError();
    await callMails.sendTransitionMail(command, cancelled, 'cancel');
  },
);
