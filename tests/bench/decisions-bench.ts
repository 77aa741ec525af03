import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { readEvents } from '../../src/contract/event-stream.ts';
import { after } from '../../src/server/platform/base/clock.ts';
import { issueToken } from '../../src/server/trust/credentials/link-tokens.ts';
import { DatabaseUnavailable } from '../../src/server/platform/database/unavailable.ts';
import { decideCall } from '../../src/server/features/video-calls/decide-call.ts';
import type { RoomEvent } from '../../src/server/features/video-room/room-events.ts';
import { startLiveServer, type LiveServer } from '../server/support/live-server.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { bookers, citizens, freeAgenda, rate } from './bookings-bench.ts';
import { median, percentile } from './median.ts';

/** How long it takes from an agent's decision until the citizen's page hears of it, in milliseconds. */
export interface DecisionFigures {
  readonly work: string;
  readonly decisions: number;
  readonly median: number;
  readonly p99: number;
  /** The median beside that of a server with nothing else to do. */
  readonly ratio: string;
}

/** Calls whose citizens are in their rooms, and that are decided one after the other. */
const attended = 100;

/** Decisions on a server with PostgreSQL, one after the other while all pages listen: with nothing else to do, and while citizens book. */
export async function measureDecisions(): Promise<readonly DecisionFigures[]> {
  const postgres = await startPostgres({ tables: true });
  const server = await startLiveServer({
    FLAGS: 'videollamada_5_minutos_antes=off',
    DATABASE_URL: postgres.url,
    ...freeAgenda,
  });
  try {
    const quiet = await decide(await enterRooms(server));
    const { apart } = await bookers(server.parts);
    const calls = await enterRooms(server);
    const deciding = decide(calls);
    const bookings = await rate(apart, deciding);
    const busy = await deciding;
    const row = (work: string, times: readonly number[]): DecisionFigures => ({
      work,
      decisions: times.length,
      median: Math.round(median(times)),
      p99: Math.round(percentile(times, 0.99)),
      ratio: (median(times) / median(quiet)).toFixed(1),
    });
    return [
      row('a decision until the citizen’s page knows', quiet),
      row(`the same while ${citizens} citizens book, ${bookings.perSecond} a second`, busy),
    ];
  } finally {
    await server.close();
    await postgres.stop();
  }
}

async function enterRooms(server: LiveServer) {
  const calls = [];
  for (let count = 0; count < attended; count += 1) calls.push(await enterRoom(server));
  return calls;
}

async function decide(calls: Awaited<ReturnType<typeof enterRooms>>): Promise<readonly number[]> {
  const times: number[] = [];
  for (const call of calls) times.push(await call.decide());
  return times;
}

/** A call whose citizen is in the room. */
async function enterRoom(server: LiveServer) {
  const { store, clock } = server.parts;
  const now = clock.now();
  const id = randomUUID();
  const link = await store.transaction(async (tx) => {
    await tx
      .insertInto('video_calls')
      .values({
        id,
        kind: 'support',
        state: 'Agendado',
        starts_at: now,
        ends_at: after(now, 1_200),
        place: null,
        citizen_id: null,
        country: 'uy',
        type: 'ci',
        number: id,
        name: 'Ana Paz',
        email: '',
        phone: '',
        subject: '',
        message: '',
        language: 'es',
        created_at: now,
        confirm_by: null,
      })
      .execute();
    return issueToken(tx, { purpose: 'support-call', citizenId: null, subject: id, now, lifeS: 600 });
  });
  const inside = promised();
  const told = promised();
  const left = new AbortController();
  const reading = readEvents<RoomEvent>(
    { hosts: { backend: server.origin, broker: server.origin }, language: 'es', token: () => null },
    'enterRoom',
    { body: { llamada: link, cliente: id } },
    ({ estado }) => {
      if (estado === 'Pendiente agente') inside.keep(0);
      if (estado === 'Atendido') told.keep(performance.now());
    },
    left.signal,
  );
  const refused = reading.then((end) => {
    throw new Error(`nobody got into the room: ${JSON.stringify(end)}`);
  });
  refused.catch(() => undefined);
  await Promise.race([inside.promise, refused]);
  return {
    async decide(): Promise<number> {
      const began = performance.now();
      while (!(await decided(server, id))); // an agent who hears that it did not work presses again
      const at = await told.promise;
      left.abort();
      return at - began;
    },
  };
}

/** Whether a decision was taken: the database may refuse it for all the bookings beside it. */
async function decided({ parts }: LiveServer, id: string): Promise<boolean> {
  try {
    await decideCall(parts, { id, decision: 'attend', agent: 'bench', reason: 'bench' });
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false;
    throw error;
  }
}

/** A time that is told later. */
function promised(): { readonly promise: Promise<number>; readonly keep: (at: number) => void } {
  let keep = (_at: number): void => undefined;
  const promise = new Promise<number>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}
