import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { isWithin, readAddress, type Proxies } from '../base/addresses.ts';
import { clientAddress } from '../http/client-address.ts';

/** Requests that are compared. Limits of tries refuse an address long before. */
const defaultRequests = 500;

/** What is wrong with the client addresses of many requests. */
type Fault = 'one-address' | 'proxy';

const advice: Readonly<Record<Fault, string>> = {
  'one-address':
    'all requests come from one address: if it is a proxy, name it in TRUST_PROXY, and have it send X-Forwarded-For. Citizens share their limits of tries otherwise',
  proxy:
    'requests are counted under the address of the proxy: have it send the address of the client in X-Forwarded-For. Citizens share their limits of tries otherwise',
};

/**
 * Warns in the log when client addresses cannot be told apart, because a proxy hides them: all citizens then share the limits of tries of one address.
 * `ignored`: routes that machines ask for; `requests`: how many are compared.
 */
export function watchAddresses(
  http: FastifyInstance,
  {
    proxies,
    log,
    ignored,
    requests = defaultRequests,
  }: {
    readonly proxies: Proxies | null;
    readonly log: Pick<Logger, 'warn'>;
    readonly ignored: ReadonlySet<string>;
    readonly requests?: number;
  },
): void {
  let seen = 0;
  let behindProxy = 0;
  let first = '';
  let differs = false;
  let last: Fault | null = null;
  http.addHook('onRequest', async (request) => {
    if (ignored.has(request.routeOptions.url ?? '')) return;
    const address = clientAddress(request);
    if (seen === 0) first = address;
    seen += 1;
    differs ||= address !== first;
    if (isProxy(address, readAddress(request.socket.remoteAddress), proxies)) behindProxy += 1;
    if (seen < requests) return;
    const fault = behindProxy * 2 > seen ? 'proxy' : differs ? null : 'one-address';
    if (fault !== null && fault !== last) log.warn({ address: first }, advice[fault]);
    last = fault;
    seen = 0;
    behindProxy = 0;
    differs = false;
  });
}

/** Whether the address that a request is counted under is the one of a trusted proxy. */
export function isProxy(address: string, connected: string | null, proxies: Proxies | null): boolean {
  if (proxies === null) return false;
  return typeof proxies === 'number' ? address === connected : isWithin(address, proxies);
}
