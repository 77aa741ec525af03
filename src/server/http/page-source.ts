import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/** Stands in index.html wherever the nonce of the response belongs; Vite writes it, each response replaces it. */
export const nonceMark = '__NONCE__';

/** Stands in index.html for the language of the page. */
export const languageMark = '__LANGUAGE__';

/** Where pages and their assets come from: the build, or the development server. */
export interface PageSource {
  /** index.html for an address, marks unreplaced. */
  template(path: string): Promise<string>;
  /** Folder of the built files; null when the development server answers them. */
  readonly folder: string | null;
  readonly development: DevelopmentPages | null;
}

/** What the development server adds. */
export interface DevelopmentPages {
  /** Answers a source file, or calls `next`. */
  readonly middleware: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  /** Origin of the websocket that reloads the page. */
  readonly reloadSocket: string;
}

/** Pages of the build in `folder`; throws a StartError when there is none. */
export async function builtPages(folder: string): Promise<PageSource> {
  const template = await readFile(join(folder, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new StartError('The portal is not built: run `npm run build`, or `npm start`, which builds it.', { cause });
  });
  return { template: async () => template, folder, development: null };
}
