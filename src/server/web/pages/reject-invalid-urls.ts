import type { FastifyInstance } from 'fastify';
import { sendMalformedUrl } from './page-routes.ts';
import { absoluteFormPattern, findUrlLimitStatus } from '../../platform/http/url-limits.ts';
import { isPrintableText } from '../../platform/http/plain-text.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';

/**
 * Rejects URLs that are malformed, too long or not plain text, and requests with two hosts, before any handler runs.
 */
export function rejectInvalidUrls(http: FastifyInstance, site: SiteSettings): void {
  http.addHook('onRequest', async (request, reply) => {
    const { url, originalUrl, raw } = request;
    const isAcceptable = () => isPlainTextUrl(url) && !hasTwoHosts(originalUrl, raw.rawHeaders);
    const status = findUrlLimitStatus(originalUrl) ?? (isAcceptable() ? null : 400);
    return status === null ? undefined : sendMalformedUrl(request, reply, site, status);
  });
}

/**
 * Whether a request has two Host headers, or a target with another host than its Host header. RFC 9112, section 3.2 requires a 400 for two Host
 * headers. Reads the raw headers, because Node.js drops the second Host header.
 */
function hasTwoHosts(target: string, rawHeaders: readonly string[]): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  const [, named] = absoluteFormPattern.exec(target) ?? [];
  return hosts.length > 1 || (named !== undefined && named.toLowerCase() !== hosts[0]?.toLowerCase());
}

function isPlainTextUrl(url: string): boolean {
  const [path = '', ...query] = url.split('?');
  const pairs = [...new URLSearchParams(query.join('?'))].flat();
  return [decodePath(path), ...pairs].every(isPrintableText);
}

/** Decodes a path. Returns an empty string for a malformed path, because the router rejects it anyway. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
