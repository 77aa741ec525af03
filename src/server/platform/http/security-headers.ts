import type { FastifyReply } from 'fastify';

const headers = {
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
};

/** Headers of every response, whatever it holds; pages replace the policy by their own. */
export function writeSecurityHeaders(reply: FastifyReply, https: boolean): void {
  reply.headers(headers);
  if (https) reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains');
}

export interface PagePolicy {
  readonly nonce: string;
  /** Origins of the two hosts beside the page's own. */
  readonly hosts: readonly string[];
  /** Origins that hidden frames may load. */
  readonly frames?: readonly string[];
  /** Pages of the same origin may frame this one: those of the development server alone. */
  readonly embeddable?: boolean;
  /** Address of the development server's websocket: its scripts are inline and know no Trusted Types. */
  readonly reloadSocket?: string | undefined;
  readonly inlineScript?: string | undefined;
  /** Where its forms may lead; what an answer to them redirects to counts as well. */
  readonly forms?: string;
}

/** Where a form that is posted to an application may lead: a browser holds what its address redirects to to the policy, too. */
export function formTargets(action: string): string {
  return `https: ${new URL(action).origin}`;
}

/** The Content-Security-Policy of a page: own files only, the first script by its hash, styles by nonce, Trusted Types for the captcha's worker alone. */
export function pagePolicy({
  nonce,
  hosts,
  frames = [],
  embeddable = false,
  reloadSocket,
  inlineScript,
  forms = "'self'",
}: PagePolicy): string {
  const directives = [
    "default-src 'none'",
    ["script-src 'self'", ...(reloadSocket ? [`'nonce-${nonce}'`] : []), ...(inlineScript ? [inlineScript] : [])].join(
      ' ',
    ),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...hosts, ...(reloadSocket ? [reloadSocket] : [])].join(' '),
    "worker-src 'self'",
    "base-uri 'none'",
    `form-action ${forms}`,
    `frame-ancestors ${embeddable ? "'self'" : "'none'"}`,
    "manifest-src 'self'",
  ];
  if (frames.length > 0) directives.push(['frame-src', ...frames].join(' '));
  if (!reloadSocket) directives.push("require-trusted-types-for 'script'", 'trusted-types portal-worker');
  return directives.join('; ');
}
