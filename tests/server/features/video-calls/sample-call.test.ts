import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookSampleCall, sampleCitizens } from '../../../../src/server/app/sample/sample-citizens.ts';
import { createCallRoomAccess } from '../../../../src/server/features/video-calls/call-access.ts';
import { findVideoCallById } from '../../../../src/server/features/video-calls/call-records.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const number = sampleCitizens[4].document;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ env: { ELEVATION_HOURS: 'mon 09:00-09:20 x1' } });
});
afterAll(() => server.close());

/** Returns the calls of the sample citizen, newest first. */
const calls = () =>
  server.parts.store.db
    .selectFrom('video_calls')
    .selectAll()
    .where('number', '=', number)
    .orderBy('created_at', 'desc')
    .execute();

test('bookSampleCall books nothing if sample data is off', async () => {
  const { parts } = server;
  await bookSampleCall({ ...parts, config: { ...parts.config, sampleData: false } });
  expect(await calls()).toEqual([]);
});

test('bookSampleCall books one call that starts now, also outside opening hours', async () => {
  const { parts, clock } = server;
  await bookSampleCall(parts);
  await bookSampleCall(parts);
  const [{ id, starts_at: startsAt } = { id: '', starts_at: clock.now() }, ...others] = await calls();
  expect(others).toEqual([]);
  expect(clock.now().getTime() - startsAt.getTime()).toBeLessThan(60_000);
  const call = await findVideoCallById(parts.store.db, id);
  expect(call).toMatchObject({ state: 'Agendado', name: 'Patricia Alejandra Hernández Etcheverry' });
  expect(call && (await createCallRoomAccess(call, parts.config, clock.now()))).toMatchObject({ sala: true });
});

test('bookSampleCall books another call if the previous one is over, until the level is raised', async () => {
  const { parts, clock } = server;
  const over = () => parts.store.db.updateTable('video_calls').set({ state: 'Error', place: null }).execute();
  await over();
  clock.advance(60);
  await bookSampleCall(parts);
  expect((await calls()).map(({ state }) => state)).toEqual(['Agendado', 'Error']);
  await over();
  await parts.store.db.updateTable('citizens').set({ level: 'Certificado' }).where('number', '=', number).execute();
  await bookSampleCall(parts);
  expect((await calls()).map(({ state }) => state)).toEqual(['Error', 'Error']);
});
