import type { Route } from '../../../engine/core/manifest.ts';
import { findRoute, pathNames } from '../../../engine/core/route.ts';
import type { OperationName } from '../../../contract/contract.ts';

const questionOperation: OperationName = 'getFaqs';
const pageOperation: OperationName = 'getStaticPage';

/** Content that an address of the portal shows. */
export type Target =
  | { readonly kind: 'pregunta' | 'pagina'; readonly name: string }
  /** A route that shows no content. */
  | { readonly kind: 'route' };

/** Resolves a path with the routes of the flows. Returns `null` if no route matches. */
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

/** Returns the static pages that routes show, with the first route of each. */
export function shownPages(routes: readonly Route[]): ReadonlyMap<string, Route> {
  return new Map(
    [...routes].reverse().flatMap((route) => {
      const page = pageOf(route);
      return page === null ? [] : [[page, route] as const];
    }),
  );
}

/** Returns the path of a route that hides the question with this slug. Returns `null` if there is none. */
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
