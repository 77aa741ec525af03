import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { DatabaseStore } from '../database/open-store.ts';
import { escapeHtml } from '../../../engine/core/values/escape-html.ts';
import { openListener } from '../http/open-listener.ts';
import { readMailLogo, inlineMailLogo } from './render-mail.ts';

type ListedMail = Awaited<ReturnType<typeof readMessages>>[number];

const pageCsp =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Blocks scripts and gives a displayed mail an opaque origin. Inline styles are allowed, because mails need them and their templates escape all values. */
export const outboxMailCsp =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** Serves the mails on 127.0.0.1 as pages, and as JSON for tests (`?to=` selects a recipient). Use it only with a loopback base URL and without SMTP. */
export async function startOutboxPage(store: DatabaseStore, port: number) {
  const handle: RequestListener = (request, response) => {
    void respondToRequest(store, request).then(
      (page) => writePage(response, page),
      () => writePage(response, createErrorPage(500)),
    );
  };
  const { port: taken, close } = await openListener(handle, { host: '127.0.0.1', port, setting: 'OUTBOX_PORT' });
  return { url: `http://127.0.0.1:${taken}`, close };
}

async function respondToRequest(store: DatabaseStore, request: IncomingMessage) {
  // Prevents DNS rebinding: a page whose host name resolves to this machine must not read citizens' mails.
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) return createErrorPage(403);
  if (request.method !== 'GET' && request.method !== 'HEAD') return createErrorPage(405);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/') return createPage(renderList(await readMessages(store)));
  if (pathname === '/messages') {
    const body = JSON.stringify(await readMessages(store, { recipient: searchParams.get('to') ?? undefined }));
    return { status: 200, type: 'application/json', body, csp: pageCsp };
  }
  const [, id, part] = /^\/messages\/(\d{1,15})(\/html)?$/.exec(pathname) ?? [];
  const message = id === undefined ? undefined : (await readMessages(store, { id: Number(id) }))[0];
  if (!message) return createErrorPage(404);
  return part
    ? { status: 200, type: 'text/html', body: inlineMailLogo(message.html, await readMailLogo()), csp: outboxMailCsp }
    : createPage(renderMessage(message));
}

/** Newest first. */
async function readMessages(
  store: DatabaseStore,
  { id, recipient }: { readonly id?: number; readonly recipient?: string | undefined } = {},
) {
  const rows = await store.db
    .selectFrom('outbox')
    .selectAll()
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient ?? ''))
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
  return rows.map(({ id: own, recipient: to, subject, text, html, created_at }) => {
    return { id: own, to, subject, text, html, date: created_at.toISOString() };
  });
}

function renderList(messages: readonly ListedMail[]): string {
  const rows = messages.map(
    ({ id, to, subject, date }) =>
      `<tr><td>${escapeHtml(date)}</td><td>${escapeHtml(to)}</td><td><a href="/messages/${id}">${escapeHtml(subject)}</a></td></tr>`,
  );
  return `<h1>Outbox</h1><table><thead><tr><th>Date</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderMessage({ id, to, subject, text, date }: ListedMail): string {
  return `<p><a href="/">Outbox</a></p><h1>${escapeHtml(subject)}</h1><p>${escapeHtml(date)} · ${escapeHtml(to)}</p>
<pre>${escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, '<a href="$&">$&</a>')}</pre>
<iframe src="/messages/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="HTML" width="640" height="600"></iframe>`;
}

function createPage(content: string) {
  const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outbox</title></head>';
  return { status: 200, type: 'text/html', csp: pageCsp, body: `${head}<body>${content}</body></html>` };
}

function createErrorPage(status: number) {
  return { status, type: 'application/json', body: '{}', csp: pageCsp };
}

function writePage(
  response: ServerResponse,
  { status, type, body, csp }: Readonly<Record<'type' | 'body' | 'csp', string> & { status: number }>,
): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': csp,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(body);
}
