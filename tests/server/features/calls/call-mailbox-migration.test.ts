import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callMailbox } from '../../../../src/server/platform/database/migrations/040-call-mailbox.ts';
import { mailboxOf } from '../../../../src/server/trust/abuse/mailbox.ts';
import { bothDatabases } from '../../support/databases.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

describe.each(bothDatabases)('the migration that counts calls by mailbox on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
    await db().deleteFrom('video_calls').execute();
    await sql`alter table video_calls drop column mailbox`.execute(db());
  });
  afterAll(() => server.close());

  const db = () => server.parts.store.db;
  const insert = (id: string, email: string, minute: number) =>
    db()
      .insertInto('video_calls')
      .values({
        id,
        kind: 'support',
        state: 'Agendado',
        starts_at: new Date(`2026-12-01T12:0${minute}:00Z`),
        ends_at: new Date('2026-12-01T13:00:00Z'),
        place: 1,
        citizen_id: null,
        country: 'ar',
        type: 'psp',
        number: id,
        name: 'Inés',
        email,
        phone: '',
        subject: '',
        message: '',
        language: 'es',
        created_at: new Date(`2026-11-25T12:0${minute}:00Z`),
        confirm_by: null,
      })
      .execute();

  test('[AGEN-05] leaves every call that a mailbox has, and counts the first', async () => {
    await insert('b', 'i.nes+dos@example.com', 2);
    await insert('a', 'ines+uno@example.com', 1);
    await insert('c', '+x@example.com', 3);
    await callMailbox.up(db());
    const rows = await db()
      .selectFrom('video_calls')
      .select(['id', 'email', 'mailbox', 'place'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ id, mailbox, place }) => [id, mailbox, place])).toEqual([
      ['a', mailboxOf('ines@example.com'), 1],
      ['b', null, 1],
      ['c', mailboxOf('+x@example.com'), 1],
    ]);
  });
});
