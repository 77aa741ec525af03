import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import {
  type LocalizedText,
  createLocalizeTag,
  findNearestName,
  listNearNames,
  suggestSimilarName,
} from '../../../engine/compiler/sources/localized-text.ts';
import type { FileTextOverrides } from '../../../engine/compiler/definitions.ts';
import { listPlaceholders } from '../../../engine/core/messages.ts';
import { contentConditionPattern, contentFeatureNames, contentPlaceholderNames } from './content-placeholder-values.ts';
import { staticPageLayouts } from './localized-content.ts';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sentences from './sentences.json' with { type: 'json' };
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toHeadingAnchor } from '../../../contract/fold-text.ts';

export const localize = createLocalizeTag(sentences);

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

export type ReportContentProblem = (place: TextPosition, message: LocalizedText, hint: LocalizedText) => void;

const folders = { pregunta: 'preguntas', pagina: 'paginas' } as const;

export function buildContentPath({ language, kind, name }: Pick<ContentFile, 'language' | 'kind' | 'name'>): string {
  return `${contentFolder}/${language}/${folders[kind]}/${name}.md`;
}

/** Reads the files of the help and the static pages. `changed` has the texts to use instead of those on disk. */
export async function readContentFiles(
  root: string,
  languages: readonly string[],
  changed: FileTextOverrides = new Map(),
): Promise<readonly ContentFile[]> {
  const kinds = languages.flatMap((language) => (['pregunta', 'pagina'] as const).map((kind) => ({ language, kind })));
  const read = await Promise.all(
    kinds.map(async ({ language, kind }) => {
      const folder = join(root, contentFolder, language, folders[kind]);
      const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.md')).sort() : [];
      return Promise.all(
        names.map(async (file): Promise<ContentFile> => {
          const name = file.slice(0, -'.md'.length);
          const path = buildContentPath({ language, kind, name });
          const text = changed.get(path) ?? (await readFile(join(folder, file), 'utf8'));
          return { path, language, kind, name, text };
        }),
      );
    }),
  );
  return read.flat();
}

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export const fileStart: TextPosition = { line: 1, column: 1 };

export interface MarkdownOutline {
  readonly headings: readonly (TextPosition & {
    readonly depth: number;
    readonly anchor: string;
    readonly plain: boolean;
  })[];
  readonly links: readonly (TextPosition & { readonly url: string })[];
  readonly images: readonly (TextPosition & { readonly url: string; readonly alt: string })[];
  readonly html: readonly (TextPosition & { readonly value: string })[];
  /** Numbered lists, each with the lines and the numbers of its steps. */
  readonly numberedLists: readonly (readonly { readonly line: number; readonly number: number }[])[];
}

interface MarkdownNode {
  readonly type: string;
  readonly depth?: number;
  readonly ordered?: boolean | null;
  readonly url?: string;
  readonly alt?: string | null;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: { readonly start: TextPosition };
}

/**
 * Finds the headings, links, images, HTML and numbered lists of a Markdown text. Uses the parser of react-markdown. `firstLine` is the line number in the file at
 * which the text begins.
 */
export function parseMarkdownOutline(markdown: string, firstLine: number): MarkdownOutline {
  const nodes = listDescendants(fromMarkdown(markdown)).map((node) => ({
    ...node,
    line: (node.position?.start.line ?? 1) + firstLine - 1,
    column: node.position?.start.column ?? 1,
  }));
  const lines = markdown.split('\n');
  const selectNodes = (...types: readonly string[]) => nodes.filter(({ type }) => types.includes(type));
  return {
    headings: selectNodes('heading').map((node) => ({
      line: node.line,
      column: node.column,
      depth: node.depth ?? 1,
      anchor: toHeadingAnchor(collectText(node)),
      plain: (node.children ?? []).every(({ type }) => type === 'text'),
    })),
    links: selectNodes('link', 'definition').map(({ line, column, url = '' }) => ({ line, column, url })),
    images: selectNodes('image').map(({ line, column, url = '', alt }) => ({ line, column, url, alt: alt ?? '' })),
    numberedLists: selectNodes('list')
      .filter(({ ordered }) => ordered === true)
      .map(({ children = [] }) =>
        children.map(({ position }) => {
          const line = position?.start.line ?? 1;
          return { line: line + firstLine - 1, number: Number(/\d+/.exec(lines[line - 1] ?? '')?.[0]) };
        }),
      ),
    html: selectNodes('html').map(({ line, column, value = '' }) => ({ line, column, value })),
  };
}

function listDescendants(node: MarkdownNode): readonly MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(listDescendants)];
}

function collectText(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(collectText).join('');
}

export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positions: ReadonlyMap<string, TextPosition>;
  readonly body: string;
  readonly bodyLine: number;
}

interface FrontMatterKey {
  readonly required: boolean;
  readonly expectedFormat: LocalizedText;
  readonly isValid: (value: unknown) => boolean;
  /** All valid values. Absent if there are too many to list. */
  readonly choices?: readonly string[];
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const textKey: FrontMatterKey = { required: true, expectedFormat: localize`a text`, isValid: isText };

function choiceKey(choices: readonly string[], required: boolean): FrontMatterKey {
  const isValid = (value: unknown) => choices.includes(String(value));
  return { required, expectedFormat: localize`one of ${choices.join(', ')}`, isValid, choices };
}

const keysByKind: Readonly<Record<ContentFile['kind'], Readonly<Record<string, FrontMatterKey>>>> = {
  pregunta: {
    titulo: textKey,
    categoria: textKey,
    orden: {
      required: true,
      expectedFormat: localize`a whole number from 1`,
      isValid: (value) => Number.isInteger(value) && Number(value) >= 1,
    },
    si: choiceKey(contentFeatureNames, false),
    relacionadas: {
      required: false,
      expectedFormat: localize`a list of slugs`,
      isValid: (value) => Array.isArray(value) && value.every(isText),
    },
  },
  pagina: {
    titulo: textKey,
    disposicion: choiceKey(staticPageLayouts, true),
    resumen: { ...textKey, required: false },
    actualizada: {
      required: false,
      expectedFormat: localize`a day such as 2026-11-21`,
      isValid: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
    },
  },
};

/** Parses and checks the front matter of a file. If it is invalid, reports why and returns `null`. */
export function readFrontMatter(
  { kind, text: content }: ContentFile,
  reportProblem: ReportContentProblem,
): FrontMatter | null {
  const found = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(content);
  if (!found && /^---\r?\n/.test(content)) {
    const keys = /^(?:---|[a-z]+:.*|[ \t]+.*|-[ \t].*)$/;
    const end = content.split(/\r?\n/).findIndex((line) => !keys.test(line));
    reportProblem(
      { line: end + 1, column: 1 },
      localize`The front matter has no end.`,
      localize`Write a line "---" after its last key.`,
    );
    return null;
  }
  if (!found) {
    reportProblem(
      fileStart,
      localize`The file has no front matter.`,
      localize`Begin it with a line "---", the keys ${Object.keys(keysByKind[kind]).join(', ')}, and another line "---".`,
    );
    return null;
  }
  const lines = new LineCounter();
  const document = parseDocument(found[1] ?? '', { lineCounter: lines });
  const toLocation = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: line + 1, column: col };
  };
  const [error] = document.errors;
  if (error || !isMap(document.contents)) {
    reportProblem(
      toLocation(error?.pos[0] ?? 0),
      localize`The front matter is not valid YAML with keys and values${error ? ` (${error.code})` : ''}.`,
      localize`Write one "key: value" per line. Put texts with a colon in quotes.`,
    );
    return null;
  }
  const values = document.toJS() as Readonly<Record<string, unknown>>; // the cast is safe: `contents` is a map
  const places = new Map(
    document.contents.items.map(({ key }) =>
      isScalar(key) ? [String(key.value), toLocation(key.range?.[0] ?? 0)] : ['', toLocation(0)],
    ),
  );
  if (!checkKeys(kind, values, places, reportProblem)) return null;
  return { values, positions: places, body: content.slice(found[0].length), bodyLine: found[0].split('\n').length };
}

function checkKeys(
  kind: ContentFile['kind'],
  values: Readonly<Record<string, unknown>>,
  places: ReadonlyMap<string, TextPosition>,
  reportProblem: ReportContentProblem,
): boolean {
  let fine = true;
  const report = (...problem: Parameters<ReportContentProblem>): void => {
    fine = false;
    reportProblem(...problem);
  };
  const known = keysByKind[kind];
  const unknown = [...places.keys()].filter((name) => !Object.hasOwn(known, name));
  const misspelled = unknown.map((name) => findNearestName(name, Object.keys(known)));
  for (const [name, place] of places) {
    const key = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!key)
      report(
        place,
        localize`Unknown key "${name}".`,
        localize`${suggestSimilarName(name, Object.keys(known))}Known: ${listNearNames(name, Object.keys(known))}.`,
      );
    else if (key.choices && !key.isValid(values[name]))
      report(
        place,
        localize`"${name}" cannot be "${String(values[name])}".`,
        localize`${suggestSimilarName(String(values[name]), key.choices)}Write ${key.expectedFormat}.`,
      );
    else if (!key.isValid(values[name]))
      report(place, localize`"${name}" is not ${key.expectedFormat}.`, localize`Write ${key.expectedFormat}.`);
  }
  for (const [name, { required, expectedFormat: expects }] of Object.entries(known)) {
    if (required && !places.has(name) && !misspelled.includes(name))
      report(
        fileStart,
        localize`The key "${name}" is missing.`,
        localize`Add "${name}: …" to the front matter: ${expects}.`,
      );
  }
  return fine;
}

/** Checks a file, including its front matter, for unknown placeholders and conditions, and for spaces between the text and the URL of a link. */
export function checkContentPlaceholders(text: string, reportProblem: ReportContentProblem): void {
  for (const [index, line] of text.split('\n').entries()) {
    for (const name of listPlaceholders(line).filter((found) => !contentPlaceholderNames.includes(found))) {
      const place: TextPosition = { line: index + 1, column: line.indexOf(`{${name}}`) + 1 };
      reportProblem(
        place,
        localize`There is no placeholder {${name}}.`,
        localize`${suggestSimilarName(name, contentPlaceholderNames)}Known: ${listNearNames(name, contentPlaceholderNames)}.`,
      );
    }
    const braces = line.match(/\{+[^{}]*\}+/g)?.find((part) => !/^\{(\w+|si .*)\}$/.test(part));
    if (braces !== undefined)
      reportProblem(
        { line: index + 1, column: line.indexOf(braces) + 1 },
        localize`"${braces}" is not a placeholder: it is displayed as text.`,
        localize`Write {${braces.replaceAll(/[{}\s]/g, '')}}, with one brace on each side and no spaces.`,
      );
    const broken = /\] +\((?=[/#]|https?:|mailto:)/.exec(line);
    if (broken)
      reportProblem(
        { line: index + 1, column: broken.index + 1 },
        localize`There is a space between the text of a link and its address: both are displayed as text.`,
        localize`Write [text](/address) without a space.`,
      );
    const at = line.indexOf('{si ');
    const name = contentConditionPattern.exec(line)?.[2];
    if (at >= 0 && (name === undefined || !contentFeatureNames.includes(name))) {
      reportProblem(
        { line: index + 1, column: at + 1 },
        localize`This is not a valid condition.`,
        localize`${suggestSimilarName(name ?? '', contentFeatureNames)}End the line with {si x} or {si no x}; known: ${listNearNames(name ?? '', contentFeatureNames)}.`,
      );
    }
  }
}
