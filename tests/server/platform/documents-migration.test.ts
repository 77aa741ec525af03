import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '../../../src/server/platform/base/start-error.ts';
import { documents } from '../../../src/server/platform/database/migrations/009-documents.ts';
import { bothDatabases } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

describe.each(bothDatabases)('the migration of document numbers on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
    await sql`alter table citizens drop constraint citizens_number_written`.execute(server.parts.store.db);
  });
  afterAll(() => server.close());

  const db = () => server.parts.store.db;
  const insert = (id: string, type: string, number: string) =>
    db()
      .insertInto('citizens')
      .values({
        id,
        country: type === 'ci' ? 'uy' : 'ar',
        type,
        number,
        first_name: 'A',
        second_name: '',
        first_surname: 'B',
        second_surname: '',
        email: null,
        email_verified_at: null,
        phone: null,
        origin: 'WEB',
        level: 'Autoregistrado',
        signature: null,
        permissions: '{}',
        active_at: null,
        blocked_at: null,
        last_login_at: null,
        created_at: server.clock.now(),
      })
      .execute();
  const migrate = () =>
    db()
      .transaction()
      .execute((tx) => documents.up(tx));
  const numberOf = async (id: string) =>
    (await db().selectFrom('citizens').select('number').where('id', '=', id).executeTakeFirstOrThrow()).number;

  test("[VAL-05] tells every account whose number is another one's or none, and changes nothing", async () => {
    await insert('latin', 'psp', 'K2986396');
    await insert('kelvin', 'psp', '\u212a2986396');
    await insert('dotted', 'dni', '30.111.222');
    await insert('blank', 'psp', ' ');
    const refused = await migrate().then(
      () => null,
      (error: unknown) => error,
    );
    if (!(refused instanceof StartError)) throw new Error(String(refused));
    expect(refused.message).toContain('ar-psp-K2986396: citizens latin, kelvin');
    expect(refused.message).toContain('ar-psp-(no letter or digit): citizens blank');
    expect(refused.message).not.toContain('dotted');
    expect(await numberOf('dotted')).toBe('30.111.222');
  });

  test("[VAL-05] writes the numbers in the one form once each is one account's, and the table takes no other", async () => {
    await db().deleteFrom('citizens').where('id', 'in', ['kelvin', 'blank']).execute();
    await insert('zeros', 'ci', '0012345672');
    await migrate();
    expect(await Promise.all(['latin', 'dotted', 'zeros'].map(numberOf))).toEqual(['K2986396', '30111222', '12345672']);
    await expect(insert('again', 'psp', '\u212a1')).rejects.toThrow('citizens_number_written');
  });
});
