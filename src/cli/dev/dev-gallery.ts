import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ViteDevServer } from 'vite';
import type { DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { devAddresses, devDataId, type DevData } from '../../studio/dev-data.ts';
import { scriptJson } from '../../server/http/html.ts';
import { pageLanguage } from '../../server/http/language.ts';
import { pageData } from '../../server/pages/page-data.ts';
import type { DevelopmentPages, DevelopmentParts } from '../../server/pages/page-source.ts';
import { renderPage } from '../../server/pages/render-page.ts';
import { pagePolicy } from '../../server/http/security-headers.ts';
import { readCatalogue, readFixtures } from './dev-catalogue.ts';

interface Gallery extends DevelopmentParts {
  readonly root: string;
  readonly vite: ViteDevServer;
  readonly reloadSocket: string;
}

type DrawingRequest = FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>;

/**
 * The pages for those who make screens: every screen with its cases, one case of one screen, and the flows. They are given to
 * the server by the development command alone, so that no other server has them.
 */
export function galleryRoutes(own: Pick<Gallery, 'root' | 'vite' | 'reloadSocket'>): DevelopmentPages['routes'] {
  return (http, parts) => {
    const gallery: Gallery = { ...own, ...parts };
    const { definitions } = parts;
    http.get(devAddresses.gallery, async (request, reply) =>
      send(gallery, request, reply, async () => ({
        view: 'gallery',
        screens: await readCatalogue(own.root, definitions.current),
        problems: problemLines(definitions),
      })),
    );
    http.get(devAddresses.flows, async (request, reply) =>
      send(gallery, request, reply, async () => ({
        view: 'flows',
        flows: Object.values(definitions.current.flows),
        descriptions: definitions.current.descriptions,
        problems: problemLines(definitions),
      })),
    );
    http.get(devAddresses.drawing, async (request: DrawingRequest, reply) =>
      send(gallery, request, reply, async () => (await drawingOf(gallery, request)) ?? { view: 'missing' }),
    );
  };
}

/** A case of a screen; without a case the empty screen; null when there is no such case. */
async function drawingOf(
  { root, definitions: { current } }: Gallery,
  { query }: DrawingRequest,
): Promise<Extract<DevData, { view: 'drawing' }> | null> {
  const screen = String(query['screen']);
  if (!current.screens.has(screen)) return null;
  const { fixture: name = '' } = query;
  if (name === '') return { view: 'drawing', screen, data: {}, context: {}, submit: false };
  const fixture = (await readFixtures(root, current, screen)).find((candidate) => candidate.name === name);
  if (!fixture) return null;
  const { data, context, errors } = fixture;
  return { view: 'drawing', screen, data, context, submit: Object.keys(errors).length > 0 };
}

/** Sends a page under the policy of pages, but that pages of this origin may frame it and it them; one that is missing as 404. */
async function send(
  { root, vite, reloadSocket, site, services, definitions }: Gallery,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<DevData>,
): Promise<FastifyReply> {
  // Before anything is read: the template carries the number of changes that the page knows of.
  const template = await vite.transformIndexHtml(
    request.url,
    await readFile(join(root, 'src/studio/gallery.html'), 'utf8'),
  );
  const dev = await read();
  const { lang } = request.query as { lang?: unknown }; // fastify reads a query into an object
  const language = pageLanguage({ query: lang, cookie: undefined, header: undefined });
  const ui = dev.view === 'drawing' ? definitions.current.ui(dev.screen, language) : null;
  const { data } = await pageData({ ui, match: undefined }, { services, request, reply, language });
  const nonce = randomBytes(18).toString('base64');
  const html = renderPage({
    template: template.replace(
      '</head>',
      () => `<script type="application/json" id="${devDataId}">${scriptJson(dev)}</script>\n</head>`,
    ),
    nonce,
    description: '',
    title: dev.view === 'drawing' ? dev.screen : (request.url.split('?', 1)[0] ?? ''),
    preload: [],
    prerendered: '',
    fonts: [],
    page: {
      config: site.portal,
      language,
      time: services.now().toISOString(),
      manifest: definitions.current.manifest(language),
      data,
    },
  });
  return reply
    .code(dev.view === 'missing' ? 404 : 200)
    .headers({
      'content-security-policy': pagePolicy({ nonce, hosts: [], frames: ["'self'"], embeddable: true, reloadSocket }),
      'x-frame-options': 'SAMEORIGIN',
    })
    .type('text/html; charset=utf-8')
    .send(html);
}

function problemLines({ problems }: DefinitionsSource): readonly string[] {
  return problems.map(({ file, line, column, message, hint }) => `${file}:${line}:${column} ${message} ${hint}`);
}
