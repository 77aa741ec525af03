import type { FastifyBaseLogger } from 'fastify';
import type { Paint, Painted } from '../../contract/paint.ts';
import type { Page } from '../../contract/page.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import type { Route } from '../../engine/core/manifest.ts';
import { isObject } from '../../engine/core/json.ts';

/** A page to paint. */
export interface PaintRequest {
  readonly page: Page;
  readonly path: string;
  readonly search: string;
  /** What the address leads to; undefined where not even a not-found route is declared. */
  readonly route: Route | undefined;
  readonly set: Definitions;
  readonly log: FastifyBaseLogger;
}

const blank: Painted = { html: '', title: null };
/** Pages that are kept painted; the oldest makes way. */
const mostKept = 500;

/** Paints pages with the portal's own components, once for as long as definitions and data stay the same. */
export function createPainter(paint: Paint | null): (request: PaintRequest) => Promise<Painted> {
  const kept = new WeakMap<Definitions, Map<string, Painted>>();
  return async ({ page, path, search, route, set, log }) => {
    const flow = route && set.flows[route.flow];
    if (!paint || !flow) return blank;
    const known = kept.get(set) ?? new Map<string, Painted>();
    kept.set(set, known);
    // An unknown address or a query is whatever somebody typed: not worth a place.
    const key = search === '' && route.path !== '*' ? JSON.stringify([page.language, path, page.data]) : null;
    const before = key === null ? undefined : known.get(key);
    if (before) return before;
    try {
      const painted = await paint({
        page,
        path,
        search,
        flow,
        screen: (id) => ({ ui: set.ui(id, page.language), fields: fieldsOf(set, id) }),
      });
      if (key !== null) keep(known, key, painted);
      return painted;
    } catch (error) {
      log.error({ err: error, path }, 'the page could not be painted'); // the browser draws it all the same
      return blank;
    }
  };
}

function keep(known: Map<string, Painted>, key: string, painted: Painted): void {
  known.set(key, painted);
  const [oldest] = known.keys();
  if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
}

function fieldsOf(set: Definitions, screen: string): number {
  const properties = set.schema(screen)?.['properties'];
  return isObject(properties) ? Object.keys(properties).length : 0;
}
