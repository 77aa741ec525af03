import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, isFileLoadingAllowed, normalizePath, type InlineConfig, type ViteDevServer } from 'vite';
import type { DevelopmentPages } from '../../server/web/pages/page-source.ts';
import { denyFolders } from './dev-private.ts';
import type { RequestGuard } from './request-guard.ts';

/** Folders whose files pages may load, below the project's. Of the packages only fonts and Vite's client are loaded from where they are; all others are bundled into the cache. */
const servedFolders = [
  'src',
  'plugins',
  'schemas/_shared/texts',
  '.cache/vite',
  'node_modules/@fontsource',
  'node_modules/vite/dist/client',
];

/** Modules that Vite makes itself. */
const ownModules = /^\/@(vite\/client|react-refresh)$/;

/** Bundled packages, which Vite may still be writing when a page asks for them. */
const bundles = /^\/\.cache\/vite\/deps\/[\w@-][\w.@-]*\.(?:js|css)$/;

interface SourceServerOptions {
  readonly root: string;
  /** Folders that are never read from, e.g. that of the keys. */
  readonly privateFolders: readonly string[];
  readonly guard: Pick<RequestGuard, 'isOwn'>;
  readonly config: Omit<InlineConfig, 'root' | 'appType' | 'publicDir'>;
}

/** Starts Vite in this process. Its middleware answers the portal's own pages, and nothing but files of the served folders. */
export async function openSourceServer({ root, privateFolders, guard, config }: SourceServerOptions): Promise<{
  readonly vite: ViteDevServer;
  readonly middleware: DevelopmentPages['middleware'];
}> {
  const vite = await createServer({
    ...config,
    root,
    appType: 'custom',
    publicDir: false,
    server: {
      ...config.server,
      middlewareMode: true,
      cors: false, // other pages of this machine have nothing to read here
      fs: { strict: true, allow: allowedFolders(root), deny: denyFolders(privateFolders) },
    },
  });
  const middleware: DevelopmentPages['middleware'] = (request, response, next) => {
    const isServed = guard.isOwn(request) && isServedUrl(vite, request.url ?? '');
    if (isServed) vite.middlewares(request, response, next);
    else next();
  };
  return { vite, middleware };
}

/** A folder may be a link: Vite compares the paths that links lead to. */
function allowedFolders(root: string): string[] {
  return servedFolders.flatMap((folder) => {
    const path = join(root, folder);
    const real = realpathOf(path);
    return real === null || real === path ? [path] : [path, real];
  });
}

/**
 * Whether an address names a file of a served folder, in its one plain spelling. Vite checks its list against the address; this compares
 * the file that the address leads to, so that neither a spelling that both read differently nor a symbolic link leads out.
 */
function isServedUrl(vite: ViteDevServer, url: string): boolean {
  const [path = ''] = url.split('?', 1);
  if (ownModules.test(path)) return true;
  const plain = plainPath(path);
  if (plain === null) return false;
  const { root } = vite.config;
  const file = realpathOf(plain.startsWith('/@fs/') ? plain.slice('/@fs'.length) : join(root, plain));
  if (file === null) return bundles.test(plain);
  if (!statSync(file).isFile()) return false;
  return isFileLoadingAllowed(vite.config, normalizePath(file)) && isBelow(allowedFolders(root), file);
}

function isBelow(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file.startsWith(`${realpathOf(folder) ?? folder}/`));
}

/** Decodes a path. Returns `null` if it is not in the spelling that browsers send: escaped separators and dots, backslashes, fragments, empty or relative segments. */
function plainPath(path: string): string | null {
  try {
    const decoded = decodeURI(path);
    const isPlain = encodeURI(decoded) === path && !/[\0\\:#]|\/(?=\/)|[. ](?=\/|$)/.test(decoded);
    return isPlain ? decoded : null;
  } catch {
    return null;
  }
}

function realpathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
