import { fromMarkdown } from 'mdast-util-from-markdown';
import { toAnchor } from '../../../contract/fold-text.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Outline {
  readonly headings: readonly (Place & { readonly depth: number; readonly anchor: string; readonly plain: boolean })[];
  readonly links: readonly (Place & { readonly url: string })[];
  readonly images: readonly (Place & { readonly url: string; readonly alt: string })[];
  readonly html: readonly (Place & { readonly value: string })[];
}

interface MarkdownNode {
  readonly type: string;
  readonly depth?: number;
  readonly url?: string;
  readonly alt?: string | null;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: { readonly start: Place };
}

/** Extracts the outline of a Markdown text, with the parser that react-markdown uses. `firstLine` is its first line in the file. */
export function parseOutline(markdown: string, firstLine: number): Outline {
  const nodes = flatten(fromMarkdown(markdown)).map((node) => ({
    ...node,
    line: (node.position?.start.line ?? 1) + firstLine - 1,
    column: node.position?.start.column ?? 1,
  }));
  const selectNodes = (...types: readonly string[]) => nodes.filter(({ type }) => types.includes(type));
  return {
    headings: selectNodes('heading').map((node) => ({
      line: node.line,
      column: node.column,
      depth: node.depth ?? 1,
      anchor: toAnchor(collectText(node)),
      plain: (node.children ?? []).every(({ type }) => type === 'text'),
    })),
    links: selectNodes('link', 'definition').map(({ line, column, url = '' }) => ({ line, column, url })),
    images: selectNodes('image').map(({ line, column, url = '', alt }) => ({ line, column, url, alt: alt ?? '' })),
    html: selectNodes('html').map(({ line, column, value = '' }) => ({ line, column, value })),
  };
}

function flatten(node: MarkdownNode): readonly MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}

function collectText(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(collectText).join('');
}
