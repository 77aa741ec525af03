import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  performForeignCitizenAction,
  describeForeignCitizenRecords,
  type ForeignCitizenAction,
} from '../../../../src/server/features/account/foreign-citizen-records.ts';
import { findLiveSessionOfCookie } from '../../../../src/server/trust/sessions/broker-sessions.ts';
import { startSession } from '../../../../src/server/trust/sessions/start-session.ts';
import { saveForeignCitizen } from '../../../../src/server/trust/federation/upstream/provider-identities.ts';
import type { UpstreamUser } from '../../../../src/server/trust/federation/upstream/upstream-adapter.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each([defaultDatabase])('[FED-02] records of foreign providers, on %s', (database) => {
  let server: TestServer;
  const name = { provider: 'ar', subject: 'x:1' };
  const document = { country: 'ar', type: 'dni', number: '30123456' };
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  const come = (subject = name.subject) =>
    server.parts.store.transaction((tx) =>
      saveForeignCitizen(
        tx,
        {
          provider: name.provider,
          issuer: 'https://ar.example',
          subject,
          nid: 1,
          signedInAt: null,
          document,
          person: { firstName: 'María', secondName: '', firstSurname: 'Lima', secondSurname: '' },
        } satisfies UpstreamUser,
        server.clock.now(),
      ),
    );
  const act = (verb: ForeignCitizenAction, subject = name.subject) =>
    performForeignCitizenAction(server.parts, {
      act: verb,
      name: { ...name, subject },
      reason: 'Pedido del juzgado',
      operator: 'marta',
    });
  const lastEntry = async () => {
    const { action, citizen_id, details } = await server.parts.store.db
      .selectFrom('audit')
      .selectAll()
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return [action, citizen_id, JSON.parse(details ?? 'null')];
  };
  /**
   * Starts a session of a foreign record, performs an action on the record, and returns whether the session is still
   * valid.
   */
  const livesAfter = async (citizenId: string, verb: ForeignCitizenAction): Promise<boolean> => {
    const { store, config } = server.parts;
    const now = server.clock.now();
    const { secret } = await store.transaction((tx) =>
      startSession(tx, {
        ...{ citizenId, amr: ['x'], nid: 1, role: 'citizen', idp: 'ar', now, idleS: 600 },
        ...{ lifeS: config.sessionLifeS, device: { userAgent: '', address: '' } },
      }),
    );
    expect(await act(verb)).toBe('done');
    return (await findLiveSessionOfCookie(store.db, secret, now)) !== null;
  };

  test('describeForeignCitizenRecords finds records by provider subject and by exact document, and audits each look', async () => {
    const id = await come();
    const other = await come('x:2');
    const shown = await describeForeignCitizenRecords(server.parts, name, 'marta');
    expect(shown).toEqual([
      expect.arrayContaining([`id           ${id}`, 'document     ar-dni-30123456', 'name         María Lima']),
    ]);
    expect(await lastEntry()).toEqual(['account-shown', id, { operator: 'marta', ...name }]);
    const both = (await describeForeignCitizenRecords(server.parts, { document }, 'marta')).flat().join('\n');
    expect([id, other].map((one) => both.includes(one))).toEqual([true, true]);
    expect(await describeForeignCitizenRecords(server.parts, { ...name, provider: 'br' }, 'marta')).toEqual([]);
    expect(await lastEntry()).toEqual(['account-shown', null, { operator: 'marta', ...name, provider: 'br' }]);
  });

  test('performForeignCitizenAction blocks, unblocks and ends sessions, each once, audited with the operator', async () => {
    const id = await come();
    expect(await livesAfter(id, 'end-sessions')).toBe(false);
    expect(await lastEntry()).toEqual([
      'sessions-ended-by-agent',
      id,
      { reason: 'Pedido del juzgado', operator: 'marta', ...name },
    ]);
    expect(await livesAfter(id, 'block')).toBe(false);
    expect((await lastEntry())[0]).toBe('account-blocked');
    expect(await act('block')).toBe('unchanged');
    expect(await act('unblock')).toBe('done');
    expect((await lastEntry())[0]).toBe('account-unblocked');
    expect(await act('unblock')).toBe('unchanged');
    expect(await act('block', 'nadie')).toBe('unknown');
    expect((await lastEntry())[0]).toBe('account-act-refused');
  });

  test('performForeignCitizenAction does not find a record by subject once it is a full account', async () => {
    const id = await come('x:3');
    await server.parts.store.db
      .updateTable('citizens')
      .set({ idp: null, number: '39999999' })
      .where('id', '=', id)
      .execute();
    expect(await act('block', 'x:3')).toBe('unknown');
  });
});
