import type { PortalConfig } from '../../../contract/portal-config.ts';
import type { TextOf } from '../base/texts.ts';
import type { Config } from '../config/config.ts';
import { hasSecureCookies } from './cookies.ts';

/** What the HTTP layer derives of the configuration, once. */
export interface Site {
  readonly https: boolean;
  /** Cookies are `Secure` and carry their name prefix: everywhere but on plain-http loopback. */
  readonly secureCookies: boolean;
  readonly origin: string;
  /** Origin of the agents' desk; null: it stands on the portal's. */
  readonly deskOrigin: string | null;
  /** The only ones that calls with a cookie may come from. */
  readonly origins: readonly string[];
  /** Origins that need CORS: those of the pages, when a host of its operations is another one. */
  readonly corsOrigins: readonly string[];
  /** The texts of all topics: of errors by their code. */
  readonly texts: TextOf;
  readonly portal: PortalConfig;
}

/** Derives the site from the configuration and the texts of all topics. */
export function createSite(config: Config, texts: TextOf): Site {
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
    texts,
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
      contactAnswerDays: config.contactAnswerDays,
      inPerson: config.inPerson,
      agentsHost: config.agentsHost,
      passwordPolicy: config.passwordPolicy,
      redirectOrigins: config.redirectOrigins,
    },
  };
}

/** What a host of requests shows: the citizens' pages, the agents' desk, or both where the desk has no host of its own. */
export type Side = 'citizens' | 'desk' | 'both';

/** A request, as far as its own `Host` header goes: a script can write X-Forwarded-Host, and proxies pass it on. */
type Addressed = { readonly headers: { readonly host?: string | undefined } };

export function matchSide({ deskOrigin }: Pick<Site, 'deskOrigin'>, { headers }: Addressed): Side {
  if (deskOrigin === null) return 'both';
  return headers.host === new URL(deskOrigin).host ? 'desk' : 'citizens';
}

/** The only origins that operations with a cookie may come from at the host of a request: at the desk's own host its pages alone. */
export function originsAt(
  { deskOrigin, origins }: Pick<Site, 'deskOrigin' | 'origins'>,
  request: Addressed,
): readonly string[] {
  return deskOrigin !== null && matchSide({ deskOrigin }, request) === 'desk' ? [deskOrigin] : origins;
}

/** The origins that may read operations of another host than their own; none at the desk's, which only its own pages ask. */
export function corsOriginsAt(site: Pick<Site, 'deskOrigin' | 'corsOrigins'>, request: Addressed): readonly string[] {
  return matchSide(site, request) === 'desk' ? [] : site.corsOrigins;
}
