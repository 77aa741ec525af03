import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendAudit, lastAuditRow, verifyAudit } from '../../src/server/store/audit.ts';
import { databases } from './support/databases.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';

describe.each(databases)('%s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  test('[CFG-03] both databases read numbers and instants as the same types', async () => {
    const at = new Date('2026-09-15T12:34:56.789Z');
    const { rows: [row] } = await sql<{ big: unknown; at: unknown; flag: unknown }>`
      select 9007199254740991::bigint as big, ${at}::timestamptz as at, true as flag`.execute(server.parts.store.db);
    expect(row).toEqual({ big: 9007199254740991, at, flag: true });
  });

  test('a command that fails leaves nothing behind, neither its rows nor its audit entry', async () => {
    const { store } = server.parts;
    const before = await store.db.selectFrom('audit').select('seq').execute();
    await expect(store.transaction(async (tx) => {
      await tx.insertInto('countries').values({ code: 'xx', name: 'Nowhere', position: 999 }).execute();
      await appendAudit(tx, { at: server.clock.now(), action: 'test', citizenId: null, address: '', requestId: '' });
      throw new Error('midway');
    })).rejects.toThrow('midway');
    expect(await store.db.selectFrom('countries').select('code').where('code', '=', 'xx').execute()).toEqual([]);
    expect(await store.db.selectFrom('audit').select('seq').execute()).toEqual(before);
  });

  test('20 parallel commands each append to one unbroken audit chain', async () => {
    const { store } = server.parts;
    const rows = async () => (await store.db.selectFrom('audit').select('seq').execute()).length;
    const before = await rows();
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.transaction((tx) => appendAudit(tx, {
      at: server.clock.now(), action: 'parallel', citizenId: null, address: '192.0.2.9', requestId: String(index), details: { index },
    }))));
    expect(await rows()).toBe(before + 20);
    expect(await verifyAudit(store.db)).toBeNull();
  });

  test.each([
    { note: 'a changed row', statement: `update audit set action = 'else'` },
    { note: 'a deleted row', statement: 'delete from audit' },
    { note: 'an emptied table', statement: 'truncate audit' },
  ])('the audit log refuses $note', async ({ statement }) => {
    await server.parts.store.transaction((tx) => appendAudit(tx, {
      at: server.clock.now(), action: 'kept', citizenId: null, address: '', requestId: '',
    }));
    await expect(sql.raw(statement).execute(server.parts.store.db)).rejects.toThrow('append-only');
  });

  test('[SEG-04] rows that were cut off at the end of the audit log are missed by who kept an earlier end', async () => {
    const { store } = server.parts;
    const append = () => store.transaction((tx) => appendAudit(tx, { at: server.clock.now(), action: 'kept', citizenId: null, address: '', requestId: '' }));
    await append();
    const end = await lastAuditRow(store.db) ?? expect.fail('no row');
    await append();
    expect(await verifyAudit(store.db, end)).toBeNull();
    expect(await verifyAudit(store.db, { ...end, hash: '0'.repeat(64) })).toBe(end.seq);
    expect(await verifyAudit(store.db, { ...end, seq: end.seq + 5 })).toBe(end.seq + 2);
  });

  test('more rows than are read at once are walked to the end', async () => {
    const { store } = server.parts;
    await store.transaction(async (tx) => {
      for (let index = 0; index < 1_001; index += 1) await appendAudit(tx, { at: server.clock.now(), action: 'many', citizenId: null, address: '', requestId: '' });
    });
    const end = await lastAuditRow(store.db) ?? expect.fail('no row');
    expect(await verifyAudit(store.db, end)).toBeNull();
    expect(await verifyAudit(store.db, { ...end, hash: 'other' })).toBe(end.seq);
  });

  test('a change behind the triggers breaks the audit chain at its row', async () => {
    const { db } = server.parts.store;
    await sql`alter table audit disable trigger user`.execute(db);
    const { seq } = await db.selectFrom('audit').select('seq').where('action', '=', 'kept').orderBy('seq').executeTakeFirstOrThrow();
    await sql`update audit set address = 'forged' where seq = ${seq}`.execute(db);
    expect(await verifyAudit(db)).toBe(seq);
    await sql`update audit set address = '' where seq = ${seq}`.execute(db);
    await sql`alter table audit enable trigger user`.execute(db);
    expect(await verifyAudit(db)).toBeNull();
  });

  test('[CFG-03] countries are answered with their document types, Uruguay first', async () => {
    const { body } = await server.call('getCountries');
    expect(body[0]).toEqual({ codigo: 'uy', nombre: 'Uruguay', documentos: [{ tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } }] });
    expect(body.find(({ codigo }) => codigo === 'br')?.documentos.map(({ tipo_documento }) => tipo_documento.codigo)).toEqual(['cpf', 'ric', 'psp']);
    expect(body.length).toBeGreaterThan(150);
  });
});
