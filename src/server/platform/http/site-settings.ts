import type { PortalConfig } from '../../../contract/portal-config.ts';
import type { TextLookup } from '../base/texts.ts';
import { offersAdvancedLevel } from '../config/advanced-sign-in-methods.ts';
import type { Config } from '../config/config.ts';
import { usesSecureCookies } from './cookies.ts';
import { buildHstsHeader } from './security-headers.ts';

export interface SiteSettings {
  readonly https: boolean;
  /** `null` without TLS. */
  readonly hsts: string | null;
  readonly secureCookies: boolean;
  readonly origin: string;
  /** `null` if the desk has the portal's origin. */
  readonly deskOrigin: string | null;
  /** Origins whose pages may call operations with a cookie. */
  readonly origins: readonly string[];
  /** Origins of pages that need CORS headers, because operations are on another host. */
  readonly corsOrigins: readonly string[];
  readonly texts: TextLookup;
  readonly portal: PortalConfig;
}

export function createSiteSettings(config: Config, texts: TextLookup): SiteSettings {
  const origin = new URL(config.baseUrl).origin;
  const https = origin.startsWith('https:');
  const deskOrigin = config.agentsHost === '' || config.agentsHost === origin ? null : config.agentsHost;
  const origins = [origin, ...(deskOrigin === null ? [] : [deskOrigin])];
  const otherHosts = [config.hosts.backend, config.hosts.broker].filter((host) => host !== '' && host !== origin);
  return {
    https,
    hsts: https ? buildHstsHeader(config) : null,
    secureCookies: usesSecureCookies(config),
    origin,
    deskOrigin,
    origins,
    texts,
    corsOrigins: otherHosts.length > 0 ? origins : [],
    portal: {
      hosts: config.hosts,
      flags: config.flags,
      brand: config.brand,
      identityProviders: config.identityProviders.length > 0,
      wallet: config.wallet !== null,
      digitalSignature: config.signature.roots !== null,
      advancedLevel: offersAdvancedLevel(config),
      sessionIdleS: config.sessionIdleS,
      supportMailbox: config.supportMailbox,
      contactAnswerDays: config.contactAnswerDays,
      inPerson: config.inPerson,
      agentsHost: config.agentsHost,
      passwordPolicy: config.passwordPolicy,
      redirectOrigins: config.redirectOrigins,
    },
  };
}

/** Users of a host: citizens, agents at the desk, or both if the desk has no separate host. */
export type HostAudience = 'citizens' | 'desk' | 'both';

/** A request with its Host header. X-Forwarded-Host is not used, because scripts can set it and proxies forward it. */
type HostRequest = { readonly headers: { readonly host?: string | undefined } };

export function findHostAudience(
  { deskOrigin }: Pick<SiteSettings, 'deskOrigin'>,
  { headers }: HostRequest,
): HostAudience {
  if (deskOrigin === null) return 'both';
  return headers.host === new URL(deskOrigin).host ? 'desk' : 'citizens';
}

/** Returns the origins whose pages may call operations with a cookie. At a separate desk host, only the desk's pages may. */
export function listAllowedOrigins(
  { deskOrigin, origins }: Pick<SiteSettings, 'deskOrigin' | 'origins'>,
  request: HostRequest,
): readonly string[] {
  return deskOrigin !== null && findHostAudience({ deskOrigin }, request) === 'desk' ? [deskOrigin] : origins;
}

/** Returns the origins whose pages get CORS headers. A separate desk host has none, because only its own pages call it. */
export function listCorsOrigins(site: Pick<SiteSettings, 'deskOrigin' | 'corsOrigins'>, request: HostRequest) {
  return findHostAudience(site, request) === 'desk' ? [] : site.corsOrigins;
}
