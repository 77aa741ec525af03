import { decodeUrlPath } from '../../contract/build-href.ts';
import { useEffect, type ReactNode } from 'react';
import MarkdownText, { type Components, type ExtraProps } from 'react-markdown';
import { useLocation } from 'react-router-dom';
import { toHeadingAnchor } from '../../contract/fold-text.ts';
import { preventLineBreaksInProse } from '../../engine/core/messages.ts';
import { isHttpUrl } from '../../engine/core/values/http-url.ts';
import { usePortal } from '../portal-context.ts';
import { AssuranceLevelShield, type AssuranceLevelName } from './level-ladder.tsx';
import { PortalLink } from './portal-link.tsx';
import { scrollToAnchor } from './scroll-to-anchor.ts';

/** Skips raw HTML. Opens internal links without a page load, and marks external ones. */
export function MarkdownContent({ children }: { children: string }) {
  const { hash } = useLocation();
  useEffect(() => scrollToAnchor(hash), [hash, children]);
  return (
    <div className="prose">
      <MarkdownText skipHtml components={components} urlTransform={keepUrl}>
        {preventLineBreaksInProse(children)}
      </MarkdownText>
    </div>
  );
}

/** Returns the second-level headings with their anchors, for a table of contents. The server ensures that headings are plain text. */
export function listSectionHeadings(markdown: string): readonly { readonly text: string; readonly anchor: string }[] {
  return [...markdown.matchAll(/^## +(.+?)\s*$/gm)].map(([, text = '']) => ({ text, anchor: toHeadingAnchor(text) }));
}

const components: Components = {
  h2: ({ children, node }) => (
    <h2 id={toHeadingAnchor(collectText(node))} tabIndex={-1}>
      {children}
    </h2>
  ),
  h3: ({ children, node }) => (
    <h3 id={toHeadingAnchor(collectText(node))} tabIndex={-1}>
      {children}
    </h3>
  ),
  li: ({ children, node }) => <li className={isLink(node) ? 'link-line' : undefined}>{children}</li>,
  a: ({ href = '', children }) => <TextLink to={href}>{children}</TextLink>,
  img: ({ src, alt = '' }) => <MarkdownImage alias={String(src)} alt={alt} />,
};

/** Whether a list item contains only a link. CSS stacks these links. */
function isLink(node: ExtraProps['node']): boolean {
  const [first, ...others] = node?.children ?? [];
  return others.length === 0 && first?.type === 'element' && first.tagName === 'a';
}

const levels: Readonly<Record<string, AssuranceLevelName>> = {
  basico: 'basic',
  basico_intermedio: 'intermediate',
  avanzado: 'advanced',
};

function MarkdownImage({ alias, alt }: { alias: string; alt: string }) {
  const level = Object.hasOwn(levels, alias) ? levels[alias] : undefined;
  return level ? <AssuranceLevelShield level={level} label={alt} /> : null;
}

function TextLink({ to, children }: { to: string; children: ReactNode }) {
  const { t } = usePortal();
  if (to.startsWith('#')) return <a href={to}>{children}</a>;
  if (to.startsWith('/')) return <PortalLink to={decodeUrlPath(to)}>{children}</PortalLink>;
  if (!to.startsWith('https://')) return <a href={to}>{children}</a>;
  return (
    <a className="outside" href={to} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> {t('newTab')}</span>
    </a>
  );
}

function keepUrl(url: string): string {
  return /^(#|\/(?!\/)|mailto:|tel:|[a-z_]+$)/.test(url) || (url.startsWith('https:') && isHttpUrl(url)) ? url : '';
}

function collectText(node: ExtraProps['node'] | { type: string; value?: string }): string {
  if (!node) return '';
  if ('value' in node && typeof node.value === 'string') return node.value;
  return 'children' in node ? node.children.map(collectText).join('') : '';
}
