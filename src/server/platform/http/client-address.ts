import type { FastifyRequest } from 'fastify';
import { isWithin, readAddress, readForwardedAddress, type Proxies } from '../base/addresses.ts';

/** Fastify's setting for the proxies: whom it believes of the addresses of X-Forwarded-For, the nearest (the socket's) first. */
export function createTrust(proxies: Proxies | null): false | ((address: string, hop: number) => boolean) {
  if (proxies === null) return false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return (address, hop) => isWithin(readHop(address, hop) ?? undefined, proxies);
}

/** The address of a hop: the first is that of the connection, the others are elements of X-Forwarded-For. */
function readHop(address: string, hop: number): string | null {
  return hop === 0 ? readAddress(address) : readForwardedAddress(address);
}

/** Whether the other end of a connection is a trusted proxy, whose headers count. */
export function isTrustedProxy(address: string | undefined, proxies: Proxies | null): boolean {
  return proxies !== null && (typeof proxies === 'number' ? proxies > 0 : isWithin(address, proxies));
}

/** Where a request comes from: what the proxies say as far as it is an IP address, else the other end of the connection. */
export function clientAddress(request: FastifyRequest): string {
  const connected = request.socket.remoteAddress;
  const forwarded = request.ip === connected ? null : readForwardedAddress(request.ip);
  return forwarded ?? readAddress(connected) ?? '';
}
