import { describe, expect, test } from 'vitest';
import { formatDate } from './format-date.ts';
import { evaluateJsonLogic } from './json-logic.ts';

describe('formatDate', () => {
  test.each([
    { value: '2026-12-01', pattern: 'DD/MM/YYYY', text: '01/12/2026' },
    { value: '09:20:00', pattern: 'HH:mm', text: '09:20' },
    { value: '09:20', pattern: 'HH:mm', text: '09:20' },
    { value: '2026-12-01T09:20:07Z', pattern: 'DD/MM, HH:mm:ss', text: '01/12, 09:20:07' },
    { value: '2026-12-01T09:20', pattern: 'YYYY', text: '2026' },
    { value: '2026-12-01', pattern: 'HH:mm', text: '', note: 'it has no time' },
    { value: '09:20', pattern: 'DD/MM/YYYY', text: '', note: 'it has no date' },
    { value: '09:20', pattern: 'HH:mm:ss', text: '', note: 'it has no seconds' },
    { value: 'mañana', pattern: 'DD/MM/YYYY', text: '' },
    { value: '12026-12-01', pattern: 'YYYY', text: '' },
    { value: 20261201, pattern: 'YYYY', text: '' },
    { value: '2026-12-01', pattern: 'constructor DD', text: 'constructor 01' },
    { value: '2026-12-01', pattern: 'dddd DD/MM', language: 'es', text: 'martes 01/12' },
    { value: '2026-12-01T23:30', pattern: 'dddd, HH:mm', language: 'pt', text: 'terça-feira, 23:30' },
    { value: '2026-12-01', pattern: 'dddd DD/MM', text: '01/12', note: 'no language' },
    { value: '2026-09-07', pattern: 'dddd D de MMMM de YYYY', language: 'es-UY', text: 'lunes 7 de setiembre de 2026' },
    { value: '2026-09-17', pattern: 'D/MM', text: '17/09' },
    { value: '2026-13-41', pattern: 'dddd DD', language: 'es', text: '41', note: 'no such day' },
    { value: '09:20', pattern: 'dddd', language: 'es', text: '', note: 'it has no date' },
  ])('writes $value by $pattern as $text', ({ value, pattern, language, text }) => {
    expect(formatDate(value, pattern, language)).toBe(text);
    expect(
      evaluateJsonLogic({ formatDate: [{ var: 'value' }, pattern, { var: 'language' }] }, { value, language }),
    ).toBe(text);
  });

  test('returns null in a rule whose date is absent', () => {
    expect(evaluateJsonLogic({ formatDate: [{ var: 'value' }, 'YYYY'] }, { value: null })).toBeNull();
  });
});
