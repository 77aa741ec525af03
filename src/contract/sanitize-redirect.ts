import type { PortalConfig } from './portal-config.ts';

// Backslashes, white space, control and invisible characters. URL parsers disagree about which of these they ignore.
const unsafeCharacters = /[\\\s\p{Cc}\p{Cf}]/u;

/** Returns `/` for an unsafe target. Safe: a path with one leading slash, or an http(s) URL of `origins` without user name. */
export function sanitizeRedirect(target: unknown, origins: readonly string[] = []): string {
  if (typeof target !== 'string' || unsafeCharacters.test(target)) return '/';
  if (target.startsWith('/')) return isPath(target) ? target : '/';
  const url = parseUrl(target);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return '/';
  return /^https?:\/\//i.test(target) && origins.includes(url.origin) ? url.href : '/';
}

export function listRedirectOrigins(
  origin: string,
  { hosts, agentsHost, redirectOrigins }: Pick<PortalConfig, 'hosts' | 'agentsHost' | 'redirectOrigins'>,
): readonly string[] {
  const own = [origin, hosts.backend, hosts.broker, agentsHost].flatMap((address) => parseUrl(address)?.origin ?? []);
  return [...own, ...redirectOrigins];
}

function isPath(target: string): boolean {
  const base = 'http://portal.invalid';
  const url = parseUrl(target, base);
  return url !== null && url.origin === base && !target.startsWith('//') && !url.pathname.startsWith('//');
}

function parseUrl(target: string, base?: string): URL | null {
  try {
    return new URL(target, base);
  } catch {
    return null;
  }
}
