import ical from 'ical.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationBody } from '../../../../src/contract/contract.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import { maxWithdrawnCallsPerDay } from '../../../../src/server/features/video-calls/book-call.ts';
import { processDueCalls } from '../../../../src/server/features/video-calls/process-due-calls.ts';
import { createOwner, withoutLimits } from '../../support/account.ts';
import { mailAllowances } from '../../../../src/server/trust/abuse/mail-allowance.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { recordIdentityProof } from '../../support/sign-in-browser.ts';
import { bindGuardedHandlers, openQuietParts, openTestServer, type TestServer } from '../../support/test-server.ts';
import {
  maxReservationsPerNetwork,
  maxUpcomingCallsPerNetwork,
} from '../../../../src/server/features/agenda/availability.ts';
import { issueLinkToken } from '../../../../src/server/trust/credentials/link-tokens.ts';
import { createOrigin } from '../../support/origin.ts';

type Booking = OperationBody<'bookSupportCall'>;
const hour = 60 * 60;

/** Returns the error with which a call is rejected. */
async function catchError(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OperationError)) throw new Error(`not refused: ${String(error)}`);
  const { status, code, invalidToken } = error;
  return { status, code, ...(invalidToken && { invalidToken }) };
}

describe.each([defaultDatabase])('support calls, on %s', (database) => {
  let server: TestServer;
  let count = 0;
  let date: string;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits, env: { SUPPORT_HOURS: 'mon-sun 09:00-10:00 x2' } });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.parts.store.db.deleteFrom('video_calls').execute();
    const { body } = await server.call('getSupportDates');
    date = body[2]?.fecha ?? '';
  });

  /** Creates a booking, each time by a different person. */
  const booking = async (changes: Partial<Booking> = {}): Promise<Booking> => {
    count += 1;
    return {
      nombre_completo: 'Inés Quiroga',
      pais_emisor: 'ar',
      tipo_documento: 'psp',
      numero_documento: `AGE${count}`,
      correo_electronico: `agenda${count}@example.com`,
      numero_telefono: '+598 99 123 456',
      asunto: 'firma',
      mensaje: 'No puedo firmar <b>nada</b>.',
      fecha: date,
      hora: '09:00:00',
      captcha_response: await server.solveCaptcha(),
      ...changes,
    };
  };
  const book = async (changes: Partial<Booking> = {}, request: object = {}) => {
    const body = await booking(changes);
    const { body: booked } = await server.call('bookSupportCall', { body, ...request });
    return { ...booked, email: body.correo_electronico ?? '' };
  };
  const mailsTo = async (email: string) => (await server.mails()).filter(({ recipient }) => recipient === email);
  /** Returns the secret from the latest mailed link to a page. */
  const secret = async (email: string, path = '/videollamada-soporte?') => {
    const text = (await mailsTo(email)).at(-1)?.text ?? '';
    const address = text.match(/https?:\S+/g)?.find((found) => found.includes(path));
    if (address === undefined) throw new Error(`no link to ${path}`);
    const { searchParams } = new URL(address);
    return searchParams.get('videollamada') ?? searchParams.get('uuid') ?? '';
  };
  const on = (id: string, request: object = {}) => ({ params: { id }, ...request });
  const watch = () => processDueCalls(server.parts, server.clock.now());

  test('[AGEN-06] a reservation holds a place, is mailed without form texts, and is confirmed by its link', async () => {
    const { id, email, ...answer } = await book();
    expect(answer).toEqual({ estado: 'Reservado', fecha: date, hora_inicio: '09:00:00', minutos: 30 });
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('Confirmá tu videollamada de soporte');
    expect(`${mail?.text}${mail?.html}`, 'no text of the form in the mail').not.toMatch(/Inés|No puedo|AGE\d|123 456/);
    const entry = new ical.Component(ical.parse(mail?.calendar ?? ''));
    expect(entry.getFirstSubcomponent('vevent')?.getFirstPropertyValue('status')).toBe('TENTATIVE');
    expect(entry.getFirstSubcomponent('vevent')?.getFirstPropertyValue('uid')).toBe(id);
    const uuid = await secret(email);
    expect((await server.call('getSupportCall', on(uuid))).body).toEqual({
      id,
      ...answer,
      asunto: 'firma',
      informacion_contacto: { nombre_completo: 'Inés Quiroga' },
      link: null,
      jwt: null,
      sala: false,
      abre: null, // a reservation must be confirmed before the room opens
    });
    expect((await server.call('confirmSupportCall', on(uuid))).body.estado).toBe('Agendado');
    expect((await server.call('confirmSupportCall', on(uuid))).body.estado, 'confirmed twice').toBe('Agendado');
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Confirmá tu videollamada de soporte',
      'Tu videollamada de soporte está confirmada',
    ]);
    server.clock.advance(3 * hour);
    await watch();
    expect((await server.call('getSupportCall', on(uuid))).body.estado, 'a confirmed call does not expire').toBe(
      'Agendado',
    );
    expect(await server.auditFaults()).toEqual([]);
  });

  test('[AGEN-06] an unconfirmed reservation expires after two hours, frees its place and mails a notice', async () => {
    const { email } = await book();
    const uuid = await secret(email);
    server.clock.advance(2 * hour - 1);
    await watch();
    expect((await server.call('getSupportCall', on(uuid))).body.estado).toBe('Reservado');
    server.clock.advance(1);
    expect(
      await catchError(server.call('confirmSupportCall', on(uuid))),
      'expired before the job has run',
    ).toMatchObject({
      invalidToken: true,
    });
    await Promise.all([watch(), watch()]);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Confirmá tu videollamada de soporte',
      'Venció tu reserva de una videollamada de soporte',
    ]);
    expect(await catchError(server.call('getSupportCall', on(uuid)))).toEqual({
      status: 404,
      code: 'vinculo_invalido',
      invalidToken: true,
    });
    const { body } = await server.call('getSupportHours', { query: { fecha: date } });
    expect(body.map(({ hora_inicio }) => hora_inicio)).toContain('09:00:00');
    await book({ correo_electronico: email });
  });

  test('[AGEN-06] cancelSupportCall cancels a call by its link once and frees its place', async () => {
    const { email } = await book();
    await server.call('confirmSupportCall', on(await secret(email)));
    const uuid = await secret(email, '/cancelar-videollamada-soporte');
    await server.call('cancelSupportCall', on(uuid));
    expect(await catchError(server.call('cancelSupportCall', on(uuid)))).toEqual({
      status: 404,
      code: 'vinculo_invalido',
      invalidToken: true,
    });
    expect(await catchError(server.call('confirmSupportCall', on(uuid)))).toMatchObject({ invalidToken: true });
    const { body: shown } = await server.call('getSupportCall', on(uuid));
    expect(shown, 'the link shows the cancelled call without a room').toMatchObject({
      estado: 'Cancelado',
      link: null,
      sala: false,
      jwt: null,
    });
    const mail = (await mailsTo(email)).at(-1);
    expect(mail?.subject).toBe('Se canceló tu videollamada de soporte');
    expect(mail?.calendar).toContain('METHOD:CANCEL');
    await book({ correo_electronico: email });
  });

  test('[AGEN-06] cancelSupportCall cancels a call that waits in the room for an agent', async () => {
    const { id, email } = await book();
    await server.call('confirmSupportCall', on(await secret(email)));
    const uuid = await secret(email, '/cancelar-videollamada-soporte');
    const { db } = server.parts.store;
    await db.updateTable('video_calls').set({ state: 'Pendiente agente' }).where('id', '=', id).execute();
    await server.call('cancelSupportCall', on(uuid));
    const row = await db.selectFrom('video_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: 'Cancelado', place: null });
  });

  test('[AGEN-05] one mailbox, one document and one account can have only one upcoming call', async () => {
    const first = await booking();
    await server.call('bookSupportCall', { body: first });
    const again = async (changes: Partial<Booking>) =>
      catchError(server.call('bookSupportCall', { body: await booking(changes) }));
    expect(await again({ correo_electronico: ` ${first.correo_electronico?.toUpperCase()}` })).toEqual({
      status: 409,
      code: 'consulta_por_email',
    });
    const tagged = first.correo_electronico?.replace('@', '+otra@').replace('agenda', 'agen.da');
    expect(await again({ correo_electronico: tagged ?? '' }), 'the same mailbox with a tag').toEqual({
      status: 409,
      code: 'consulta_por_email',
    });
    expect(await again({ numero_documento: first.numero_documento ?? '' })).toEqual({
      status: 409,
      code: 'consulta_por_documento',
    });
    const { caller } = await createOwner(server, `AGENDA${database}`.toUpperCase());
    await server.call('bookSupportCall', { body: await booking(), caller });
    expect(await catchError(server.call('bookSupportCall', { body: await booking(), caller }))).toEqual({
      status: 409,
      code: 'usuario_con_videollamada',
    });
  });

  test('[AGEN-05] an anonymous reservation does not block the signed-in citizen, and expires if it is unconfirmed', async () => {
    const { email, number, caller } = await createOwner(server, `AGENFREE${database}`.toUpperCase());
    const stranger = await book({ numero_documento: number });
    const mine = await server.call('bookSupportCall', { body: await booking(), caller });
    expect(mine.body.estado).toBe('Reservado');
    const state = async (id: string) =>
      (await server.parts.store.db.selectFrom('video_calls').select('state').where('id', '=', id).execute())[0]?.state;
    expect(await state(stranger.id ?? ''), 'reservation with the same document').toBe('Vencido');
    await server.call('cancelSupportCall', on(await secret(email)));
    const byMail = await book({ correo_electronico: email });
    const again = await server.call('bookSupportCall', { body: await booking(), caller });
    expect(await state(byMail.id ?? ''), 'reservation with the same mailbox').toBe('Vencido');
    await server.call('cancelSupportCall', { ...on(again.body.id ?? ''), caller });
    const confirmed = await book({ numero_documento: number });
    await server.call('confirmSupportCall', on(await secret(confirmed.email)));
    expect((await server.call('bookSupportCall', { body: await booking(), caller })).body.estado).toBe('Reservado');
    expect(await state(confirmed.id ?? ''), 'a confirmed call of the same document stays').toBe('Agendado');
  });

  const lastOf = async (citizen: string) =>
    (
      await server.parts.store.db
        .selectFrom('video_calls')
        .select('id')
        .where('citizen_id', '=', citizen)
        .executeTakeFirstOrThrow()
    ).id;

  test('[AGEN-05] an unverified or typed address of an account does not expire the reservations of others', async () => {
    const { id, email, caller } = await createOwner(server, `AGENTYPED${database}`.toUpperCase());
    const { db } = server.parts.store;
    const other = await book({ correo_electronico: 'otra@example.com' });
    const same = await book({ correo_electronico: email });
    const unproven = { email_verified_at: null };
    await db.updateTable('citizens').set(unproven).where('id', '=', id).execute();
    const half = { hora: '09:30:00' };
    await server.call('bookSupportCall', { body: await booking(half), caller });
    await server.call('cancelSupportCall', { ...on(await lastOf(id)), caller });
    await db.updateTable('citizens').set({ email: null }).where('id', '=', id).execute();
    const typed = await booking({ ...half, correo_electronico: 'otra@example.com' });
    await server.call('bookSupportCall', { body: typed, caller });
    const states = await db
      .selectFrom('video_calls')
      .select('state')
      .where('id', 'in', [other.id ?? '', same.id ?? ''])
      .execute();
    expect(states.map(({ state }) => state)).toEqual(['Reservado', 'Reservado']);
  });
  test('[AGEN-06 SEG-06] an unverified address receives a limited number of mails from repeated bookings', async () => {
    const { id, caller } = await createOwner(server, `AGENFLOOD${database}`.toUpperCase());
    const { db } = server.parts.store;
    await db.updateTable('citizens').set({ email: null, email_verified_at: null }).where('id', '=', id).execute();
    const stranger = `nadie${count}@example.com`;
    for (let index = 0; index < mailAllowances.source.burst + 2; index += 1) {
      const body = await booking({ correo_electronico: stranger });
      const { body: booked } = await server.call('bookSupportCall', { body, caller });
      await server.call('confirmSupportCall', { ...on(booked.id ?? ''), caller });
      await server.call('cancelSupportCall', { ...on(booked.id ?? ''), caller });
      await db
        .updateTable('video_calls')
        .set({ created_at: new Date(0) })
        .execute(); // simulates a booking on another day
    }
    expect(await mailsTo(stranger)).toHaveLength(mailAllowances.source.burst);
  });

  test('[AGEN-06 SEG-06] a citizen who repeatedly cancels or lets reservations expire must wait', async () => {
    const { caller } = await createOwner(server, `AGENAGAIN${database}`.toUpperCase());
    const reserve = async () => (await server.call('bookSupportCall', { body: await booking(), caller })).body.id ?? '';
    await reserve();
    server.clock.advance(2 * hour);
    await watch();
    for (let index = 1; index < maxWithdrawnCallsPerDay; index += 1)
      await server.call('cancelSupportCall', { ...on(await reserve()), caller });
    const refused: unknown = await reserve().catch((reason: unknown) => reason);
    expect(refused).toMatchObject({ status: 429, code: 'muchas_canceladas', retryAfter: 22 * hour });
    const other = await createOwner(server, `AGENOTHER${database}`.toUpperCase());
    await server.call('bookSupportCall', { body: await booking(), caller: other.caller });
    server.clock.advance(22 * hour);
    await reserve();
  });

  test('[AGEN-03] a booking of a signed-in citizen uses the data of the account, and is in the data export', async () => {
    const { id, email, number, caller } = await createOwner(server, `AGENPERF${database}`.toUpperCase());
    await server.call('bookSupportCall', { body: await booking({ captcha_response: '' }), caller });
    const row = await server.parts.store.db.selectFrom('video_calls').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ citizen_id: id, email, number, name: 'María José Fernández Ñíguez' });
    await recordIdentityProof(server, caller);
    const { datos } = (await server.call('exportData', { caller, params: { id } })).body;
    expect(datos.videollamadas, 'included in the data export').toEqual([
      {
        reservada: row.created_at.toISOString(),
        fecha: row.starts_at.toISOString(),
        tipo: 'soporte',
        estado: 'Reservado',
        telefono: row.phone,
        mensaje: 'No puedo firmar <b>nada</b>.',
        agregado: [],
      },
    ]);
    expect(datos.actividad.map(({ accion }) => accion)).toContain('Reserva de una videollamada de soporte');
  });

  test('an anonymous booking requires a captcha', async () => {
    expect(await catchError(server.call('bookSupportCall', { body: await booking({ captcha_response: '' }) }))).toEqual(
      {
        status: 400,
        code: 'captcha_invalido',
      },
    );
  });

  test('[AGEN-05] a time outside opening hours is rejected like a full one, and a malformed time as invalid', async () => {
    for (const changes of [
      { hora: '09:10:00' },
      { hora: '11:00:00' },
      { fecha: '2071-03-04' },
      { fecha: '2090-01-01' },
    ])
      expect(
        await catchError(server.call('bookSupportCall', { body: await booking(changes) })),
        JSON.stringify(changes),
      ).toEqual({ status: 409, code: 'sin_cupos' });
    for (const changes of [{ hora: '9' }, { hora: '24:00:00' }, { fecha: 'mañana' }, { fecha: '2071-02-30' }])
      expect(
        await catchError(server.call('bookSupportCall', { body: await booking(changes) })),
        JSON.stringify(changes),
      ).toEqual({ status: 400, code: 'horario_invalido' });
  });

  test('[AGEN-07] twenty concurrent bookings of the last place yield one call, and "sin_cupos" for the others', async () => {
    await book();
    const bodies = await Promise.all(Array.from({ length: 20 }, () => booking()));
    const results = await Promise.allSettled(bodies.map((body) => server.call('bookSupportCall', { body })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'sin_cupos' });
    const { places } = await server.parts.store.db
      .selectFrom('video_calls')
      .select(({ fn }) => fn.countAll<number>().as('places'))
      .where('place', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(Number(places)).toBe(2);
  });

  describe('anonymous reservations', () => {
    /** Opening hours with sixteen slots a day: two hours, half an hour per call, four concurrent calls. */
    const wide = { SUPPORT_HOURS: 'mon-sun 09:00-11:00 x4', SUPPORT_CALL_MIN: '30' };
    const half = 8;
    let agenda: TestServer;
    let day = '';
    let from = 0;
    beforeAll(async () => {
      agenda = await openTestServer({ database, parts: withoutLimits, env: wide });
    });
    afterAll(() => agenda.close());
    beforeEach(async () => {
      await agenda.parts.store.db.deleteFrom('video_calls').execute();
      day = (await agenda.call('getSupportDates')).body[2]?.fecha ?? '';
    });
    const times = ['09:00:00', '09:30:00', '10:00:00', '10:30:00'];
    const reserve = async (request: object = {}, index = from) => {
      from += 1;
      const own = await booking({ fecha: day, hora: times[index % times.length] ?? '' });
      const body = { ...own, captcha_response: await agenda.solveCaptcha() };
      return agenda.call('bookSupportCall', { body, address: `198.51.${from >> 8}.${from % 256}`, ...request });
    };
    const held = async () =>
      Number(
        (
          await agenda.parts.store.db
            .selectFrom('video_calls')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('place', 'is not', null)
            .executeTakeFirstOrThrow()
        ).count,
      );
    const open = async (request: object = {}) =>
      (await agenda.call('getSupportHours', { query: { fecha: day }, ...request })).body.length;
    const days = async (request: object = {}) =>
      (await agenda.call('getSupportDates', request)).body.map(({ fecha }) => fecha);

    test("[AGEN-05] take at most half of a day's places while unconfirmed, and do not limit citizens or other days", async () => {
      for (let index = 0; index < half; index += 1) await reserve({}, index);
      expect(await catchError(reserve())).toEqual({ status: 409, code: 'sin_cupos' });
      expect(await open()).toBe(0);
      expect(await days()).not.toContain(day);
      const { caller } = await createOwner(agenda, `AGENSHARE${database}`.toUpperCase());
      expect(await open({ caller })).toBe(4);
      expect(await days({ caller })).toContain(day);
      expect((await reserve({ caller })).body.estado).toBe('Reservado');
      day = (await days())[3] ?? '';
      expect((await reserve()).body.estado).toBe('Reservado');
    });

    test('[AGEN-05] free their share of the day when they are confirmed or expire', async () => {
      for (let index = 0; index < half; index += 1) await reserve({}, index);
      const text = (await agenda.mails()).at(-1)?.text ?? '';
      const confirm = text.match(/https?:\S+/g)?.find((link) => link.includes('/videollamada-soporte?')) ?? '';
      await agenda.call('confirmSupportCall', on(new URL(confirm).searchParams.get('videollamada') ?? ''));
      expect((await reserve()).body.estado).toBe('Reservado');
      expect(await catchError(reserve())).toMatchObject({ code: 'sin_cupos' });
      agenda.clock.advance(2 * hour);
      await processDueCalls(agenda.parts, agenda.clock.now());
      expect(await held()).toBe(1);
      expect((await reserve()).body.estado).toBe('Reservado');
    });

    const confirmLast = async () => {
      const text = (await agenda.mails()).at(-1)?.text ?? '';
      const link = text.match(/https?:\S+/g)?.find((one) => one.includes('/videollamada-soporte?')) ?? '';
      await agenda.call('confirmSupportCall', on(new URL(link).searchParams.get('videollamada') ?? ''));
    };

    test("[AGEN-05 SEG-06] leave a quarter of a day's places to signed-in citizens, even if all are confirmed", async () => {
      for (let index = 0; index < 12; index += 1) {
        await reserve({}, index);
        await confirmLast();
      }
      expect(await catchError(reserve())).toEqual({ status: 409, code: 'sin_cupos' });
      expect(await open()).toBe(0);
      expect(await days()).not.toContain(day);
      const { caller } = await createOwner(agenda, `AGENQUARTER${database}`.toUpperCase());
      expect(await open({ caller })).toBeGreaterThan(0);
      expect((await reserve({ caller }, 3)).body.estado).toBe('Reservado');
    });

    test('[AGEN-05 SEG-06] are limited per network across days even if confirmed, until a call is over', async () => {
      const site = { address: '203.0.113.9' };
      const dates = await days();
      for (let index = 0; index < maxUpcomingCallsPerNetwork; index += 1) {
        day = dates[index] ?? '';
        await reserve(site, index);
        await confirmLast();
      }
      day = dates[maxUpcomingCallsPerNetwork] ?? '';
      expect(await catchError(reserve(site))).toMatchObject({ status: 429 });
      expect((await reserve({ address: '203.0.113.10' })).body.estado).toBe('Reservado');
      const { db } = agenda.parts.store;
      const [first] = await db.selectFrom('video_calls').select('id').where('state', '=', 'Agendado').execute();
      const uuid = await db.transaction().execute((tx) =>
        issueLinkToken(tx as never, {
          purpose: 'support-call',
          citizenId: null,
          subject: first?.id ?? '',
          now: agenda.clock.now(),
          lifeS: 60,
        }),
      );
      await agenda.call('cancelSupportCall', on(uuid));
      expect((await reserve(site)).body.estado).toBe('Reservado');
    });

    test('[AGEN-05 SEG-06] are limited per network while unconfirmed, with Retry-After, and the network is deleted afterwards', async () => {
      const network = (last: number) => ({ address: `2001:db8:1:2::${last}` });
      for (let index = 1; index <= maxReservationsPerNetwork; index += 1) await reserve(network(index), index);
      const error: unknown = await reserve(network(9)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ status: 429, code: 'demasiados_intentos', retryAfter: 2 * hour });
      const site = { address: '2001:db8:1:7::1' };
      expect(await catchError(reserve(site)), 'another network of the same site').toMatchObject({ status: 429 });
      expect((await reserve({ address: '2001:db8:9:2::1' })).body.estado).toBe('Reservado');
      const { caller } = await createOwner(agenda, `AGENNET${database}`.toUpperCase());
      expect((await reserve({ ...network(1), caller })).body.estado, 'signed-in citizens are not limited').toBe(
        'Reservado',
      );
      agenda.clock.advance(2 * hour);
      await processDueCalls(agenda.parts, agenda.clock.now());
      expect((await reserve(network(1))).body.estado).toBe('Reservado');
      const kept = agenda.parts.store.db.selectFrom('video_calls').select('id').where('place', 'is', null);
      expect(
        await kept.where('network', 'is not', null).execute(),
        'the network is deleted with the reservation',
      ).toEqual([]);
    });

    test('[AGEN-07 OPER-04] do not exceed their share when booked concurrently on two replicas', async () => {
      const one = await openTestServer({ database: 'postgresql', parts: withoutLimits, env: wide });
      const other = await openQuietParts(one.parts);
      const handlers = [one.handlers, bindGuardedHandlers(withoutLimits(other))];
      try {
        const bodies = await Promise.all(
          Array.from({ length: 14 }, async (_, index) => ({
            ...(await booking({ fecha: day, hora: times[index % times.length] ?? '' })),
            captcha_response: await one.solveCaptcha(),
          })),
        );
        const results = await Promise.allSettled(
          bodies.map((body, index) =>
            handlers[index % 2]?.bookSupportCall({
              params: {},
              query: {},
              caller: null,
              cookies: {},
              body,
              origin: createOrigin({ address: `203.0.113.${index}` }),
            }),
          ),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(half);
        for (const result of results)
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'sin_cupos' });
        const taken = await one.parts.store.db
          .selectFrom('video_calls')
          .select('id')
          .where('place', 'is not', null)
          .execute();
        expect(taken).toHaveLength(half);
      } finally {
        await other.store.close();
        await one.close();
      }
    });
  });

  test('[AGEN-05] twenty concurrent bookings of one person yield one call and one mail', async () => {
    const mine = await booking();
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () => ({ ...mine, captcha_response: await server.solveCaptcha() })),
    );
    const results = await Promise.allSettled(bodies.map((body) => server.call('bookSupportCall', { body })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await mailsTo(mine.correo_electronico ?? '')).toHaveLength(1);
  });

  test('concurrent confirmation and cancellation leave the call cancelled, and the last mail says so', async () => {
    const { email, id } = await book();
    const uuid = await secret(email);
    await Promise.allSettled([server.call('cancelSupportCall', on(uuid)), server.call('confirmSupportCall', on(uuid))]);
    const { state } = await server.parts.store.db
      .selectFrom('video_calls')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('Cancelado'); // either of the two concurrent requests may be first: a confirmed call can be cancelled, and a cancelled one cannot be confirmed
    expect((await mailsTo(email)).at(-1)?.subject).toBe('Se canceló tu videollamada de soporte');
  });

  test("an invalid link, a bare id and another citizen's call return the same error", async () => {
    const mine = await createOwner(server, `AGENMIA${database}`.toUpperCase());
    const { body: own } = await server.call('bookSupportCall', { body: await booking(), caller: mine.caller });
    const other = await createOwner(server, `AGENOTRO${database}`.toUpperCase());
    const none = { status: 404, code: 'vinculo_invalido', invalidToken: true };
    expect((await server.call('getSupportCall', on(own.id, { caller: mine.caller }))).body.id).toBe(own.id);
    for (const name of ['getSupportCall', 'confirmSupportCall', 'cancelSupportCall'] as const) {
      expect(await catchError(server.call(name, on('nada'))), name).toEqual(none);
      expect(await catchError(server.call(name, on(own.id))), `${name} signed out`).toEqual(none);
      expect(await catchError(server.call(name, on(own.id, { caller: other.caller }))), `${name} of another`).toEqual(
        none,
      );
    }
    const { text } = (await mailsTo(mine.email)).find(({ subject }) => subject.startsWith('Activá')) ?? { text: '' };
    const activation = new URL(/https?:\S+/.exec(text)?.[0] ?? 'http://x').searchParams.get('uuid') ?? '';
    expect(await catchError(server.call('getSupportCall', on(activation))), 'link for another purpose').toEqual(none);
  });

  test('[OPER-04] one reminder is mailed a day before and one an hour before, also to a citizen who waits in the room', async () => {
    const { id, email } = await book();
    await server.call('confirmSupportCall', on(await secret(email)));
    const start = new Date(`${date}T09:00:00-03:00`);
    const reminders = async () =>
      (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Tu videollamada de soporte es el')).length;
    const until = (seconds: number) =>
      server.clock.advance((start.getTime() - server.clock.now().getTime()) / 1000 - seconds);
    const look = () => Promise.all([watch(), watch(), watch()]);
    until(24 * hour + 60);
    await look();
    expect(await reminders()).toBe(0);
    until(24 * hour);
    await look();
    expect(await reminders()).toBe(1);
    const entered = server.parts.store.db.updateTable('video_calls').set({ state: 'Pendiente agente' });
    await entered.where('id', '=', id).execute();
    until(hour);
    await look();
    await look();
    expect(await reminders()).toBe(2);
    await server.call('cancelSupportCall', on(await secret(email, '/cancelar-videollamada-soporte')));
  });

  test('a call that nobody attended ends in state Error, and a notice is mailed', async () => {
    const { email, id } = await book();
    await server.call('confirmSupportCall', on(await secret(email)));
    server.clock.advance((new Date(`${date}T11:30:00-03:00`).getTime() - server.clock.now().getTime()) / 1000);
    await watch();
    const { state, place } = await server.parts.store.db
      .selectFrom('video_calls')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect({ state, place }).toEqual({ state: 'Error', place: null });
    expect((await mailsTo(email)).at(-1)?.subject).toBe('Tu videollamada de soporte no se pudo completar');
  });
});

describe('support calls with rate limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ env: { SUPPORT_HOURS: 'mon-sun 09:00-17:00 x9' } });
  });
  afterAll(() => server.close());

  test('limit attempts per mailbox and per document, and not across people', async () => {
    const { body } = await server.call('getSupportDates');
    const fecha = body[1]?.fecha ?? '';
    const book = async (nth: number, correo_electronico: string, numero_documento: string) =>
      server.call('bookSupportCall', {
        address: `192.0.2.${nth}`,
        body: {
          nombre_completo: 'Inés Quiroga',
          pais_emisor: 'ar',
          tipo_documento: 'psp',
          numero_documento,
          correo_electronico,
          asunto: 'otro',
          mensaje: 'Hola',
          fecha,
          hora: '09:00:00',
          captcha_response: await server.solveCaptcha(),
        },
      });
    for (let nth = 1; nth <= 8; nth += 1) await book(nth, `limite${nth}@example.com`, `LIM${nth}`);
    const tries = async (email: (nth: number) => string, document: (nth: number) => string) => {
      const codes: string[] = [];
      for (let nth = 1; nth <= 8; nth += 1)
        codes.push((await catchError(book(10 + nth, email(nth), document(nth)))).code);
      return codes;
    };
    expect(
      await tries(
        () => 'limite1@example.com',
        (nth) => `OTRO${nth}`,
      ),
      'limit per mailbox',
    ).toContain('demasiados_intentos');
    expect(
      await tries(
        (nth) => `otro${nth}@example.com`,
        () => 'LIM2',
      ),
      'limit per document',
    ).toContain('demasiados_intentos');
  });
});
