import type { PageRoute } from '../engine/core/definitions-manifest.ts';

/** Not in route-access.ts, which imports the contract, so that the script that pages load first stays small. */
export function isSignedInRoute(access: PageRoute['access']): boolean {
  return access === 'citizen' || access === 'enrolment' || access === 'account';
}
