import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperationError } from '../../../src/server/platform/base/errors.ts';
import { registerAssetRoutes, speculationRulesPath } from '../../../src/server/web/pages/asset-routes.ts';

let folder: string;
let http: FastifyInstance;
const asked: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/own-A1.js'), 'own');
  await writeFile(join(folder, 'assets/mark-A1.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/mark-A1.svg.br'), '<svg/>, smaller');
  await writeFile(join(folder, 'assets/own-A1.js.br'), 'own, smaller');
  http = fastify();
  http.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof OperationError ? error.status : 500).send('refused'),
  );
  const former: Record<string, string> = { '/assets/former-B2.js': 'former', '/assets/former-B2.css': 'a{}' };
  await registerAssetRoutes(http, folder, {
    module: async (url) => {
      asked.push(url);
      return former[url] ?? null;
    },
  });
  http.get('/*', () => 'a page'); // like the catch-all route of the pages
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true });
});

test('asset route serves a file of its own build from the disk, compressed if accepted', async () => {
  const response = await http.inject('/assets/own-A1.js');
  expect(response.body).toBe('own');
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const smaller = await http.inject({ url: '/assets/own-A1.js', headers: { 'accept-encoding': 'br' } });
  expect([smaller.body, smaller.headers['content-encoding']]).toEqual(['own, smaller', 'br']);
  expect((await http.inject({ method: 'HEAD', url: '/assets/own-A1.js' })).statusCode).toBe(200);
  expect(asked).toEqual([]);
});

test.each(['identity', 'br'])(
  '[ASVS-4.1.1] asset route sends an SVG image with its character encoding (%s)',
  async (encoding) => {
    const response = await http.inject({ url: '/assets/mark-A1.svg', headers: { 'accept-encoding': encoding } });
    expect(response.body).toContain('<svg/>');
    expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  },
);

test('[OPER-03] asset route serves a script and a style of another build like those of its own build', async () => {
  const script = await http.inject({ url: '/assets/former-B2.js?v', headers: { 'accept-encoding': 'gzip' } });
  expect(gunzipSync(script.rawPayload).toString()).toBe('former');
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  const style = await http.inject('/assets/former-B2.css');
  expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
  expect(style.body).toBe('a{}');
});

test('speculation rules route declares conservative prefetching of links', async () => {
  const { headers, body } = await http.inject(speculationRulesPath);
  expect(headers['content-type']).toMatch(/^application\/speculationrules\+json/);
  expect(JSON.parse(body)).toMatchObject({ prefetch: [{ eagerness: 'conservative' }] });
  expect(asked).not.toContain(speculationRulesPath);
});

test('asset route returns 404 without caching for an unknown file, and rejects a path traversal', async () => {
  const missing = await http.inject('/assets/nada-C3.js');
  expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, undefined]);
  expect((await http.inject('/assets/..%2f..%2fetc%2fpasswd')).statusCode).toBeGreaterThanOrEqual(400);
});
