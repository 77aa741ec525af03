import ical from 'ical.js';
import { expect, test } from 'vitest';
import { buildCalendarLinks } from './widget.tsx';

const call = {
  id: 'b7e1c0de-0000-4000-8000-000000000001',
  date: '2026-12-01',
  time: '23:45:00',
  minutes: 30,
  title: 'Videollamada & más',
  description: 'Hora: 23:45',
  sequence: 0,
  status: 'CONFIRMED',
} as const;
const addresses = buildCalendarLinks(call, { product: 'Usuario digital', madeAt: new Date('2026-11-30T12:00:00Z') });

test('[AGEN-08] buildCalendarLinks gives Google local times and the time zone America/Montevideo', () => {
  const { searchParams } = new URL(addresses.google);
  expect(searchParams.get('dates')).toBe('20261201T234500/20261202T001500');
  expect(searchParams.get('ctz')).toBe('America/Montevideo');
  expect(searchParams.get('text')).toBe(call.title);
});

test('[AGEN-08] buildCalendarLinks gives Outlook the start and the end in UTC', () => {
  const { searchParams } = new URL(addresses.outlook);
  expect(searchParams.get('startdt')).toBe('2026-12-02T02:45:00.000Z');
  expect(searchParams.get('enddt')).toBe('2026-12-02T03:15:00.000Z');
  expect(searchParams.get('subject')).toBe(call.title);
});

test('[AGEN-08] buildCalendarLinks gives Apple and other calendars an iCalendar file as a data URL', () => {
  const [type = '', text = ''] = addresses.file.split(/,(.*)/s);
  expect(type).toBe('data:text/calendar;charset=utf-8');
  const event = new ical.Component(ical.parse(decodeURIComponent(text))).getFirstSubcomponent('vevent');
  expect(event?.getFirstPropertyValue('uid')).toBe(call.id);
});
