import type { Route } from '../engine/core/manifest.ts';

/**
 * Whether only somebody who is signed in may open a route of the portal. It stands apart from `refusalOf`, which reads the whole contract: the first
 * script of every page asks this alone.
 */
export function isSignedInRoute(access: Route['access']): boolean {
  return access === 'citizen' || access === 'enrolment' || access === 'account';
}
