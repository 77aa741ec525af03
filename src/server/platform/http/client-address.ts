import type { FastifyRequest } from 'fastify';
import {
  isIpInNetworks,
  normalizeIpAddress,
  parseForwardedIpAddress,
  type TrustedProxies,
} from '../base/ip-addresses.ts';
import { normalizeUserAgent } from '../base/client-device.ts';
import type { ChangeOrigin } from '../base/change-origin.ts';
import { selectAcceptedLanguage } from './request-language.ts';

/** Creates Fastify's option `trustProxy`. It decides whether a hop is a trusted proxy. Hops are counted from the nearest (the socket). */
export function createTrustProxyOption(
  proxies: TrustedProxies | null,
): false | ((address: string, hop: number) => boolean) {
  if (proxies === null) return false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return (address, hop) => {
    const own = hop === 0 ? normalizeIpAddress(address) : parseForwardedIpAddress(address); // hop 0 is the connection's peer, and the other hops are elements of X-Forwarded-For
    return isIpInNetworks(own ?? undefined, proxies);
  };
}

export function isTrustedProxy(address: string | undefined, proxies: TrustedProxies | null): boolean {
  return proxies !== null && (typeof proxies === 'number' ? proxies > 0 : isIpInNetworks(address, proxies));
}

/** Returns the address from X-Forwarded-For if trusted proxies sent a valid one. Otherwise returns the address of the connection's peer. */
export function getClientAddress(request: FastifyRequest): string {
  const connected = request.socket.remoteAddress;
  const forwarded = request.ip === connected ? null : parseForwardedIpAddress(request.ip);
  return forwarded ?? normalizeIpAddress(connected) ?? '';
}

export function getChangeOrigin(request: FastifyRequest, citizenId: string | null = null): ChangeOrigin {
  return {
    by: { citizenId },
    address: getClientAddress(request),
    userAgent: normalizeUserAgent(request.headers['user-agent']),
    language: selectAcceptedLanguage(request.headers['accept-language']),
    requestId: request.id,
  };
}
