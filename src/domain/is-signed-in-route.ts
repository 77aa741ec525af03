import type { PageRoute } from '../engine/core/definitions-manifest.ts';

/**
 * Whether a route requires a sign-in. Separate from route-access.ts, which imports the complete contract, so that the script that every page loads
 * first stays small.
 */
export function isSignedInRoute(access: PageRoute['access']): boolean {
  return access === 'citizen' || access === 'enrolment' || access === 'account';
}
