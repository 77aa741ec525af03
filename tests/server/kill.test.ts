import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/server/base/clock.ts';
import { loadKeys } from '../../src/server/keys/load-keys.ts';
import { openStore } from '../../src/server/database/open-store.ts';
import { auditFaults } from './support/audit.ts';
import { databases } from './support/databases.ts';
import { startPostgres } from './support/postgres.ts';

const script = fileURLToPath(new URL('./support/register-forever.ts', import.meta.url));
const enough = 60;

test.each(databases)(
  'a server killed with -9 under load loses no acknowledged registration on %s',
  async (database) => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-kill-'));
    const postgres = database === 'postgresql' ? await startPostgres() : null;
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      CAPTCHA_COST: '1',
      ...(postgres && { DATABASE_URL: postgres.url }),
    };

    const acknowledged = await registerUntilKilled(env);
    expect(acknowledged.length).toBeGreaterThanOrEqual(enough);

    const store = await openStore(postgres ? { url: postgres.url, pool: 2 } : { folder }, pino({ level: 'silent' }));
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
    expect(acknowledged.filter((number) => !numbers.has(number))).toEqual([]);
    expect(kept).toHaveLength(numbers.size);
    const { audit: auditKeys } = await loadKeys({
      dir: join(folder, 'keys'),
      signing: null,
      encryption: null,
      captcha: null,
      audit: null,
    });
    expect(await auditFaults({ store, auditKeys, clock: systemClock })).toEqual([]);
    await store.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  },
  60_000,
);

/** The documents that were answered before the process was killed in the middle of its work. */
async function registerUntilKilled(env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
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
