import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { isIpInNetworks, normalizeIpAddress, type TrustedProxies } from '../base/ip-addresses.ts';
import { getClientAddress } from '../http/client-address.ts';

/** Number of compared requests. A single busy client reaches its rate limit earlier, so it triggers no warning. */
const defaultSampleSize = 500;

type AddressFault = 'one-address' | 'proxy';

const adviceByFault: Readonly<Record<AddressFault, string>> = {
  'one-address':
    'all requests come from one address: if it is a proxy, name it in TRUST_PROXY, and have it send X-Forwarded-For. Citizens share their limits of tries otherwise',
  proxy:
    'requests are counted under the address of the proxy: have it send the address of the client in X-Forwarded-For. Citizens share their limits of tries otherwise',
};

/** Warns if a proxy hides client addresses, because all citizens then share its rate limits. `ignored` has the routes of automatic clients. */
export function warnOfHiddenClientAddresses(
  http: FastifyInstance,
  options: {
    readonly proxies: TrustedProxies | null;
    readonly log: Pick<Logger, 'warn'>;
    readonly ignored: ReadonlySet<string>;
    readonly requests?: number;
  },
): void {
  const { proxies, log, ignored, requests = defaultSampleSize } = options;
  let seen = 0;
  let behindProxy = 0;
  let first = '';
  let differs = false;
  let last: AddressFault | null = null;
  http.addHook('onRequest', async (request) => {
    if (ignored.has(request.routeOptions.url ?? '')) return;
    const address = getClientAddress(request);
    if (seen === 0) first = address;
    seen += 1;
    differs ||= address !== first;
    const isOfProxy =
      typeof proxies === 'number'
        ? address === normalizeIpAddress(request.socket.remoteAddress)
        : isIpInNetworks(address, proxies ?? []);
    if (isOfProxy) behindProxy += 1;
    if (seen < requests) return;
    const fault = behindProxy * 2 > seen ? 'proxy' : differs ? null : 'one-address';
    if (fault !== null && fault !== last) log.warn({ address: first }, adviceByFault[fault]);
    last = fault;
    seen = 0;
    behindProxy = 0;
    differs = false;
  });
}
