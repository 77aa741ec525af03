import cookie from '@fastify/cookie';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { escapeHtml } from '../engine/core/values/escape-html.ts';
import { isHttpUrl } from '../engine/core/values/http-url.ts';

/** Creates the server of a sample. Shows internal errors on a page, because only developers use the samples. */
export function createSampleApplicationServer(): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  void app.register(cookie);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
  app.setErrorHandler((error, _request, reply) => {
    const text = escapeHtml(error instanceof Error ? error.message : String(error));
    void sendHtmlPage(reply.code(500), 'Something failed', `<pre id="error">${text}</pre><p><a href="/">Home</a></p>`);
  });
  return app;
}

/** Returns `null` unless the text is an HTTP origin with a port. */
export function parseSampleOrigin(text: string): string | null {
  const url = isHttpUrl(text) ? new URL(text) : null;
  return url?.protocol === 'http:' && url.port !== '' && url.pathname === '/' ? url.origin : null;
}

export async function listenOnOrigin(app: FastifyInstance, origin: string): Promise<FastifyInstance> {
  await app.listen({ host: new URL(origin).hostname, port: Number(new URL(origin).port) });
  return app;
}

export function sendHtmlPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const viewport = '<meta name="viewport" content="width=device-width">';
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': "default-src 'none'", 'cache-control': 'no-store' })
    .send(
      `<!doctype html><html lang="en">${viewport}<title>${title}</title><main><h1>${title}</h1>${body}</main></html>`,
    );
}
