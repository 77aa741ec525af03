import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createServer, isFileLoadingAllowed, normalizePath, type InlineConfig, type ViteDevServer } from 'vite';
import type { DevelopmentServer } from '../../server/web/pages/page-source.ts';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Config } from '../../server/platform/config/config.ts';

/** Folders that Vite serves: the project's sources, its cache of bundled packages, and what it does not bundle, the fonts and its own client. */
const servedFolders = [
  'src',
  'plugins',
  'schemas/_shared/texts',
  '.cache/vite',
  'node_modules/@fontsource',
  'node_modules/vite/dist/client',
];

/** The files may not exist yet when a page requests them, because Vite may still be writing them. */
const bundlePathPattern = /^\/\.cache\/vite\/deps\/[\w@-][\w.@-]*\.(?:js|css)$/;

interface SourceServerOptions {
  readonly root: string;
  readonly privateFolders: readonly string[];
  readonly guard: Pick<RequestGuard, 'isOwn'>;
  readonly config: Omit<InlineConfig, 'root' | 'appType' | 'publicDir'>;
}

/** Its middleware accepts only requests from the portal's own pages, and serves only `servedFolders`. */
export async function openViteServer({ root, privateFolders, guard, config }: SourceServerOptions) {
  const vite = await createServer({
    ...config,
    root,
    appType: 'custom',
    publicDir: false,
    server: {
      ...config.server,
      middlewareMode: true,
      cors: false, // prevents pages of other origins from reading responses
      fs: { strict: true, allow: allowedFolders(root), deny: denyFolders(privateFolders) },
    },
  });
  const middleware: DevelopmentServer['middleware'] = (request, response, next) => {
    const isServed = guard.isOwn(request) && isServedUrl(vite, request.url ?? '');
    if (isServed) vite.middlewares(request, response, next);
    else next();
  };
  return { vite, middleware };
}

/** Lists the served folders and the targets of symbolic links to them, because Vite compares resolved paths. */
function allowedFolders(root: string): string[] {
  return servedFolders.flatMap((folder) => {
    const path = join(root, folder);
    const real = resolveRealPath(path);
    return real === null || real === path ? [path] : [path, real];
  });
}

/**
 * Whether a canonical URL refers to a file in a served folder. Vite itself compares only the URL with its list. This
 * function compares the resolved file, so that neither ambiguous spellings nor symbolic links give access to other
 * files.
 */
function isServedUrl(vite: ViteDevServer, url: string): boolean {
  const [path = ''] = url.split('?', 1);
  if (path === '/@vite/client') return true;
  const plain = decodeCanonicalPath(path);
  if (plain === null) return false;
  const { root } = vite.config;
  const file = resolveRealPath(plain.startsWith('/@fs/') ? plain.slice('/@fs'.length) : join(root, plain));
  if (file === null) return bundlePathPattern.test(plain);
  if (!statSync(file).isFile()) return false;
  const isBelow = (folder: string): boolean => file.startsWith(`${resolveRealPath(folder) ?? folder}/`);
  return isFileLoadingAllowed(vite.config, normalizePath(file)) && allowedFolders(root).some(isBelow);
}

/** Returns `null` if no browser sends this spelling: escaped separators, backslashes, empty or dot segments. */
function decodeCanonicalPath(path: string): string | null {
  try {
    const decoded = decodeURI(path);
    const isPlain = encodeURI(decoded) === path && !/[\0\\:#]|\/(?=\/)|[. ](?=\/|$)/.test(decoded);
    return isPlain ? decoded : null;
  } catch {
    return null;
  }
}

function resolveRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Vite's default list of denied files, repeated because the setting replaces it. */
const viteDefaults = ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '.yarnrc.yml', '**/.git/**'];

function denyFolders(folders: readonly string[]): string[] {
  const found = folders.flatMap((folder) => [resolve(folder), resolveRealPath(resolve(folder)) ?? resolve(folder)]);
  const literal = [...new Set(found)].map((path) => normalizePath(path).replace(/[[\]{}()*?!+@|\\]/g, '\\$&'));
  return [...viteDefaults, ...literal, ...literal.map((path) => `${path}/**`)];
}

export interface RequestGuard {
  readonly origin: string;
  /** Whether the `Host` header is one of the configured hosts. An attacker can resolve any other name to this machine (DNS rebinding). */
  hasKnownHost(request: IncomingMessage): boolean;
  /** Whether a browser on this machine sent the request, either from a page of the portal or because the user opened the URL. */
  isOwn(request: IncomingMessage): boolean;
  /** Like `isOwn`, but the `Host` header must be the host of the studio. */
  isStudioRequest(request: IncomingMessage): boolean;
}

type Hosts = Pick<Config, 'baseUrl' | 'hosts' | 'agentsHost'>;

export function createRequestGuard({ baseUrl, hosts: { backend, broker }, agentsHost }: Hosts): RequestGuard {
  const { origin } = new URL(baseUrl);
  const urls = [origin, backend, broker, agentsHost].filter((url) => url !== '').map((url) => new URL(url));
  const origins = urls.map((url) => url.origin);
  const hosts = urls.map(({ host }) => host);
  const isAddressed = ({ headers }: IncomingMessage): boolean => hosts.includes(headers.host ?? '');
  const isOwn = (request: IncomingMessage): boolean =>
    isAddressed(request) && isFromThisMachine(request) && isFromOwnPage(request, origins);
  return {
    origin,
    hasKnownHost: isAddressed,
    isOwn,
    isStudioRequest: (request) => isOwn(request) && request.headers.host === new URL(origin).host,
  };
}

/** Returns `false` for a request through a proxy, because its sender is unknown. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIPv6(address) ? address === '::1' : address.startsWith('127.');
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

/** Also checks `Origin`, because some browsers do not send Fetch Metadata headers. */
function isFromOwnPage({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return false;
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD');
  return isOpened || [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site'] as string | undefined);
}
