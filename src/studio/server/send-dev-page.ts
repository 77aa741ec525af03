import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ViteDevServer } from 'vite';
import { serializeScriptJson } from '../../server/platform/http/plain-page.ts';
import { selectPageLanguage } from '../../server/platform/http/request-language.ts';
import { buildPageCsp } from '../../server/platform/http/security-headers.ts';
import { loadPageData, parseEmbeddedResponses } from '../../server/web/pages/page-data.ts';
import type { DevelopmentServerDependencies } from '../../server/web/pages/page-source.ts';
import { renderPage } from '../../server/web/pages/render-page.ts';
import { devPageDataElementId, type DevPageData, type StudioReferenceData } from '../dev-page-data.ts';
import type { RequestGuard } from './vite-server.ts';

export interface DevPageDependencies extends DevelopmentServerDependencies {
  readonly root: string;
  readonly vite: ViteDevServer;
  readonly reloadSocket: string;
  readonly guard: RequestGuard;
  readonly contentValues: StudioReferenceData['contentValues'];
}

/** Sends a page for developers, or 404. If `embeddable` is set, pages of this origin may embed it in a frame. */
export async function sendDevPage(
  { root, vite, reloadSocket, site, services, definitions }: DevPageDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { read, embeddable = true }: { read: () => DevPageData | Promise<DevPageData>; embeddable?: boolean },
): Promise<FastifyReply> {
  // Reads the template before `read` is called. The template contains the number of file changes, so that a change
  // during `read` reloads the page.
  const template = await vite.transformIndexHtml(
    request.url,
    await readFile(join(root, 'src/studio/dev.html'), 'utf8'),
  );
  const dev = await read();
  const { lang } = request.query as { lang?: unknown }; // Fastify's query parser returns an object
  const language = selectPageLanguage({ query: lang, cookie: undefined, header: undefined });
  const screen = dev.view === 'drawing' || dev.view === 'preview' ? dev.screen : '';
  const ui = definitions.current.screens.has(screen) ? definitions.current.ui(screen, language) : null;
  const { responses } = await loadPageData({ ui, match: undefined }, { services, request, reply, language });
  const nonce = randomBytes(18).toString('base64');
  const html = renderPage({
    template: template.replace(
      '</head>',
      () =>
        `<script type="application/json" id="${devPageDataElementId}">${serializeScriptJson(dev)}</script>\n</head>`,
    ),
    nonce,
    description: '',
    title: dev.view === 'drawing' ? dev.screen : (request.url.split('?', 1)[0] ?? ''),
    preload: [],
    prerendered: { html: '', styles: '', isWhole: false },
    styles: [],
    fonts: listDevFontUrls(root),
    page: {
      config: site.portal,
      language,
      time: services.now().toISOString(),
      manifest: definitions.current.manifest(language),
      data: parseEmbeddedResponses(responses),
    },
  });
  return reply
    .code(dev.view === 'missing' ? 404 : 200)
    .headers({
      'content-security-policy': buildPageCsp({ nonce, hosts: [], frames: ["'self'"], embeddable, reloadSocket }),
      ...(embeddable && { 'x-frame-options': 'SAMEORIGIN' }),
    })
    .type('text/html; charset=utf-8')
    .send(html);
}

/** Lists the URLs under which Vite serves the fonts of the brand. Pages preload them, because `font-display: optional` ignores late fonts. */
export function listDevFontUrls(root: string): readonly string[] {
  const css = readFileSync(join(root, 'src/brand/theme.css'), 'utf8');
  return [...css.matchAll(/url\('(@fontsource\/[^']+\.woff2)'\)/g)].map(([, file]) => `/node_modules/${file}`);
}
