import { getSnapshot } from 'mobx-state-tree';
import { describe, expect, test } from 'vitest';
import states from '../../src/contract/call-states.json';
import { ProofingVideoCall, SupportVideoCall } from '../../src/domain/video-calls.ts';

const now = new Date('2026-03-02T15:00:00Z');
const booked = { id: '5', estado: 'Agendado', fecha: '2026-03-02', hora_inicio: '10:00:00' };

describe('[SEG-10] video call that did not prove the identity', () => {
  test.each([
    ['Rechazado verificación', '2026-02-20', true],
    ['Rechazado agente', '2026-02-20', true],
    ['Rechazado agente', '2026-02-02', false],
    ['Rechazado agente', '2026-02-03', true],
    ['Agendado', '2026-02-20', false],
    ['Exitoso', '2026-02-20', false],
  ])('%s on %s shows a warning for one month: %s', (estado, fecha, warned) => {
    expect(ProofingVideoCall.create({ ...booked, estado, fecha }).warns(now)).toBe(warned);
  });
});

describe('[ELEV-05] state of a call', () => {
  test.each([
    ...states.pending.map((estado): [string, string[]] => [
      estado,
      ['pending', 'cancellable', ...(estado === 'Pendiente usuario' ? ['waitsForTerms'] : [])],
    ]),
    ...[...states.rejected, ...states.failed].map((estado): [string, string[]] => [estado, []]),
    ...states.successful.map((estado): [string, string[]] => [estado, ['successful']]),
  ])('%s has the properties %j', (estado, expected) => {
    const call = ProofingVideoCall.create({ ...booked, estado });
    const views = ['pending', 'cancellable', 'waitsForTerms', 'successful'] as const;
    expect(views.filter((view) => call[view])).toEqual(expected);
  });

  test('Reservado marks a support call as reserved', () => {
    expect(SupportVideoCall.create({ ...booked, estado: 'Reservado' }).reserved).toBe(true);
    expect(SupportVideoCall.create(booked).reserved).toBe(false);
  });
});

describe('[ELEV-05] entry to a call', () => {
  const own = { sala: true, abre: '2026-03-02T15:05:00Z' };
  test.each([
    ['before the room opens', own, 300_000],
    ['for an open room', { ...own, abre: null }, 0],
    ['for a call with its own link', { link: 'https://meet.example/x', abre: null }, 0],
    ['without a room or a link', {}, null],
    ['for a call of tomorrow', { ...own, abre: null, fecha: '2026-03-03' }, 12 * 60 * 60_000],
    ['for a call of yesterday', { ...own, abre: null, fecha: '2026-03-01' }, null],
  ])('has the right waiting time %s', (_, change, wait) => {
    expect(ProofingVideoCall.create({ ...booked, ...change }).msUntilEntry(now)).toBe(wait);
  });

  test('begins in official Uruguayan time', () => {
    expect(ProofingVideoCall.create(booked).begins).toBe('2026-03-02T13:00:00.000Z');
  });

  test('has default values if the backend sends nothing about rooms', () => {
    const said = { link: null, jwt: null, sala: false, abre: null, minutos: 0 };
    expect(getSnapshot(ProofingVideoCall.create(booked))).toEqual({ ...booked, ...said });
  });
});
