import type { FastifyBaseLogger } from 'fastify';
import type { Prerender, Prerendered } from '../../../contract/prerender.ts';
import type { Page } from '../../../contract/page.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Route } from '../../../engine/core/manifest.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Face } from './send-plain-page.ts';

/** A page to prerender. */
export interface PrerenderRequest {
  readonly page: Page;
  /** Of whom the page's addresses and hosts are. */
  readonly face: Face;
  readonly path: string;
  readonly search: string;
  /** What the address leads to; undefined where not even a not-found route is declared. */
  readonly route: Route | undefined;
  readonly set: Definitions;
  readonly log: FastifyBaseLogger;
}

const blank: Prerendered = { html: '', title: null };
/** Pages that are kept prerendered; the oldest makes way. */
const mostKept = 500;

/** Prerenders pages with the portal's own components, once for as long as definitions and data stay the same. */
export function createPrerenderer(prerender: Prerender | null): (request: PrerenderRequest) => Promise<Prerendered> {
  const kept = new WeakMap<Definitions, Map<string, Prerendered>>();
  return async ({ page, face, path, search, route, set, log }) => {
    const flow = route && set.flows[route.flow];
    if (!prerender || !flow) return blank;
    const known = kept.get(set) ?? new Map<string, Prerendered>();
    kept.set(set, known);
    // An unknown address or a query is whatever somebody typed: not worth a place.
    const key = search === '' && route.path !== '*' ? JSON.stringify([face, page.language, path, page.data]) : null;
    const before = key === null ? undefined : known.get(key);
    if (before) return before;
    try {
      const prerendered = await prerender({
        page,
        path,
        search,
        flow,
        screen: (id) => ({ ui: set.ui(id, page.language), fields: fieldsOf(set, id) }),
      });
      if (key !== null) keep(known, key, prerendered);
      return prerendered;
    } catch (error) {
      log.error({ err: error, path }, 'the page could not be prerendered'); // the browser draws it all the same
      return blank;
    }
  };
}

function keep(known: Map<string, Prerendered>, key: string, prerendered: Prerendered): void {
  known.set(key, prerendered);
  const [oldest] = known.keys();
  if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
}

function fieldsOf(set: Definitions, screen: string): number {
  const properties = set.schema(screen)?.['properties'];
  return isObject(properties) ? Object.keys(properties).length : 0;
}
