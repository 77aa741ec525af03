import type { PageRoute } from '../engine/core/definitions-manifest.ts';

/** Not in route-access.ts, which imports the complete contract: the first script of every page needs only this function. */
export function isSignedInRoute(access: PageRoute['access']): boolean {
  return access === 'citizen' || access === 'enrolment' || access === 'account';
}
