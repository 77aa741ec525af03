import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isWebAddress } from '../../engine/core/values/web-address.ts';
import { UsageError, type Terminal } from '../command.ts';
import { escapeHtml } from '../../server/platform/base/escape-html.ts';

export interface SampleServer {
  close(): Promise<void>;
}

/** The origin that ORIGIN gives a sample application. Throws a UsageError if it cannot listen there. */
export function readOrigin({ env }: Pick<Terminal, 'env'>, usual: string): string {
  const given = env['ORIGIN'] ?? usual;
  const url = isWebAddress(given) ? new URL(given) : null;
  if (url === null || url.protocol !== 'http:' || url.port === '' || url.pathname !== '/')
    throw new UsageError(`ORIGIN must be http with a port, for example ${usual}`);
  return url.origin;
}

/** Listens at an origin (http, with a port); what `answer` throws is shown on a page, since whoever tries a sample wants to know. */
export async function serve(
  origin: string,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<SampleServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const text = escapeHtml(error instanceof Error ? error.message : String(error));
      page(response, 500, 'Something failed', `<pre id="error">${text}</pre><p><a href="/">Home</a></p>`);
    });
  }).listen(Number(new URL(origin).port), new URL(origin).hostname);
  await once(server, 'listening');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a small page of a sample application; `body` is HTML. */
export function page(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    })
    .end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`,
    );
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}
