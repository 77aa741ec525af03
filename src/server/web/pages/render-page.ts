import type { EmbeddedPageData } from '../../../contract/page-data.ts';
import { noncePlaceholder, type PrerenderedPage, type PrerenderPage } from '../../../contract/prerendered-page.ts';
import { escapeHtml } from '../../../engine/core/values/escape-html.ts';
import { brandTheme } from '../../platform/base/theme.ts';
import { serializeScriptJson } from '../../platform/http/plain-page.ts';
import { getFirstScript } from './first-script/first-script.ts';
import { barColorPlaceholder, languagePlaceholder } from './page-source.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import type { PageRoute } from '../../../engine/core/definitions-manifest.ts';

/** Result of prerendering for a page that only the browser renders. */
export const emptyPrerenderedPage: PrerenderedPage = { html: '', styles: '', title: null, isWhole: false };

/** Creates a function that prerenders a page. It returns `emptyPrerenderedPage` if rendering fails. */
export function createPrerenderer(prerender: PrerenderPage | null) {
  return async (request: {
    readonly page: EmbeddedPageData;
    readonly path: string;
    readonly search: string;
    readonly route: PageRoute | undefined;
    readonly set: ServedDefinitions;
    readonly log: FastifyBaseLogger;
  }): Promise<PrerenderedPage> => {
    const { page, path, search, route, set, log } = request;
    const flow = route && set.flows[route.flow];
    if (!prerender || !flow) return emptyPrerenderedPage;
    try {
      return await prerender({ page, path, search, flow, screen: (id) => set.screen(id, page.language) });
    } catch (error) {
      log.error({ err: error, path }, 'the page could not be prerendered'); // the browser renders the page anyway
      return emptyPrerenderedPage;
    }
  };
}

export function renderPage(parts: {
  readonly template: string;
  readonly nonce: string;
  readonly title: string;
  /** For search engines. */
  readonly description: string;
  readonly page: EmbeddedPageData;
  /** Content that the page shows until the portal's script renders the page. `html` is empty if the page was not prerendered. */
  readonly prerendered: Pick<PrerenderedPage, 'html' | 'styles' | 'isWhole'>;
  /** Stylesheets for the form, in addition to those of the document. */
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
  /**
   * Modules to preload. A prerendered page preloads them after the first paint, or at the first interaction if the page is complete without scripts.
   * Any other page preloads them at once.
   */
  readonly preload: readonly string[];
  /** Whether the page includes the inline script of `getFirstScript`. `false` in development, whose Content-Security-Policy forbids the script. */
  readonly withFirstScript?: boolean;
}): string {
  const { nonce, page, prerendered, preload } = parts;
  const head = [
    `<meta name="description" content="${escapeHtml(parts.description)}">`,
    ...parts.fonts.map(
      (url) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(url)}" crossorigin>`,
    ),
    ...parts.styles.map((text) => `<style nonce="${nonce}">${text}</style>`),
    prerendered.styles.replaceAll(noncePlaceholder, nonce),
    ...(prerendered.html === '' ? preload : []).map((url) => `<link rel="modulepreload" href="${escapeHtml(url)}">`),
    `<script type="application/json" id="page">${serializeScriptJson(page)}</script>`,
  ].join('\n');
  const marks = `data-modules="${escapeHtml(preload.join(' '))}"${prerendered.isWhole ? ' data-whole' : ''}`;
  // Replacements are functions, because `$&` is special in a replacement string.
  return parts.template
    .replaceAll(noncePlaceholder, nonce)
    .replaceAll(languagePlaceholder, page.language)
    .replaceAll(barColorPlaceholder, brandTheme.light.bar)
    .replace(
      /<title>.*?<\/title>/s,
      () => `<title>${escapeHtml(parts.title)}</title>\n${parts.withFirstScript ? getFirstScript(page.language) : ''}`,
    )
    .replace('</head>', () => `${head}\n</head>`)
    .replace('<div id="root">', (root) =>
      prerendered.html === '' ? root : `<div id="prerendered" ${marks}>${prerendered.html}</div>\n${root}`,
    );
}
