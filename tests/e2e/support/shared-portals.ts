import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sampleAgentDomain } from '../../../src/server/platform/config/config.ts';
import { sharedServer, startServer } from '../../server/support/postgres.ts';
import { portalHost, projectRoot, startPortal, type OwnPortal, type Portal } from './portal.ts';

/**
 * Application that is registered at every shared portal. Its redirect URI serves a page, so that tests can read the
 * final redirect.
 */
export const sharedApplication = {
  id: 'tramites',
  name: 'Trámites de prueba',
  callback: () => process.env[names.callback] ?? '',
} as const;

/** Names of the environment variables with the URLs of the shared resources. */
const names = { portals: 'TEST_PORTALS', callback: 'TEST_CALLBACK' } as const;

/**
 * Global setup of Playwright: starts one PostgreSQL, one process for portals, and one portal per combination of
 * settings. They belong to the process of the runner, because workers end before the run does.
 */
export default async function startSharedPortals(): Promise<() => Promise<void>> {
  const postgres = await startServer();
  process.env[sharedServer] = postgres.url;
  const host = spawn(process.execPath, ['src/cli/run.mjs', 'tests/e2e/support/portal-host.ts'], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'test' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(host, 'exit').then(() => Promise.reject(new Error('The process of portals has ended.')));
  const [{ port }] = (await Promise.race([once(host, 'message'), ended])) as [AddressInfo]; // the cast is safe, because the process sends only an `AddressInfo`
  ended.catch(() => undefined); // ignores the rejection at the end of the run, when the process exits
  process.env[portalHost] = `http://127.0.0.1:${port}`;
  const application = await listen((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><html lang="es"><link rel="icon" href="data:,"><title>Trámites</title><h1>Trámites</h1>'),
  );
  process.env[names.callback] = `${application.url}/callback`;
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  const clients = join(folder, 'clients.json');
  const { id, name, callback } = sharedApplication;
  await writeFile(
    clients,
    JSON.stringify([
      {
        id,
        name,
        redirectUris: [callback()],
        scopes: ['personal_info', 'profile', 'document', 'email', 'auth_info', 'offline_access'],
      },
    ]),
  );
  const common = { CLIENTS_FILE: clients, AGENT_DOMAINS: `${sampleAgentDomain},salud.gub.uy` };

  const started = new Map<string, Promise<OwnPortal>>();
  const portals = await listen(async (request, response) => {
    const settings = await text(request);
    const starting = started.get(settings) ?? startPortal({ ...common, ...JSON.parse(settings) });
    started.set(settings, starting);
    await starting.then(
      ({ url, outboxUrl, operator }) => response.end(JSON.stringify({ url, outboxUrl, operator })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  process.env[names.portals] = portals.url;
  return async () => {
    portals.close();
    application.close();
    await Promise.allSettled([...started.values()].map(async (portal) => (await portal).stop()));
    host.disconnect();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Returns the shared portal with these settings. Throws its output if it did not start. */
export async function requestSharedPortal(settings: Readonly<Record<string, string>> = {}): Promise<Portal> {
  const sorted = Object.fromEntries(Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1)));
  const answer = await fetch(process.env[names.portals] ?? '', { method: 'POST', body: JSON.stringify(sorted) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Portal; // the cast is safe, because `startSharedPortals` responds in this format
}

async function listen(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // `address()` returns an `AddressInfo` for a server that listens on a port
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
