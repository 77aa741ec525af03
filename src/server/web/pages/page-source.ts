import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { nonceMark, type Prerender } from '../../../contract/prerender.ts';
import type { DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Services } from '../operations/services.ts';
import { StartError } from '../../platform/base/start-error.ts';
import type { Site } from '../../platform/http/site.ts';

/** The module that prerenders pages, in the folder of the build, of which only assets/ is public. */
export const prerenderModule = 'prerender/prerender.js';

/** Stands in a document for the language of the page. */
export const languageMark = '__LANGUAGE__';

/** Stands in a document for the colour of the browser's bar. */
export const barMark = '__BAR__';

/** The two entries of the build: the citizens' and the agents'. */
export type Entry = 'portal' | 'desk';

/** The document of each entry, below the project's folder and that of the build. */
export const documents: Readonly<Record<Entry, string>> = {
  portal: 'src/portal/index.html',
  desk: 'src/desk/index.html',
};

/** Where pages and their assets come from: the build, or the development server. */
export interface PageSource {
  /** The document of an address, or the desk's, marks unreplaced. */
  template(path: string, entry?: Entry): Promise<string>;
  /** Folder of the built files; null when the development server answers them. */
  readonly folder: string | null;
  /** Addresses of some source files in the build and of all that they import; none during development. */
  modules(files: readonly string[]): readonly string[];
  /** Texts of the stylesheets that some source files bring along in the build; none during development. */
  styles(files: readonly string[]): readonly string[];
  /** Addresses of the fonts that every page uses. */
  readonly fonts: readonly string[];
  /** Prerenders a page before its script runs; null during development, whose styles come by script. */
  readonly prerender: Prerender | null;
  readonly development: DevelopmentPages | null;
}

/** What the development server adds. */
export interface DevelopmentPages {
  /** Whether a request is answered at all. */
  readonly admits: (request: IncomingMessage) => boolean;
  /** Answers a source file, or calls `next`. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  /** Origin of the websocket that reloads the page. */
  readonly reloadSocket: string;
  /** Registers the pages that only those who make the portal open. */
  readonly routes: (http: FastifyInstance, parts: DevelopmentParts) => void;
}

/** What the development server's own pages are made of. */
export interface DevelopmentParts {
  readonly site: Site;
  readonly services: Services;
  readonly definitions: DefinitionsSource;
}

/** Pages of the build in `folder`; throws a StartError when there is none. */
export async function builtPages(folder: string): Promise<PageSource> {
  const notBuilt = (cause: unknown): never => {
    throw new StartError('The portal is not built: run `npm run build`, or `npm start`, which builds it.', { cause });
  };
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8').catch(notBuilt);
  const document = async (entry: Entry): Promise<string> => withStyles(await read(documents[entry]), read);
  const templates = { portal: await document('portal'), desk: await document('desk') };
  const chunks: unknown = JSON.parse(await read('.vite/manifest.json'));
  const sheets = new Map<string, string>();
  for (const file of stylesheetsOf(chunks)) sheets.set(file, await read(file));
  const { prerender } = (await import(pathToFileURL(join(folder, prerenderModule)).href).catch(notBuilt)) as {
    prerender: Prerender;
  }; // src/portal/prerender/prerender.tsx, built
  return {
    template: async (_path, entry = 'portal') => templates[entry],
    folder,
    modules: (files) => closure(files, chunks).map(({ file }) => `/${file}`),
    styles: (files) =>
      [...new Set(closure(files, chunks).flatMap(({ css }) => css))].map((file) => sheets.get(file) ?? ''),
    fonts: fontsOf(chunks),
    prerender,
    development: null,
  };
}

/**
 * A document with its stylesheets in it. They are 5 KB of a document that is asked for once a visit, and the first text would otherwise
 * wait for one more request: on a slow phone, a third of a second.
 */
async function withStyles(html: string, read: (file: string) => Promise<string>): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>/g)];
  const styles = await Promise.all(links.map(([, file = '']) => read(file)));
  return links.reduce(
    (document, [link], index) =>
      document.replace(link, () => `<style nonce="${nonceMark}">${styles[index] ?? ''}</style>`),
    html,
  );
}

/** The fonts of the theme in the one format that every browser of today reads. */
function fontsOf(chunks: unknown): readonly string[] {
  const files = Object.values(isObject(chunks) ? chunks : {}).flatMap((chunk) =>
    isObject(chunk) ? [String(chunk['file'])] : [],
  );
  return files.filter((file) => file.endsWith('.woff2')).map((file) => `/${file}`);
}

/** The stylesheets that modules bring along. */
function stylesheetsOf(chunks: unknown): readonly string[] {
  return Object.keys(isObject(chunks) ? chunks : {}).flatMap((name) => chunkOf(name, chunks)?.css ?? []);
}

/** A script of the build, as the manifest that Vite writes names it. */
interface Chunk {
  readonly file: string;
  readonly css: readonly string[];
  readonly imports: readonly string[];
  readonly isEntry: boolean;
}

function chunkOf(name: string, chunks: unknown): Chunk | null {
  const chunk = isObject(chunks) ? chunks[name] : undefined;
  if (!isObject(chunk)) return null;
  const listed = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);
  const { file, css, imports, isEntry } = chunk;
  return { file: String(file), css: listed(css), imports: listed(imports), isEntry: isEntry === true };
}

/** The scripts of the entries and of everything that they import. */
function closure(entries: readonly string[], chunks: unknown): readonly Chunk[] {
  const found = new Map<string, Chunk>();
  const add = (name: string): void => {
    const chunk = chunkOf(name, chunks);
    if (!chunk || chunk.isEntry || found.has(chunk.file)) return;
    found.set(chunk.file, chunk);
    chunk.imports.forEach(add);
  };
  entries.forEach(add);
  return [...found.values()];
}
