import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRequestGuard, openViteServer } from '../../src/studio/server/vite-server.ts';

const host = 'localhost:3000';
const guard = createRequestGuard({ baseUrl: `http://${host}`, hosts: { backend: '', broker: '' }, agentsHost: '' });
const outside = mkdtempSync(join(tmpdir(), 'outside '));
const root = mkdtempSync(join(tmpdir(), 'sources (private) '));
let vite: ViteDevServer;
let server: Server;

const secrets = [
  'portal.yaml',
  '.env',
  '.env.local',
  '.git/config',
  'data/keys/encryption.json',
  'data/keys/name.ts',
  'data/outbox.json',
  'src/keys/signing.ts',
  'src/keys/signing.json',
  'src/server.pem',
  'package.json',
  'notes.svg',
  'schemas/contacto/ui.json',
  'schemas/_shared/notices.json',
  'tests/case.ts',
  'node_modules/package/index.js',
  'node_modules/package/data.json',
];

/** One path for each kind of file that must not be served. */
const someSecrets = ['portal.yaml', '.env', '.git/config', 'data/keys/name.ts', 'src/keys/signing.ts'];

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

beforeAll(async () => {
  for (const file of secrets) write(root, file, file.endsWith('.ts') ? 'export const text = "SECRETO";' : '"SECRETO"');
  write(outside, 'secret.ts', 'export const text = "SECRETO";');
  write(root, 'src/open.ts', 'export const text = "PUBLICO";');
  write(root, 'src/open.json', '"PUBLICO"');
  write(root, 'schemas/_shared/texts/portal.json', '"PUBLICO"');
  write(root, 'plugins/rut/rule.ts', 'export const text = "PUBLICO";');
  write(root, 'node_modules/@fontsource/sora/font.woff2', 'PUBLICO');
  symlinkSync(join(root, 'data'), join(root, 'src/linked'));
  symlinkSync(join(root, 'portal.yaml'), join(root, 'src/linked.ts'));
  symlinkSync(outside, join(root, 'plugins/linked'));
  mkdirSync(join(root, '.cache/vite/deps'), { recursive: true });
  symlinkSync(join(outside, 'secret.ts'), join(root, '.cache/vite/deps/linked.js'));
  ({ vite, middleware } = await openViteServer({
    root,
    guard,
    privateFolders: [join(root, 'src/keys')],
    config: {
      configFile: false,
      logLevel: 'silent',
      cacheDir: join(root, '.cache/vite'),
      server: { ws: false, watch: null },
    },
  }));
  server = createServer((asked, answer) => middleware(asked, answer, () => answer.writeHead(404).end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
let middleware: Awaited<ReturnType<typeof openViteServer>>['middleware'];
afterAll(async () => {
  server.close();
  await vite.close();
  for (const folder of [root, outside]) rmSync(folder, { recursive: true });
});

/** Returns the development server's response to a raw path. */
function answerAt(path: string, headers: IncomingHttpHeaders = {}, method = 'GET'): Promise<string> {
  const { port } = server.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method, headers: { host, ...headers } }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    });
    asked.on('error', reject).end();
  });
}

const queries = [
  '',
  '?raw',
  '?raw??',
  '?raw?',
  '?raw&',
  '?raw#',
  '?import',
  '?import&raw',
  '?import&raw??',
  '?import&?raw',
  '?raw?import',
  '?inline',
  '?import&inline',
  '?import&?inline=1.wasm?init',
  '?.svg?.wasm?init',
  '?.svg?import',
  '?.svg?import&raw',
  '?url',
  '?import&url',
  '?url&raw',
  '?url&raw&import',
  '?worker',
  '?worker_file&type=module',
  '?sharedworker',
  '?init',
  '?import&init',
  '?direct',
  '?t=1&raw',
  '?v=00000000',
  '?html-proxy&index=0.js',
  '?vite-wasm-instance',
  '?import&/src/open.ts',
  '#/src/open.ts',
  '#.svg?raw',
  '%23.svg?raw',
  '%3Fraw',
  '.map',
];

/** Alternative spellings of a path below the project's folder. */
const spellings: readonly (readonly [string, (file: string) => string])[] = [
  ['as it is', (file) => `/${file}`],
  ['by /@fs/', (file) => `/@fs${encodeURI(root)}/${file}`],
  ['by /@fs// ', (file) => `/@fs/${encodeURI(root)}/${file}`],
  ['by /@fs/ out of a served folder', (file) => `/@fs${encodeURI(root)}/src/../${file}`],
  ['by /@id/', (file) => `/@id/${encodeURI(root)}/${file}`],
  ['by /@id/ as a URL', (file) => `/@id/file://${encodeURI(root)}/${file}`],
  ['by /@id/ with a null byte', (file) => `/@id/__x00__${encodeURI(root)}/${file}`],
  ['below src', (file) => `/src/../${file}`],
  ['below src, escaped dots', (file) => `/src/%2e%2e/${file}`],
  ['below src, escaped slash', (file) => `/src%2f..%2f${file}`],
  ['below src, a doubly escaped slash', (file) => `/src/..%252f${file}`],
  ['below src, a backslash', (file) => `/src/..\\${file}`],
  ['below src, an escaped backslash', (file) => `/src/..%5c${file}`],
  ['below the cache', (file) => `/.cache/vite/deps/../../../${file}`],
  ['two slashes', (file) => `//${file}`],
  ['escaped slashes', (file) => `/${file.replaceAll('/', '%2f')}`],
  ['an escaped letter', (file) => `/${file.replace(/[a-z]/, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`],
  ['a dot behind it', (file) => `/${file}.`],
  ['a slash behind it', (file) => `/${file}/`],
  ['a slash and a dot behind it', (file) => `/${file}/.`],
  ['a space behind it', (file) => `/${file}%20`],
  ['a null byte behind it', (file) => `/${file}%00.ts`],
  ['another stream', (file) => `/${file}::$DATA`],
  ['capital letters', (file) => `/${file.toUpperCase()}`],
];

test('the source server serves sources, plugins, shared texts and fonts', async () => {
  for (const path of [
    '/src/open.ts',
    `/@fs${encodeURI(root)}/src/open.json?raw`,
    '/plugins/rut/rule.ts?import',
    '/schemas/_shared/texts/portal.json?import',
  ])
    expect(await answerAt(path), path).toMatch(/^200 .*PUBLICO/s);
  expect(await answerAt('/node_modules/@fontsource/sora/font.woff2')).toBe('200 PUBLICO');
  expect(await answerAt('/@vite/client')).toMatch(/^200 /);
});

test.each(spellings)(
  '[EST-09] the source server serves no other file, with its path spelled in another form: %s',
  async (name, spell) => {
    const files = ['as it is', 'by /@fs/'].includes(name) ? secrets : someSecrets;
    for (const file of files)
      for (const query of queries) {
        const path = spell(file) + query;
        expect(await answerAt(path), path).not.toContain('SECRETO');
        expect(await answerAt(path, { 'sec-fetch-dest': 'script' }), path).not.toContain('SECRETO');
      }
  },
);

test.each(queries)(
  '[EST-09] the source server follows no symbolic link out of the served folders: %o',
  async (query) => {
    for (const file of [
      'src/linked.ts',
      'src/linked/outbox.json',
      'src/linked/keys/name.ts',
      'plugins/linked/secret.ts',
      'src/linked',
      '.cache/vite/deps/linked.js',
    ])
      for (const path of [`/${file}${query}`, `/@fs${encodeURI(root)}/${file}${query}`])
        expect(await answerAt(path), path).not.toContain('SECRETO');
  },
);

test.each<[name: string, headers: IncomingHttpHeaders]>([
  ['another name of this machine', { host: 'evil.example:3000' }],
  ['another port', { host: 'localhost:3001' }],
  ['a page of another origin', { origin: 'https://evil.example' }],
  ['a page of another port', { origin: 'http://localhost:3001' }],
  ['a page without an origin', { origin: 'null' }],
  ['a script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a script of another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
  ['a proxy', { 'x-forwarded-for': '192.168.1.20' }],
  ['a proxy with the standard header', { forwarded: 'for=192.168.1.20' }],
])('[EST-09] the source server serves no source to %s', async (_name, headers) => {
  for (const path of ['/src/open.ts', '/src/open.json?raw', '/@vite/client'])
    expect(await answerAt(path, headers), path).toMatch(/^404 /);
});

test('[EST-09] the source server starts no editor', async () => {
  expect(await answerAt(`/__open-in-editor?file=${encodeURIComponent(join(root, 'src/open.ts'))}`)).toMatch(/^404 /);
});
