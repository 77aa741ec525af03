import type { Route } from '../engine/core/manifest.ts';

/**
 * Whether a route requires a session. Separate from `findRefusal`, which imports the complete contract, because the first script of every page needs
 * this function.
 */
export function isSignedInRoute(access: Route['access']): boolean {
  return access === 'citizen' || access === 'enrolment' || access === 'account';
}
