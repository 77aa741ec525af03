import ical from 'ical.js';
import { expect, test } from 'vitest';
import { formatCalendarFile, type CallCalendarEvent } from '../../src/contract/calendar-file.ts';

const call: CallCalendarEvent = {
  id: 'b7e1c0de-0000-4000-8000-000000000001',
  date: '2026-12-01',
  time: '10:30:00',
  minutes: 30,
  title: 'Videollamada de soporte; día, hora y «ñandú»',
  description: `Para ingresar: https://portal.example/${'x'.repeat(120)}\nTené tu cédula a mano`,
  sequence: 2,
  status: 'CONFIRMED',
};
const made = { product: 'Usuario digital', madeAt: new Date('2026-11-30T12:00:00Z') };

function read(text: string) {
  const component = new ical.Component(ical.parse(text));
  for (const zone of component.getAllSubcomponents('vtimezone')) ical.TimezoneService.register(zone);
  const [event] = component.getAllSubcomponents('vevent');
  if (!event) throw new Error('no event');
  return { component, event: new ical.Event(event), status: event.getFirstPropertyValue('status') };
}

test('[AGEN-08] formatCalendarFile writes an event that an independent parser reads with the same times and texts', () => {
  const { component, event, status } = read(formatCalendarFile(call, made));
  expect(component.getFirstPropertyValue('method')).toBe('PUBLISH');
  expect(status).toBe('CONFIRMED');
  expect(event.uid).toBe(call.id);
  expect(event.sequence).toBe(2);
  expect(event.summary).toBe(call.title);
  expect(event.description).toBe(call.description);
  expect(event.startDate.zone?.tzid).toBe('America/Montevideo');
  expect(event.startDate.toJSDate().toISOString()).toBe('2026-12-01T13:30:00.000Z');
  expect(event.endDate.toJSDate().toISOString()).toBe('2026-12-01T14:00:00.000Z');
});

test('[AGEN-08] formatCalendarFile writes a CANCEL for a cancelled call', () => {
  const { component, status } = read(formatCalendarFile({ ...call, status: 'CANCELLED' }, made));
  expect(component.getFirstPropertyValue('method')).toBe('CANCEL');
  expect(status).toBe('CANCELLED');
});

test('[AGEN-08] formatCalendarFile ends lines with CRLF and folds them at 75 octets between characters', () => {
  const lines = formatCalendarFile({ ...call, title: 'ñ'.repeat(200) }, made).split('\r\n');
  expect(lines.at(-1)).toBe('');
  for (const line of lines) {
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n\uFFFD]/);
  }
});
