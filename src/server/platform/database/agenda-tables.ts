import type { Generated } from 'kysely';
import type { Agenda } from '../base/agenda.ts';

/** When citizens are attended on a day of every week. */
export interface AgendaHoursTable {
  id: Generated<number>;
  agenda: Agenda;
  /** From 1 for Monday to 7 for Sunday. */
  weekday: number;
  /** In official time, as HH:mm. */
  opens: string;
  closes: string;
  /** How many calls can be at the same time. */
  places: number;
}

/** When they are attended on one date, in place of the hours of its weekday; without places: not at all. */
export interface AgendaExceptionTable {
  id: Generated<number>;
  agenda: Agenda;
  /** YYYY-MM-DD. */
  date: string;
  opens: string;
  closes: string;
  places: number;
  /** Why, e.g. the name of a holiday. */
  note: string;
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
