import { sql, type RawBuilder } from 'kysely';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';

/** Value of `client` for an occupant of a Jitsi room, which the server cannot observe. */
const jitsiClient = 'jitsi';

/** Period in which both seats were occupied, as recorded by the server. */
const sharedPeriod = {
  since: sql<Date>`greatest(c.taken_at, a.taken_at)`,
  until: sql<Date>`least(c.seen_at, a.seen_at)`,
};

function buildDurationExpression(since: RawBuilder<Date>, until: RawBuilder<Date>) {
  return sql<number>`floor(extract(epoch from ${until} - ${since}) * 1000)::bigint`;
}

/** Adds the time in which both seats were occupied to the total of the call. Must run before a seat is freed or its occupant changes. */
export async function addSharedRoomTime(tx: Tx, callId: string): Promise<void> {
  await sql`
    insert into call_meetings (call_id, agent_id, met_ms)
    select c.call_id, a.agent_id, ${buildDurationExpression(sharedPeriod.since, sharedPeriod.until)}
    from room_seats c join room_seats a on a.call_id = c.call_id and a.seat = 'agent'
    where c.call_id = ${callId} and c.seat = 'citizen' and c.client is not null and a.client is not null
      and a.agent_id is not null and c.taken_at is not null and a.taken_at is not null and ${sharedPeriod.until} > ${sharedPeriod.since}
    on conflict (call_id, agent_id) do update set met_ms = call_meetings.met_ms + excluded.met_ms`.execute(tx);
}

/** Records the entry into the Jitsi room of a call. Repeated entries of the same person do not change the time of the first entry. */
export async function recordJitsiEntry(
  tx: Tx,
  seat: { readonly callId: string; readonly seat: Database['room_seats']['seat']; readonly agentId: string | null },
  now: Date,
): Promise<void> {
  const stays = sql`room_seats.client = ${jitsiClient} and room_seats.agent_id is not distinct from excluded.agent_id`;
  const taken = { client: jitsiClient, seen_at: now, agent_id: seat.agentId };
  await tx
    .insertInto('room_seats')
    .values({ call_id: seat.callId, seat: seat.seat, taken_at: now, ...taken })
    .onConflict((conflict) =>
      conflict.columns(['call_id', 'seat']).doUpdateSet({
        ...taken,
        taken_at: sql<Date | null>`case when ${stays} then room_seats.taken_at else excluded.taken_at end`,
      }),
    )
    .execute();
}

/**
 * Returns how long the citizen and the agent were in the room together. If `agentId` is `null`, any agent counts. In a Jitsi room, both count as
 * present from their entry on.
 */
export async function sumSharedRoomSeconds(
  tx: Tx,
  { callId, agentId }: { readonly callId: string; readonly agentId: string | null },
  { jitsi }: Pick<Config, 'jitsi'>,
  now: Date,
): Promise<number> {
  const mine = sql`(${agentId}::text is null or a.agent_id = ${agentId})`;
  const until = jitsi === null ? sharedPeriod.until : sql<Date>`${now}::timestamptz`;
  const there =
    jitsi === null
      ? sql`c.client is not null and a.client is not null`
      : sql`c.client = ${jitsiClient} and a.client = ${jitsiClient}`;
  const { rows } = await sql<{ ms: number | null }>`
    select sum(ms)::bigint as ms from (
      select a.met_ms as ms from call_meetings a where a.call_id = ${callId} and ${mine}
      union all
      select greatest(0, ${buildDurationExpression(sharedPeriod.since, until)}) from room_seats c join room_seats a on a.call_id = c.call_id and a.seat = 'agent'
      where c.call_id = ${callId} and c.seat = 'citizen' and c.taken_at is not null and a.taken_at is not null
        and a.agent_id is not null and ${there} and ${mine}) as parts`.execute(tx);
  return Math.floor(Number(rows[0]?.ms ?? 0) / 1000);
}

export async function freeRoomSeat(
  tx: Tx,
  { callId, seat }: { readonly callId: string; readonly seat: Database['room_seats']['seat'] },
): Promise<void> {
  await addSharedRoomTime(tx, callId);
  await tx
    .updateTable('room_seats')
    .set({ client: null })
    .where('call_id', '=', callId)
    .where('seat', '=', seat)
    .execute();
}
