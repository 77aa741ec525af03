import type { Page } from '../../../contract/page.ts';
import { nonceMark, type Prerendered } from '../../../contract/prerender.ts';
import { escapeHtml } from '../../platform/base/escape-html.ts';
import { theme } from '../../platform/base/theme.ts';
import { scriptJson } from '../../platform/http/html.ts';
import { firstScript } from './first-script/first-script.ts';
import { barMark, languageMark } from './page-source.ts';

/** What one page is made of. */
export interface PageParts {
  /** A document with its marks. */
  readonly template: string;
  readonly nonce: string;
  readonly title: string;
  /** One sentence on the portal, for search engines. */
  readonly description: string;
  readonly page: Page;
  /** What stands on the page until its script has drawn it, or for as long as nobody needs that; empty for nothing. */
  readonly prerendered: Pick<Prerendered, 'html' | 'styles' | 'isWhole'>;
  /** Stylesheets that a form is drawn with, beside those of the document. */
  readonly styles: readonly string[];
  /** Fonts that the page uses. */
  readonly fonts: readonly string[];
  /** Modules that the page loads: at once; once it is on view where it is prerendered; at the first intent where it is whole. */
  readonly preload: readonly string[];
  /** Whether the policy of the page names the first script: the development server's pages go without. */
  readonly withFirstScript?: boolean;
}

/** Fills a document: nonce, language, title, preloads and the page's data. */
export function renderPage({
  template,
  nonce,
  title,
  description,
  page,
  prerendered,
  styles,
  fonts,
  preload,
  withFirstScript = false,
}: PageParts): string {
  const head = [
    `<meta name="description" content="${escapeHtml(description)}">`,
    ...fonts.map((url) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(url)}" crossorigin>`),
    ...styles.map((text) => `<style nonce="${nonce}">${text}</style>`),
    prerendered.styles.replaceAll(nonceMark, nonce),
    ...(prerendered.html === '' ? preload : []).map((url) => `<link rel="modulepreload" href="${escapeHtml(url)}">`),
    `<script type="application/json" id="page">${scriptJson(page)}</script>`,
  ].join('\n');
  const marks = `data-modules="${escapeHtml(preload.join(' '))}"${prerendered.isWhole ? ' data-whole' : ''}`;
  // Replacements are functions, since a `$&` in a text must stay as it is.
  return template
    .replaceAll(nonceMark, nonce)
    .replaceAll(languageMark, page.language)
    .replaceAll(barMark, theme.light.bar)
    .replace(
      /<title>.*?<\/title>/s,
      () => `<title>${escapeHtml(title)}</title>\n${withFirstScript ? firstScript(page.language) : ''}`,
    )
    .replace('</head>', () => `${head}\n</head>`)
    .replace('<div id="root">', (root) =>
      prerendered.html === '' ? root : `<div id="prerendered" ${marks}>${prerendered.html}</div>\n${root}`,
    );
}
