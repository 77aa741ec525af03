import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'start-'));
  for (const folder of ['src', 'schemas', 'flows', 'plugins']) cpSync(join(root, folder), join(copy, folder), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'dist/portal/assets'), { recursive: true });
  mkdirSync(join(copy, 'dist/portal/.vite'));
  mkdirSync(join(copy, 'dist/portal/paint'));
  writeFileSync(join(copy, 'dist/portal/paint/paint.js'), 'export const paint = async () => ({ html: "", title: null });');
  writeFileSync(join(copy, 'dist/portal/.vite/manifest.json'), '{}');
  writeFileSync(join(copy, 'dist/portal/index.html'), '<!doctype html><html lang="__LANGUAGE__"><head><title></title></head></html>');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the server; `onReady` is called once it printed its address. */
function run(env: Readonly<Record<string, string>>, onReady?: (stop: () => void) => void): Promise<Ended> {
  return new Promise((ended) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/server/main.ts'], {
      cwd: copy,
      // Vitest sets a BASE_URL of its own.
      env: { ...process.env, NODE_ENV: 'test', BASE_URL: '', PORT: '0', OUTBOX_PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: join(copy, 'data'), ...env },
    });
    let output = '';
    const read = (chunk: unknown): void => {
      output += String(chunk);
      if (output.includes('Portal:')) onReady?.(() => child.kill('SIGTERM'));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => ended({ code, output }));
  });
}

/** Each run is a process that may make a database first. */
const timeout = 90_000;

describe('the start of the server', { timeout }, () => {
  test('a mistake of the configuration is named, without a stack', async () => {
    const { code, output } = await run({ PORT: 'many', FLAGS: 'nada=on' });
    expect(code).toBe(1);
    expect(output).toContain('PORT must be');
    expect(output).toContain('FLAGS must be');
    expect(output).not.toContain('    at ');
  });

  test('[ANA-02] broken definitions are refused with file, line and column', async () => {
    mkdirSync(join(copy, 'schemas/rota'), { recursive: true });
    writeFileSync(join(copy, 'schemas/rota/ui.json'), '{\n  "title": 7\n}\n');
    const { code, output } = await run({});
    rmSync(join(copy, 'schemas/rota'), { recursive: true });
    expect(code).toBe(1);
    expect(output).toMatch(/^schemas\/rota\/ui\.json:2:\d+ /m);
    expect(output).not.toContain('    at ');
  });

  test('a port in use is said, and what to do', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, output } = await run({ PORT: port });
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} of 127.0.0.1 is in use`);
  });

  test('it prints its addresses, stops at SIGTERM, and says when the build is missing', async () => {
    const { code, output } = await run({}, (stop) => stop());
    expect(code, output).toBe(0);
    expect(output).toContain('Sample citizens');
    rmSync(join(copy, 'dist'), { recursive: true });
    const without = await run({});
    expect(without.code).toBe(1);
    expect(without.output).toContain('npm run build');
  });
});
