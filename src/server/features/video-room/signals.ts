import { sql } from 'kysely';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Body } from '../../../contract/contract.ts';
import { announce } from '../../platform/database/news.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { callTopic } from '../video-calls/calls.ts';
import { leaveSeat } from '../video-calls/meetings.ts';
import { acrossFrom, demandSeat, type Sitter } from './seats.ts';

/** WebRTC signaling message from one browser to the other. */
export type Signal = Body<'signalRoom'>['senal'];

/** Maximum number of signals to a seat within two minutes. A connection takes about twenty per side, so this allows ten reconnections. */
const mostSignals = 200;
/** Time after which nobody waits for a signal any more, in seconds. */
const signalLifeS = 120;

/** Sends a signal to the other seat. It is dropped if nobody is there. */
export async function sendSignal(tx: Tx, sitter: Sitter, signal: Signal, now: Date): Promise<void> {
  await demandSeat(tx, sitter);
  if (signal.tipo === 'adios') await leaveSeat(tx, sitter);
  else await keepSignal(tx, sitter, signal, now);
  await announce(tx, callTopic(sitter.callId));
}

/** Takes the number from the seat's row. Concurrent writers wait for that row, so numbers follow the order of commits. */
async function keepSignal(tx: Tx, { callId, seat }: Sitter, signal: Signal, now: Date): Promise<void> {
  const to = acrossFrom(seat);
  const row = await tx
    .updateTable('room_seats')
    .set({ sequence: sql<number>`sequence + 1` })
    .where('call_id', '=', callId)
    .where('seat', '=', to)
    .where('client', 'is not', null)
    .returning('sequence')
    .executeTakeFirst();
  if (row === undefined) return;
  const kept = tx.deleteFrom('room_signals').where('call_id', '=', callId).where('seat', '=', to);
  await kept.where('created_at', '<', after(now, -signalLifeS)).execute();
  await tx
    .insertInto('room_signals')
    .values({ call_id: callId, seat: to, number: row.sequence, content: JSON.stringify(signal), created_at: now })
    .execute();
  const { count } = await tx
    .selectFrom('room_signals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('call_id', '=', callId)
    .where('seat', '=', to)
    .executeTakeFirstOrThrow();
  if (count > mostSignals) throw new OperationError(429, 'demasiados_intentos', { retryAfter: signalLifeS });
}

export async function signalsAfter(
  db: Store['db'],
  { callId, seat }: Sitter,
  number: number,
): Promise<readonly { readonly numero: number; readonly senal: Signal }[]> {
  const rows = await db
    .selectFrom('room_signals')
    .select(['number', 'content'])
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .where('number', '>', number)
    .orderBy('number')
    .execute();
  return rows.map((row) => ({ numero: row.number, senal: JSON.parse(row.content) as Signal })); // written by `keepSignal`
}
