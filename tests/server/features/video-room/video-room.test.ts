import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { readConfig } from '../../../../src/server/platform/config/read-config.ts';
import { issueLinkToken } from '../../../../src/server/trust/credentials/link-tokens.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { findVideoCallById } from '../../../../src/server/features/video-calls/call-records.ts';
import { decideCall } from '../../../../src/server/features/video-calls/decide-call.ts';
import {
  buildIceServers,
  createRoomEventProducer,
  readRoomState,
  type RoomEvent,
  sendRoomSignal,
  type RoomSignal,
} from '../../../../src/server/features/video-room/room-events.ts';
import {
  parseJpeg,
  createStillImageRequest,
  decryptStillImage,
} from '../../../../src/server/features/video-room/still-images.ts';
import { enterRoom, recordCitizenRoomEntry } from '../../../../src/server/features/video-room/index.ts';
import { takeRoomSeat, type RoomSeat } from '../../../../src/server/features/video-room/seats.ts';
import { createOwner, withoutLimits } from '../../support/account.ts';
import { insertBookedCall, prepareApproval, createAgent, catchError as refusalOf } from '../../support/desk.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { createOrigin } from '../../support/origin.ts';
import { createJpeg } from '../../support/jpeg.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

/** Returns the error with which a call is rejected. */
async function catchError(call: Promise<unknown>) {
  const { status, code } = await refusalOf(call);
  return { status, code };
}

const signal = (datos: string, tipo: RoomSignal['tipo'] = 'candidato'): RoomSignal => ({ tipo, sesion: 's', datos });

describe.each([defaultDatabase])('room of a video call, on %s', (database) => {
  let server: TestServer;
  let owner: { id: string; caller: Caller };
  let stranger: Caller;
  let agent: Caller;
  let other: Caller;
  let call: string;
  const readers: { reader: AbortController; ended: Promise<void> }[] = [];

  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits });
    owner = await createOwner(server, `SALA${database.length}`);
    stranger = (await createOwner(server, `OTRA${database.length}`)).caller;
    agent = await createAgent(server, `SALAAG${database.length}`);
    other = await createAgent(server, `SALAOT${database.length}`);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.parts.store.db.deleteFrom('video_calls').execute();
    call = await booked({ citizen_id: owner.id });
  });
  afterEach(async () => {
    for (const { reader, ended } of readers.splice(0)) {
      reader.abort();
      await ended;
    }
  });

  /** Inserts a booked call that begins now. */
  const booked = (row: Parameters<typeof insertBookedCall>[1] = {}) =>
    insertBookedCall(server, {
      state: 'Agendado',
      starts_at: server.clock.now(),
      place: 1,
      email: '',
      number: '1',
      ...row,
    });

  /** Records the events of a stream until the test ends. `ended` resolves when the stream ends. */
  function follow(first: RoomEvent, events: ReturnType<typeof createRoomEventProducer>) {
    const reader = new AbortController();
    const heard: RoomEvent[] = [first];
    const page = { heard, reader, ended: events((event) => heard.push(event), reader.signal) };
    readers.push(page);
    return page;
  }
  const enter = async (client: string, llamada = call, caller: Caller | null = owner.caller, desde?: number) => {
    const { body, events } = await server.call('enterRoom', {
      caller,
      body: { llamada, cliente: client, ...(desde !== undefined && { desde }) },
    });
    if (events === undefined) throw new Error('no stream');
    return follow(body, events);
  };
  const asAgent = async (client: string) => {
    const sitter = { callId: call, seat: 'agent' as RoomSeat, client };
    const heard = await server.parts.store.transaction((tx) => takeRoomSeat(tx, sitter, 0, server.clock.now()));
    const first = await readRoomState(server.parts, sitter);
    return follow(first, createRoomEventProducer(server.parts, sitter, first, heard));
  };
  const say = (client: string, senal: RoomSignal) =>
    server.call('signalRoom', { caller: owner.caller, body: { llamada: call, cliente: client, senal } });
  const agentSays = (client: string, senal: RoomSignal) =>
    server.parts.store.transaction((tx) =>
      sendRoomSignal(tx, { callId: call, seat: 'agent', client }, senal, server.clock.now()),
    );
  const said = (events: readonly RoomEvent[]) => events.flatMap(({ senal }) => (senal ? [senal.datos] : []));
  const last = (events: readonly RoomEvent[]) => events.findLast(({ tipo }) => tipo === 'sala');
  const state = async () => (await findVideoCallById(server.parts.store.db, call))?.state;

  test("[ELEV-07 ELEV-08] entering marks the citizen as waiting; the agent's decision reaches the page and ends the room", async () => {
    const page = await enter('a');
    expect(page.heard[0]).toMatchObject({ tipo: 'sala', estado: 'Pendiente agente', otro: null, foto: null });
    expect(await state()).toBe('Pendiente agente');
    const decide = (decision: 'approve' | 'cancel') =>
      decideCall(server.parts, { id: call, decision, agent: 'Marta', reason: 'vista' });
    await prepareApproval(server, call, agent.citizenId);
    await decide('approve');
    await vi.waitFor(() => expect(last(page.heard)?.estado).toBe('Pendiente usuario'));
    await decide('cancel');
    await page.ended;
    expect(last(page.heard)?.estado).toBe('Cancelado');
    const again = await enter('a');
    await again.ended;
    expect(again.heard, 'the decision is sent once after a reconnection').toHaveLength(1);
  });

  test('one hundred citizens can enter their rooms at once', async () => {
    const calls = [];
    for (let count = 0; count < 100; count += 1) calls.push(await booked({ citizen_id: owner.id, place: null }));
    const entered = await Promise.allSettled(
      calls.map((llamada) => server.call('enterRoom', { caller: owner.caller, body: { llamada, cliente: llamada } })),
    );
    expect(entered.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
  });

  test('a second page takes over the seat; the first is notified and its signals are rejected', async () => {
    const desk = await asAgent('ag');
    const first = await enter('a');
    await vi.waitFor(() => expect(last(desk.heard)?.otro).toBe('a'));
    await agentSays('ag', signal('for the first page'));
    const second = await enter('b');
    await first.ended;
    expect(first.heard.at(-1)).toEqual({ tipo: 'ocupado' });
    await vi.waitFor(() => expect(last(desk.heard)?.otro).toBe('b'));
    expect(await catchError(say('a', signal('x')))).toEqual({ status: 409, code: 'sala_en_otra_pagina' });
    await agentSays('ag', signal('for the second'));
    await vi.waitFor(() => expect(said(second.heard)).toEqual(['for the second']));
    await say('b', signal('', 'adios'));
    await vi.waitFor(() => expect(last(desk.heard)?.otro).toBeNull());
  });

  test('signals arrive in order and once, also after the stream was interrupted', async () => {
    const desk = await asAgent('ag');
    const page = await enter('a');
    const sent = Array.from({ length: 12 }, (_, index) => String(index));
    for (const datos of sent) await say('a', signal(datos));
    await vi.waitFor(() => expect(said(desk.heard)).toEqual(sent));
    page.reader.abort();
    await page.ended;
    await agentSays('ag', signal('meanwhile'));
    await agentSays('ag', signal('and then'));
    await agentSays('ag', signal('at last'));
    const back = await enter('a', call, owner.caller, 1); // continues after event 1, the last event that the client has received
    await vi.waitFor(() => expect(said(back.heard)).toEqual(['and then', 'at last']));
  });

  test('signals have a rate limit, and a seat without signs of life is shown as empty', async () => {
    await asAgent('ag');
    const page = await enter('a');
    await vi.waitFor(() => expect(last(page.heard)?.otro ?? page.heard[0]?.otro).toBe('ag'));
    await expect(
      (async () => {
        for (let count = 0; count < 201; count += 1) await say('a', signal('x'));
      })(),
    ).rejects.toMatchObject({ status: 429 });
    server.clock.advance(121);
    await say('a', signal('after a pause'));
    server.clock.advance(46);
    expect(
      (await readRoomState(server.parts, { callId: call, seat: 'citizen' })).otro,
      'the seat is empty without signs of life',
    ).toBeNull();
  });

  test('[AGEN-06] a support call opens with its mailed link; calls of others and unknown ones return the same error', async () => {
    const support = await booked({ kind: 'support', number: '2' });
    const { store } = server.parts;
    const link = await store.transaction((tx) =>
      issueLinkToken(tx, {
        purpose: 'support-call',
        subject: support,
        now: server.clock.now(),
        lifeS: 600,
        citizenId: null,
      }),
    );
    expect((await enter('a', link, null)).heard[0]).toMatchObject({ estado: 'Pendiente agente' });
    const unknown = { status: 404, code: 'vinculo_invalido' };
    for (const [id, caller] of [
      [support, null],
      [support, stranger],
      [call, null],
      [call, stranger],
      [randomUUID(), stranger],
      ['x', null],
    ] as const) {
      expect(await catchError(enter('z', id, caller))).toEqual(unknown);
      expect(
        await catchError(
          server.call('signalRoom', { caller, body: { llamada: id, cliente: 'z', senal: signal('x') } }),
        ),
      ).toEqual(unknown);
      expect(
        await catchError(server.call('sendStill', { caller, body: { llamada: id, cliente: 'z', foto: 'f' } })),
      ).toEqual(unknown);
    }
  });

  test('[ELEV-05] is closed until five minutes before the start, and does not exist if Jitsi is configured', async () => {
    const { store } = server.parts;
    const later = new Date(server.clock.now().getTime() + 301_000);
    await store.db.updateTable('video_calls').set({ starts_at: later }).where('id', '=', call).execute();
    expect(await catchError(enter('a'))).toEqual({ status: 409, code: 'sala_cerrada' });
    server.clock.advance(1);
    expect((await enter('a')).heard).toHaveLength(1);
    const jitsi = { url: 'https://meet.example.uy', appId: 'portal', secret: null };
    const elsewhere = enterRoom(
      { ...server.parts, config: { ...server.parts.config, jitsi } },
      {
        params: {},
        query: {},
        body: { llamada: call, cliente: 'a' },
        caller: owner.caller,
        cookies: {},
        origin: createOrigin(),
      },
    );
    expect(await catchError(elsewhere)).toEqual({ status: 404, code: 'vinculo_invalido' });
  });

  test('[DESK-02 ELEV-07] entering a Jitsi room marks the citizen as waiting at the desk, once the room is open', async () => {
    const { store } = server.parts;
    const jitsi = { url: 'https://meet.example.uy', appId: 'portal', secret: null };
    const wait = (caller: Caller | null, config = { ...server.parts.config, jitsi }) =>
      recordCitizenRoomEntry(
        { ...server.parts, config },
        {
          params: {},
          query: {},
          body: { llamada: call },
          caller,
          cookies: {},
          origin: createOrigin(),
        },
      );
    const listed = async () => {
      const { body } = await server.call('getDeskDay', { caller: agent });
      return body.llamadas.find(({ id }) => id === call)?.estado;
    };
    expect(await catchError(wait(stranger))).toEqual({ status: 404, code: 'vinculo_invalido' });
    const starts_at = new Date(server.clock.now().getTime() + 301_000);
    await store.db.updateTable('video_calls').set({ starts_at }).where('id', '=', call).execute();
    expect(await catchError(wait(owner.caller))).toEqual({ status: 409, code: 'sala_cerrada' });
    expect(await listed()).toBe('Agendado');
    server.clock.advance(1);
    const own = { ...server.parts.config, jitsi: null as unknown as typeof jitsi };
    expect(await catchError(wait(owner.caller, own)), 'rejected for a call in the own room').toMatchObject({
      status: 409,
    });
    await wait(owner.caller);
    await wait(owner.caller);
    expect(await listed()).toBe('Pendiente agente');
  });

  test.each([
    ['handed over', () => server.call('handOverCall', { caller: agent, params: { id: call }, body: {} })],
    [
      'referred to another agent',
      () =>
        decideCall(
          { ...server.parts, config: { ...server.parts.config, elevationSecondAgent: true } },
          {
            id: call,
            decision: 'approve',
            agent: 'x',
            reason: 'x',
            seat: { id: agent.citizenId, document: agent.document, origin: createOrigin() },
          },
        ),
    ],
  ])('[DESK-02 DESK-04] removes the agent when the call is %s, and records how long both met', async (_how, part) => {
    const { db } = server.parts.store;
    await db.updateTable('video_calls').set({ agent_id: agent.citizenId }).where('id', '=', call).execute();
    const page = await enter('a');
    const { body: first, events } = await server.call('attendRoom', {
      caller: agent,
      body: { llamada: call, cliente: 'ag' },
    });
    if (events === undefined) throw new Error('no stream');
    const desk = follow(first, events);
    await vi.waitFor(() => expect(last(page.heard)?.otro).toBe('ag'));
    const { store } = server.parts;
    const hourAgo = new Date(server.clock.now().getTime() - 3_600_000);
    await store.db.updateTable('room_seats').set({ taken_at: hourAgo }).where('call_id', '=', call).execute();
    await part();
    const met = store.db.selectFrom('call_meetings').select(['agent_id', 'met_ms']).where('call_id', '=', call);
    expect(await met.execute()).toEqual([{ agent_id: agent.citizenId, met_ms: 3_600_000 }]);
    await desk.ended;
    await vi.waitFor(() => expect(last(page.heard)?.otro).toBeNull());
  });

  test('stores a requested picture encrypted, once, audited, and purges it after STILLS_DAYS', async () => {
    const { store, vault, commands } = server.parts;
    const desk = await asAgent('ag');
    const page = await enter('a');
    const ask = (kind: 'documento' | 'cara') =>
      store.transaction((tx) =>
        createStillImageRequest(tx, { callId: call, kind, agent: 'Marta' }, server.clock.now()),
      );
    const send = (foto: string, imagen?: string) =>
      server.call('sendStill', {
        caller: owner.caller,
        body: { llamada: call, cliente: 'a', foto, ...(imagen !== undefined && { imagen }) },
      });
    const jpeg = createJpeg(1280, 720).toString('base64');
    expect(await catchError(send('not asked for', jpeg))).toMatchObject({ status: 404 });
    const first = await ask('documento');
    for (const bad of [
      '',
      'AAAA',
      Buffer.from('%PDF-1.7').toString('base64'),
      createJpeg(100, 720).toString('base64'),
      jpeg.slice(0, -8),
    ])
      expect(await catchError(send(first, bad))).toEqual({ status: 400, code: 'foto_no_admitida' });
    await send(first, jpeg);
    expect(await catchError(send(first, jpeg)), 'sent twice').toMatchObject({ status: 404 });
    server.clock.advance(1);
    const second = await ask('cara');
    await send(second);
    await vi.waitFor(() =>
      expect(last(desk.heard)?.fotos).toEqual([
        { id: first, tipo: 'documento', estado: 'tomada' },
        { id: second, tipo: 'cara', estado: 'rechazada' },
      ]),
    );
    await vi.waitFor(() => expect(last(page.heard)?.foto).toBeNull()); // waits, because the two streams receive the event independently
    const rows = await store.db.selectFrom('call_stills').selectAll().orderBy('asked_at').execute();
    expect(rows[0]).toMatchObject({ width: 1280, height: 720 });
    expect(JSON.stringify(rows), 'not stored in plain form').not.toContain(jpeg.slice(40, 80));
    expect(() => vault.decrypt('call still x', rows[0]?.sealed ?? '')).toThrow();
    expect(await store.transaction((tx) => decryptStillImage(tx, vault, { callId: call, id: first }))).toBe(jpeg);
    expect(
      await store.transaction((tx) => decryptStillImage(tx, vault, { callId: randomUUID(), id: first })),
    ).toBeNull();
    const noted = await store.db
      .selectFrom('audit')
      .select('action')
      .where('action', 'like', 'call-still-%')
      .orderBy('seq')
      .execute();
    expect(noted.map(({ action }) => action)).toEqual(['call-still-taken', 'call-still-refused']);
    const config = readConfig({ STILLS_DAYS: '2' });
    const left = async () => (await store.db.selectFrom('call_stills').select('id').execute()).length;
    await purgeExpiredData({ store, commands, config }, new Date(server.clock.now().getTime() + 47 * 3_600_000));
    expect(await left()).toBe(2);
    await purgeExpiredData({ store, commands, config }, new Date(server.clock.now().getTime() + 49 * 3_600_000));
    expect(await left()).toBe(0);
  });

  test('[DESK-03] only the assigned agent can attend, signal, request and see pictures; others get 404', async () => {
    const { db } = server.parts.store;
    await db.updateTable('video_calls').set({ agent_id: agent.citizenId }).where('id', '=', call).execute();
    const body = { llamada: call, cliente: 'ag' };
    const asOther = [
      () => server.call('attendRoom', { caller: other, body }),
      () => server.call('signalFromDesk', { caller: other, body: { ...body, senal: signal('x') } }),
      () => server.call('requestStill', { caller: other, body: { ...body, tipo: 'cara' } }),
      () => server.call('getStill', { caller: other, params: { id: call, foto: 'f' } }),
      () => server.call('attendRoom', { caller: other, body: { ...body, llamada: randomUUID() } }),
    ];
    for (const refused of asOther)
      expect(await catchError(refused())).toEqual({ status: 404, code: 'llamada_desconocida' });
    const page = await enter('a');
    const { body: first, events } = await server.call('attendRoom', { caller: agent, body });
    expect(first).toMatchObject({ tipo: 'sala', otro: 'a', fotos: [] });
    if (events) follow(first, events);
    await server.call('signalFromDesk', { caller: agent, body: { ...body, senal: signal('sdp', 'oferta') } });
    await server.call('requestStill', { caller: agent, body: { ...body, tipo: 'cara' } });
    await vi.waitFor(() => expect(last(page.heard)).toMatchObject({ otro: 'ag', foto: { tipo: 'cara' } }));
    await vi.waitFor(() => expect(said(page.heard)).toEqual(['sdp']));
    const foto = last(page.heard)?.foto?.id ?? '';
    const look = () => server.call('getStill', { caller: agent, params: { id: call, foto } });
    expect(await catchError(look()), 'before the picture was taken').toEqual({ status: 404, code: 'no_encontrado' });
    const imagen = createJpeg(640, 480).toString('base64');
    await server.call('sendStill', { caller: owner.caller, body: { llamada: call, cliente: 'a', foto, imagen } });
    expect((await look()).body).toEqual({ imagen });
    await look();
    const seen = await db.selectFrom('audit').selectAll().where('action', '=', 'call-still-seen').execute();
    expect(seen.map(({ actor, citizen_id }) => [actor, citizen_id])).toEqual([
      ['agent', owner.id],
      ['agent', owner.id],
    ]);
    expect(JSON.stringify(seen)).toContain(`SALAAG${database.length}`);
  });

  test('rejects a picture whose request was replaced by a newer one', async () => {
    await enter('a');
    const ask = () =>
      server.parts.store.transaction((tx) =>
        createStillImageRequest(tx, { callId: call, kind: 'cara', agent: 'Marta' }, server.clock.now()),
      );
    const first = await ask();
    await ask();
    const imagen = createJpeg(640, 480).toString('base64');
    expect(
      await catchError(
        server.call('sendStill', { caller: owner.caller, body: { llamada: call, cliente: 'a', foto: first, imagen } }),
      ),
    ).toMatchObject({ status: 404 });
  });
});

test('[ELEV-07] enterRoom returns no TURN servers for a call that is over', async () => {
  const server = await openTestServer({
    env: { TURN_URLS: 'turn:t.example:3478', TURN_SECRET: 'a'.repeat(32) },
    parts: withoutLimits,
  });
  const { id, caller } = await createOwner(server, 'RELEVO');
  const open = await insertBookedCall(server, { citizen_id: id, starts_at: server.clock.now() });
  const over = await insertBookedCall(server, { citizen_id: id, state: 'Cancelado' });
  const enter = async (llamada: string) =>
    (await server.call('enterRoom', { caller, body: { llamada, cliente: 'c1' } })).body;
  expect((await enter(open)).hielo?.servidores).toHaveLength(1);
  expect(await enter(over)).toMatchObject({ estado: 'Cancelado' });
  expect(await enter(over)).not.toHaveProperty('hielo');
  await server.close();
});

test('buildIceServers returns the TURN credentials that coturn computes', () => {
  const room = readConfig({
    TURN_URLS: 'turn:t.example:3478',
    TURN_SECRET: 'secreto',
    TURN_ONLY: 'on',
    STUN_URLS: 'stun:t.example',
  }).room;
  const now = new Date('2026-12-01T10:00:00Z');
  // Expected credential: printf '1796133600:c-1' | openssl dgst -sha1 -hmac secreto -binary | base64
  expect(buildIceServers(room, 'c-1', now)).toEqual({
    servidores: [
      { urls: ['stun:t.example'] },
      { urls: ['turn:t.example:3478'], username: '1796133600:c-1', credential: 'ixQlrjP6DHpuxOFyWQmx80JWmZE=' },
    ],
    solo_rele: true,
  });
  expect(buildIceServers(readConfig({}).room, 'c-1', now)).toEqual({ servidores: [], solo_rele: false });
});

test('parseJpeg removes metadata and trailing bytes', () => {
  const plain = createJpeg(640, 480);
  const place = Buffer.concat([Buffer.from([0xff, 0xe1, 0x00, 0x0a]), Buffer.from('GPS here')]);
  const told = Buffer.concat([plain.subarray(0, 2), place, plain.subarray(2), Buffer.from('<script>')]);
  expect(parseJpeg(told)).toEqual({ width: 640, height: 480, bytes: plain });
});
