import { randomUUID } from 'node:crypto';
import { deskActions, deskResource } from '../../../src/contract/desk.ts';
import type { Caller } from '../../../src/server/base/call.ts';
import { after } from '../../../src/server/base/clock.ts';
import { CallError } from '../../../src/server/base/errors.ts';
import { activeCitizen } from './citizen-data.ts';
import { password } from './account.ts';
import type { Insertable } from 'kysely';
import type { Parts } from '../../../src/server/app/parts.ts';
import type { VideoCallTable } from '../../../src/server/database/agenda-tables.ts';
import type { TestServer } from './test-server.ts';

/** An agent with every permission of the desk, as the guard lets one through. */
export async function newAgent(server: TestServer, number: string): Promise<Caller> {
  const id = await activeCitizen(server, number, password);
  const permisos = { [deskResource]: deskActions };
  const { db } = server.parts.store;
  await db
    .updateTable('citizens')
    .set({ permissions: JSON.stringify(permisos) })
    .where('id', '=', id)
    .execute();
  const { country, type } = await db
    .selectFrom('citizens')
    .select(['country', 'type'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const document = `${country}-${type}-${number}`;
  return { citizenId: id, document, sessionId: randomUUID(), role: 'agent', permisos, restricted: false, nid: 1 };
}

/** A call that somebody booked, in an hour. */
export async function bookedCall(
  { parts: { store, clock } }: { readonly parts: Pick<Parts, 'store' | 'clock'> },
  call: Partial<Insertable<VideoCallTable>> = {},
): Promise<string> {
  const id = randomUUID();
  const now = clock.now();
  await store.db
    .insertInto('video_calls')
    .values({
      id,
      kind: 'elevation',
      state: 'Pendiente agente',
      starts_at: after(now, 3600),
      ends_at: after(now, 4800),
      place: null,
      citizen_id: null,
      country: 'uy',
      type: 'ci',
      number: '50234162',
      name: 'María Fernández',
      email: 'maria@example.com',
      phone: '',
      subject: '',
      message: '',
      language: 'es',
      created_at: now,
      confirm_by: null,
      ...call,
    })
    .execute();
  return id;
}

/** What a refused call says. */
export async function refusal(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}
