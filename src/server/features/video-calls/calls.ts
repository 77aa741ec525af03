import type { Selectable } from 'kysely';
import type { Language } from '../../../contract/portal-config.ts';
import type { Document } from '../../platform/base/document.ts';
import { instantAt, laterDate } from '../../platform/base/zone.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { VideoCallTable } from './tables.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { CallState } from './states.ts';

/** A call that somebody booked. Nothing of the person but `citizenId` is proven. */
export interface VideoCall {
  readonly id: string;
  readonly kind: Agenda;
  readonly state: CallState;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Null: nobody was signed in. */
  readonly citizenId: string | null;
  readonly document: Document;
  readonly name: string;
  /** Empty: none is known. */
  readonly email: string;
  readonly subject: string;
  readonly language: Language;
  /** When the reservation lapses unless it is confirmed; of an elevation, when it ends unless the terms are accepted. */
  readonly confirmBy: Date | null;
  /** How often its calendar entry was changed. */
  readonly sequence: number;
  /** Which agent saw the citizen and asked another one to verify; null: none. */
  readonly referredBy: string | null;
}

/** A row as a call. */
export function readCall(row: Selectable<VideoCallTable>): VideoCall {
  const { country, type, number } = row;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state as CallState, // written by the table of transitions alone
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    citizenId: row.citizen_id,
    document: { country, type, number },
    name: row.name,
    email: row.email,
    subject: row.subject,
    language: row.language === 'pt' ? 'pt' : 'es',
    confirmBy: row.confirm_by,
    sequence: row.sequence,
    referredBy: row.referred_by,
  };
}

/** A call by its id; null when there is none of that kind. */
export async function findCall<Kind extends Agenda>(
  db: Store['db'] | Tx,
  kind: Kind,
  id: string,
): Promise<(VideoCall & { readonly kind: Kind }) | null> {
  const row = await db
    .selectFrom('video_calls')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row === undefined ? null : { ...readCall(row), kind };
}

/** A call of any kind by its id; null when there is none. */
export async function findAnyCall(db: Store['db'] | Tx, id: string): Promise<VideoCall | null> {
  const row = await db.selectFrom('video_calls').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : readCall(row);
}

/** The calls of a date in official time, by their hour, without those that nobody confirmed in time. */
export async function callsOn(db: Store['db'] | Tx, date: string): Promise<readonly VideoCall[]> {
  const from = instantAt(date, '00:00');
  const rows = await db
    .selectFrom('video_calls')
    .selectAll()
    .where('starts_at', '>=', from)
    .where('starts_at', '<', instantAt(laterDate(date, { days: 1 }), '00:00'))
    .where('state', '!=', 'Vencido')
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  return rows.map(readCall);
}

/** States of calls that nobody is told of any more. */
export const withdrawn: readonly CallState[] = ['Cancelado', 'Vencido'];

/** The newest call of each kind that a citizen booked and nobody cancelled, by its kind. */
export async function newestCalls(
  db: Store['db'] | Tx,
  citizenId: string,
): Promise<{ readonly [Kind in Agenda]?: VideoCall & { readonly kind: Kind } }> {
  const rows = await db
    .selectFrom('video_calls')
    .selectAll()
    .distinctOn('kind')
    .where('citizen_id', '=', citizenId)
    .where('state', 'not in', withdrawn)
    .orderBy('kind')
    .orderBy('created_at', 'desc')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.kind, readCall(row)])); // fromEntries forgets which kind is which
}
