import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Site {
  readonly url: string;
  close(): void;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
};

/** Serves a folder with gzip compression, like a portal without TLS. */
export async function serveFolder(folder: string): Promise<Site> {
  const server = createServer((request, response) => {
    const path = normalize((request.url ?? '/').replace(/\?.*$/, ''));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = types[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
    return response.end(gzipSync(readFileSync(file)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The site has no port.');
  return { url: `http://127.0.0.1:${bound.port}`, close: () => void server.close() };
}
