import type { JsonObject } from '../../../engine/core/json.ts';
import type { CallKind } from '../../platform/base/call-kind.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import {
  isFinalCallState,
  findCallTransition,
  type CallTransitionName,
  type CallTransition,
  type CallState,
} from './call-states.ts';
import type { Selectable } from 'kysely';
import type { Language } from '../../../contract/portal-config.ts';
import type { IdentityDocument } from '../../platform/base/identity-document.ts';
import { toUruguayIsoDate, toUruguayIsoTime } from '../../../contract/format/dates.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { notifyTopic } from '../../platform/database/notifications.ts';
import type { OperationResponse } from '../../../contract/contract.ts';

export function buildCallNotificationTopic(id: string): string {
  return `call ${id}`;
}

/** Notifies the open pages that show a call, and those that show lists of calls, of a change of the call. */
export async function notifyCallChanged(tx: Tx, id: string): Promise<void> {
  await notifyTopic(tx, buildCallNotificationTopic(id));
  await notifyTopic(tx, 'calls');
}

/** A booked call. Only `citizenId` is verified, the rest of the personal data is not. */
export interface VideoCall {
  readonly id: string;
  readonly kind: CallKind;
  readonly state: CallState;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Id of the account. `null` if the call was booked without a session. */
  readonly citizenId: string | null;
  readonly document: IdentityDocument;
  readonly name: string;
  /** E-mail address. Empty if unknown. */
  readonly email: string;
  readonly subject: string;
  readonly language: Language;
  /** Time at which an unconfirmed reservation, or an elevation that awaits verification or acceptance, ends automatically. Otherwise `null`. */
  readonly confirmBy: Date | null;
  /** Revision of the calendar entry. */
  readonly sequence: number;
  /** Agent who conducted the call and referred it to a second agent. `null` if there is none. */
  readonly referredBy: string | null;
}

export function toVideoCall(row: Selectable<Database['video_calls']>): VideoCall {
  const { country, type, number } = row;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state as CallState, // the cast is safe: only the transitions table writes this column
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

export async function findVideoCall<Kind extends CallKind>(
  db: DatabaseStore['db'],
  kind: Kind,
  id: string,
): Promise<(VideoCall & { readonly kind: Kind }) | null> {
  const row = await db
    .selectFrom('video_calls')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row === undefined ? null : { ...toVideoCall(row), kind };
}

export async function findVideoCallById(db: DatabaseStore['db'], id: string): Promise<VideoCall | null> {
  const row = await db.selectFrom('video_calls').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toVideoCall(row);
}

export async function isAgentAssignedToCall(db: DatabaseStore['db'], callId: string, agentId: string) {
  const row = await db.selectFrom('video_calls').select('agent_id').where('id', '=', callId).executeTakeFirst();
  return row?.agent_id === agentId;
}

/** States of calls that the response about the citizen omits. */
export const cancelledOrExpiredCallStates: readonly CallState[] = ['Cancelado', 'Vencido'];

/** Returns the citizen's newest call of each kind, except cancelled and expired ones. */
export async function findNewestCallsOfCitizen(
  db: DatabaseStore['db'],
  citizenId: string,
): Promise<{ readonly [Kind in CallKind]?: VideoCall & { readonly kind: Kind } }> {
  const rows = await db
    .selectFrom('video_calls')
    .selectAll()
    .distinctOn('kind')
    .where('citizen_id', '=', citizenId)
    .where('state', 'not in', cancelledOrExpiredCallStates)
    .orderBy('kind')
    .orderBy('created_at', 'desc')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.kind, toVideoCall(row)])); // the cast is needed because `Object.fromEntries` loses the types of its keys
}

export function toCallResponse(call: VideoCall): OperationResponse<'bookSupportCall'> {
  return {
    id: call.id,
    estado: call.state,
    fecha: toUruguayIsoDate(call.startsAt),
    hora_inicio: toUruguayIsoTime(call.startsAt),
    minutos: computeCallDurationMinutes(call),
  };
}

export function computeCallDurationMinutes({ startsAt, endsAt }: Pick<VideoCall, 'startsAt' | 'endsAt'>): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000);
}

/** Applies the transition `act` to a call. Returns `null` if the call's current state does not allow it. */
export async function applyCallTransition<Kind extends CallKind>(
  command: DatabaseCommand,
  call: VideoCall & { readonly kind: Kind },
  act: CallTransitionName<Kind>,
  details: JsonObject = {},
): Promise<VideoCall | null> {
  const transition = findCallTransition(call.kind, act);
  if (transition === null) throw new Error(`no call of the ${call.kind} can ${act}`);
  return storeCallTransition(command, call, act, transition, details);
}

/** Applies and audits a transition. Returns `null` if the call's state does not allow it. If several agents decide concurrently, only one succeeds. */
export async function storeCallTransition(
  { tx, audit }: DatabaseCommand,
  call: VideoCall,
  act: string,
  { from, to }: CallTransition,
  details: JsonObject = {},
): Promise<VideoCall | null> {
  const moved = await tx
    .updateTable('video_calls')
    .set(({ eb }) => ({
      state: to,
      sequence: eb('sequence', '+', 1),
      confirm_by: null,
      ...(isFinalCallState(to) && { place: null, network: null }),
    }))
    .where('id', '=', call.id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();
  if (moved === undefined) return null;
  await audit(`${call.kind}-call-${act}`, call.citizenId, { call: call.id, state: to, ...details });
  await notifyCallChanged(tx, call.id);
  return toVideoCall(moved);
}
