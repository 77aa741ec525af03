import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeSlotsOfDate } from '../../../../src/server/features/agenda/availability.ts';
import { parseWeeklyHours } from '../../../../src/server/platform/config/weekly-hours.ts';
import { insertBookedCall } from '../../support/desk.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

/** The day after the start of the test clock: Wednesday, 2071-03-04, 12:00 in Montevideo. */
const tomorrow = '2071-03-05';

describe('listSlots', () => {
  const times = (date: string, ...hours: readonly (readonly [opens: string, closes: string, places: number])[]) =>
    computeSlotsOfDate(
      date,
      hours.map(([opens, closes, places]) => ({ opens, closes, places })),
      30,
    ).map(({ startsAt, places }) => [startsAt.toISOString(), places]);

  test('[AGEN-09] starts each slot when the previous one ends, and omits a slot that would end after closing time', () => {
    expect(times(tomorrow, ['09:00', '10:15', 2])).toEqual([
      ['2071-03-05T12:00:00.000Z', 2],
      ['2071-03-05T12:30:00.000Z', 2],
    ]);
    expect(times(tomorrow, ['09:00', '09:29', 2])).toEqual([]);
  });

  test('adds the places of overlapping ranges, and omits ranges without a place', () => {
    expect(times(tomorrow, ['10:00', '11:00', 1], ['10:30', '11:00', 3], ['09:00', '12:00', 0])).toEqual([
      ['2071-03-05T13:00:00.000Z', 1],
      ['2071-03-05T13:30:00.000Z', 4],
    ]);
  });
});

test('parseWeeklyHours parses ranges of weekdays, and throws for malformed hours', () => {
  expect(parseWeeklyHours('mon-tue 09:00-17:00 x2, sat 09:00-12:00')).toEqual([
    { weekday: 1, opens: '09:00', closes: '17:00', places: 2 },
    { weekday: 2, opens: '09:00', closes: '17:00', places: 2 },
    { weekday: 6, opens: '09:00', closes: '12:00', places: 1 },
  ]);
  expect(parseWeeklyHours('')).toEqual([]);
  for (const wrong of [
    'lun 09:00-17:00',
    'fri-mon 09:00-17:00',
    'mon 17:00-09:00',
    'mon 9:00-17:00',
    'mon 09:00-25:00',
    'mon 09:00-17:00 x0',
  ])
    expect(() => parseWeeklyHours(wrong), wrong).toThrow('hours such as');
});

describe('bookable dates and hours', () => {
  let server: TestServer;
  beforeAll(async () => {
    const env = { SUPPORT_HOURS: 'mon-fri 09:00-10:00', SUPPORT_CALL_MIN: '30', ELEVATION_CALL_MIN: '45' };
    server = await openTestServer({ env: { ...env, ELEVATION_HOURS: 'mon-fri 09:00-11:00' } });
  });
  afterAll(() => server.close());
  const dates = async (query: Record<string, string> = {}) =>
    (await server.call('getSupportDates', { query })).body.map(({ fecha }) => fecha);
  const hours = async (fecha: string) =>
    (await server.call('getSupportHours', { query: { fecha } })).body.map(({ hora_inicio: hour }) => hour);

  test('[AGEN-04] getSupportDates returns the open days from tomorrow to three months ahead', async () => {
    const all = await dates();
    expect(all[0]).toBe(tomorrow);
    expect(all.at(-1)).toBe('2071-06-04');
    expect(all).not.toContain('2071-03-07'); // a Saturday
    expect(all).toHaveLength(66);
  });

  test('[AGEN-04] getSupportDates narrows the period to the query, and never exceeds the booking window', async () => {
    expect(await dates({ fecha_inicio: '2071-03-09', fecha_fin: '2071-03-10' })).toEqual(['2071-03-09', '2071-03-10']);
    expect((await dates({ fecha_inicio: '2000-01-01', fecha_fin: '9999-12-31' })).length).toBe(66);
    expect((await dates({ fecha_inicio: 'ayer', fecha_fin: '2071-02-30' })).length).toBe(66);
    expect(await dates({ fecha_inicio: '2071-03-10', fecha_fin: '2071-03-09' })).toEqual([]);
  });

  test('[AGEN-04] getSupportHours returns the hours of a date, and nothing outside the booking window', async () => {
    expect(await hours(tomorrow)).toEqual(['09:00:00', '09:30:00']);
    for (const fecha of ['2071-03-04', '2071-06-05', '2071-03-07', 'mañana', ''])
      expect(await hours(fecha), fecha).toEqual([]);
  });

  test('[ELEV-03] getElevationHours uses the duration of an elevation call', async () => {
    const { body } = await server.call('getElevationHours', { query: { fecha: tomorrow } });
    expect(body.map(({ hora_inicio: hour }) => hour)).toEqual(['09:00:00', '09:45:00']);
  });

  test('[AGEN-04] fully booked dates and hours are not returned', async () => {
    const take = (hora: string, place: number) =>
      insertBookedCall(server, {
        kind: 'support',
        state: 'Agendado',
        starts_at: new Date(`2071-03-06T${hora}-03:00`),
        place,
        number: hora,
        email: hora,
      });
    await take('09:30:00', 1);
    expect(await hours('2071-03-06')).toEqual(['09:00:00']);
    await take('09:00:00', 1);
    expect(await hours('2071-03-06')).toEqual([]);
    expect(await dates()).not.toContain('2071-03-06');
  });

  test('[DESK-05] hours set at the desk for a date or a weekday replace the configured hours', async () => {
    const { db } = server.parts.store;
    const closed = {
      agenda: 'support',
      date: '2071-03-09',
      opens: '00:00',
      closes: '23:59',
      places: 0,
      note: 'Feriado',
    } as const;
    await db.insertInto('agenda_exceptions').values(closed).execute();
    await db
      .insertInto('agenda_exceptions')
      .values({ ...closed, date: '2071-03-07', opens: '11:00', closes: '11:30', places: 1 })
      .execute();
    expect(await hours('2071-03-09')).toEqual([]);
    expect(await hours('2071-03-07')).toEqual(['11:00:00']);
    await db
      .insertInto('agenda_hours')
      .values({ agenda: 'support', weekday: 4, opens: '15:00', closes: '15:30', places: 1 })
      .execute();
    expect(await dates({ fecha_fin: '2071-03-12' })).toEqual([tomorrow, '2071-03-07', '2071-03-12']);
  });
});
