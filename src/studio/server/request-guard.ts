import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Config } from '../../server/platform/config/config.ts';

/** Decides which requests the development server answers. */
export interface RequestGuard {
  /** Origin of the studio's pages. */
  readonly origin: string;
  /** Whether `Host` is one of the names in the settings. Any other name may be a stranger's that resolves to this machine (DNS rebinding). */
  isAddressed(request: IncomingMessage): boolean;
  /** Whether a browser on this machine sent it for one of the portal's own pages, or for a person who opens an address. */
  isOwn(request: IncomingMessage): boolean;
  /** Whether it is its own and `Host` is the one of the studio's pages. */
  isForStudio(request: IncomingMessage): boolean;
}

type Hosts = Pick<Config, 'baseUrl' | 'hosts' | 'agentsHost'>;

/** Creates the guard of a server from the origins in its settings. */
export function requestGuard({ baseUrl, hosts: { backend, broker }, agentsHost }: Hosts): RequestGuard {
  const { origin } = new URL(baseUrl);
  const named = [origin, backend, broker, agentsHost].filter((url) => url !== '').map((url) => new URL(url));
  const origins = named.map((url) => url.origin);
  const hosts = named.map(({ host }) => host);
  const isAddressed = ({ headers }: IncomingMessage): boolean => hosts.includes(headers.host ?? '');
  const isOwn = (request: IncomingMessage): boolean =>
    isAddressed(request) && isFromThisMachine(request) && isFromOwnPage(request, origins);
  return {
    origin,
    isAddressed,
    isOwn,
    isForStudio: (request) => isOwn(request) && request.headers.host === new URL(origin).host,
  };
}

/** A request that a proxy forwards may come from anywhere. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIPv6(address) ? address === '::1' : address.startsWith('127.');
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

/** Not every browser sends Fetch Metadata: `Origin` must fit as well. */
function isFromOwnPage({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return false;
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD');
  return isOpened || [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site'] as string | undefined);
}
