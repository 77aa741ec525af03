import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Assertion, Kept } from './adapter.ts';
import { providerSkewS } from '../../sessions/sessions.ts';
import { UpstreamStale } from './upstream-error.ts';

/** What is kept of a demand for a sign-in of at most an age, in seconds, until the answer is there; nothing without one. */
export function keptDemand(maxAgeS: number | null, now: Date): Kept {
  return maxAgeS === null ? {} : { since: after(now, -maxAgeS).toISOString() };
}

/**
 * An answer, without its time of the sign-in where that is to come, or is no time: kept, it would count as a new sign-in for as long as the session lives,
 * for applications and as a proof of identity.
 */
export function withPastTime(assertion: Assertion, clock: Clock): Assertion {
  const { signedInAt } = assertion;
  const isPast = signedInAt !== null && after(signedInAt, -providerSkewS) <= clock.now(); // false of an invalid Date, too
  return isPast ? assertion : { ...assertion, signedInAt: null };
}

/** Throws an UpstreamStale where an answer does not meet the demand that was kept: providers may pass over it. */
export function assertFresh({ signedInAt }: Assertion, { since }: Kept): void {
  if (since === undefined) return;
  if (signedInAt === null) throw new UpstreamStale('the provider tells no past time at which the person signed in');
  if (after(signedInAt, providerSkewS) < new Date(since)) throw new UpstreamStale('the person signed in there before');
}
