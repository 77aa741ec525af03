import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildHref, parseUrlPath } from '../../../contract/build-href.ts';
import type { ServedDefinitions, LiveDefinitions } from '../../../engine/compiler/definitions.ts';
import type { DefinitionsManifest, PageRoute } from '../../../engine/core/definitions-manifest.ts';
import { findRoute } from '../../../engine/core/route.ts';
import { deskPagePaths, pagePaths as routes } from '../../../contract/page-paths.ts';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { LiveContent } from '../../features/content/open-content.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { ServerServices } from '../operations/server-services.ts';
import { isOperationPath } from '../operations/register-operations.ts';
import { maxUrlPathLength, toOriginForm } from '../../platform/http/url-limits.ts';
import { readPortalCookies } from '../../platform/http/cookies.ts';
import { isCrossSiteNavigation } from '../../platform/http/cross-site-requests.ts';
import { compressText } from '../../platform/http/compress-text.ts';
import { toErrorResponse } from '../../platform/http/error-response.ts';
import {
  selectAcceptedLanguage,
  getLanguageCookieName,
  selectPageLanguage,
  setLanguageCookie,
} from '../../platform/http/request-language.ts';
import { speculationRulesPath } from './asset-routes.ts';
import {
  createPageCache,
  fillPageValuePlaceholders,
  pageValuePlaceholders,
  type PageCache,
  type RenderedPage,
  loadPageData,
  parseEmbeddedResponses,
} from './page-data.ts';
import { sendLogoutConfirmationPage } from './logout-routes.ts';
import { firstScriptHash } from './first-script/first-script.ts';
import type { PageSource } from './page-source.ts';
import { emptyPrerenderedPage, createPrerenderer, renderPage } from './render-page.ts';
import {
  listConnectSources,
  listOperationHosts,
  generateCspNonce,
  sendTextPage,
  type PageAudience,
} from './plain-pages.ts';
import { readQueryParameters } from '../../platform/http/form-parser.ts';
import { buildPageCsp } from '../../platform/http/security-headers.ts';
import { findHostAudience, type HostAudience, type SiteSettings } from '../../platform/http/site-settings.ts';
import { getAudienceManifests } from './audience-manifests.ts';
import { getSharedText } from '../../platform/base/texts.ts';

interface PageRouteDependencies {
  readonly site: SiteSettings;
  readonly services: ServerServices;
  readonly definitions: LiveDefinitions;
  readonly content: Pick<LiveContent, 'problems'>;
  readonly pages: PageSource;
  readonly development: boolean;
}

/**
 * Serves every path that is neither that of an operation nor that of a file. Responds with a 404 if no flow has the path, or if the entity that the
 * page would show does not exist.
 */
export function registerPageRoutes(http: FastifyInstance, parts: PageRouteDependencies): void {
  const prerenderer = createPrerenderer(parts.pages.prerender);
  const kept = createPageCache();
  http.get<{ Querystring: { lang?: unknown; forceLogin?: unknown } }>('/*', async (request, reply) => {
    const path = parseUrlPath(request.url.split('?', 1)[0] ?? '');
    if (path === null) return sendMalformedUrlError(reply, parts.site);
    if (isOperationPath(request.url) || /^\/(assets|definitions)\//.test(path))
      throw new OperationError(404, 'no_encontrado');
    const { session } = readPortalCookies(request, parts.site.secureCookies);
    const { hosts } = parts.site.portal;
    const canEnd = session !== undefined || (hosts.broker !== '' && hosts.broker !== parts.site.origin); // a broker on another host may have a session whose cookie is not sent to this host
    if (canEnd && isSignOutPage(path, request.query) && isCrossSiteNavigation(request, parts.site))
      return sendLogoutConfirmationPage(reply, parts.site, `/${request.url.replace(/^[/\\]+/, '')}`);
    const audience = await selectAudience(parts, {
      hostAudience: findHostAudience(parts.site, request),
      path,
      session,
    });
    if (typeof audience !== 'string') return reply.redirect(audience.to, 303);
    return sendPage(path, request, reply, { ...parts, prerenderer, kept, audience });
  });

  http.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/*',
    onRequest: async (_request, reply) => rejectWrite(reply, parts),
    handler: () => undefined,
  });
}

/**
 * Responds to a URL that is malformed (400) or too long (414): with JSON if the path is that of an operation, and otherwise with a page that needs no
 * script.
 */
export function sendMalformedUrlError(reply: FastifyReply, site: SiteSettings, status: 400 | 414 = 400) {
  const { originalUrl, headers } = reply.request;
  const language = selectAcceptedLanguage(headers['accept-language']);
  const code = status === 414 ? 'direccion_demasiado_larga' : 'direccion_mal_formada';
  if (isOperationPath(toOriginForm(originalUrl).slice(0, maxUrlPathLength)))
    return reply.code(status).send(toErrorResponse(new OperationError(status, code), language, site.texts).body);
  return sendTextPage(reply.code(status), site, { title: code, text: 'direccion_mal_formada_ayuda' });
}

/** Rejects a request with another method than GET before its body is read: with a 405 at the path of a page, and with a 404 elsewhere. */
function rejectWrite(reply: FastifyReply, { site, definitions }: Pick<PageRouteDependencies, 'site' | 'definitions'>) {
  const { url, headers } = reply.request;
  const path = parseUrlPath(url.split('?', 1)[0] ?? '');
  const isPage =
    path !== null &&
    findRoute(getAudienceManifests(definitions.current).citizens(baseLanguage).routes, path) !== undefined;
  const error = isPage ? new OperationError(405, 'metodo_no_permitido') : new OperationError(404, 'no_encontrado');
  if (isPage) reply.header('allow', 'GET, HEAD');
  // A browser that submits a form from another site needs a page instead of JSON.
  if (isOperationPath(url) || !(headers.accept ?? '').includes('text/html')) throw error;
  const language = selectAcceptedLanguage(headers['accept-language']);
  return sendTextPage(reply.code(error.status), site, {
    title: 'saml_invalido',
    text: { written: toErrorResponse(error, language, site.texts).body.error },
  });
}

/** Whether opening a page ends the session. The SAML logout page does not: it only continues a logout request that the server has stored. */
function isSignOutPage(path: string, { forceLogin }: { readonly forceLogin?: unknown }): boolean {
  return path === routes.logout || (path !== routes.samlLogout && [forceLogin].flat().includes('True'));
}

/**
 * Returns the audience of a page, or where to redirect the browser. On a host for both audiences, the desk's paths exist only for agents, and
 * browsers whose agent session has ended are redirected to the sign-in. A separate desk host shows the entrance pages, and at any other path, whether
 * it exists or not, the desk to agents and the sign-in to everybody else.
 */
async function selectAudience(
  { services, definitions }: PageRouteDependencies,
  {
    hostAudience,
    path,
    session,
  }: { readonly hostAudience: HostAudience; readonly path: string; readonly session: string | undefined },
): Promise<PageAudience | { readonly to: string }> {
  const { desk, entrance } = getAudienceManifests(definitions.current);
  const ofDesk = findRoute(desk.routes, path) !== undefined;
  if (hostAudience === 'citizens' || (hostAudience === 'both' && !ofDesk)) return 'citizens';
  if (hostAudience === 'desk' && findRoute(entrance(baseLanguage).routes, path) !== undefined) return 'entrance';
  if (await services.isDeskSession(session)) return ofDesk ? 'desk' : { to: deskPagePaths.day };
  if (hostAudience === 'both' && !(await services.isLiveOrEndedDeskSession(session))) return 'citizens';
  const redirectUrl = ofDesk ? path : deskPagePaths.day;
  return { to: buildHref(routes.login, { agnt: '1', redirectUrl, forceLogin: 'True' }) }; // `forceLogin` ends the citizen's session in this browser
}

async function sendPage(
  path: string,
  request: FastifyRequest<{ Querystring: { lang?: unknown } }>,
  reply: FastifyReply,
  parts: PageRouteDependencies & {
    readonly prerenderer: ReturnType<typeof createPrerenderer>;
    readonly kept: PageCache;
    readonly audience: PageAudience;
  },
): Promise<FastifyReply> {
  const { site, services, definitions, content, pages, kept, audience } = parts;
  const desk = audience === 'desk';
  const spoken = selectPageLanguage({
    query: request.query.lang,
    cookie: request.cookies[getLanguageCookieName(site.secureCookies)],
    header: request.headers['accept-language'],
  });
  const language = desk ? baseLanguage : spoken; // the desk is available only in the base language
  setLanguageCookie(reply, request.query.lang, site.secureCookies);
  const query = request.url.indexOf('?');
  const search = query < 0 ? '' : request.url.slice(query);
  const template = await pages.readTemplate(path, desk ? 'desk' : 'portal'); // read before the definitions, because in development it contains the number of file changes that the page already includes
  const set = definitions.current;
  const problems = parts.development ? [...definitions.problems, ...content.problems] : [];
  const manifests = getAudienceManifests(set);
  const manifest = desk ? manifests.desk : manifests[audience](language);
  const match = findRoute(manifest.routes, path);
  const route = match?.route ?? manifest.routes.find((candidate) => candidate.path === '*');
  const ui = route?.screen === undefined ? null : set.ui(route.screen, language);
  const { responses, isSubjectMissing: missing } = await loadPageData(
    { ui, match },
    { services, request, reply, language },
  );
  const values = { nonce: generateCspNonce(), time: services.now().toISOString() };
  const renderPlaceholders = async ({ nonce, time }: typeof pageValuePlaceholders): Promise<RenderedPage> => {
    const page = {
      config: { ...site.portal, hosts: listOperationHosts(site, audience) },
      language,
      time,
      manifest,
      data: parseEmbeddedResponses(responses),
      ...(problems.length > 0 && {
        problems: problems.map((p) => `${p.file}:${p.line}:${p.column} ${p.message} ${p.hint}`),
      }),
    };
    const prerendered = desk
      ? emptyPrerenderedPage
      : await parts.prerenderer({ page, path, search, route, set, log: request.log });
    const html = renderPage({
      template,
      nonce,
      description: getSharedText('descripcion_del_portal', language, { product: site.portal.brand.product }),
      title: prerendered.title ?? site.portal.brand.product,
      prerendered,
      fonts: pages.fonts,
      styles: prerendered.styles === '' || !route ? [] : pages.listStylesheets(listSources(route, set)),
      preload: route
        ? [
            ...(prerendered.isWhole ? [] : listModules(route, manifest)),
            ...pages.listModuleUrls(
              desk ? [] : listPortalFiles(language, prerendered.isWhole ? [] : listSources(route, set)),
            ),
          ]
        : [],
      page,
      withFirstScript: pages.development === null,
    });
    return { html, isPrerendered: prerendered.html !== '', isWhole: prerendered.isWhole };
  };
  // Caches only pages of known paths without a query, because the number of other URLs is unlimited. Caches nothing in development, where problems
  // and sources change.
  const isLasting = problems.length === 0 && pages.development === null;
  const subject = isLasting && match && !missing && search === '' ? { audience, language, path, responses } : null;
  let page = subject && kept.get(set, subject);
  if (subject && !page) {
    const made = await renderPlaceholders(pageValuePlaceholders);
    if (made.isPrerendered) page = kept.set(set, subject, made);
  }
  page ??= await renderPlaceholders(values);
  const { body, encoding } = await compressText(
    fillPageValuePlaceholders(page.html, values),
    request.headers['accept-encoding'],
    'always',
  );
  const frames = await listFrameOrigins(path, request, { site, services });
  const reloadSocket = pages.development?.reloadSocket;
  if (encoding) reply.header('content-encoding', encoding);
  if (page.isWhole) reply.header('speculation-rules', `"${speculationRulesPath}"`); // only if the page is complete without scripts: otherwise, the portal's script handles the links
  return reply
    .code(match && !missing ? 200 : 404)
    .headers({
      'content-security-policy': buildPageCsp({
        nonce: values.nonce,
        hosts: listConnectSources(site, audience),
        frames,
        reloadSocket,
        ...(pages.development === null && { inlineScript: firstScriptHash }),
      }),
      'content-language': language,
      vary: 'accept-encoding, accept-language, cookie',
    })
    .type('text/html; charset=utf-8')
    .send(body);
}

/** Source files that the portal loads in a language. */
function listPortalFiles(language: string, screen: readonly string[]): readonly string[] {
  const suffix = language === baseLanguage ? '' : `.${language}`;
  return ['src/portal/start.tsx', `schemas/_shared/texts/portal${suffix}.json`, ...screen];
}

/** Returns the origins of the hidden frames through which a logout page notifies applications. Returns none for any other page. */
async function listFrameOrigins(
  path: string,
  request: FastifyRequest,
  { site, services }: Pick<PageRouteDependencies, 'site' | 'services'>,
): Promise<readonly string[]> {
  const { session, saml } = readPortalCookies(request, site.secureCookies);
  if (path === routes.logout) return services.broker.frameOrigins(session);
  if (path !== routes.samlLogout) return [];
  const urls = (await services.saml.logoutFrames(readQueryParameters(request)['process_state'] ?? '', saml)) ?? [];
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

function listModules(route: PageRoute, manifest: DefinitionsManifest): readonly string[] {
  const screen = route.screen === undefined ? undefined : manifest.screens[route.screen]?.url;
  return [manifest.flows[route.flow], screen].filter((url) => url !== undefined);
}

/** Source files of a route: the renderer and the plugins of its screen, or its block. */
function listSources({ screen, block }: PageRoute, set: ServedDefinitions): readonly string[] {
  if (block !== undefined) return [`src/portal/blocks/${block}.tsx`];
  if (screen === undefined) return [];
  const plugins = set.plugins(screen).flatMap((name) => [`plugins/${name}/rule.ts`, `plugins/${name}/widget.tsx`]);
  return ['src/portal/navigation/load-screen.ts', 'src/portal/shell/themed-screen.tsx', ...plugins];
}
