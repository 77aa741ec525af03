import type { PortalConfig } from './portal-config.ts';

// Backslash, blanks, control characters, and characters that are not seen: what one reader drops, another one reads.
const unsafeCharacters = /[\\\s\p{Cc}\p{Cf}]/u;

/**
 * The one redirect check of browser and server: answers a safe target, `/` for everything else.
 * A path-only target is kept (one leading slash, no backslash, blank, control or invisible character); an absolute one only
 * with http(s), without user name, and with its origin in `origins`.
 */
export function safeRedirect(target: unknown, origins: readonly string[] = []): string {
  if (typeof target !== 'string' || unsafeCharacters.test(target)) return '/';
  if (target.startsWith('/')) return isPath(target) ? target : '/';
  const url = parse(target);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return '/';
  return /^https?:\/\//i.test(target) && origins.includes(url.origin) ? url.href : '/';
}

/** The origins that the portal may lead to: its own, those of its hosts, and what the configuration lists. */
export function allowedOrigins(
  origin: string,
  { hosts, agentsHost, redirectOrigins }: Pick<PortalConfig, 'hosts' | 'agentsHost' | 'redirectOrigins'>,
): readonly string[] {
  const own = [origin, hosts.backend, hosts.broker, agentsHost].flatMap((address) => parse(address)?.origin ?? []);
  return [...own, ...redirectOrigins];
}

function isPath(target: string): boolean {
  const base = 'http://portal.invalid';
  const url = parse(target, base);
  return url !== null && url.origin === base && !target.startsWith('//') && !url.pathname.startsWith('//');
}

function parse(target: string, base?: string): URL | null {
  try {
    return new URL(target, base);
  } catch {
    return null;
  }
}
