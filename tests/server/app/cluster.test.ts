import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  startReplica,
  type Replica,
  startReplicaCluster,
  type ReplicaCluster,
} from '../../../src/cli/cluster/start-replica-cluster.ts';
import { startLoadBalancer } from '../../../src/cli/cluster/start-replica-cluster.ts';
import { projectRoot } from '../../../src/cli/project.ts';
import { placeSmallProject, smallProjectFlows } from '../../engine/support/flow-copy.ts';
import { createBuiltCopy, prebuildProgram } from '../support/built-copy.ts';
import { findFreePort } from '../support/free-port.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { placeSigningKey } from '../support/signing-key.ts';

const timeout = 240_000;
const dockerfile = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
/** Paths that the Dockerfile copies from the build stage to the image. */
const inImage = [...dockerfile.matchAll(/^COPY --from=build \/portal\/(\S+) \.\/\1$/gm)].map(([, path = '']) => path);
const imageSources = inImage.filter((path) => path !== 'node_modules' && !path.startsWith('dist/'));
const definitionFolders = ['flows', 'schemas'];

/** Copies the files of the image, with the definitions of a small project and of the sign-in, which start faster. */
function createImageCopy(script?: string): string {
  const copy = createBuiltCopy(
    imageSources.filter((path) => !definitionFolders.includes(path)),
    script,
  );
  placeSmallProject(copy, [...smallProjectFlows, 'ingreso']);
  return copy;
}

let image = '';
let folder = '';
let postgres: TestPostgres;
let cluster: ReplicaCluster;
beforeAll(async () => {
  image = createImageCopy();
  await prebuildProgram(image, ({ createRunSource }) => createRunSource(join(image, 'src/server/app/main.ts')));
  folder = await mkdtemp(join(tmpdir(), 'portal-cluster-'));
  await placeSigningKey(folder);
  postgres = await startPostgres({ tables: true });
  const [proxy, mails, database, ...replicas] = await listFreePorts(6);
  cluster = await startReplicaCluster({
    root: image,
    folder,
    ports: { proxy, mails, database, replicas },
    env: createSettings({ DATABASE_URL: postgres.url }),
    onMail: () => undefined,
  });
}, timeout);
afterAll(async () => {
  await cluster.close();
  await postgres.stop();
  rmSync(image, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}, timeout);

async function listFreePorts(count: number): Promise<[number, number, number, ...number[]]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await findFreePort());
  return [...found] as [number, number, number, ...number[]]; // the cast is safe, because the loop above collects `count` ports
}

/** Creates the environment of the replicas. Clears `BASE_URL`, because Vitest sets its own. */
function createSettings(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'test', BASE_URL: '', LOG_LEVEL: 'warn', CAPTCHA_COST: '1', ...own };
}

interface TestResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookies: string;
}

/** Sends a request to a port with the portal's own Host header. Throws if there is no response. */
function sendRequest(
  port: number,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  return new Promise((answered, failed) => {
    const outward = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: new URL(cluster.url).host, 'content-type': 'application/json', ...headers },
      },
      (inward) => {
        const cookies = (inward.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
        json(inward).then(
          (found) => answered({ status: inward.statusCode ?? 0, body: found as TestResponse['body'], cookies }),
          failed,
        );
      },
    );
    outward.once('error', failed);
    outward.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Signs the sample citizen in. Returns the responses of both steps. */
async function signIn(port: number): Promise<readonly [TestResponse, TestResponse]> {
  const name = { username: '45123784', pais_emisor: null, tipo_documento: null };
  const first = await sendRequest(port, '/auth/login', {
    body: { challenge: 'username', data_challenge: name, extra: null, token: null },
  });
  const second = await sendRequest(port, '/auth/login', {
    headers: { cookie: first.cookies },
    body: {
      challenge: 'urn:iduruguay:am:password',
      data_challenge: { password: 'tres-tazas-de-mate' },
      extra: null,
      token: first.body['token'],
    },
  });
  return [first, second];
}

async function tokenAt(port: number): Promise<string> {
  const [, { cookies }] = await signIn(port);
  return String((await sendRequest(port, '/jwt/obtain/', { headers: { cookie: cookies } })).body['token']);
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('[OPER-05] cluster from the files of the image', { timeout }, () => {
  test('has definitions', () => {
    expect(imageSources).toEqual(expect.arrayContaining(definitionFolders));
  });

  test('shares sessions between its replicas', async () => {
    const [first, second] = cluster.replicas.map(({ port }) => port) as [number, number];
    const [one, other] = [await tokenAt(first), await tokenAt(first)];
    expect((await sendRequest(second, '/rest/sesiones/', bearer(one))).body['sesiones']).toHaveLength(2);
    const ended = await sendRequest(second, '/rest/sesiones/cerrar_otras/', { body: {}, ...bearer(one) });
    expect(ended.status).toBe(200);
    expect((await sendRequest(first, '/rest/sesiones/', bearer(other))).status).toBe(401);
    expect((await sendRequest(Number(new URL(cluster.url).port), '/rest/sesiones/', bearer(one))).status).toBe(200);
  });

  test('fails no request when a replica stops under load, and no read when a replica is killed', async () => {
    const proxy = Number(new URL(cluster.url).port);
    const token = await tokenAt(proxy);
    const read = async () => [await sendRequest(proxy, '/rest/sesiones/', bearer(token))];
    const [gone, killed] = cluster.replicas as [Replica, Replica, Replica];

    const taken = await runUnderLoad([read, read, read, () => signIn(proxy)], () => cluster.stopReplica(gone));
    expect(await gone.exitCode).toBe(0);
    await expect(sendRequest(gone.port, '/readyz')).rejects.toThrow('ECONNREFUSED');
    expect(taken.filter((status) => status !== 200)).toEqual([]);

    const after = await runUnderLoad([read, read, read], async () => {
      process.kill(killed.pid, 'SIGKILL');
      await killed.exitCode;
    });
    expect(after.filter((status) => status !== 200)).toEqual([]);
  });

  test('[OPER-03] leaves the files of the image unchanged, and serves a script that only another replica has on disk', async () => {
    const other = createImageCopy('page-B2.js');
    const before = indexFiles(other);
    const own = await mkdtemp(join(tmpdir(), 'portal-replica-'));
    const replica = await startReplica(other, {
      ...createSettings({ DATABASE_URL: postgres.url, BASE_URL: cluster.url, OUTBOX_PORT: '0' }),
      KEYS_DIR: join(folder, 'keys'),
      DATA_DIR: own,
      PORT: String(await findFreePort()),
    });
    expect((await sendRequest(replica.port, '/readyz')).status).toBe(200);
    await replica.stop();
    expect(indexFiles(other), 'the files are unchanged').toEqual(before);
    const [, , standing] = cluster.replicas as [Replica, Replica, Replica];
    const script = await fetch(`http://127.0.0.1:${standing.port}/assets/page-B2.js`);
    expect([script.status, await script.text()]).toEqual([200, 'export {};\n']);
    for (const place of [own, other]) rmSync(place, { recursive: true });
  });
});

test('[OPER-05] proxy waits for the open requests of a drained replica, and sends it no more until it is back', async () => {
  const held: (() => void)[] = [];
  const replica = createServer((_, response) => held.push(() => response.end('{}')));
  const [own, port] = await listFreePorts(3);
  await new Promise<void>((listening) => replica.listen(own, '127.0.0.1', listening));
  const proxy = await startLoadBalancer(port, [own]);
  const order: string[] = [];
  const first = sendRequest(port, '/').then(({ status }) => order.push(`answered ${status}`));
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout });
  const drained = proxy.drainReplica(own).then(() => order.push('drained'));
  await sendRequest(port, '/').then(({ status }) => order.push(`other ${status}`));
  expect(order, 'the proxy still waits').toEqual(['other 502']);
  held[0]?.();
  await Promise.all([first, drained]);
  expect(order.slice(1).toSorted()).toEqual(['answered 200', 'drained']);
  expect(held).toHaveLength(1);
  proxy.resumeReplica(own);
  const again = sendRequest(port, '/');
  await vi.waitFor(() => expect(held).toHaveLength(2), { timeout });
  held[1]?.();
  expect((await again).status).toBe(200);
  await proxy.close();
  replica.close();
});

/** Pause of a client between its requests, so that the load does not fill the processor while a replica stops. */
const pauseMs = 20;

/** Repeats requests in the background while `middle` runs. Returns the status codes of all responses. */
async function runUnderLoad(
  works: readonly (() => Promise<readonly TestResponse[]>)[],
  middle: () => Promise<void>,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  let going = true;
  const lanes = Promise.all(
    works.map(async (work) => {
      for (; going; await sleep(pauseMs)) statuses.push(...(await work()).map(({ status }) => status));
    }),
  );
  const enough = (count: number) =>
    Promise.race([lanes, vi.waitFor(() => expect(statuses.length).toBeGreaterThan(count), { timeout })]);
  await enough(20);
  await middle();
  await enough(statuses.length + 20);
  going = false;
  await lanes;
  return statuses;
}

/** Maps every path except `node_modules` to its modification time. */
function indexFiles(place: string): readonly string[] {
  return ['', ...imageSources, 'dist'].flatMap((path) => {
    const part = join(place, path);
    const names =
      path === '' || statSync(part).isFile() ? [''] : readdirSync(part, { recursive: true, encoding: 'utf8' });
    return names.map((name) => `${join(path, name)} ${statSync(join(part, name)).mtimeMs}`);
  });
}
