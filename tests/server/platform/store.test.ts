import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bothDatabases } from '../support/databases.ts';
import { createOrigin } from '../support/origin.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

describe.each(bothDatabases)('store on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());

  test('[CFG-03] reads bigint as number and timestamptz as Date', async () => {
    const at = new Date('2026-09-15T12:34:56.789Z');
    const {
      rows: [row],
    } = await sql<{ big: unknown; at: unknown; flag: unknown }>`
      select 9007199254740991::bigint as big, ${at}::timestamptz as at, true as flag`.execute(server.parts.store.db);
    expect(row).toEqual({ big: 9007199254740991, at, flag: true });
  });

  test('rolls back the rows and the audit entry of a failed command', async () => {
    const { store, commands } = server.parts;
    const before = await store.db.selectFrom('audit').select('seq').execute();
    await expect(
      commands.run(createOrigin(), async ({ tx, audit }) => {
        await tx.insertInto('countries').values({ code: 'xx', name: 'Nowhere', position: 999 }).execute();
        await audit('test', null);
        throw new Error('midway');
      }),
    ).rejects.toThrow('midway');
    expect(await store.db.selectFrom('countries').select('code').where('code', '=', 'xx').execute()).toEqual([]);
    expect(await store.db.selectFrom('audit').select('seq').execute()).toEqual(before);
  });

  test('[CFG-03] lists countries with their document types, Uruguay first', async () => {
    const { body } = await server.call('getCountries');
    expect(body[0]).toEqual({
      codigo: 'uy',
      nombre: 'Uruguay',
      documentos: [{ tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } }],
    });
    expect(
      body.find(({ codigo }) => codigo === 'br')?.documentos.map(({ tipo_documento }) => tipo_documento.codigo),
    ).toEqual(['cpf', 'ric', 'psp']);
    expect(body.length).toBeGreaterThan(150);
  });
});
