import { expect, test } from 'vitest';
import {
  filterCalls,
  openCallsFilter,
  parseDayCallFilters,
  allCallsFilter,
  buildDayCallFiltersQuery,
  type ListedCall,
} from '../../src/desk/call-filters.tsx';
import { groupCallsOfDay } from '../../src/desk/day-summary.tsx';

const call = (id: string, hora: string, more: Partial<ListedCall> = {}) =>
  ({ id, hora_inicio: `${hora}:00`, minutos: 30, estado: 'Agendado', terminada: false, ...more }) as ListedCall;
const ids = (calls: readonly ListedCall[]) => calls.map(({ id }) => id);
const at = (time: string, ...calls: readonly ListedCall[]) => {
  const { current, next, waiting } = groupCallsOfDay(calls, time);
  return { current: ids(current), next: ids(next), waiting: ids(waiting) };
};

test('[DESK-02] groupCallsOfDay returns the current, next and waiting calls', () => {
  const day = [
    call('over', '10:00', { terminada: true }),
    call('now', '10:00'),
    call('later', '12:00'),
    call('next', '11:00'),
    call('too', '11:00'),
    call('there', '09:00', { estado: 'Pendiente agente' }),
  ];
  expect(at('10:15', ...day)).toEqual({ current: ['now'], next: ['next', 'too'], waiting: ['there'] });
  expect(at('10:30', ...day).current, 'a call is over at its end time').toEqual([]);
  expect(at('11:00', ...day)).toMatchObject({ current: ['next', 'too'], next: ['later'] });
  expect(at('13:00', ...day)).toMatchObject({ current: [], next: [] });
});

test('[DESK-02] groupCallsOfDay keeps a call over midnight current until the day ends', () => {
  expect(at('23:59', call('late', '23:45')).current).toEqual(['late']);
});

test('[DESK-02] filterCalls filters calls by state, subject, agent and assignment', () => {
  const agent = (nombre: string) => ({ agente: { id: nombre, nombre } });
  const day = [
    call('over', '09:00', { terminada: true, estado: 'Atendido', asunto: 'otro', ...agent('Bruno') }),
    call('mine', '10:00', { mia: true, asunto: 'otro', ...agent('Bruno') }),
    call('free', '11:00', { agente: null, asunto: 'firma' }),
    call('late', '12:00', { atrasada: true, asunto: 'firma', ...agent('Clara') }),
  ];
  const filtered = (cut: object) => ids(filterCalls(day, { ...allCallsFilter, ...cut }));
  expect(filtered({})).toEqual(ids(day));
  expect(filtered(openCallsFilter)).toEqual(['mine', 'free', 'late']);
  expect(filtered({ whose: 'mine' })).toEqual(['mine']);
  expect(filtered({ whose: 'free' })).toEqual(['free']);
  expect(filtered({ whose: 'late' })).toEqual(['late']);
  expect(filtered({ agent: 'Bruno' })).toEqual(['over', 'mine']);
  expect(filtered({ state: 'Agendado', subject: 'firma' })).toEqual(['free', 'late']);
});

test('[DESK-02] parseDayCallFilters restores the filters that buildDayCallFiltersQuery wrote, and ignores invalid values', () => {
  const today = '2026-11-30';
  const asOpened = { date: today, filter: openCallsFilter };
  const filters = {
    date: '2026-12-01',
    filter: { whose: 'mine', agent: 'Bruno Suárez', state: 'Agendado', subject: 'support' },
  } as const;
  expect(buildDayCallFiltersQuery(asOpened, today)).toBe('');
  expect(parseDayCallFilters(buildDayCallFiltersQuery(filters, today), today)).toEqual(filters);
  expect(parseDayCallFilters('?dia=ayer&mostrar=toString', today)).toEqual(asOpened);
});
