import type { Route } from './manifest.ts';

/** A route and the values of the `:name` steps of its path. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** The route of a decoded path; a path without parameters wins over one with, and one with fewer over one with more. */
export function findRoute(routes: readonly Route[], path: string): RouteMatch | undefined {
  // Nearly every path is a route's own, and pages ask at each request.
  const own = /[*:]/.test(path) ? undefined : routes.find((route) => route.path === path);
  if (own) return { route: own, params: {} };
  const matches = routes.flatMap((route): RouteMatch[] => {
    const params = route.path === '*' ? null : matchPath(route.path, path);
    return params === null ? [] : [{ route, params }];
  });
  return matches.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

/** The names of the parameters of a path, e.g. `slug` of `/ayuda/:slug`. */
export function pathNames(path: string): readonly string[] {
  return path.split('/').flatMap((step) => nameOf(step) ?? []);
}

/** A path with its parameters filled from the variables of a flow; a missing one becomes empty. */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path
    .split('/')
    .map((step) => {
      const name = nameOf(step);
      return name === null ? step : String(values[name] ?? '');
    })
    .join('/');
}

/** The parameters of a decoded path by a pattern such as `/ayuda/:slug`; null where it is not of that form. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.normalize('NFC').split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, step] of wanted.entries()) {
    const name = nameOf(step);
    const value = given[index] ?? '';
    if (name === null ? step !== value : value === '') return null;
    if (name !== null) params[name] = value;
  }
  return params;
}

function nameOf(step: string): string | null {
  return step.startsWith(':') ? step.slice(1) : null;
}
