import type { ServerResponse } from 'node:http';

/** Sends a small page of a sample application; `body` is HTML. */
export function page(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    })
    .end(`<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`);
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}
