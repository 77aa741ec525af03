// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import CalendarLinks from './widget.tsx';

afterEach(cleanup);

const call = { id: 'c1', estado: 'Reservado', fecha: '2026-12-01', hora_inicio: '10:30:00', minutos: 30 };
const atServer = () => new Date('2026-11-30T12:00:00Z');
const draw = (options: object) =>
  drawWidget(CalendarLinks, 'calendario', {}, { options: { product: 'Portal', ...options }, now: atServer });

test('[AGEN-08] calendar-links widget offers Google, Apple and Outlook, with a tentative event for a booked call', () => {
  draw({ call });
  const links = screen.getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['google newTab', 'apple', 'outlook newTab']);
  expect(links[1]?.getAttribute('download')).toBe('file');
  expect(decodeURIComponent(links[1]?.getAttribute('href') ?? '')).toContain('STATUS:TENTATIVE');
  expect(decodeURIComponent(links[1]?.getAttribute('href') ?? '')).toContain('DTSTAMP:20261130T120000Z');
});

test('[AGEN-08] calendar-links widget writes a confirmed event for a confirmed call', () => {
  draw({ call: { ...call, estado: 'Agendado' } });
  expect(decodeURIComponent(screen.getAllByRole('link')[1]?.getAttribute('href') ?? '')).toContain('STATUS:CONFIRMED');
});

test.each([null, {}, { ...call, minutos: '30' }, 'x'])(
  'calendar-links widget draws no links if the call is %j',
  (none) => {
    draw({ call: none });
    expect(screen.queryByRole('link')).toBeNull();
  },
);
