import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScreenValidator } from '../../../../src/server/app/create-screen-validator.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { addSeconds } from '../../../../src/server/platform/base/clock.ts';
import { decideDeskCall } from '../../../../src/server/features/desk/desk-calls.ts';
import { recordExternalRoomEntry } from '../../../../src/server/features/video-room/index.ts';
import { recordCitizenRoomEntry } from '../../../../src/server/features/video-room/index.ts';
import { renewSeatPresence, takeRoomSeat } from '../../../../src/server/features/video-room/seats.ts';
import { isLiveOrEndedDeskSession, isDeskSession } from '../../../../src/server/trust/sessions/access-tokens.ts';
import { startSession } from '../../../../src/server/trust/sessions/start-session.ts';
import { getDeskCall } from '../../../../src/server/features/desk/get-desk-call.ts';
import { productDefinitions } from '../../../definitions/support/product-definitions.ts';
import { createOwner } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import {
  completeChecklist,
  insertBookedCall,
  prepareApproval,
  simulatePresence,
  createAgent,
  catchError,
} from '../../support/desk.ts';
import { createOrigin } from '../../support/origin.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('calls at the desk, on %s', (database) => {
  let server: TestServer;
  let ada: Caller;
  let bea: Caller;
  beforeAll(async () => {
    server = await openTestServer({ database });
    ada = await createAgent(server, 'ADA111');
    bea = await createAgent(server, 'BEA222');
  });
  afterAll(() => server.close());

  const at = (id: string) => ({ params: { id } });
  const take = (caller: Caller, id: string) => server.call('takeCall', { caller, ...at(id) });
  const decide = (caller: Caller, id: string, decision: string, motivo = 'Todo coincide.') =>
    server.call('decideDeskCall', { caller, ...at(id), body: { decision, motivo } });
  const row = (id: string) =>
    server.parts.store.db.selectFrom('video_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const audited = (action: string, call: string) =>
    server.parts.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', action)
      .execute()
      .then((rows) => rows.filter(({ details }) => JSON.stringify(details).includes(call)));

  test('[DESK-01] isDeskSession is true while an agent is signed in, isLiveOrEndedDeskSession also after the sign-out; both are false for other cookies', async () => {
    const { store } = server.parts;
    const clock = server.clock;
    const cookieOf = (role: 'agent' | 'citizen', citizenId: string | null) =>
      store.transaction(async (tx) => {
        const device = { userAgent: '', address: '' };
        const session = { citizenId: citizenId ?? '', amr: [], nid: 1, role, device, now: clock.now() };
        return (await startSession(tx, { ...session, lifeS: 60, idleS: 60 })).secret;
      });
    const [agents, citizens] = [await cookieOf('agent', ada.citizenId), await cookieOf('citizen', ada.citizenId)];
    const told = async (cookie: string) => [
      await isDeskSession(server.parts, cookie),
      await isLiveOrEndedDeskSession(server.parts, cookie),
    ];
    expect([await told(agents), await told(citizens), await told('x')]).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    clock.advance(61);
    expect([await told(agents), await told(citizens)]).toEqual([
      [false, true],
      [false, false],
    ]);
    const plain = await createOwner(server, `PLAIN${database.length}`);
    expect(await told(await cookieOf('agent', plain.id)), 'agent without a permission').toEqual([false, false]);
  });

  test('[DESK-02] takeCall assigns a call to one of two concurrent agents, and names that agent to the other', async () => {
    const id = await insertBookedCall(server);
    const results = await Promise.allSettled([take(ada, id), take(bea, id)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { agent_id: winner } = await row(id);
    const loser = winner === ada.citizenId ? bea : ada;
    const { body: day } = await server.call('getDeskDay', { caller: loser });
    const listed = day.llamadas.find((call) => call.id === id);
    expect(listed).toMatchObject({ mia: false, agente: { id: winner }, terminada: false, propia: false });
    expect(await catchError(take(loser, id))).toMatchObject({
      status: 409,
      code: 'llamada_tomada',
      values: { agente: listed?.agente?.nombre },
    });
    expect(await audited('call-taken', id)).toMatchObject([{ actor: 'agent' }]);
  });

  test('[DESK-02] watchDesk sends an event for each change of a call until the connection ends', async () => {
    const { body, events } = await server.call('watchDesk', { caller: ada });
    const told: number[] = [];
    const left = new AbortController();
    const ended = events?.((event) => told.push(event.numero), left.signal);
    await expect.poll(() => told).toEqual([0]);
    const id = await insertBookedCall(server);
    await expect.poll(() => told.length).toBeGreaterThan(1);
    const before = told.length;
    await take(ada, id);
    await expect.poll(() => told.length).toBeGreaterThan(before);
    left.abort();
    await ended;
    const last = told.length;
    await server.call('handOverCall', { caller: ada, ...at(id), body: {} });
    expect([body, told.length]).toEqual([{ numero: 0 }, last]);
  });

  test('[DESK-02] handOverCall passes a call to a colleague or releases it; only the assigned agent may', async () => {
    const id = await insertBookedCall(server);
    await take(ada, id);
    const { body: colleagues } = await server.call('getColleagues', { caller: ada });
    const ids = colleagues.map((other) => other.id);
    expect(ids).toContain(bea.citizenId);
    expect(ids).not.toContain(ada.citizenId);
    expect(Object.keys(colleagues[0] ?? {}), 'no other data of a colleague').toEqual(['id', 'nombre']);
    const handOver = (caller: Caller, agente: string) =>
      server.call('handOverCall', { caller, ...at(id), body: { agente } });
    expect(await catchError(handOver(bea, ''))).toMatchObject({ code: 'llamada_tomada' });
    const { id: stranger } = await createOwner(server, `NOAG${database.length}`);
    expect(await catchError(handOver(ada, stranger))).toMatchObject({ code: 'agente_desconocido', field: 'agente' });
    await handOver(ada, bea.citizenId);
    expect((await row(id)).agent_id).toBe(bea.citizenId);
    await handOver(bea, '');
    expect((await row(id)).agent_id).toBeNull();
    expect(await catchError(decide(bea, id, 'aprobar'))).toMatchObject({ code: 'llamada_de_nadie' });
  });

  test('[DESK-02 DESK-04] handOverCall rejects a colleague whose own document the call is about', async () => {
    const [country = '', type = '', number = ''] = bea.document.split('-');
    const id = await insertBookedCall(server, { country, type, number });
    await take(ada, id);
    const handOver = server.call('handOverCall', { caller: ada, ...at(id), body: { agente: bea.citizenId } });
    expect(await catchError(handOver)).toMatchObject({ code: 'otro_agente', field: 'agente' });
    expect((await row(id)).agent_id).toBe(ada.citizenId);
  });

  test('[DESK-02] getDeskDay finds a call by its exact document without a date, and marks it as overdue after its start', async () => {
    const number = '18765434';
    const id = await insertBookedCall(server, { number });
    const search = async (documento: string) =>
      (await server.call('getDeskDay', { caller: ada, query: { documento } })).body.llamadas.map((call) => call.id);
    expect(await search('1.876.543-4')).toEqual([id]);
    expect(await search('1876543')).toEqual([]);
    await server.parts.store.db
      .updateTable('video_calls')
      .set({ starts_at: new Date(server.clock.now().getTime() - 60_000) })
      .where('id', '=', id)
      .execute();
    const { body } = await server.call('getDeskDay', { caller: ada, query: { documento: number } });
    expect(body.llamadas).toMatchObject([{ id, atrasada: true }]);
  });

  test('[DESK-02 DESK-06] getDeskDay with a document has a rate limit per agent; without one it has none', async () => {
    const caller = await createAgent(server, `LUP${database.length}`);
    const look = (query: Record<string, string>) => server.call('getDeskDay', { caller, query });
    for (let tries = 0; tries < 60; tries += 1) await look({ documento: `${tries}` });
    expect(await catchError(look({ documento: '1' }))).toMatchObject({ status: 429 });
    await look({});
  });

  test.each(['9999-12-31', '0001-01-01', '2026-02-30'])('[DESK-02] getDeskDay rejects the date %s', async (fecha) => {
    const day = server.call('getDeskDay', { caller: ada, query: { fecha } });
    expect(await catchError(day)).toMatchObject({ status: 400, code: 'fecha_invalida' });
  });

  test('[DESK-03] getDeskCall hides card data if nobody proved the document, and audits the look for its account', async () => {
    const number = '38712057';
    const owner = await createOwner(server, `TIP${database.length}`);
    const { db } = server.parts.store;
    await db.updateTable('citizens').set({ country: 'uy', type: 'ci', number }).where('id', '=', owner.id).execute();
    const id = await insertBookedCall(server, { number, kind: 'support', state: 'Reservado' });
    const { body } = await server.call('getDeskCall', { caller: ada, ...at(id) });
    const fields = body.comparacion.map(({ campo }) => campo);
    expect(fields).toContain('primer_nombre');
    expect(fields).not.toContain('numero_serie');
    expect(fields).not.toContain('fecha_nacimiento');
    expect(await audited('call-shown', id)).toMatchObject([{ citizen_id: owner.id }]);
    await db.deleteFrom('video_calls').where('id', '=', id).execute();
    await db.updateTable('citizens').set({ number: 'GONE2' }).where('id', '=', owner.id).execute();
  });

  test('[DESK-03] getDeskCall compares registry and account, and returns earlier calls and the checklist', async () => {
    const owner = await createOwner(server, `DIF${database.length}`);
    const number = '38712057';
    const { db } = server.parts.store;
    await db
      .updateTable('citizens')
      .set({ country: 'uy', type: 'ci', number, first_name: 'Juana', first_surname: 'RODRIGUEZ' })
      .where('id', '=', owner.id)
      .execute();
    const before = await insertBookedCall(server, { number, citizen_id: owner.id, state: 'Rechazado agente' });
    const id = await insertBookedCall(server, { number, citizen_id: owner.id });
    await take(ada, id);
    const keep = (caller: Caller) =>
      server.call('keepChecklist', { caller, ...at(id), body: { rostro: true, notas: 'Mostró la cédula.' } });
    expect(await catchError(keep(bea))).toMatchObject({ code: 'llamada_tomada' });
    await keep(ada);
    const { body: call } = await server.call('getDeskCall', { caller: ada, ...at(id) });
    const differing = call.comparacion.filter(({ difiere }) => difiere).map(({ campo }) => campo);
    expect(differing).toContain('primer_nombre');
    expect(differing, 'differences in case and accents are ignored').not.toContain('primer_apellido');
    expect(call.comparacion).toContainEqual(
      expect.objectContaining({ campo: 'numero_serie', registro: 'A1B2C3', difiere: false }),
    );
    expect(call).toMatchObject({ registro: 'hallado', anteriores: [{ id: before }] });
    expect(JSON.parse(call.control)).toEqual({ rostro: true, notas: 'Mostró la cédula.' });
    expect(await audited('call-shown', id)).toHaveLength(1);
    await db.updateTable('citizens').set({ number: 'GONE' }).where('id', '=', owner.id).execute();
  });

  test("[DESK-03 ELEV-07] getDeskCall returns a Jitsi entrance with the agent's name only to the assigned agent at call time", async () => {
    const secret = 'a secret of the room, long enough';
    const jitsi = { url: 'https://meet.example.uy', appId: 'portal', secret };
    const config = { ...server.parts.config, jitsi };
    const id = await insertBookedCall(server, { starts_at: server.clock.now() });
    const early = await insertBookedCall(server, { number: '1234567' });
    const entrance = async (caller: Caller, call = id) => {
      const answer = await getDeskCall(
        { ...server.parts, config },
        {
          ...at(call),
          query: {},
          body: {},
          caller,
          cookies: {},
          origin: createOrigin(),
        },
      );
      return answer.entrada;
    };
    await take(ada, id);
    await take(ada, early);
    expect([await entrance(bea), await entrance(ada, early)], 'for another agent, and before the call').toEqual([
      '',
      '',
    ]);
    const address = new URL((await entrance(ada)) ?? '');
    expect(address.origin + address.pathname).toBe(`https://meet.example.uy/videollamada-${id}`);
    const { payload } = await jwtVerify(address.searchParams.get('jwt') ?? '', Buffer.from(secret), {
      currentDate: server.clock.now(),
    });
    const { body: me } = await server.call('getDesk', { caller: ada });
    expect(payload['context']).toEqual({ user: { name: me.nombre } });
    expect(
      (await server.call('getDeskCall', { caller: ada, ...at(id) })).body.entrada,
      'no Jitsi link for the own room',
    ).toBeNull();
  });

  test.each([
    ['aprobar', 'Pendiente agente', 'Pendiente usuario', 'approve'],
    ['rechazar', 'Pendiente agente', 'Rechazado agente', 'reject'],
    ['no_verificada', 'Agendado', 'Rechazado agente', 'reject'],
    ['error_tecnico', 'Agendado', 'Error', 'fail'],
  ])(
    '[DESK-04] decision %s moves a call from %s to %s, and audits reason and agent',
    async (decision, from, to, act) => {
      const id = await insertBookedCall(server, { state: from });
      expect(await catchError(decide(ada, id, decision))).toMatchObject({ code: 'llamada_de_nadie' });
      await take(ada, id);
      await prepareApproval(server, id, ada.citizenId);
      expect(await catchError(decide(bea, id, decision))).toMatchObject({ code: 'llamada_tomada' });
      expect(await catchError(decide(ada, id, 'verificar'))).toMatchObject({ code: 'llamada_en_otro_estado' });
      expect((await server.call('getDeskCall', { caller: ada, ...at(id) })).body.decisiones).toContain(decision);
      expect((await decide(ada, id, decision, ' Porque sí. ')).body).toEqual({ estado: to });
      expect(await row(id)).toMatchObject({ state: to, reason: 'Porque sí.' });
      const [entry] = await audited(`elevation-call-${act}`, id);
      expect(entry?.actor).toBe('agent');
      const agent = expect.stringContaining('ADA111') as unknown;
      expect(JSON.parse(String(entry?.details))).toMatchObject({ reason: 'Porque sí.', decision, agent });
      expect(await catchError(decide(ada, id, decision))).toMatchObject({ status: 409 });
    },
  );

  test('[DESK-04 ELEV-08] decision aprobar requires one minute with agent and citizen together in the room', async () => {
    const id = await insertBookedCall(server);
    await take(ada, id);
    await server.call('keepChecklist', { caller: ada, ...at(id), body: completeChecklist });
    const alone = { code: 'llamada_sin_hacer', values: { segundos: '60' } };
    expect(await catchError(decide(ada, id, 'aprobar')), 'without a visit to the room').toMatchObject(alone);
    const now = server.clock.now();
    const sit = (seat: 'citizen' | 'agent', secondsAgo: number) =>
      server.parts.store.transaction((tx) =>
        takeRoomSeat(
          tx,
          { callId: id, seat, client: seat, ...(seat === 'agent' && { agentId: ada.citizenId }) },
          0,
          addSeconds(now, -secondsAgo),
        ),
      );
    const look = async (expected: object) =>
      expect(await catchError(decide(ada, id, 'aprobar'))).toMatchObject(expected);
    await sit('agent', 600);
    await renewSeatPresence(server.parts.store.db, { callId: id, seat: 'agent', client: 'agent' }, now);
    await look(alone);
    await sit('citizen', 90);
    await look(alone); // the citizen has joined, but was not seen a second time
    await simulatePresence(server, id, bea.citizenId, 600);
    await look(alone); // the citizen has met a different agent
    await simulatePresence(server, id, ada.citizenId, 40);
    await look(alone);
    await simulatePresence(server, id, ada.citizenId, 20);
    expect((await decide(ada, id, 'aprobar')).body, 'one minute together in total').toEqual({
      estado: 'Pendiente usuario',
    });
    const [entry] = await audited('elevation-call-approve', id);
    expect(JSON.parse(String(entry?.details))).toMatchObject({ seconds: 60 });
  });

  test("[DESK-04 ELEV-08] decision aprobar requires every required point of the product's checklist", async () => {
    const definitions = await productDefinitions;
    const parts = { ...server.parts, definitions: () => definitions };
    const dependencies = { ...parts, validateForm: createScreenValidator(parts) };
    const approve = (id: string) =>
      decideDeskCall(dependencies, {
        ...at(id),
        query: {},
        body: { decision: 'aprobar', motivo: 'x' },
        caller: ada,
        cookies: {},
        origin: createOrigin(),
      });
    for (const open of [undefined, ...Object.keys(completeChecklist)]) {
      const id = await insertBookedCall(server);
      await take(ada, id);
      await simulatePresence(server, id, ada.citizenId);
      const points: Record<string, unknown> = { ...(open !== undefined && completeChecklist), notas: 'x' };
      if (open !== undefined) points[open] = false;
      await server.call('keepChecklist', { caller: ada, ...at(id), body: points });
      expect(await catchError(approve(id)), open).toMatchObject({ status: 409, code: 'control_incompleto' });
      expect((await row(id)).state).toBe('Pendiente agente');
      await server.call('keepChecklist', { caller: ada, ...at(id), body: completeChecklist });
      expect(await approve(id)).toEqual({ estado: 'Pendiente usuario' });
    }
  });

  test('[DESK-04 ELEV-07] decision aprobar of a Jitsi call requires that both entered at least one minute before', async () => {
    const jitsi = { url: 'https://meet.example.uy', appId: 'portal', secret: null };
    const dependencies = { ...server.parts, config: { ...server.parts.config, jitsi } };
    const owner = await createOwner(server, `JITSI${database.length}`);
    const id = await insertBookedCall(server, { starts_at: server.clock.now(), citizen_id: owner.id });
    await take(ada, id);
    await server.call('keepChecklist', { caller: ada, ...at(id), body: completeChecklist });
    const request = { ...at(id), query: {}, cookies: {}, origin: createOrigin() };
    const approve = () =>
      decideDeskCall(dependencies, { ...request, body: { decision: 'aprobar', motivo: 'x' }, caller: ada });
    const entry = (caller: Caller) =>
      recordExternalRoomEntry(dependencies, { ...request, body: { llamada: id }, caller });
    expect(await catchError(entry(bea)), 'call of another agent').toMatchObject({ status: 404 });
    await entry(ada);
    server.clock.advance(600);
    expect(await catchError(approve())).toMatchObject({ code: 'llamada_sin_hacer' });
    await recordCitizenRoomEntry(dependencies, { ...request, body: { llamada: id }, caller: owner.caller });
    server.clock.advance(59);
    await entry(ada); // entering again does not restart the minimum duration of a minute
    expect(await catchError(approve())).toMatchObject({ code: 'llamada_sin_hacer' });
    server.clock.advance(1);
    expect(await approve()).toEqual({ estado: 'Pendiente usuario' });
    expect(await audited('call-room-entered', id)).toHaveLength(2);
  });

  test('[DESK-04] support calls permit only the decisions atendida and error_tecnico', async () => {
    const id = await insertBookedCall(server, { kind: 'support', email: '' });
    await take(ada, id);
    const { body } = await server.call('getDeskCall', { caller: ada, ...at(id) });
    expect(body.decisiones).toEqual(['atendida', 'error_tecnico']);
    expect(await catchError(decide(ada, id, 'aprobar'))).toMatchObject({ code: 'llamada_en_otro_estado' });
    expect((await decide(ada, id, 'atendida')).body).toEqual({ estado: 'Atendido' });
  });

  test('[DESK-04] an agent can neither take nor decide a call of their own account or document', async () => {
    for (const own of [{ citizen_id: ada.citizenId }, { number: 'ADA111' }]) {
      const [country = '', type = ''] = ada.document.split('-');
      const id = await insertBookedCall(server, own);
      await server.parts.store.db.updateTable('video_calls').set({ country, type }).where('id', '=', id).execute();
      expect(await catchError(take(ada, id))).toMatchObject({ code: 'llamada_propia' });
      await server.parts.store.db
        .updateTable('video_calls')
        .set({ agent_id: ada.citizenId })
        .where('id', '=', id)
        .execute();
      expect(await catchError(decide(ada, id, 'aprobar'))).toMatchObject({ code: 'llamada_propia' });
      expect((await row(id)).state).toBe('Pendiente agente');
    }
  });
});

describe('calls at the desk with ELEVATION_SECOND_AGENT on', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { ELEVATION_SECOND_AGENT: 'on' } });
  });
  afterAll(() => server.close());

  test('[DESK-04] an approval requires verification by an agent other than the first', async () => {
    const [ada, bea] = [await createAgent(server, 'ADA333'), await createAgent(server, 'BEA444')];
    const id = await insertBookedCall(server);
    const act = (caller: Caller, decision: string) =>
      server.call('decideDeskCall', { caller, params: { id }, body: { decision, motivo: 'Visto.' } });
    await server.call('takeCall', { caller: ada, params: { id } });
    expect(await catchError(act(ada, 'aprobar'))).toMatchObject({ code: 'llamada_sin_hacer' });
    await prepareApproval(server, id, ada.citizenId);
    expect((await act(ada, 'aprobar')).body).toEqual({ estado: 'Pendiente verificación' });
    expect(await catchError(server.call('takeCall', { caller: ada, params: { id } }))).toMatchObject({
      code: 'otro_agente',
    });
    expect(await catchError(act(ada, 'verificar'))).toMatchObject({ code: 'otro_agente' });
    await server.call('takeCall', { caller: bea, params: { id } });
    expect((await act(bea, 'verificar')).body).toEqual({ estado: 'Pendiente usuario' });
    const other = await insertBookedCall(server, { state: 'Pendiente verificación' });
    await server.call('takeCall', { caller: bea, params: { id: other } });
    await prepareApproval(server, other, bea.citizenId);
    const verify = server.call('decideDeskCall', {
      caller: bea,
      params: { id: other },
      body: { decision: 'verificar', motivo: 'x' },
    });
    expect(await catchError(verify), 'the first agent was never in the room').toMatchObject({
      code: 'llamada_sin_hacer',
    });
    expect(
      (
        await server.call('decideDeskCall', {
          caller: bea,
          params: { id: other },
          body: { decision: 'no_confirmar', motivo: 'No se ve.' },
        })
      ).body,
    ).toEqual({ estado: 'Rechazado verificación' });
  });
});
