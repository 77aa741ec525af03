import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Manifest } from 'vite';
import { noncePlaceholder, type PrerenderPage } from '../../../contract/prerendered-page.ts';
import type { LiveDefinitions } from '../../../engine/compiler/definitions.ts';
import type { ServerServices } from '../operations/server-services.ts';
import { StartError } from '../../platform/base/errors.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';

/** Path of the prerenderer in the build folder. The file is not public, because the server serves only `assets/` from that folder. */
export const prerenderModulePath = 'prerender/prerender.js';

export const languagePlaceholder = '__LANGUAGE__';

export const barColorPlaceholder = '__BAR__';

export type PageEntryPoint = 'portal' | 'desk';

/** Paths of the HTML documents, relative to the project folder during development and to the build folder otherwise. */
export const pageDocumentPaths: Readonly<Record<PageEntryPoint, string>> = {
  portal: 'src/portal/index.html',
  desk: 'src/desk/index.html',
};

export interface PageSource {
  /** Returns an HTML document with its placeholders. */
  readTemplate(path: string, entry?: PageEntryPoint): Promise<string>;
  /** Folder of the build. `null` if the development server serves the pages. */
  readonly folder: string | null;
  /** URLs of source files and all their imports in the build. Empty during development. */
  listModuleUrls(files: readonly string[]): readonly string[];
  /** Contents of the stylesheets that source files import in the build. Empty during development. */
  listStylesheets(files: readonly string[]): readonly string[];
  readonly fonts: readonly string[];
  /** `null` in development: scripts add the styles there, so a prerendered page would first appear without them. */
  readonly prerender: PrerenderPage | null;
  readonly development: DevelopmentServer | null;
}

export interface DevelopmentServer {
  /** Whether the development server accepts the request, according to its Host header. */
  readonly admitsRequest: (request: IncomingMessage) => boolean;
  /** Serves a source file, or calls `next` if there is none. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  /** Origin of the WebSocket that reloads the page. */
  readonly reloadSocket: string;
  readonly routes: (http: FastifyInstance, parts: DevelopmentServerDependencies) => void;
}

export interface DevelopmentServerDependencies {
  readonly site: SiteSettings;
  readonly services: ServerServices;
  readonly definitions: LiveDefinitions;
}

/** Reads the pages of a build. Throws a `StartError` if there is no build in `folder`. */
export async function readBuiltPages(folder: string): Promise<PageSource> {
  const throwNotBuilt = (cause: unknown): never => {
    throw new StartError('The portal is not built: run `npm run build`, or `npm start`, which builds it.', { cause });
  };
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8').catch(throwNotBuilt);
  const document = async (entry: PageEntryPoint): Promise<string> =>
    inlineStyles(await read(pageDocumentPaths[entry]), read);
  const templates = { portal: await document('portal'), desk: await document('desk') };
  const chunks = JSON.parse(await read('.vite/manifest.json')) as Manifest; // the cast is safe: Vite wrote the file
  const sheets = new Map<string, string>();
  for (const file of Object.values(chunks).flatMap(({ css }) => css ?? [])) sheets.set(file, await read(file));
  const { prerender } = (await import(pathToFileURL(join(folder, prerenderModulePath)).href).catch(throwNotBuilt)) as {
    prerender: PrerenderPage;
  }; // the cast is safe: the module is built from src/portal/prerender/prerender.tsx
  return {
    readTemplate: async (_path, entry = 'portal') => templates[entry],
    folder,
    listModuleUrls: (files) => listReachableChunks(files, chunks).map(({ file }) => `/${file}`),
    listStylesheets: (files) =>
      [...new Set(listReachableChunks(files, chunks).flatMap(({ css }) => css ?? []))].map(
        (file) => sheets.get(file) ?? '',
      ),
    // Only WOFF2 fonts, because all supported browsers read this format
    fonts: Object.values(chunks).flatMap(({ file }) => (file.endsWith('.woff2') ? [`/${file}`] : [])),
    prerender,
    development: null,
  };
}

/**
 * Inlines the stylesheets of a document. They have 5 KB, and a separate request for them would delay the first text by a third of a second on a slow
 * phone. The disabled links prevent Vite's loader from loading the stylesheets again for a lazy module: a second set of `@font-face` rules would
 * replace the fallback font of a page.
 */
async function inlineStyles(html: string, read: (file: string) => Promise<string>): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>/g)];
  const styles = await Promise.all(links.map(([, file = '']) => read(file)));
  return links.reduce(
    (document, [link], index) =>
      document.replace(
        link,
        () => `<style nonce="${noncePlaceholder}">${styles[index] ?? ''}</style>${link.slice(0, -1)} disabled>`,
      ),
    html,
  );
}

function listReachableChunks(entries: readonly string[], chunks: Manifest): readonly Manifest[string][] {
  const found = new Map<string, Manifest[string]>();
  const add = (name: string): void => {
    const chunk = chunks[name];
    if (!chunk || chunk.isEntry || found.has(chunk.file)) return;
    found.set(chunk.file, chunk);
    chunk.imports?.forEach(add);
  };
  entries.forEach(add);
  return [...found.values()];
}
