import { fastify, type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DevPageDependencies } from '../../src/studio/server/send-dev-page.ts';
import { createDevRoutes } from '../../src/studio/server/development-server.ts';
import { createRequestGuard } from '../../src/studio/server/vite-server.ts';
import { registerStudioRoutes } from '../../src/studio/server/studio-routes.ts';
import { devPagePaths } from '../../src/studio/dev-page-data.ts';
import { studioPaths, studioTokenHeader } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { openStudio } from './support/open-studio.ts';

let http: FastifyInstance;
const origin = 'http://localhost:3000';
const guard = createRequestGuard({
  baseUrl: origin,
  hosts: { backend: '', broker: '' },
  agentsHost: 'http://desk.localhost:3000',
});
const token = 'a-token-of-this-process';
const right = { host: 'localhost:3000', origin, [studioTokenHeader]: token };
const dry = { changes: [{ file: 'flows/ayuda.json', base: 'another', edits: [] }], dryRun: true };

beforeAll(async () => {
  http = fastify();
  const { definitions } = await openStudio();
  // Registers only the API. The browser tests cover the page.
  registerStudioRoutes(http, { root, definitions, guard } as unknown as DevPageDependencies, token);
});
afterAll(() => http.close());

const ask = async (options: InjectOptions) => {
  const response = await http.inject({ headers: right, ...options });
  return [response.statusCode, response.json<{ reason?: string }>().reason] as const;
};

test.each<[name: string, change: Partial<InjectOptions>]>([
  ['another machine', { remoteAddress: '192.168.1.20' }],
  ['another machine behind a proxy', { headers: { ...right, 'x-forwarded-for': '192.168.1.20' } }],
  ['another machine behind a proxy with the standard header', { headers: { ...right, forwarded: 'for=192.168.1.20' } }],
  ['another name of the server', { headers: { ...right, host: 'evil.example:3000' } }],
  ['another port of the server', { headers: { ...right, host: 'localhost:3001' } }],
  ["the desk's host", { headers: { ...right, host: 'desk.localhost:3000' } }],
  ['a page of another origin', { headers: { ...right, origin: 'https://evil.example' } }],
  ['a page of another port', { headers: { ...right, origin: 'http://localhost:3001' } }],
  ['a page of the desk', { headers: { ...right, origin: 'http://desk.localhost:3000' } }],
  ['a page without an origin', { headers: { ...right, origin: 'null' } }],
  ['a page of another site', { headers: { ...right, 'sec-fetch-site': 'cross-site' } }],
  ['no origin', { headers: { host: right.host, [studioTokenHeader]: token } }],
  ['no token', { headers: { host: right.host, origin } }],
  ['another token', { headers: { ...right, [studioTokenHeader]: 'b-token-of-this-process' } }],
])('[EST-09] the studio refuses to write for %s', async (_name, change) => {
  expect(await ask({ method: 'PUT', url: studioPaths.write, payload: dry, ...change })).toEqual([403, 'elsewhere']);
  for (const url of [studioPaths.undo, studioPaths.redo])
    expect(await ask({ method: 'PUT', url, payload: { id: '1' }, ...change })).toEqual([403, 'elsewhere']);
});

test('[EST-09] the studio reports a conflict for an outdated version, and rejects malformed requests', async () => {
  const write = (payload: object) => ask({ method: 'PUT', url: studioPaths.write, payload });
  expect(await write(dry)).toEqual([409, undefined]);
  for (const shape of [
    {},
    { changes: [] },
    { changes: [{ file: 1, base: null, text: '{}' }] },
    { changes: [{ file: 'flows/ayuda.json', base: null }] },
    { changes: [{ file: 'flows/ayuda.json', base: null, edits: [{ pointer: 'states' }] }] },
    { changes: [{ file: 'flows/ayuda.json', base: null, edits: [{ pointer: '/states', before: 1 }] }] },
    { changes: [{ file: 'flows/ayuda.json', base: null, text: '{}', deleted: true }] },
    { changes: [{ file: 'flows/ayuda.json', base: null, deleted: false }] },
    { changes: [{ file: 'flows/ayuda.json', base: 1, text: '{}' }] },
    { ...dry, dryRun: 'true' },
    { ...dry, field: 1 },
    { changes: [{ file: 'flows/ayuda.json', base: null, edits: [{ pointer: '/states', before: 1 }] }] },
    { changes: [{ file: 'flows/ayuda.json', base: null, text: '{}', deleted: true }] },
    { changes: [{ file: 'flows/ayuda.json', base: null, deleted: false }] },
    { changes: [{ file: 'flows/ayuda.json', base: 1, text: '{}' }] },
    { ...dry, dryRun: 'true' },
    { ...dry, field: 1 },
  ])
    expect(await write(shape)).toEqual([400, 'shape']);
});

test('[EST-06] the studio serves files, texts in both languages and cases only to its own page', async () => {
  const { answer } = (await http.inject({ url: studioPaths.set, headers: right })).json<{
    answer: { files: object; texts: Record<string, readonly object[]>; problems: readonly object[] };
  }>();
  expect(Object.keys(answer.files)).toContain('flows/registro.json');
  expect(answer.texts['contacto']).toEqual(
    expect.arrayContaining([
      { pointer: '/title', address: '/title', texts: { es: 'Contacto', pt: 'Contato' } },
      {
        pointer: '/links/0/text',
        address: '/links/~1ayuda',
        texts: { es: 'Preguntas frecuentes', pt: 'Perguntas frequentes' },
      },
    ]),
  );
  expect(answer.problems).toEqual([]);
  const cases = await http.inject({ url: `${studioPaths.cases}?screen=contacto`, headers: right });
  expect(cases.json<{ answer: object }>().answer).toMatchObject({
    file: 'tests/fixtures/contacto.json',
    version: expect.any(String) as string,
    list: expect.arrayContaining([expect.objectContaining({ name: 'valid', errors: {} })]) as object[],
  });
  for (const url of Object.values(studioPaths).slice(0, 3))
    expect(await ask({ url, headers: { host: right.host } })).toEqual([403, 'elsewhere']);
  for (const headers of [
    { ...right, host: 'evil.example' },
    { ...right, origin: 'http://localhost:9000' },
  ])
    for (const url of ['/_dev/estudio', studioPaths.set])
      expect(await ask({ url, headers })).toEqual([403, 'elsewhere']);
});

test.each<[name: string, headers: Record<string, string>, status: number]>([
  ['its own page', { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }, 404],
  [
    'a navigation from another site',
    { host: 'localhost:3000', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    404,
  ],
  ['another name of this machine', { host: 'evil.example:3000' }, 403],
  ["the desk's host", { host: 'desk.localhost:3000' }, 403],
  ['a page of another origin', { host: 'localhost:3000', origin: 'https://evil.example' }, 403],
  [
    'a page of another site',
    { host: 'localhost:3000', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    403,
  ],
])(
  '[EST-09] the development pages serve their own page and navigations, and refuse other callers: %s',
  async (_name, headers, status) => {
    const own = fastify();
    const definitions = { current: { screens: new Set() } };
    const vite = { transformIndexHtml: () => Promise.reject(Object.assign(new Error('asked'), { statusCode: 404 })) };
    createDevRoutes({ root, vite, guard, reloadSocket: '' } as unknown as DevPageDependencies)(own, {
      definitions,
    } as unknown as DevPageDependencies);
    for (const url of [devPagePaths.index, devPagePaths.gallery, devPagePaths.drawing, devPagePaths.studio, '/%5Fdev'])
      expect((await own.inject({ url, headers })).statusCode, url).toBe(status);
    await own.close();
  },
);
