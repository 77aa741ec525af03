// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { createFakeControl, createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { parseIsoDateParts, parseTypedDateParts } from './widget.tsx';
import { rules } from './rule.ts';
import DateParts from './widget.tsx';

afterEach(cleanup);

describe('calendarDate rule', () => {
  test.each<[unknown, object | null, string]>([
    ['1990-02-28', null, 'a day'],
    ['2024-02-29', null, 'the day of a leap year'],
    ['2000-02-29', null, 'the day of a leap century'],
    ['0004-02-29', null, 'a leap year that a Date takes for one of the last century'],
    ['1900-02-29', {}, 'a century without a leap day'],
    ['2023-02-29', {}, 'no leap year'],
    ['2023-04-31', {}, 'a month of 30 days'],
    ['2023-13-01', {}, 'a thirteenth month'],
    ['2023-00-10', {}, 'month 0'],
    ['2023-01-00', {}, 'day 0'],
    ['2023-01-', { reason: 'day' }, 'without its day'],
    ['2023--05', { reason: 'month' }, 'without its month'],
    ['-01-05', { reason: 'year' }, 'without its year'],
    ['90-01-05', { reason: 'digits' }, 'a short year'],
    ['20231-01-05', { reason: 'digits' }, 'a long year'],
    ['2023-ene-05', {}, 'a word'],
    ['2023-1-5', {}, 'without leading zeros'],
    ['hoy', {}, 'not a date'],
    ['2023-01-05T00:00', {}, 'a time'],
    ['2023-01-05\n', {}, 'a line break'],
    ['', {}, 'nothing'],
    [20230105, null, 'not a string: left to the keyword type'],
  ])('checks the date %s and returns %j (%s)', (value, expected) => {
    expect(checkWithRule(rules, { value, parameters: true })).toEqual(expected);
  });

  test.each<[string, object | null]>([
    ['1999-12-31', { reason: 'early', values: { date: '01/01/2000' } }],
    ['2000-01-01', null],
    ['2010-06-30', null],
    ['2010-07-01', { reason: 'late', values: { date: '30/06/2010' } }],
    ['2010-06-31', {}],
  ])('checks the date %s against inclusive bounds and returns %j', (value, expected) => {
    expect(checkWithRule(rules, { value, parameters: { from: '2000-01-01', to: '2010-06-30' } })).toEqual(expected);
  });

  test('accepts parameters with only one bound', () => {
    expect(checkWithRule(rules, { value: '1800-01-01', parameters: { to: '2010-06-30' } })).toBeNull();
    expect(checkWithRule(rules, { value: '9999-01-01', parameters: { from: '2010-06-30' } })).toBeNull();
  });
});

test.each([
  ['31/12/1990', { day: '31', month: '12', year: '1990' }],
  [' 1.2.1990 ', { day: '1', month: '2', year: '1990' }],
  ['1990-02-01', { day: '1', month: '2', year: '1990' }],
  ['1 2 1990', { day: '1', month: '2', year: '1990' }],
  ['12', null],
  ['1/2/90', null],
])('parseTypedDateParts reads the text %s as %j', (text, expected) => {
  expect(parseTypedDateParts(text)).toEqual(expected);
});

test('parseIsoDateParts returns three empty parts for a value that is not a date', () => {
  for (const value of [undefined, 7, 'hoy', '2026-01-02-03'])
    expect(Object.values(parseIsoDateParts(value))).toEqual(['', '', '']);
});

describe('date-parts widget', () => {
  function draw(value?: string, autoComplete?: string) {
    const { form, field } = createFakeForm({ nacimiento: value });
    const control = createFakeControl('nacimiento', { autoComplete, 'aria-describedby': 'nacimiento-help' });
    const parts = createFakeParts({ form, field }, 'nacimiento', { control, label: 'Fecha de nacimiento' });
    render(
      <>
        <DrawnWidget widget={DateParts} {...parts} />
        <button type="button">otro</button>
      </>,
    );
    return field('nacimiento');
  }
  const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
  const type = (name: string, value: string) => fireEvent.change(box(name), { target: { value } });
  const shown = () => ['day', 'month', 'year'].map((name) => box(name).value);

  test('draws three labelled boxes in one group and combines their values into one date', () => {
    const field = draw();
    const group = screen.getByRole('group', { name: 'Fecha de nacimiento' });
    expect([group.id, group.getAttribute('aria-describedby')]).toEqual(['nacimiento', 'nacimiento-help']);
    type('day', '5');
    expect(field.value).toBe('--05');
    type('month', '2');
    type('year', '1990');
    expect([field.value, shown()]).toEqual(['1990-02-05', ['5', '2', '1990']]);
    for (const name of ['day', 'month', 'year']) type(name, '');
    expect(field.value).toBeUndefined();
  });

  test('shows the date of the form in its boxes and changes it from each of them', () => {
    const field = draw('1990-02-05');
    expect(shown()).toEqual(['5', '2', '1990']);
    type('day', '15');
    expect([field.value, shown()]).toEqual(['1990-02-15', ['15', '2', '1990']]);
    type('month', 'abc');
    expect(field.value, 'what is no number stays, for the rule to tell').toBe('1990-abc-15');
  });

  test('fills all boxes from a complete date pasted into one of them', () => {
    const field = draw();
    type('month', '31/12/1990');
    expect([field.value, shown()]).toEqual(['1990-12-31', ['31', '12', '1990']]);
  });

  test('reports a blur only when the focus leaves all of its boxes', () => {
    const field = draw();
    fireEvent.blur(box('day'), { relatedTarget: box('month') });
    expect(field.blur).not.toHaveBeenCalled();
    fireEvent.blur(box('year'), { relatedTarget: screen.getByRole('button') });
    expect(field.blur).toHaveBeenCalledTimes(1);
  });

  test('sets the autocomplete tokens of a birthday only for `bday`', () => {
    draw(undefined, 'bday');
    expect(['day', 'month', 'year'].map((name) => box(name).autocomplete)).toEqual([
      'bday-day',
      'bday-month',
      'bday-year',
    ]);
    cleanup();
    draw(undefined, 'name');
    expect(box('day').getAttribute('autocomplete')).toBeNull();
  });
});
