import type { FastifyRequest } from 'fastify';
import { isWithin, readAddress, type Proxies } from '../base/addresses.ts';

/** Fastify's setting for the proxies: whom it believes of the addresses of X-Forwarded-For, the nearest (the socket's) first. */
export function trustOf(proxies: Proxies | null): false | string[] | ((address: string, hop: number) => boolean) {
  if (proxies === null) return false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies];
}

/** Whether the other end of a connection is a trusted proxy, whose headers count. */
export function isTrustedProxy(address: string | undefined, proxies: Proxies | null): boolean {
  return proxies !== null && (typeof proxies === 'number' ? proxies > 0 : isWithin(address, proxies));
}

/** Where a request comes from: what the proxies say as far as it is an IP address, else the other end of the connection. */
export function clientAddress(request: FastifyRequest): string {
  return readAddress(request.ip) ?? readAddress(request.socket.remoteAddress) ?? '';
}
