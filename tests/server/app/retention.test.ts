import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command, renderDataInventory } from '../../../src/cli/database/data-inventory.ts';
import { purgeExpiredData } from '../../../src/server/app/purge-expired-data.ts';
import { databaseTableDescriptions } from '../../../src/server/app/server-modules.ts';
import { addSeconds } from '../../../src/server/platform/base/clock.ts';
import { secondsPerDay } from '../../../src/server/platform/base/fixed-periods.ts';
import { ConfigError, readConfig } from '../../../src/server/platform/config/read-config.ts';
import type { retentionSettings } from '../../../src/server/platform/config/retention-settings.ts';
import type { TableDescription } from '../../../src/server/platform/modules/table-descriptions.ts';
import { root } from '../../architecture/source-texts.ts';
import { runInProcess } from '../support/run-command.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** Minimum and maximum valid value of each setting. */
const bounds = {
  SESSIONS_DAYS: [1, 30],
  MAILS_DAYS: [7, 365],
  LINKS_DAYS: [1, 365],
  EMAIL_CHANGES_DAYS: [10, 90],
  CHANGES_DAYS: [11, 90],
  DEVICES_DAYS: [30, 400],
  FOREIGN_DAYS: [30, 1_095],
  MESSAGES_YEARS: [1, 5],
  CALLS_YEARS: [1, 5],
  STILLS_DAYS: [1, 365],
  AUDIT_ORIGIN_DAYS: [30, 1_825],
} as const satisfies Readonly<Record<keyof typeof retentionSettings, readonly [number, number]>>;

describe('retention', () => {
  test.each(Object.entries(bounds))('[OPER-12] rejects %s outside its bounds at the start', (name, [least, most]) => {
    for (const fine of [least, most])
      expect(readConfig({ [name]: String(fine) }).retention).toMatchObject({ [name]: fine });
    for (const wrong of [least - 1, most + 1])
      expect(() => readConfig({ [name]: String(wrong) })).toThrow(
        new ConfigError([`${name} must be a whole number from ${least} to ${most}, not "${wrong}".`]),
      );
  });

  describe('purge of a database', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await openTestServer({ env: { MAILS_DAYS: '7' } });
    }, 60_000);
    afterAll(() => server.close());

    const before = (days: number) => addSeconds(server.clock.now(), -days * secondsPerDay);
    const mail = (subject: string, days: number) => ({
      recipient: 'ana@example.uy',
      subject,
      text: '',
      html: '',
      created_at: before(days),
      due_at: before(days),
      sent_at: null,
    });
    const mails = async () => (await server.mails()).map(({ subject }) => subject);

    test('[OPER-12] deletes only the rows that are older than the configured period', async () => {
      const { store, commands } = server.parts;
      await store.db
        .insertInto('outbox')
        .values([mail('8 days', 8), mail('6 days', 6)])
        .execute();
      const opinion = { page: null, useful: null, usefulness: null, clarity: null, boxes: '', comment: '' };
      await store.db
        .insertInto('feedback')
        .values({ ...opinion, email: null, language: 'es', created_at: before(400) })
        .execute();
      const opinions = async () => (await store.db.selectFrom('feedback').select('id').execute()).length;
      await purgeExpiredData({ store, commands, config: readConfig({}) }, server.clock.now());
      expect(await mails(), 'default period').toEqual(['8 days', '6 days']);
      expect(await purgeExpiredData(server.parts, server.clock.now())).toEqual({ outbox: 1 });
      expect(await mails(), 'configured period').toEqual(['6 days']);
      expect(await opinions(), 'another table has its own period').toBe(1);
      await purgeExpiredData({ store, commands, config: readConfig({ MESSAGES_YEARS: '1' }) }, server.clock.now());
      expect(await opinions()).toBe(0);
      expect(await mails()).toEqual(['6 days']);
    });
  });
});

describe('data inventory', () => {
  test('[OPER-12] has the content of src/server/data.md', () => {
    expect(readFileSync(join(root, 'src/server/data.md'), 'utf8')).toBe(renderDataInventory(readConfig({})));
  });

  test('[OPER-12] is printed by the command with the configured periods', async () => {
    const printed = await runInProcess(command, [], { MAILS_DAYS: '9', BASE_URL: '' });
    expect(printed).toMatchObject({ status: 0, stderr: '' });
    expect(printed.stdout).toMatch(/^\| `outbox` \|.* 9 days \(`MAILS_DAYS`\) after `created_at` \|/m);
  });

  test('[OPER-12] has one row for each table, with the readers of personal data', () => {
    const page = renderDataInventory(readConfig({}));
    for (const [name, { data, readers }] of Object.entries<TableDescription>(databaseTableDescriptions)) {
      const row = page.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`));
      expect(row, name).toHaveLength(1);
      if (data !== null) expect(row[0]).toContain(` | ${readers.join(', ') || 'only the server'} | `);
    }
  });
});
