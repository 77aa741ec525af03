import type { NavigateFunction } from 'react-router-dom';
import { pages } from '../../contract/pages.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { allowedOrigins, safeRedirect } from '../../contract/redirect.ts';
import type { Definitions } from './definitions.ts';
import { readLeave } from './leave-address.ts';

export class Navigation {
  readonly #config: PortalConfig;
  readonly #definitions: Definitions;
  #navigate: NavigateFunction | null = null;

  constructor(config: PortalConfig, definitions: Definitions) {
    this.#config = config;
    this.#definitions = definitions;
  }

  connect(navigate: NavigateFunction): void {
    this.#navigate = navigate;
  }

  /** `null` before the router has rendered. */
  get navigate(): NavigateFunction | null {
    return this.#navigate;
  }

  goBack(): void {
    if (canGoBack()) void this.#navigate?.(-1);
    else this.leave(pages.home);
  }

  /** Navigates to an address after the redirect check. A route of the portal does not reload the page. `replace`: replaces the history entry. */
  leave(to: unknown, { replace = false } = {}): void {
    const { target, fresh } = this.#checked(to);
    const route = target.startsWith('/') ? this.#definitions.routeAt(target.replace(/[?#].*$/, '')) : undefined;
    if (route && !fresh && route.load !== 'document' && this.#navigate)
      void (replace ? this.#navigate(target, { replace }) : this.#navigate(target));
    else if (replace) window.location.replace(target);
    else window.location.assign(target);
  }

  replace(to: unknown): void {
    window.location.replace(this.#checked(to).target);
  }

  #checked(to: unknown): { target: string; fresh: boolean } {
    const { address, fresh } = readLeave(to, this.#config.hosts);
    return { target: safeRedirect(address, allowedOrigins(window.location.origin, this.#config)), fresh };
  }
}

/** Whether the tab has an earlier page of this origin. Without the Navigation API, pages of other origins count too. */
function canGoBack(): boolean {
  const { navigation, history }: { navigation?: globalThis.Navigation; history: History } = window;
  return navigation?.canGoBack ?? history.length > 1;
}
