import { describe, expect, test } from 'vitest';
import { formatShortDate } from '../../src/contract/format/dates.ts';
import { parseOpeningHours, formatDocumentId, formatOpeningHours } from '../../src/desk/format-desk-values.ts';
import { formatPhone } from '../../src/contract/format/phone.ts';

describe('[DESK-03] formats of the desk', () => {
  test.each([
    ['uy-ci-36509181', 'Cédula 3.650.918-1'],
    ['uy-ci-1234561', 'Cédula 123.456-1'],
    ['ar-psp-AB123456', 'Pasaporte AB123456 (AR)'],
    ['ar-dni-23456789', 'DNI 23456789 (AR)'],
    ['br-cpf-12345678909', 'cpf 12345678909 (BR)'],
    ['something else', 'something else'],
  ])('write the document %s as %s', (id, expected) => {
    expect(formatDocumentId(id)).toBe(expected);
  });

  test.each([
    ['09:00-13:00 x2', ['de 09:00 a 13:00: 2 llamadas a la vez']],
    ['09:00-12:00\n14:00-16:00', ['de 09:00 a 12:00: una llamada a la vez', 'de 14:00 a 16:00: una llamada a la vez']],
    ['whatever', ['whatever']],
  ])('write the opening hours %j as %j', (hours, expected) => {
    expect(formatOpeningHours(hours)).toEqual(expected);
  });

  test('[DESK-05] list the opening hours of each day of the week', () => {
    const week = parseOpeningHours('lun-mié 09:00-12:30 x3\nmié 14:00-18:00\nwhatever');
    const morning = { from: 9, to: 12.5, text: '09:00–12:30', places: '3' };
    const afternoon = { from: 14, to: 18, text: '14:00–18:00', places: '1' };
    expect(week.map(({ day }) => day)).toEqual(['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom']);
    expect(week.map(({ openings }) => openings)).toEqual([[morning], [morning], [morning, afternoon], [], [], [], []]);
  });

  test('write dates with the day first, and leave other texts unchanged', () => {
    expect([formatShortDate('2099-12-25'), formatShortDate('MARÍA')]).toEqual(['25/12/2099', 'MARÍA']);
  });

  test.each([
    ['+59899123456', '+598 99 123 456'],
    ['+598 99 123 456', '+598 99 123 456'],
    ['interno 123', 'interno 123'],
  ])('write the phone %s as %s', (typed, expected) => {
    expect(formatPhone(typed)).toBe(expected);
  });
});
