import type { IncomingHttpHeaders } from 'node:http';
import type { ApiOperation } from '../../../contract/contract.ts';
import { OperationError } from '../base/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { SiteSettings } from './site-settings.ts';

/**
 * Rejects cross-site calls on behalf of the citizen (CSRF). A request with a cookie, or one that may set a cookie, must come from the portal. Browsers
 * mark every cross-origin call with `Origin` or `Sec-Fetch-Site`. Other clients do not have the cookies of a citizen.
 */
export function assertSameSiteRequest(
  operation: ApiOperation,
  headers: IncomingHttpHeaders,
  origins: readonly string[],
): void {
  const bearsCookie = headers.cookie !== undefined || (operation.host === 'broker' && operation.method !== 'GET');
  if (!bearsCookie) return;
  const foreignOrigin = headers.origin !== undefined && !origins.includes(headers.origin);
  if (foreignOrigin || headers['sec-fetch-site'] === 'cross-site') throw new OperationError(403, 'origen_no_permitido');
}

export function buildCorsHeaders(
  origin: string | undefined,
  corsOrigins: readonly string[],
): Readonly<Record<string, string>> {
  if (corsOrigins.length === 0) return {};
  if (origin === undefined || !corsOrigins.includes(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id',
  };
}

export function buildPreflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers':
      'authorization, content-type, definition-version, passkey-assertion, accept-language',
    'access-control-max-age': '600',
  };
}

/**
 * Whether another site started a navigation, according to Sec-Fetch-Site, or to the Referer in browsers without that header. Both headers survive
 * redirects.
 */
export function isCrossSiteNavigation(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { origins }: Pick<SiteSettings, 'origins'>,
): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'cross-site';
  const { referer } = headers;
  return referer !== undefined && URL.canParse(referer) && !new Set(origins).has(new URL(referer).origin);
}
