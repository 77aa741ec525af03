import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Localized, sayWith } from '../../../engine/compiler/sources/say.ts';
import sentences from './sentences.json' with { type: 'json' };
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toAnchor } from '../../../contract/fold-text.ts';

export const say = sayWith(sentences);

export const contentFolder = 'src/server/features/content';

export interface ContentFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly language: string;
  readonly kind: 'pregunta' | 'pagina';
  /** Base name of the file: the slug of a question, or the id of a page. */
  readonly name: string;
  readonly text: string;
}

/** Reports a problem at a position of a file, with a hint on how to fix it. */
export type Complain = (place: Place, message: Localized, hint: Localized) => void;

const folders = { pregunta: 'preguntas', pagina: 'paginas' } as const;

export function contentPath({ language, kind, name }: Pick<ContentFile, 'language' | 'kind' | 'name'>): string {
  return `${contentFolder}/${language}/${folders[kind]}/${name}.md`;
}

export async function readContentFiles(root: string, languages: readonly string[]): Promise<readonly ContentFile[]> {
  const wanted = languages.flatMap((language) => (['pregunta', 'pagina'] as const).map((kind) => ({ language, kind })));
  const read = await Promise.all(
    wanted.map(async ({ language, kind }) => {
      const folder = join(root, contentFolder, language, folders[kind]);
      const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.md')).sort() : [];
      return Promise.all(
        names.map(async (file): Promise<ContentFile> => {
          const name = file.slice(0, -'.md'.length);
          return {
            path: contentPath({ language, kind, name }),
            language,
            kind,
            name,
            text: await readFile(join(folder, file), 'utf8'),
          };
        }),
      );
    }),
  );
  return read.flat();
}

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
