import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { denyFolders } from '../../src/studio/server/dev-private.ts';

let root = '';
let vite: ViteDevServer;
let server: Server;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'dev (private) '));
  mkdirSync(join(root, 'data/keys'), { recursive: true });
  writeFileSync(join(root, 'data/keys/encryption.json'), '"SECRETO"');
  writeFileSync(join(root, 'data/keys/name.ts'), 'export const key = "SECRETO";');
  writeFileSync(join(root, 'open.json'), '"PUBLICO"');
  symlinkSync(join(root, 'data'), join(root, 'linked'));
  vite = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    server: {
      middlewareMode: true,
      ws: false,
      watch: null,
      fs: { allow: [root], deny: denyFolders([join(root, 'linked')]) },
    },
  });
  server = createHttpServer(vite.middlewares);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await vite.close();
  rmSync(root, { recursive: true });
});

/** What the development server answers at an address as it is written. */
function bodyOf(path: string): Promise<string> {
  const { port } = server.address() as AddressInfo; // of a server that listens on TCP
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk))).on('end', () => resolve(body));
    }).on('error', reject);
  });
}

const folders = () => ['/data', '/linked', `/@fs${encodeURI(root)}/data`, `/@fs${encodeURI(root)}/linked`];
const tricks = [
  '',
  '?raw',
  '?raw??',
  '?import&raw',
  '?import&raw??',
  '?inline',
  '?url',
  '?import&url',
  '?raw?import',
  '?.svg?import',
];

test('the development server answers other files of the project', async () => {
  expect(await bodyOf('/open.json')).toContain('PUBLICO');
  expect(await bodyOf(`/@fs${encodeURI(root)}/open.json?raw`)).toContain('PUBLICO');
});

test.each(tricks)('it gives out no file of DATA_DIR, asked with %o', async (query) => {
  for (const folder of folders())
    for (const file of ['encryption.json', 'name.ts', 'ENCRYPTION.json', '%65ncryption.json', '../keys/name.ts'])
      expect(await bodyOf(`${folder}/keys/${file}${query}`), `${folder} ${file}`).not.toContain('SECRETO');
});
