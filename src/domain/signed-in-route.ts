import type { PageRoute } from '../engine/core/manifest.ts';

/**
 * Whether a route requires a session. Not in the module of `findRefusal`, because that module imports the complete
 * contract, and the first script of every page needs only this function.
 */
export function isSignedInRoute(access: PageRoute['access']): boolean {
  return access === 'citizen' || access === 'enrolment' || access === 'account';
}
