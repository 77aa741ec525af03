import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Assertion, Kept } from './adapter.ts';
import { providerSkewS } from '../../sessions/sessions.ts';
import { UpstreamStale } from './upstream-error.ts';

/** Stores the earliest acceptable time of the sign-in, for `assertFresh`. Empty if any age will do. */
export function keptDemand(maxAgeS: number | null, now: Date): Kept {
  return maxAgeS === null ? {} : { since: after(now, -maxAgeS).toISOString() };
}

/** Removes an invalid or future time. It would count as a new sign-in, also as a proof of identity, for as long as the session exists. */
export function withPastTime(assertion: Assertion, clock: Clock): Assertion {
  const { signedInAt } = assertion;
  const isPast = signedInAt !== null && after(signedInAt, -providerSkewS) <= clock.now(); // false for an invalid Date as well
  return isPast ? assertion : { ...assertion, signedInAt: null };
}

/** Throws an `UpstreamStale` if the sign-in is older than requested. Providers may ignore the requested age. */
export function assertFresh({ signedInAt }: Assertion, { since }: Kept): void {
  if (since === undefined) return;
  if (signedInAt === null) throw new UpstreamStale('the provider tells no past time at which the person signed in');
  if (after(signedInAt, providerSkewS) < new Date(since)) throw new UpstreamStale('the person signed in there before');
}
