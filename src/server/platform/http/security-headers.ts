import type { FastifyReply } from 'fastify';
import type { Config } from '../config/config.ts';

/** Path to which browsers report violations of a page's Content-Security-Policy. */
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

/** Builds the value of Strict-Transport-Security, valid for two years. `preload` permits browsers to list the host as HTTPS-only. */
export function buildHstsHeader({ hstsPreload }: Pick<Config, 'hstsPreload'>): string {
  return `max-age=63072000; includeSubDomains${hstsPreload ? '; preload' : ''}`;
}

/** Writes the security headers of every response. Pages replace the Content-Security-Policy. `hsts` is `null` without TLS. */
export function writeSecurityHeaders(reply: FastifyReply, hsts: string | null): void {
  reply.headers(securityHeaders);
  if (hsts !== null) reply.header('strict-transport-security', hsts);
}

interface PagePolicy {
  readonly nonce: string;
  /** Origins of the backend and the broker, if they differ from the page's own. */
  readonly hosts: readonly string[];
  /** Origins that the page may load in hidden frames. */
  readonly frames?: readonly string[];
  /** Whether pages of the same origin may frame this page. Only pages of the development server allow it. */
  readonly embeddable?: boolean;
  /**
   * URL of the development server's WebSocket. If set, the policy allows inline scripts with the nonce and omits Trusted Types, because the scripts
   * of that server need it.
   */
  readonly reloadSocket?: string | undefined;
  readonly inlineScript?: string | undefined;
  /** Value of the directive `form-action`. Browsers also apply the directive to redirects after the form is submitted. */
  readonly forms?: string;
}

/**
 * Returns the `form-action` for a form that is posted to an application. Browsers also apply this directive to the application's redirects, so the
 * value allows all https URLs.
 */
export function buildFormActionSources(action: string): string {
  return `https: ${new URL(action).origin}`;
}

/**
 * Builds the Content-Security-Policy of a page: only files of the portal itself, the inline script by hash, styles by nonce, Trusted Types only for
 * the captcha's worker.
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
