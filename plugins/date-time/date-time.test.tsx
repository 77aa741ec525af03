// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { fakeControl, fakeForm, fakeParts } from '../../tests/plugins/fake-form.ts';
import { dateTime, hour } from './instant.ts';
import DateTime from './widget.tsx';

afterEach(cleanup);

// The tests' clock is that of Montevideo, three hours behind UTC.
describe('[ENG-12] a day and its hour', () => {
  test.each([
    ['2026-12-01T10:30', '2026-12-01T13:30:00Z', '2026-12-01T10:30'],
    ['2026-12-31T23:59', '2027-01-01T02:59:00Z', '2026-12-31T23:59'],
    ['2026-12-01T10:30:15', '2026-12-01T13:30:15Z', '2026-12-01T10:30'],
  ])('%s is stored as %s', (typed, stored, shown) => {
    expect(dateTime.stored(typed, new Date())).toBe(stored);
    expect(dateTime.shown(stored)).toBe(shown);
  });

  test('an hour has the offset of the browser', () => {
    expect(hour.stored('10:30', new Date())).toBe('10:30:00-03:00');
    expect(hour.stored('10:30:15', new Date())).toBe('10:30:15-03:00');
    const offset = (minutes: number) => ({ getTimezoneOffset: () => minutes }) as Date;
    expect([0, -330, 570].map((minutes) => hour.stored('10:30', offset(minutes)).slice(8))).toEqual([
      'Z',
      '+05:30',
      '-09:30',
    ]);
    expect(hour.shown('10:30:00-03:00')).toBe('10:30');
  });

  test.each([undefined, 7, 'mañana', ''])('%s shows nothing', (value) => {
    expect([dateTime.shown(value), hour.shown(value)]).toEqual(['', '']);
  });
});

test.each([
  ['date-time', 'datetime-local', '2026-12-01T10:30', '2026-12-01T13:30:00Z'],
  ['time', 'time', '10:30', '10:30:00-03:00'],
])(
  '[ENG-12] the widget of %s takes what is typed, is described, disabled and emptied',
  (format, type, typed, stored) => {
    const { form, field } = fakeForm({ when: undefined });
    const draw = (disabled: boolean) =>
      render(
        <DrawnWidget
          widget={DateTime}
          {...fakeParts({ form, field }, 'when', {
            control: fakeControl('when', { disabled, 'aria-describedby': 'when-error' }),
            schema: { format },
          })}
        />,
      );
    draw(false);
    const input = document.getElementById('when') as HTMLInputElement;
    expect([input.type, input.getAttribute('aria-describedby')]).toEqual([type, 'when-error']);
    fireEvent.change(input, { target: { value: typed } });
    expect([field('when').value, input.value]).toEqual([stored, typed]);
    fireEvent.blur(input);
    expect(field('when').blur).toHaveBeenCalled();
    fireEvent.change(input, { target: { value: '' } });
    expect(field('when').value).toBeUndefined();
    cleanup();
    draw(true);
    expect((document.getElementById('when') as HTMLInputElement).disabled).toBe(true);
  },
);
