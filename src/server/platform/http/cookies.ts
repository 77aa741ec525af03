import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PortalCookieName, OperationReply } from '../base/operation-request.ts';
import type { Config } from '../config/config.ts';

const cookieNames: readonly PortalCookieName[] = ['session', 'challenge', 'device', 'registration', 'saml'];

/**
 * Cookies that browsers also send with cross-site form posts (SameSite=None), which requires TLS. They bind a message to the browser that requested
 * it, but authenticate nobody.
 */
const crossSiteCookies: ReadonlySet<PortalCookieName> = new Set(['saml']);

export function readPortalCookies(
  request: FastifyRequest,
  secure: boolean,
): Readonly<Partial<Record<PortalCookieName, string>>> {
  const found: Partial<Record<PortalCookieName, string>> = {};
  for (const name of cookieNames) {
    const value = request.cookies[prefixCookieName(name, secure)];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Whether cookies are `Secure` and have the prefix `__Host-`. `false` only on loopback over plain HTTP. */
export function usesSecureCookies({ baseUrl, loopback }: Pick<Config, 'baseUrl' | 'loopback'>): boolean {
  return baseUrl.startsWith('https:') || !loopback;
}

/** Creates a function that reads the session cookie of a request that Fastify has not parsed. */
export function createSessionSecretReader(config: Config): (request: IncomingMessage) => string | undefined {
  const secure = usesSecureCookies(config);
  return ({ headers }) => readRawCookie(headers, 'session', secure);
}

export function readRawCookie(
  { cookie = '' }: Pick<IncomingMessage['headers'], 'cookie'>,
  cookieName: PortalCookieName,
  secure: boolean,
): string | undefined {
  const name = prefixCookieName(cookieName, secure);
  return splitCookies(cookie)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/**
 * Splits a Cookie header. Strips only spaces: for a browser, a name that begins with U+00A0 does not begin with `__Host-`, so a sibling domain may
 * set it.
 */
export function splitCookies(header: string): readonly string[] {
  return header.split(/; */);
}

/** Writes the cookies of a reply with HttpOnly and SameSite. With TLS, the `__Host-` prefix binds them to the host. */
export function writeCookies(reply: FastifyReply, cookies: OperationReply<'logout'>['cookies'], secure: boolean): void {
  for (const name of cookieNames) {
    const cookie = cookies?.[name];
    if (cookie === undefined) continue;
    const sameSite = secure && crossSiteCookies.has(name) ? 'none' : 'lax';
    const attributes = { httpOnly: true, secure, sameSite, path: '/', maxAge: cookie?.maxAge ?? 0 } as const;
    reply.setCookie(prefixCookieName(name, secure), cookie?.value ?? '', attributes);
  }
}

function prefixCookieName(name: PortalCookieName, secure: boolean): string {
  return secure ? `__Host-portal-${name}` : `portal-${name}`;
}
