import type { Generated } from 'kysely';
import type { Agenda } from '../../platform/base/agenda.ts';
import { since, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    video_calls: VideoCallTable;
    room_seats: RoomSeatTable;
    call_meetings: CallMeetingTable;
  }
}

/** A call that somebody booked. Nothing of the person but `citizen_id` is proven. */
export interface VideoCallTable {
  id: string;
  kind: Agenda;
  /** A state of video-calls/states.ts. */
  state: string;
  starts_at: Date;
  ends_at: Date;
  /** Which of the hour's places it holds, from 1; null once it is over, cancelled or lapsed. */
  place: number | null;
  citizen_id: string | null;
  country: string;
  type: string;
  number: string;
  name: string;
  email: string;
  /** The mailbox that the address is counted under (trust/abuse/mailbox.ts); null in a call that another one of the mailbox goes before. */
  mailbox: Generated<string | null>;
  /** Digest of the network that an anonymous visitor reserved from. Null if the call has ended. */
  network: Generated<string | null>;
  /** Empty: none was asked for. */
  phone: string;
  /** Empty for an elevation. */
  subject: string;
  message: string;
  language: string;
  created_at: Date;
  /** When the reservation lapses unless it is confirmed, or an elevation ends unless the terms are accepted; null: they are, or need not be. */
  confirm_by: Date | null;
  /** How often its calendar entry was changed. */
  sequence: Generated<number>;
  /** How many reminders were mailed: the one of the day before, and the one of the hour. */
  reminders: Generated<number>;
  /** Which agent saw the citizen and asked another one to verify. */
  referred_by: Generated<string | null>;
  /** The citizen's id of the agent who has it. */
  agent_id: Generated<string | null>;
  /** What the agent has checked, as the form that analysts write has it: a JSON object. */
  checklist: Generated<string>;
  /** What was asked beyond these columns: a JSON list of fields with their titles. */
  extra: Generated<string>;
  /** Why it was decided as it was, for agents. */
  reason: Generated<string>;
  /** For how many seconds it had been held when its approval was asked for; null: it was not. */
  held_s: Generated<number | null>;
}

/** Who sits on one of the two seats of a call's room. */
export interface RoomSeatTable {
  call_id: string;
  seat: 'citizen' | 'agent';
  /** The page that sits there, by the name that it gave itself; null: it left. */
  client: string | null;
  /** When it was last there. */
  seen_at: Date;
  /** Since when it has been taken, by whichever page; null: by a version that did not note it. */
  taken_at: Date | null;
  /** The account of the agent who sits there; null on the citizen's seat. */
  agent_id: string | null;
  /** The number of the last signal to this seat. */
  sequence: Generated<number>;
}

/** How long an agent and the citizen were in the room of a call together, up to when one of them last got up. */
interface CallMeetingTable {
  call_id: string;
  agent_id: string;
  met_ms: number;
}

/** What these tables hold, and how long their rows stay. */
export const tables = {
  video_calls: {
    data: 'Document, name, address, phone, subject, message and, until it is over, network of who booked; how the agent decided, and why',
    why: 'Support and identity checks by video; proof of the decision',
    readers: ['citizen', 'agent', 'operator'],
    hashed: ['network'],
    kept: since('ends_at', 'CALLS_YEARS', 'anios_videollamadas'),
  },
  room_seats: {
    data: 'Which account sits on which seat of a call, and since when',
    why: 'The room of a call',
    readers: ['citizen', 'agent'],
    kept: 'as long as the call',
  },
  call_meetings: {
    data: 'How long an agent and a citizen were in the room together',
    why: 'An approval needs a call that was held',
    readers: ['agent'],
    kept: 'as long as the call',
  },
} as const satisfies Readonly<Record<string, StoredTable>>;
