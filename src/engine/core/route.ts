import type { PageRoute } from './definitions-manifest.ts';

export interface RouteMatch {
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the route of a decoded path. Prefers the route with the fewest parameters. */
export function findRoute(routes: readonly PageRoute[], path: string): RouteMatch | undefined {
  // Fast path for paths without parameters, because every page request looks up a route.
  const own = /[*:]/.test(path) ? undefined : routes.find((route) => route.path === path);
  if (own) return { route: own, params: {} };
  const matches = routes.flatMap((route): RouteMatch[] => {
    const params = route.path === '*' ? null : matchPath(route.path, path);
    return params === null ? [] : [{ route, params }];
  });
  return matches.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

export function listPathParameters(path: string): readonly string[] {
  return path.split('/').flatMap((step) => findParameterName(step) ?? []);
}

/** Replaces each parameter of a path with the value of the same name. A missing value becomes an empty text. */
export function fillPathParameters(path: string, values: Readonly<Record<string, unknown>>): string {
  return path
    .split('/')
    .map((step) => {
      const name = findParameterName(step);
      return name === null ? step : String(values[name] ?? '');
    })
    .join('/');
}

/** Matches a decoded path against a pattern such as `/ayuda/:slug` and returns its parameters. Returns `null` if it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const patternSegments = pattern.normalize('NFC').split('/');
  const pathSegments = path.split('/');
  if (patternSegments.length !== pathSegments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, step] of patternSegments.entries()) {
    const name = findParameterName(step);
    const value = pathSegments[index] ?? '';
    if (name === null ? step !== value : value === '') return null;
    if (name !== null) params[name] = value;
  }
  return params;
}

function findParameterName(step: string): string | null {
  return step.startsWith(':') ? step.slice(1) : null;
}
