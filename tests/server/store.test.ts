import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendAudit, lastAuditRow, verifyAudit } from '../../src/server/store/audit.ts';
import { createThrottle } from '../../src/server/store/throttle.ts';
import { databases, openTestServer, type TestServer } from './support/test-server.ts';

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

  test('[LOG-03] delays begin after ten tries, double, stop at 15 minutes, and end by themselves', async () => {
    const throttle = createThrottle(server.parts.store);
    const counted = { address: '192.0.2.50', document: 'uy-ci-1' };
    const wait = () => throttle.admit('signIn', counted, server.clock.now()).then(() => 0, (error: { retryAfter: number }) => error.retryAfter);
    for (let attempt = 1; attempt <= 10; attempt++) expect(await wait()).toBe(0);
    const delays: number[] = [];
    for (let attempt = 11; attempt <= 23; attempt++) {
      const delay = await wait();
      delays.push(delay);
      server.clock.advance(delay);
      expect(await wait()).toBe(0);
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    server.clock.advance(25 * 60 * 60);
    for (let attempt = 1; attempt <= 9; attempt++) expect(await wait()).toBe(0);
  });

  test('[LOG-03] 30 parallel tries are counted one by one', async () => {
    const throttle = createThrottle(server.parts.store);
    const tries = Array.from({ length: 30 }, () => throttle.admit('signIn', { address: '192.0.2.51', document: 'uy-ci-2' }, server.clock.now()));
    const admitted = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(admitted).toHaveLength(10);
  });

  test('[LOG-03] a success starts the document anew and takes one try from the address', async () => {
    const throttle = createThrottle(server.parts.store);
    const counted = { address: '192.0.2.52', document: 'uy-ci-3' };
    for (let attempt = 1; attempt <= 9; attempt++) await throttle.admit('signIn', counted, server.clock.now());
    await throttle.forgive('signIn', counted);
    for (let attempt = 1; attempt <= 10; attempt++) await throttle.admit('signIn', counted, server.clock.now());
    await expect(throttle.admit('signIn', counted, server.clock.now())).rejects.toMatchObject({ status: 429, code: 'demasiados_intentos' });
  });

  test('no table holds a document or an address in the clear for throttling', async () => {
    const keys = await server.parts.store.db.selectFrom('throttle').select('key').execute();
    expect(keys.length).toBeGreaterThan(0);
    for (const { key } of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  test('[CFG-03] countries are answered with their document types, Uruguay first', async () => {
    const { body } = await server.call('getCountries');
    expect(body[0]).toEqual({ codigo: 'uy', nombre: 'Uruguay', documentos: [{ tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } }] });
    expect(body.find(({ codigo }) => codigo === 'br')?.documentos.map(({ tipo_documento }) => tipo_documento.codigo)).toEqual(['cpf', 'ric', 'psp']);
    expect(body.length).toBeGreaterThan(150);
  });
});
