import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatCsv } from '../../../../src/contract/format/csv.ts';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { addToDate, toUruguayIsoDate, parseUruguayInstant, toWeekday } from '../../../../src/contract/format/dates.ts';
import {
  parseDeskDateHours,
  parseDeskWeekHours,
  formatDeskWeekHours,
} from '../../../../src/server/features/desk/desk-hours.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { insertBookedCall, createAgent, catchError } from '../../support/desk.ts';
import { createMessageRow } from '../../support/citizen-data.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('office of the desk, on %s', (database) => {
  let server: TestServer;
  let agent: Caller;
  beforeAll(async () => {
    server = await openTestServer({ database });
    agent = await createAgent(server, 'OFI111');
  });
  afterAll(() => server.close());

  /** Inserts a support booking at nine o'clock on an open day. Returns its row. */
  async function booking(date: string, email: string) {
    const id = await insertBookedCall(server, { kind: 'support', state: 'Agendado', number: email, email });
    const startsAt = parseUruguayInstant(date, '09:00');
    await server.parts.store.db
      .updateTable('video_calls')
      .set({ starts_at: startsAt, ends_at: new Date(startsAt.getTime() + 1_800_000), place: 1 })
      .where('id', '=', id)
      .execute();
    return id;
  }
  const row = (id: string) =>
    server.parts.store.db.selectFrom('video_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const hours = async () => (await server.call('getDeskHours', { caller: agent, query: { agenda: 'support' } })).body;
  /** Returns a date some working days after today. */
  function openDay(after: number): string {
    let date = addToDate(toUruguayIsoDate(server.clock.now()), { days: after });
    while ([0, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay())) date = addToDate(date, { days: 1 });
    return date;
  }

  test('[DESK-05] setDeskDate closes a booked date only if its bookings move, and mails the new time', async () => {
    const date = openDay(10);
    const id = await booking(date, 'feriado@example.com');
    const close = (mover: boolean) =>
      server.call('setDeskDate', { caller: agent, body: { agenda: 'support', fecha: date, nota: 'Feriado', mover } });
    expect((await close(false)).body).toMatchObject({ guardado: false, reservas: [{ id, fecha: date }] });
    expect((await hours()).fechas, 'nothing was stored').toEqual([]);
    expect((await row(id)).starts_at).toEqual(parseUruguayInstant(date, '09:00'));
    expect((await close(true)).body).toMatchObject({ guardado: true, reservas: [{ id }] });
    expect((await hours()).fechas).toEqual([{ fecha: date, horario: '', nota: 'Feriado' }]);
    const moved = await row(id);
    expect(toUruguayIsoDate(moved.starts_at)).not.toBe(date);
    expect([moved.place, moved.sequence]).toEqual([1, 1]);
    const told = (await server.mails()).filter(({ recipient }) => recipient === 'feriado@example.com');
    expect(told.at(-1)?.calendar).toContain('SEQUENCE:1');
    await server.call('dropDeskDate', { caller: agent, body: { agenda: 'support', fecha: date } });
    expect((await hours()).fechas).toEqual([]);
    await server.parts.store.db.deleteFrom('video_calls').execute();
  });

  test('[DESK-05] dropDeskDate drops a date with bookings only if they move, and mails the new time', async () => {
    let date = addToDate(toUruguayIsoDate(server.clock.now()), { days: 10 });
    while (toWeekday(date) !== 6) date = addToDate(date, { days: 1 });
    await server.call('setDeskDate', {
      caller: agent,
      body: { agenda: 'support', fecha: date, horario: '09:00-10:00' },
    });
    const id = await booking(date, 'sabado@example.com');
    const drop = async (more: object) =>
      (await server.call('dropDeskDate', { caller: agent, body: { agenda: 'support', fecha: date, ...more } })).body;
    expect(await drop({})).toMatchObject({ guardado: false, reservas: [{ id, fecha: date }] });
    expect((await hours()).fechas.map(({ fecha }) => fecha)).toEqual([date]);
    expect(await drop({ mover: true })).toMatchObject({ guardado: true, reservas: [{ id }] });
    expect((await hours()).fechas).toEqual([]);
    expect(toUruguayIsoDate((await row(id)).starts_at)).not.toBe(date);
    const told = (await server.mails()).filter(({ recipient }) => recipient === 'sabado@example.com');
    expect(told.at(-1)?.calendar).toContain('SEQUENCE:1');
    await server.parts.store.db.deleteFrom('video_calls').execute();
  });

  test('[DESK-05] setDeskWeek stores the hours of one agenda in the format it accepts, and rejects unreadable hours', async () => {
    const set = (horario: string) =>
      server.call('setDeskWeek', { caller: agent, body: { agenda: 'support', horario } });
    await set('lun-mié 10:00-12:00 x3\nvie 09:00 a 11:00');
    expect((await hours()).horario).toBe('lun-mié 10:00-12:00 x3\nvie 09:00-11:00');
    expect(await catchError(set('lun-vie 17:00-09:00'))).toMatchObject({ code: 'horario_ilegible', field: 'horario' });
    expect((await hours()).horario).toContain('10:00-12:00 x3');
    const { body } = await server.call('getDeskHours', { caller: agent, query: { agenda: 'elevation' } });
    expect(body.horario).toBe('lun-vie 09:00-17:00 x2');
  });

  test('[DESK-05] setDeskDate renumbers the places after a reduction, and moves calls that still wait for an agent', async () => {
    let monday = addToDate(toUruguayIsoDate(server.clock.now()), { days: 1 });
    while (toWeekday(monday) !== 1) monday = addToDate(monday, { days: 1 });
    server.clock.advance((parseUruguayInstant(monday, '12:00').getTime() - server.clock.now().getTime()) / 1000);
    const date = openDay(20);
    const set = async (horario: string, mover = false) =>
      (
        await server.call('setDeskDate', {
          caller: agent,
          body: { agenda: 'elevation', fecha: date, horario, mover },
        })
      ).body;
    await set('09:00-09:20 x3');
    const startsAt = parseUruguayInstant(date, '09:00');
    const at = (place: number, state: string) =>
      insertBookedCall(server, { number: `LUGAR${place}`, starts_at: startsAt, place, state });
    const [second, third] = [await at(2, 'Agendado'), await at(3, 'Pendiente agente')];
    expect(await set('09:00-09:20 x2')).toMatchObject({ guardado: true, reservas: [] });
    expect([(await row(second)).place, (await row(third)).place]).toEqual([2, 1]);
    await server.parts.store.db
      .updateTable('video_calls')
      .set({ state: 'Pendiente usuario' })
      .where('id', '=', second)
      .execute();
    expect(await set('09:00-09:20 x1')).toMatchObject({ guardado: false, reservas: [{ id: third }] });
    expect(await set('09:00-09:20 x1', true)).toMatchObject({ guardado: true, reservas: [{ id: third }] });
    expect(await row(second)).toMatchObject({ starts_at: startsAt, place: 1 });
    expect(await row(third), 'only the reminder of the last hour is still due').toMatchObject({
      starts_at: parseUruguayInstant(addToDate(monday, { days: 1 }), '09:00'),
      place: 1,
      reminders: 1,
    });
    await server.parts.store.db.deleteFrom('video_calls').execute();
  });

  test('[DESK-05] setDeskWeek rejects hours that leave no place to move a booking to, and stores nothing', async () => {
    const id = await insertBookedCall(server, {
      kind: 'support',
      state: 'Agendado',
      number: 'LLENO1',
      email: 'l@example.com',
    });
    await server.parts.store.db.updateTable('video_calls').set({ place: 1 }).where('id', '=', id).execute();
    const before = (await hours()).horario;
    const set = server.call('setDeskWeek', {
      caller: agent,
      body: { agenda: 'support', horario: 'lun 09:00-09:10', mover: true },
    });
    expect(await catchError(set)).toMatchObject({ status: 409, code: 'sin_lugar_para_mover' });
    expect((await hours()).horario).toBe(before);
    await server.parts.store.db.deleteFrom('video_calls').execute();
  });

  test('[DESK-08] answerContactMessage mails one of two concurrent answers; messages come oldest first; feedback is marked read', async () => {
    const { db } = server.parts.store;
    const now = server.clock.now();
    const { id } = await db
      .insertInto('contact_messages')
      .values(createMessageRow({ language: 'pt' }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const other = await createAgent(server, 'OFI222');
    const answer = (caller: Caller) =>
      server.call('answerContactMessage', { caller, params: { id: String(id) }, body: { respuesta: ' Así. ' } });
    const results = await Promise.allSettled([answer(agent), answer(other)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const mails = (await server.mails()).filter(({ recipient }) => recipient === 'ines@example.com');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('Um agente respondeu à sua mensagem');
    expect(mails[0]?.text).toContain('Así.');
    expect(await catchError(answer(agent))).toMatchObject({ code: 'mensaje_respondido' });
    await db
      .insertInto('feedback')
      .values({
        page: '/ayuda',
        useful: 'no',
        usefulness: null,
        clarity: null,
        boxes: '',
        comment: 'Confuso.',
        email: null,
        language: 'es',
        created_at: now,
      })
      .execute();
    const lists = async () => (await server.call('getDeskMessages', { caller: agent })).body;
    const { mensajes, opiniones } = await lists();
    expect(mensajes).toMatchObject([{ id: String(id), respuesta: { texto: 'Así.' } }]);
    expect(opiniones).toMatchObject([{ comentario: 'Confuso.', leida: false }]);
    await server.call('readFeedback', { caller: agent, params: { id: opiniones[0]?.id ?? '' } });
    expect((await lists()).opiniones).toMatchObject([{ leida: true }]);
    const row = createMessageRow({});
    const { id: first } = await db.insertInto('contact_messages').values(row).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('contact_messages')
      .values(Array.from({ length: 120 }, () => row))
      .execute();
    const full = await lists();
    expect(full.esperan).toBe(121);
    expect(full.mensajes[0]?.id, 'the oldest message comes first').toBe(String(first));
    expect(full.mensajes.at(-1)?.respuesta, 'answered messages are listed last').not.toBeNull();
    for (const strange of ['0', 'x', '9'.repeat(20)])
      expect(
        await catchError(
          server.call('answerContactMessage', { caller: agent, params: { id: strange }, body: { respuesta: 'x' } }),
        ),
      ).toMatchObject({ status: 404 });
  });

  test('[DESK-09] getFigures counts calls by week and state, the waiting time and the absent citizens', async () => {
    const { db } = server.parts.store;
    await db.deleteFrom('video_calls').execute();
    const [seen, missed] = [
      await insertBookedCall(server),
      await insertBookedCall(server, { number: 'AUSENTE', state: 'Error' }),
    ];
    const waited = await insertBookedCall(server, { number: 'EN VANO', state: 'Error' });
    const now = server.clock.now();
    const note = (action: string, actor: string, call: string, minutes: number) =>
      db
        .insertInto('audit')
        .values({
          at: new Date(now.getTime() + minutes * 60_000),
          action,
          actor,
          citizen_id: null,
          address: '',
          user_agent: '',
          request_id: 't',
          details: JSON.stringify({ call }),
        } as never) // cast: the other columns have defaults
        .execute();
    await note('elevation-call-wait', 'citizen', seen, 0);
    await note('elevation-call-approve', 'agent', seen, 6);
    await note('elevation-call-fail', 'system', missed, 9);
    await note('elevation-call-wait', 'citizen', waited, 10);
    await note('elevation-call-fail', 'system', waited, 200);
    const { body } = await server.call('getFigures', { caller: agent });
    expect(body.semanas).toHaveLength(13);
    expect(body.semanas.find(({ llamadas }) => llamadas > 0)).toMatchObject({
      llamadas: 3,
      ausentes: 1,
      espera: 6,
      estados: [
        { estado: 'Error', cantidad: 2 },
        { estado: 'Pendiente agente', cantidad: 1 },
      ],
    });
  });
});

describe('formats of the desk', () => {
  test('[DESK-05] parseDeskWeekHours accepts days without accents, ranges and places, and rejects malformed hours', () => {
    expect(formatDeskWeekHours(parseDeskWeekHours('sab 9:00-12:00'.replace('9:', '09:')))).toBe('sáb 09:00-12:00');
    expect(parseDeskWeekHours('mie a jue 08:00-10:00 x2').map(({ weekday, places }) => [weekday, places])).toEqual([
      [3, 2],
      [4, 2],
    ]);
    expect(parseDeskDateHours('')).toEqual([]);
    for (const wrong of ['lun', 'lun 25:00-26:00', 'vie-lun 09:00-10:00', 'abc 09:00-10:00', 'lun 09:00-10:00 x0'])
      expect(() => parseDeskWeekHours(wrong), wrong).toThrow('horario_ilegible');
  });

  test('[DESK-09] formatCsv quotes each cell and disarms formulas', () => {
    expect(
      formatCsv([
        ['a', 'b,"c"'],
        ['=1+1', 'x\ny'],
      ]),
    ).toBe('"a","b,""c"""\r\n"\'=1+1","x\ny"\r\n');
  });
});
