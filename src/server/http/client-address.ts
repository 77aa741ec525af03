import type { FastifyRequest } from 'fastify';
import { readAddress, type Proxies } from '../base/addresses.ts';

/** Fastify's setting for the proxies: whom it believes of the addresses of X-Forwarded-For, the nearest (the socket's) first. */
export function trustOf(proxies: Proxies | null): false | string[] | ((address: string, hop: number) => boolean) {
  if (proxies === null) return false;
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : [...proxies];
}

/** Where a request comes from: what the proxies say as far as it is an IP address, else the other end of the connection. */
export function clientAddress(request: FastifyRequest): string {
  return readAddress(request.ip) ?? readAddress(request.socket.remoteAddress) ?? '';
}
