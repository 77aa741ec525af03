import type { FastifyReply } from 'fastify';
import type { Config } from '../config/config.ts';

export const cspReportPath = '/csp-reports';

const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': [
    'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=()',
    'publickey-credentials-create=(self), publickey-credentials-get=(self)',
  ].join(', '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'reporting-endpoints': `csp="${cspReportPath}"`,
};

/** Builds the Strict-Transport-Security header, valid for two years. Its directive `preload` permits browsers to list the host as HTTPS-only. */
export function buildHstsHeader({ hstsPreload }: Pick<Config, 'hstsPreload'>): string {
  return `max-age=63072000; includeSubDomains${hstsPreload ? '; preload' : ''}`;
}

/** Writes the security headers of every response. Pages replace its Content-Security-Policy. `hsts` is `null` without TLS. */
export function writeSecurityHeaders(reply: FastifyReply, hsts: string | null): void {
  reply.headers(securityHeaders);
  if (hsts !== null) reply.header('strict-transport-security', hsts);
}

interface PagePolicy {
  readonly nonce: string;
  /** Origins of the backend and the broker, if they differ from the page's own. */
  readonly hosts: readonly string[];
  /** Origins from which the page may load hidden frames. */
  readonly frames?: readonly string[];
  /** Whether pages of the same origin may frame this page, for the development server. */
  readonly embeddable?: boolean;
  /** WebSocket of the development server, whose scripts need the nonce and no Trusted Types. */
  readonly reloadSocket?: string | undefined;
  readonly inlineScript?: string | undefined;
  readonly forms?: string;
}

/**
 * Builds the sources for `form-action`. Browsers also apply this directive to the redirects of the application that gets the form, so all https URLs
 * are allowed.
 */
export function buildFormActionSources(action: string): string {
  return `https: ${new URL(action).origin}`;
}

/**
 * Builds the Content-Security-Policy of a page. It allows only files of the portal, the inline script by hash, styles by nonce, and Trusted Types
 * only for the captcha's worker.
 */
export function buildPageCsp(policy: PagePolicy): string {
  const { nonce, hosts, frames = [], reloadSocket, inlineScript, forms = "'self'" } = policy;
  const formatSources = (...sources: readonly (string | false | undefined)[]) => sources.filter(Boolean).join(' ');
  const directives = [
    "default-src 'none'",
    formatSources("script-src 'self'", reloadSocket && `'nonce-${nonce}'`, inlineScript),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    formatSources("connect-src 'self'", ...hosts, reloadSocket),
    "worker-src 'self'",
    "base-uri 'none'",
    `form-action ${forms}`,
    `frame-ancestors ${policy.embeddable ? "'self'" : "'none'"}`,
    "manifest-src 'self'",
  ];
  if (frames.length > 0) directives.push(formatSources('frame-src', ...frames));
  if (!reloadSocket)
    directives.push(
      "require-trusted-types-for 'script'",
      'trusted-types portal-worker',
      `report-uri ${cspReportPath}`, // for browsers that do not support the Reporting API
      'report-to csp',
    );
  return directives.join('; ');
}
