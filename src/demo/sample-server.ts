import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { escapeHtml } from '../server/platform/base/escape-html.ts';

/** Creates the server of a sample. It shows its errors on a page, because only developers visit it. */
export function newSample(): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  void app.register(cookie);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
  app.setErrorHandler((error, _request, reply) => {
    const text = escapeHtml(error instanceof Error ? error.message : String(error));
    void page(reply.code(500), 'Something failed', `<pre id="error">${text}</pre><p><a href="/">Home</a></p>`);
  });
  return app;
}

export async function listen(app: FastifyInstance, origin: string): Promise<FastifyInstance> {
  await app.listen({ host: new URL(origin).hostname, port: Number(new URL(origin).port) });
  return app;
}

/** Sends a page without styles and scripts. `body` is HTML. */
export function page(reply: FastifyReply, title: string, body: string): FastifyReply {
  const viewport = '<meta name="viewport" content="width=device-width">';
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': "default-src 'none'", 'cache-control': 'no-store' })
    .send(
      `<!doctype html><html lang="en">${viewport}<title>${title}</title><main><h1>${title}</h1>${body}</main></html>`,
    );
}

export interface Session<User> {
  user?: User;
  /** Secrets of a sign-in that has begun. */
  pending?: { readonly pkceCodeVerifier: string; readonly expectedState: string; readonly expectedNonce: string };
}

interface ApplicationOptions<User> {
  readonly issuer: string;
  readonly origin: string;
  readonly title: string;
  readonly show: (user: User) => string;
  readonly logout: (user: User) => Promise<string> | string;
}

/** Creates an application with a home page and a logout. The cookie's name contains the port, because cookies are shared by all ports of a host. */
export function newApplication<User>({ issuer, origin, title, show, logout }: ApplicationOptions<User>) {
  const app = newSample();
  const sessions = new Map<string, Session<User>>();
  const cookieName = `demo-${new URL(origin).port}`;
  const open = ({ cookies }: FastifyRequest, reply: FastifyReply): Session<User> => {
    const id = cookies[cookieName] ?? randomBytes(16).toString('base64url');
    void reply.setCookie(cookieName, id, { httpOnly: true, sameSite: 'lax', path: '/' });
    const session = sessions.get(id) ?? {};
    sessions.set(id, session);
    return session;
  };
  app.get('/', (request, reply) => {
    const { user } = open(request, reply);
    if (user) return page(reply, 'Signed in', `${show(user)}<p><a href="/logout">Sign out</a></p>`);
    const link = `<a href="/login">Sign in at ${escapeHtml(issuer)}</a>`;
    return page(reply, title, `<p>Nobody is signed in.</p><p>${link}</p>`);
  });
  app.get('/logout', async (request, reply) => {
    const session = open(request, reply);
    const { user } = session;
    delete session.user;
    return reply.redirect(user ? await logout(user) : '/');
  });
  return { app, sessions, open };
}

export function preformat(id: string, value: unknown): string {
  return `<pre id="${id}">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}
