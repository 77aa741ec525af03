import type { FastifyBaseLogger } from 'fastify';
import type { Prerender, Prerendered } from '../../../contract/prerender.ts';
import type { Page } from '../../../contract/page.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Route } from '../../../engine/core/manifest.ts';

export interface PrerenderRequest {
  readonly page: Page;
  readonly path: string;
  readonly search: string;
  /** The route of the address. `undefined` if there is not even a not-found route. */
  readonly route: Route | undefined;
  readonly set: Definitions;
  readonly log: FastifyBaseLogger;
}

const blank: Prerendered = { html: '', styles: '', title: null, isWhole: false };
/** Creates a function that prerenders pages with the portal's components. If that fails, it returns an empty page. */
export function createPrerenderer(prerender: Prerender | null): (request: PrerenderRequest) => Promise<Prerendered> {
  return async ({ page, path, search, route, set, log }) => {
    const flow = route && set.flows[route.flow];
    if (!prerender || !flow) return blank;
    try {
      return await prerender({
        page,
        path,
        search,
        flow,
        screen: (id) => set.screen(id, page.language),
      });
    } catch (error) {
      log.error({ err: error, path }, 'the page could not be prerendered'); // the browser renders the page anyway
      return blank;
    }
  };
}
