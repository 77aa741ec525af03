import type { FastifyInstance } from 'fastify';
import { sendMalformedUrlError } from './page-routes.ts';
import { absoluteFormPattern, findUrlLimitStatus } from '../../platform/http/url-limits.ts';
import { isPrintableText } from '../../platform/http/printable-text.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';

/** Rejects URLs that are malformed, too long or not plain text, and requests with two hosts. */
export function rejectInvalidUrls(http: FastifyInstance, site: SiteSettings): void {
  http.addHook('onRequest', async (request, reply) => {
    const { url, originalUrl, raw } = request;
    const isAcceptable = () => isPlainTextUrl(url) && !hasTwoHosts(originalUrl, raw.rawHeaders);
    const status = findUrlLimitStatus(originalUrl) ?? (isAcceptable() ? null : 400);
    return status === null ? undefined : sendMalformedUrlError(reply, site, status);
  });
}

/**
 * Whether a request names two hosts, for which RFC 9112, section 3.2, requires a 400. Node.js retains a second Host header only in the raw headers.
 */
function hasTwoHosts(target: string, rawHeaders: readonly string[]): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  const [, named] = absoluteFormPattern.exec(target) ?? [];
  return hosts.length > 1 || (named !== undefined && named.toLowerCase() !== hosts[0]?.toLowerCase());
}

function isPlainTextUrl(url: string): boolean {
  const [path = '', ...query] = url.split('?');
  const texts = [...new URLSearchParams(query.join('?'))].flat();
  try {
    texts.push(decodeURIComponent(path));
  } catch {
    // the router rejects a malformed path anyway
  }
  return texts.every(isPrintableText);
}
