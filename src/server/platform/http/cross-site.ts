import type { FastifyRequest } from 'fastify';
import type { Site } from './site.ts';

/** Whether a navigation began on another site, by Sec-Fetch-Site; by the Referer where a browser sends none. Redirects keep it. */
export function isCrossSite({ headers }: Pick<FastifyRequest, 'headers'>, { origins }: Pick<Site, 'origins'>): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'cross-site';
  const { referer } = headers;
  return referer !== undefined && URL.canParse(referer) && !new Set(origins).has(new URL(referer).origin);
}
