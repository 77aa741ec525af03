import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Config } from '../../server/platform/config/config.ts';

export interface RequestGuard {
  readonly origin: string;
  /** Whether `Host` is one of the configured names. An attacker can make any other name resolve to this machine (DNS rebinding). */
  isAddressed(request: IncomingMessage): boolean;
  /** Whether a browser on this machine sent the request, from a page of the portal or because the user opened the URL. */
  isOwn(request: IncomingMessage): boolean;
  /** Like `isOwn`, and `Host` must be that of the studio. */
  isForStudio(request: IncomingMessage): boolean;
}

type Hosts = Pick<Config, 'baseUrl' | 'hosts' | 'agentsHost'>;

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

/** Forwarded requests are rejected, because they may come from anywhere. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIPv6(address) ? address === '::1' : address.startsWith('127.');
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

/** Checks `Origin` too, because not every browser sends Fetch Metadata. */
function isFromOwnPage({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  if (headers.origin !== undefined && !origins.includes(headers.origin)) return false;
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD');
  return isOpened || [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site'] as string | undefined);
}
