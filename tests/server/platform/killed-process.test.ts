import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { shortRunFlags } from '../../../src/cli/testing/short-run-flags.ts';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { loadServerKeys } from '../../../src/server/platform/keys/load-server-keys.ts';
import { openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { findAuditFaults } from '../support/audit.ts';
import { bothDatabases } from '../support/databases.ts';
import { startPostgres } from '../support/postgres.ts';
import { createKeyFilesConfig, placeSigningKey } from '../support/signing-key.ts';
import { placeDatabase } from '../support/tables.ts';

const script = fileURLToPath(new URL('../support/work-forever.ts', import.meta.url));
const enough = 60;

test.each(bothDatabases)(
  '[OPER-10] process killed with SIGKILL while it registers and books loses and repeats no acknowledged action, on %s',
  async (database) => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-kill-'));
    const postgres = database === 'postgresql' ? await startPostgres({ tables: true }) : null;
    if (!postgres) await placeDatabase(folder);
    await placeSigningKey(folder);
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      CAPTCHA_COST: '1',
      SUPPORT_HOURS: 'mon-sun 09:00-10:00 x9',
      ...(postgres && { DATABASE_URL: postgres.url }),
    };

    const acknowledged = await workUntilKilled(env);
    const registered = acknowledged.filter((number) => number.startsWith('K'));
    const booked = acknowledged.filter((number) => number.startsWith('B'));
    expect(acknowledged.length).toBeGreaterThanOrEqual(enough);
    expect(booked).not.toEqual([]);

    const store = await openDatabaseStore(
      postgres ? { url: postgres.url, pool: 2 } : { folder },
      pino({ level: 'silent' }),
    );
    const kept = await store.db
      .selectFrom('citizens')
      .innerJoin('credentials', 'credentials.citizen_id', 'citizens.id')
      .innerJoin('outbox', (join) =>
        join.on(({ eb, fn, ref }) => eb('outbox.recipient', '=', fn<string>('lower', [ref('citizens.email')]))),
      )
      .innerJoin('audit', 'audit.citizen_id', 'citizens.id')
      .select('citizens.number')
      .execute();
    const numbers = new Set(kept.map(({ number }) => number));
    expect(registered.filter((number) => !numbers.has(number))).toEqual([]);
    expect(kept).toHaveLength(numbers.size);
    const calls = await store.db
      .selectFrom('video_calls')
      .innerJoin('link_tokens', 'link_tokens.subject', 'video_calls.id')
      .innerJoin('outbox', 'outbox.recipient', 'video_calls.email')
      .select(['video_calls.number', 'video_calls.state', 'video_calls.place'])
      .execute();
    const places = new Map(calls.map(({ number, state, place }) => [number, place !== null && state === 'Reservado']));
    expect(booked.filter((number) => places.get(number) !== true)).toEqual([]);
    expect(calls, 'one place and one mail each').toHaveLength(places.size);
    const { audit: auditKeys } = await loadServerKeys(createKeyFilesConfig(join(folder, 'keys')));
    expect(await findAuditFaults({ store, auditKeys, clock: systemClock })).toEqual([]);
    await store.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  },
  60_000,
);

/**
 * Starts the worker process, and kills it during its work. Returns the documents whose requests had been acknowledged.
 */
async function workUntilKilled(env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
  const child = spawn(process.execPath, [...shortRunFlags, 'src/cli/run.mjs', script], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
    if (written.split('\n').length > enough) child.kill('SIGKILL');
  });
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return written.split('\n').slice(0, -1);
}
