import type { Page } from '../../../contract/page.ts';
import { nonceMark, type Prerendered } from '../../../contract/prerender.ts';
import { escapeHtml } from '../../platform/base/escape-html.ts';
import { theme } from '../../platform/base/theme.ts';
import { scriptJson } from '../../platform/http/html.ts';
import { firstScript } from './first-script/first-script.ts';
import { barMark, languageMark } from './page-source.ts';

export interface PageParts {
  readonly template: string;
  readonly nonce: string;
  readonly title: string;
  /** One sentence about the portal, for search engines. */
  readonly description: string;
  readonly page: Page;
  /** The content until the portal's script has rendered the page. Its `html` is empty if there is none. */
  readonly prerendered: Pick<Prerendered, 'html' | 'styles' | 'isWhole'>;
  /** Contents of stylesheets for the form, in addition to those of the document. */
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
  /** Modules to load: after the first paint if the page is prerendered, at the first interaction if it is whole, and at once otherwise. */
  readonly preload: readonly string[];
  /** Whether to insert the first script. The policy of the development server does not allow it. */
  readonly withFirstScript?: boolean;
}

/** Fills in a document: nonce, language, title, preloads, prerendered content and page data. */
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
  // Replacements are functions, because `$&` has a meaning in a replacement string.
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
