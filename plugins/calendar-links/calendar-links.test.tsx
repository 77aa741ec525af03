// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import CalendarLinks from './widget.tsx';

afterEach(cleanup);

const call = { id: 'c1', estado: 'Reservado', fecha: '2026-12-01', hora_inicio: '10:30:00', minutos: 30 };
const draw = (options: object) => {
  const { form, field } = createFakeForm({ calendario: undefined });
  render(
    <DrawnWidget
      widget={CalendarLinks}
      {...createFakeParts({ form, field }, 'calendario', {
        options: { product: 'Portal', ...options },
        now: () => new Date('2026-11-30T12:00:00Z'), // current time of the server
      })}
    />,
  );
};

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
