import type { PortalConfig } from '../../../contract/portal-config.ts';
import type { Config } from '../config/config.ts';
import { hasSecureCookies } from './cookies.ts';

/** What the HTTP layer derives of the configuration, once. */
export interface Site {
  readonly https: boolean;
  /** Cookies are `Secure` and carry their name prefix: everywhere but on plain-http loopback. */
  readonly secureCookies: boolean;
  /** Origin of the portal. */
  readonly origin: string;
  /** Origin of the agents' desk; null: it stands on the portal's. */
  readonly deskOrigin: string | null;
  /** The only ones that calls with a cookie may come from. */
  readonly origins: readonly string[];
  /** Origins that need CORS: those of the pages, when a host of its operations is another one. */
  readonly corsOrigins: readonly string[];
  /** Delivered with every page. */
  readonly portal: PortalConfig;
}

/** Derives the site from the configuration. */
export function siteOf(config: Config): Site {
  const origin = new URL(config.baseUrl).origin;
  const https = origin.startsWith('https:');
  const deskOrigin = config.agentsHost === '' || config.agentsHost === origin ? null : config.agentsHost;
  const origins = [origin, ...(deskOrigin === null ? [] : [deskOrigin])];
  const otherHosts = [config.hosts.backend, config.hosts.broker].filter((host) => host !== '' && host !== origin);
  return {
    https,
    secureCookies: hasSecureCookies(config),
    origin,
    deskOrigin,
    origins,
    corsOrigins: otherHosts.length > 0 ? origins : [],
    portal: {
      hosts: config.hosts,
      flags: config.flags,
      brand: config.brand,
      identityProviders: config.identityProviders.length > 0,
      wallet: config.wallet !== null,
      digitalSignature: config.signature.roots !== null,
      sessionIdleS: config.sessionIdleS,
      supportMailbox: config.supportMailbox,
      inPerson: config.inPerson,
      agentsHost: config.agentsHost,
      passwordPolicy: config.passwordPolicy,
      redirectOrigins: config.redirectOrigins,
    },
  };
}

/** What a host of requests shows: the citizens' pages, the agents' desk, or both where the desk has no host of its own. */
export type Side = 'citizens' | 'desk' | 'both';

/** The side that the host of a request is. */
export function sideOf({ deskOrigin }: Pick<Site, 'deskOrigin'>, host: string): Side {
  if (deskOrigin === null) return 'both';
  return host === new URL(deskOrigin).host ? 'desk' : 'citizens';
}
