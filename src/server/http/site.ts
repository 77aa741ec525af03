import type { PortalConfig } from '../../contract/portal-config.ts';
import type { Config } from '../config/config.ts';
import { hasSecureCookies } from './cookies.ts';

/** What the HTTP layer derives of the configuration, once. */
export interface Site {
  readonly https: boolean;
  /** Cookies are `Secure` and carry their name prefix: everywhere but on plain-http loopback. */
  readonly secureCookies: boolean;
  /** Origin of the portal: the only one that calls with a cookie may come from. */
  readonly origin: string;
  /** Origins that need CORS: the portal's, when a host of its calls is another one. */
  readonly corsOrigins: readonly string[];
  /** Delivered with every page. */
  readonly portal: PortalConfig;
}

/** Derives the site from the configuration. */
export function siteOf(config: Config): Site {
  const origin = new URL(config.baseUrl).origin;
  const https = origin.startsWith('https:');
  const otherHosts = [config.hosts.backend, config.hosts.broker].filter((host) => host !== '' && host !== origin);
  return {
    https,
    secureCookies: hasSecureCookies(config),
    origin,
    corsOrigins: otherHosts.length > 0 ? [origin] : [],
    portal: {
      hosts: config.hosts,
      flags: config.flags,
      brand: config.brand,
      identityProviders: config.identityProviders.length > 0,
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
