import type { NavigateFunction } from 'react-router-dom';
import { pages } from '../../contract/pages.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { allowedOrigins, safeRedirect } from '../../contract/redirect.ts';
import type { Definitions } from './definitions.ts';
import { readLeave } from './leave-address.ts';

/** The ways from one page to the next: inside the portal by the router, elsewhere through the one redirect check. */
export class Navigation {
  readonly #config: PortalConfig;
  readonly #definitions: Definitions;
  #navigate: NavigateFunction | null = null;

  constructor(config: PortalConfig, definitions: Definitions) {
    this.#config = config;
    this.#definitions = definitions;
  }

  /** Gives the router's way to navigate. */
  connect(navigate: NavigateFunction): void {
    this.#navigate = navigate;
  }

  /** Goes to an address of the portal; null before the router is there. */
  get navigate(): NavigateFunction | null {
    return this.#navigate;
  }

  /** Goes back to where the citizen came from, as far as that was in the portal. */
  goBack(): void {
    if (canGoBack()) void this.#navigate?.(-1);
    else this.leave(pages.home);
  }

  /**
   * Leaves for an address, through the one redirect check; a route of the portal is shown without a fresh page, with `replace` in
   * the place of this one.
   */
  leave(to: unknown, { replace = false } = {}): void {
    const { target, fresh } = this.#checked(to);
    const route = target.startsWith('/') ? this.#definitions.routeAt(target.replace(/[?#].*$/, '')) : undefined;
    if (route && !fresh && route.load !== 'document' && this.#navigate)
      void (replace ? this.#navigate(target, { replace }) : this.#navigate(target));
    else if (replace) window.location.replace(target);
    else window.location.assign(target);
  }

  /** Leaves for an address with a fresh page that takes the place of this one: Back shows nothing of it. */
  replace(to: unknown): void {
    window.location.replace(this.#checked(to).target);
  }

  #checked(to: unknown): { target: string; fresh: boolean } {
    const { address, fresh } = readLeave(to, this.#config.hosts);
    return { target: safeRedirect(address, allowedOrigins(window.location.origin, this.#config)), fresh };
  }
}

/** Whether a page of this origin lies before this one in the tab; browsers without the Navigation API count those of other sites too. */
function canGoBack(): boolean {
  const { navigation, history }: { navigation?: globalThis.Navigation; history: History } = window;
  return navigation?.canGoBack ?? history.length > 1;
}
