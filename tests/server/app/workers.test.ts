import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { startPortalProcess, type PortalProcess } from '../../e2e/support/portal.ts';
import { createSmallBuiltCopy, prebuildProgram } from '../support/built-copy.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { placeSigningKey } from '../support/signing-key.ts';

const patience = { timeout: 60_000, interval: 200 };

describe('server with two workers', { timeout: 240_000 }, () => {
  let postgres: TestPostgres;
  let copy: string;
  let portal: PortalProcess;
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    copy = createSmallBuiltCopy();
    await prebuildProgram(copy, ({ createRunSource }) => createRunSource(join(copy, 'src/server/app/main.ts')));
    portal = await startPortalProcess(copy, { DATABASE_URL: postgres.url, WORKERS: '2', LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await portal.stop();
    await postgres.stop();
    await rm(copy, { recursive: true });
  });

  /** Process ids in the log of the workers that serve requests. */
  const serving = async () =>
    [...portal.output().matchAll(/"pid":(\d+).*"definitions in service"/g)]
      .map(([, pid]) => Number(pid))
      .filter(isAlive);
  const ready = () =>
    fetch(`${portal.url}/readyz`).then(
      ({ status }) => status,
      () => null, // no response: the killed worker may have accepted the connection
    );

  test('serves with both on one port, replaces a killed worker, and stops all of them', async () => {
    await expect.poll(serving, patience).toHaveLength(2);
    expect(portal.output().match(/Portal: {2}/g), 'the URL is printed once').toHaveLength(1);
    const [fallen = 0, other = 0] = await serving();
    process.kill(fallen, 'SIGKILL');
    await expect.poll(() => isAlive(fallen), patience).toBe(false);
    await expect.poll(ready, patience).toBe(200);
    await expect.poll(serving, patience).toHaveLength(2);
    const now = await serving();
    expect(now).toContain(other);
    expect(now).not.toContain(fallen);
    await portal.stop();
    expect(now.filter(isAlive)).toEqual([]);
    expect(portal.output()).toMatch(/a worker ended: another one takes its place/);
  });

  test('WORKERS is rejected with the embedded database, and the server exits if the first worker cannot start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'workers-'));
    await placeSigningKey(folder);
    const run = async (env: Record<string, string>) => {
      const child = spawn(process.execPath, ['src/cli/run.mjs', 'src/server/app/main.ts'], {
        cwd: copy,
        env: { PATH: process.env['PATH'], DATA_DIR: folder, WORKERS: '2', ...env },
      });
      let told = '';
      child.stderr.on('data', (chunk) => (told += String(chunk)));
      const [code] = await once(child, 'close');
      return { code, told };
    };
    expect(() => readConfig({ DATA_DIR: folder, WORKERS: '2' })).toThrow(
      'WORKERS (2) needs DATABASE_URL, because only one process can use the embedded database.',
    );
    const nobody = await run({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
    expect(nobody).toEqual({ code: 1, told: expect.stringContaining('the database does not answer') });
    await rm(folder, { recursive: true });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
