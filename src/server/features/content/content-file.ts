import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { type Localized, sayWith } from '../../../engine/compiler/sources/say.ts';
import { offerNames } from './content-values.ts';
import { layouts } from './content.ts';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sentences from './sentences.json' with { type: 'json' };
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toAnchor } from '../../../contract/fold-text.ts';

export const say = sayWith(sentences);

export const contentFolder = 'src/server/features/content';

export interface ContentFile {
  /** Path relative to the project, with forward slashes. */
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

/** Extracts the outline of a Markdown text, with the parser that react-markdown uses. `firstLine` is the text's first line number in the file. */
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

/** Valid front matter of a file, and the position of each key. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly places: ReadonlyMap<string, Place>;
  readonly body: string;
  readonly bodyLine: number;
}

interface Key {
  readonly required: boolean;
  readonly expects: Localized;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const text: Key = { required: true, expects: say`a text`, fits: isText };

const keys: Readonly<Record<ContentFile['kind'], Readonly<Record<string, Key>>>> = {
  pregunta: {
    titulo: text,
    categoria: text,
    orden: {
      required: true,
      expects: say`a whole number from 1`,
      fits: (value) => Number.isInteger(value) && Number(value) >= 1,
    },
    si: {
      required: false,
      expects: say`one of ${offerNames.join(', ')}`,
      fits: (value) => offerNames.includes(String(value)),
    },
    relacionadas: {
      required: false,
      expects: say`a list of slugs`,
      fits: (value) => Array.isArray(value) && value.every(isText),
    },
  },
  pagina: {
    titulo: text,
    disposicion: {
      required: true,
      expects: say`one of ${layouts.join(', ')}`,
      fits: (value) => layouts.some((layout) => layout === value),
    },
    resumen: { ...text, required: false },
    actualizada: {
      required: false,
      expects: say`a day such as 2026-11-21`,
      fits: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
    },
  },
};

/** Parses and checks the front matter of a file. Returns `null` if it is invalid, after reporting why. */
export function readFrontMatter({ kind, text: content }: ContentFile, complain: Complain): FrontMatter | null {
  const found = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(content);
  if (!found) {
    complain(
      { line: 1, column: 1 },
      say`The file has no front matter.`,
      say`Begin it with a line "---", the keys ${Object.keys(keys[kind]).join(', ')}, and another line "---".`,
    );
    return null;
  }
  const lines = new LineCounter();
  const document = parseDocument(found[1] ?? '', { lineCounter: lines });
  const toLocation = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: line + 1, column: col };
  };
  const [error] = document.errors;
  if (error || !isMap(document.contents)) {
    complain(
      toLocation(error?.pos[0] ?? 0),
      say`The front matter is no YAML of keys and values${error ? ` (${error.code})` : ''}.`,
      say`Write one "key: value" a line, texts with a colon in quotes.`,
    );
    return null;
  }
  const values = document.toJS() as Readonly<Record<string, unknown>>; // the cast is safe: `contents` is a map
  const places = new Map(
    document.contents.items.map(({ key }) =>
      isScalar(key) ? [String(key.value), toLocation(key.range?.[0] ?? 0)] : ['', toLocation(0)],
    ),
  );
  if (!checkKeys(kind, values, places, complain)) return null;
  return { values, places, body: content.slice(found[0].length), bodyLine: found[0].split('\n').length };
}

function checkKeys(
  kind: ContentFile['kind'],
  values: Readonly<Record<string, unknown>>,
  places: ReadonlyMap<string, Place>,
  complain: Complain,
): boolean {
  let fine = true;
  const report = (...problem: Parameters<Complain>): void => {
    fine = false;
    complain(...problem);
  };
  const known = keys[kind];
  for (const [name, place] of places) {
    const key = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!key) report(place, say`Unknown key "${name}".`, say`Known: ${Object.keys(known).join(', ')}.`);
    else if (!key.fits(values[name])) report(place, say`"${name}" is not ${key.expects}.`, say`Write ${key.expects}.`);
  }
  for (const [name, { required, expects }] of Object.entries(known)) {
    if (required && !places.has(name))
      report(
        { line: 1, column: 1 },
        say`The key "${name}" is missing.`,
        say`Add "${name}: …" to the front matter: ${expects}.`,
      );
  }
  return fine;
}
