import type { NavigateFunction } from 'react-router-dom';
import { pagePaths } from '../../contract/page-paths.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../contract/sanitize-redirect.ts';
import type { PortalDefinitions } from './portal-definitions.ts';
import { buildHref } from '../../contract/build-href.ts';
import { asObject, isObject } from '../../engine/core/json.ts';

export class PortalNavigation {
  readonly #config: PortalConfig;
  readonly #definitions: PortalDefinitions;
  #navigate: NavigateFunction | null = null;

  constructor(config: PortalConfig, definitions: PortalDefinitions) {
    this.#config = config;
    this.#definitions = definitions;
  }

  setRouter(navigate: NavigateFunction): void {
    this.#navigate = navigate;
  }

  /** Navigation function of the router. `null` until the router has rendered. */
  get navigate(): NavigateFunction | null {
    return this.#navigate;
  }

  goBack(): void {
    if (canGoBack()) void this.#navigate?.(-1);
    else this.leave(pagePaths.home);
  }

  /** Validates the redirect target. Opens a route without a page load. `replace`: replaces the history entry. */
  leave(to: unknown, { replace = false } = {}): void {
    const { target, fresh } = this.#checked(to);
    const route = target.startsWith('/') ? this.#definitions.resolveRoute(target.replace(/[?#].*$/, '')) : undefined;
    if (route && !fresh && route.load !== 'document' && this.#navigate)
      void (replace ? this.#navigate(target, { replace }) : this.#navigate(target));
    else if (replace) window.location.replace(target);
    else window.location.assign(target);
  }

  replace(to: unknown): void {
    window.location.replace(this.#checked(to).target);
  }

  #checked(to: unknown): { target: string; fresh: boolean } {
    const { address, fresh } = resolveLeaveTarget(to, this.#config.hosts);
    return { target: sanitizeRedirect(address, listRedirectOrigins(window.location.origin, this.#config)), fresh };
  }
}

/** Browsers without the Navigation API also count pages of other origins. */
function canGoBack(): boolean {
  const { navigation, history }: { navigation?: globalThis.Navigation; history: History } = window;
  return navigation?.canGoBack ?? history.length > 1;
}

/**
 * Reads the `leave` property of a flow: a URL, `{ to, query, host, fresh }` with `host` as `broker` or `backend`, or `{
 * address, query }` to add parameters to an external URL. Omits empty parameters. Does not validate the URL. `fresh`:
 * loads the page again even for a route of the portal.
 */
export function resolveLeaveTarget(leave: unknown, hosts: PortalConfig['hosts']): { address: unknown; fresh: boolean } {
  if (!isObject(leave)) return { address: leave, fresh: false };
  const query = Object.entries(asObject(leave.query)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  if (typeof leave.address === 'string')
    return { address: appendQuery(leave.address, new URLSearchParams(query)), fresh: false };
  if (typeof leave.to !== 'string') return { address: leave, fresh: false };
  const host = leave.host === 'broker' || leave.host === 'backend' ? hosts[leave.host] : '';
  return { address: buildHref(leave.to, Object.fromEntries(query), host), fresh: leave.fresh === true };
}

function appendQuery(address: string, query: URLSearchParams): string {
  if (query.size === 0) return address;
  const [page = '', ...fragment] = address.split('#');
  return [`${page}${page.includes('?') ? '&' : '?'}${query}`, ...fragment].join('#');
}
