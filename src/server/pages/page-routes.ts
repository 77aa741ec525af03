import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readPath } from '../../contract/href.ts';
import type { Definitions, DefinitionsSource, Problem } from '../../engine/compiler/definitions.ts';
import type { Manifest, Route } from '../../engine/core/manifest.ts';
import { findRoute } from '../../engine/core/route.ts';
import { pages as routes } from '../../contract/pages.ts';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { ContentSource } from '../content/open-content.ts';
import { CallError } from '../base/errors.ts';
import type { Services } from '../calls/services.ts';
import { isCallPath } from '../calls/calls.ts';
import { readCookies } from '../http/cookies.ts';
import { encode } from '../http/encoding.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { plainPage } from '../http/html.ts';
import { acceptedLanguage, pageLanguage, rememberLanguage } from '../http/language.ts';
import { pageData } from './page-data.ts';
import type { PageSource } from './page-source.ts';
import { createPrerenderer } from './prerenderer.ts';
import { renderPage } from './render-page.ts';
import { pagePolicy } from '../http/security-headers.ts';
import type { Site } from '../http/site.ts';
import { textOf } from '../base/texts.ts';

/** What pages are made of. */
export interface PageRouteParts {
  readonly site: Site;
  readonly services: Services;
  readonly definitions: DefinitionsSource;
  readonly content: Pick<ContentSource, 'problems'>;
  readonly pages: PageSource;
  readonly development: boolean;
}

/** Every address that is no call and no file answers the portal: 200 where a flow has that path and what it shows exists, else 404. */
export function registerPages(http: FastifyInstance, parts: PageRouteParts): void {
  const prerenderer = createPrerenderer(parts.pages.prerender);
  http.get<{ Querystring: { lang?: unknown } }>('/*', async (request, reply) => {
    const path = readPath(request.url.split('?', 1)[0] ?? '');
    if (path === null) return sendMalformedUrl(request, reply, parts.site);
    if (isCallPath(request.url) || /^\/(assets|definitions)\//.test(path)) throw new CallError(404, 'no_encontrado');
    return sendPage(path, request, reply, { ...parts, prerenderer });
  });

  http.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/*',
    onRequest: async (request, reply) => refuseWrite(request, reply, parts.definitions),
    handler: () => undefined,
  });
}

/** Answers an address that cannot be read: JSON below the calls, else a page that needs no script. */
export function sendMalformedUrl(request: FastifyRequest, reply: FastifyReply, site: Site): FastifyReply {
  const language = acceptedLanguage(request.headers['accept-language']);
  if (isCallPath(request.raw.url ?? '')) {
    return reply.code(400).send(errorAnswer(new CallError(400, 'direccion_mal_formada'), language).body);
  }
  const title = textOf('direccion_mal_formada', language);
  const links = [{ href: '/', text: textOf('volver_al_inicio', language) }];
  return sendPlainPage(reply.code(400), site, {
    language,
    title,
    text: textOf('direccion_mal_formada_ayuda', language),
    links,
  });
}

/** Sends a page of the server itself under the pages' policy. */
export function sendPlainPage(
  reply: FastifyReply,
  site: Site,
  page: Omit<Parameters<typeof plainPage>[0], 'nonce'>,
): FastifyReply {
  const nonce = newNonce();
  return reply
    .header(
      'content-security-policy',
      pagePolicy({ nonce, hosts: connectHosts(site), frames: (page.frames ?? []).map((url) => new URL(url).origin) }),
    )
    .type('text/html; charset=utf-8')
    .send(plainPage({ ...page, nonce }));
}

/** Before the body is read: a page only answers GET, and nothing else stands here. */
function refuseWrite(request: FastifyRequest, reply: FastifyReply, definitions: DefinitionsSource): never {
  const path = readPath(request.url.split('?', 1)[0] ?? '');
  const isPage = path !== null && findRoute(definitions.current.manifest(baseLanguage).routes, path) !== undefined;
  if (!isPage) throw new CallError(404, 'no_encontrado');
  reply.header('allow', 'GET, HEAD');
  throw new CallError(405, 'metodo_no_permitido');
}

async function sendPage(
  path: string,
  request: FastifyRequest<{ Querystring: { lang?: unknown } }>,
  reply: FastifyReply,
  {
    site,
    services,
    definitions,
    content,
    pages,
    development,
    prerenderer,
  }: PageRouteParts & { readonly prerenderer: ReturnType<typeof createPrerenderer> },
): Promise<FastifyReply> {
  const language = pageLanguage({
    query: request.query.lang,
    cookie: request.cookies['language'],
    header: request.headers['accept-language'],
  });
  rememberLanguage(reply, request.query.lang, site.secureCookies);
  const template = await pages.template(path); // first: during development it carries the number of changes that the page knows of
  const set = definitions.current;
  const problems = [...definitions.problems, ...content.problems];
  const manifest = set.manifest(language);
  const match = findRoute(manifest.routes, path);
  const route = match?.route ?? manifest.routes.find((candidate) => candidate.path === '*');
  const ui = route?.screen === undefined ? null : set.ui(route.screen, language);
  const { data, missing } = await pageData({ ui, match }, { services, request, reply, language });
  const nonce = newNonce();
  const page = {
    config: site.portal,
    language,
    time: services.now().toISOString(),
    manifest,
    data,
    ...(development && problems.length > 0 && { problems: describeProblems(problems) }),
  };
  const query = request.url.indexOf('?');
  const prerendered = await prerenderer({
    page,
    path,
    search: query < 0 ? '' : request.url.slice(query),
    route,
    set,
    log: request.log,
  });
  const html = renderPage({
    template,
    nonce,
    description: textOf('descripcion_del_portal', language, { product: site.portal.brand.product }),
    title: prerendered.title ?? site.portal.brand.product,
    prerendered: prerendered.html,
    fonts: pages.fonts,
    preload: route
      ? [
          ...modulesOf(route, manifest),
          ...pages.modules(['src/portal/start.tsx', `src/portal/texts/${language}.json`, ...sourcesOf(route, set)]),
        ]
      : [],
    page,
  });
  const frames =
    path === routes.logout ? await services.broker.frameOrigins(readCookies(request, site.secureCookies).session) : [];
  const reloadSocket = pages.development?.reloadSocket;
  const { body, encoding } = await encode(html, request.headers['accept-encoding'], 'always');
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .code(match && !missing ? 200 : 404)
    .headers({
      'content-security-policy': pagePolicy({ nonce, hosts: connectHosts(site), frames, reloadSocket }),
      'content-language': language,
      vary: 'accept-encoding, accept-language, cookie',
    })
    .type('text/html; charset=utf-8')
    .send(body);
}

function modulesOf(route: Route, manifest: Manifest): readonly string[] {
  const screen = route.screen === undefined ? undefined : manifest.screens[route.screen]?.url;
  return [manifest.flows[route.flow], screen].filter((url) => url !== undefined);
}

/** Source files that the portal loads for a route: the renderer and the plugins of its screen, or its block. */
function sourcesOf({ screen, block }: Route, set: Definitions): readonly string[] {
  if (block !== undefined) return [`src/portal/blocks/${block}.tsx`];
  if (screen === undefined) return [];
  const plugins = set.plugins(screen).flatMap((name) => [`plugins/${name}/rule.ts`, `plugins/${name}/widget.tsx`]);
  return ['src/portal/navigation/load-screen.ts', 'src/portal/shell/themed-screen.tsx', ...plugins];
}

function describeProblems(problems: readonly Problem[]): readonly string[] {
  return problems.map((p) => `${p.file}:${p.line}:${p.column} ${p.message} ${p.hint}`);
}

function connectHosts(site: Site): readonly string[] {
  const { backend, broker } = site.portal.hosts;
  return [...new Set([backend, broker])].filter((host) => host !== '' && host !== site.origin);
}

function newNonce(): string {
  return randomBytes(18).toString('base64');
}
