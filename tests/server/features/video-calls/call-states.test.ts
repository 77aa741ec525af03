import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import shown from '../../../../src/contract/call-states.json' with { type: 'json' };
import { createInternalChangeOrigin } from '../../../../src/server/platform/base/change-origin.ts';
import { findVideoCall, applyCallTransition } from '../../../../src/server/features/video-calls/call-records.ts';
import { isFinalCallState, callTransitions } from '../../../../src/server/features/video-calls/call-states.ts';
import { insertBookedCall } from '../../support/desk.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

/**
 * States in section 4.2 of the specification, in the order of the diagram in
 * `src/server/features/video-calls/decisions`.
 */
const specified = [
  'Agendado',
  'Pendiente agente',
  'Pendiente verificación',
  'Rechazado verificación',
  'Rechazado agente',
  'Error',
  'Pendiente usuario',
  'Exitoso',
] as const;
const ways: readonly (readonly [act: keyof typeof callTransitions.elevation, from: string, to: string])[] = [
  ['wait', 'Agendado', 'Pendiente agente'],
  ['refer', 'Agendado', 'Pendiente verificación'],
  ['refer', 'Pendiente agente', 'Pendiente verificación'],
  ['approve', 'Agendado', 'Pendiente usuario'],
  ['approve', 'Pendiente agente', 'Pendiente usuario'],
  ['reject', 'Agendado', 'Rechazado agente'],
  ['reject', 'Pendiente agente', 'Rechazado agente'],
  ['verify', 'Pendiente verificación', 'Pendiente usuario'],
  ['refuse', 'Pendiente verificación', 'Rechazado verificación'],
  ['fail', 'Agendado', 'Error'],
  ['fail', 'Pendiente agente', 'Error'],
  ['abort', 'Pendiente verificación', 'Error'],
  ['accept', 'Pendiente usuario', 'Exitoso'],
  ['expire', 'Pendiente usuario', 'Error'],
  ['overlook', 'Pendiente verificación', 'Error'],
  ['spare', 'Agendado', 'Cancelado'],
  ['spare', 'Pendiente agente', 'Cancelado'],
  ['spare', 'Pendiente verificación', 'Cancelado'],
  ['spare', 'Pendiente usuario', 'Cancelado'],
  ['cancel', 'Agendado', 'Cancelado'],
  ['cancel', 'Pendiente agente', 'Cancelado'],
  ['withdraw', 'Pendiente verificación', 'Cancelado'],
  ['withdraw', 'Pendiente usuario', 'Cancelado'],
];

describe('states of an elevation call', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  const acts = Object.keys(callTransitions.elevation) as (keyof typeof callTransitions.elevation)[]; // `Object.keys` returns `string[]`
  const cases = acts.flatMap((act) => [...specified, 'Cancelado'].map((from) => ({ act, from })));

  test.each(cases)(
    '[ELEV-08] $act from $from follows the specified table, and frees the place in final states',
    async ({ act, from }) => {
      const { db } = server.parts.store;
      const place = isFinalCallState(from as (typeof specified)[number]) ? null : 1;
      const id = await insertBookedCall(server, { state: from, place });
      const moved = await server.parts.commands.run(createInternalChangeOrigin('agent', 'test'), async (command) => {
        const call = await findVideoCall(command.tx, 'elevation', id);
        return call && applyCallTransition(command, call, act);
      });
      const to = ways.find(([way, begin]) => way === act && begin === from)?.[2] ?? null;
      expect(moved?.state ?? null).toBe(to);
      const row = await db.selectFrom('video_calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row.state).toBe(to ?? from);
      const ends = ['Rechazado verificación', 'Rechazado agente', 'Error', 'Exitoso', 'Cancelado'];
      expect(row.place === null, 'only final states have no place').toBe(ends.includes(row.state));
      await db.deleteFrom('video_calls').execute();
    },
  );

  test('[ELEV-08] the portal shows every state', () => {
    const { pending, rejected, failed, successful } = shown;
    expect([...pending, ...rejected, ...failed, ...successful].toSorted()).toEqual([...specified].toSorted());
  });

  test('[ELEV-08] the portal offers to cancel exactly the states that permit it', () => {
    const { cancel, withdraw } = callTransitions.elevation;
    const from = (...acts: readonly { readonly from: readonly string[] }[]) =>
      [...new Set(acts.flatMap((act) => act.from))].toSorted();
    expect(shown.cancellable.toSorted()).toEqual(from(cancel, withdraw));
  });
});
