import { sql, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { auditDigests } from '../../../src/server/platform/database/migrations/035-audit-digests.ts';
import { auditSeals } from '../../../src/server/platform/database/migrations/017-audit-seals.ts';
import type { Database } from '../../../src/server/platform/database/schema.ts';
import { bothDatabases } from '../support/databases.ts';
import { testOrigin } from '../support/origin.ts';
import { openTestServer } from '../support/test-server.ts';

test.each(bothDatabases)(
  '[OPER-02] a chained audit log of before keeps its rows and its end, and is sealed like the others, on %s',
  async (database) => {
    const server = await openTestServer({ database });
    const { db } = server.parts.store;
    await asBefore(db);
    for (const seq of [1, 2]) {
      await sql`insert into audit (seq, at, action, address, request_id, details, previous, hash)
      values (${seq}, ${server.clock.now()}, 'old', '', '', '{}', ${`hash-${seq - 1}`}, ${`hash-${seq}`})`.execute(db);
    }
    await db.transaction().execute((tx) => auditSeals.up(tx));
    await db.transaction().execute((tx) => auditDigests.up(tx));
    await server.parts.commands.run(testOrigin(), ({ audit }) => audit('new', null));
    const rows = await db.selectFrom('audit').select(['seq', 'action', 'details']).orderBy('seq').execute();
    expect(rows).toEqual([
      { seq: 1, action: 'old', details: '{}' },
      { seq: 2, action: 'old', details: '{}' },
      { seq: 3, action: 'audit-chain-ended', details: expect.stringContaining('"hash-2"') },
      { seq: 4, action: 'new', details: '{}' },
    ]);
    expect(await server.auditFaults()).toEqual([]);
    await server.close();
  },
);

/** The table as it was before the migration. */
async function asBefore(db: Kysely<Database>): Promise<void> {
  await sql`drop table audit, audit_seals`.execute(db);
  await sql`drop function refuse_change_but_seal`.execute(db);
  await sql`create table audit (
    seq bigint primary key, at timestamptz not null, action text not null, citizen_id text, address text not null, request_id text not null,
    details text not null, actor text, user_agent text, previous text not null, hash text not null unique)`.execute(db);
  await sql`create trigger audit_append_only before update or delete on audit for each row execute function refuse_change()`.execute(
    db,
  );
  await sql`create trigger audit_no_truncate before truncate on audit for each statement execute function refuse_change()`.execute(
    db,
  );
}
