import type { Route } from '../../../engine/core/manifest.ts';
import { findRoute, pathNames } from '../../../engine/core/route.ts';
import type { OperationName } from '../../../contract/contract.ts';

const questionOperation: OperationName = 'getFaqs';
const pageOperation: OperationName = 'getStaticPage';

/** What an address of the portal shows of the content. */
export type Target =
  | { readonly kind: 'pregunta' | 'pagina'; readonly name: string }
  /** A route that shows something else. */
  | { readonly kind: 'route' };

/** What a path of the portal leads to, by the routes of the flows; null when it leads nowhere. */
export function targetOf(path: string, routes: readonly Route[]): Target | null {
  const match = findRoute(routes, path);
  if (!match) return null;
  const { route, params } = match;
  const [name] = pathNames(route.path);
  if (route.source?.operation === questionOperation && name !== undefined)
    return { kind: 'pregunta', name: params[name] ?? '' };
  const page = pageOf(route);
  return page === null ? { kind: 'route' } : { kind: 'pagina', name: page };
}

/** The static pages that routes show, with the first route of each. */
export function shownPages(routes: readonly Route[]): ReadonlyMap<string, Route> {
  return new Map(
    [...routes].reverse().flatMap((route) => {
      const page = pageOf(route);
      return page === null ? [] : [[page, route] as const];
    }),
  );
}

/** A path that keeps a question of this slug from being reached; null when there is none. */
export function pathInTheWay(slug: string, routes: readonly Route[]): string | null {
  const patterns = routes.filter(
    ({ path, source }) => source?.operation === questionOperation && pathNames(path).length > 0,
  );
  const paths = patterns.map(({ path }) => path.replace(/:\w+/, slug));
  return paths.find((path) => routes.some((route) => route.path === path)) ?? null;
}

function pageOf({ source }: Route): string | null {
  const page = source?.operation === pageOperation ? source.params?.['page'] : undefined;
  return typeof page === 'string' ? page : null;
}
