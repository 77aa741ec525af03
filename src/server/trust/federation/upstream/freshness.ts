import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Assertion, Kept } from './adapter.ts';
import { providerSkewS } from '../../sessions/sessions.ts';
import { UpstreamStale } from './upstream-error.ts';

/** What is kept of a demand for a sign-in of at most an age, in seconds, until the answer is there; nothing without one. */
export function keptDemand(maxAgeS: number | null, now: Date): Kept {
  return maxAgeS === null ? {} : { since: after(now, -maxAgeS).toISOString() };
}

/** Throws an UpstreamStale where an answer does not meet the demand that was kept: providers may pass over it. */
export function assertFresh({ signedInAt }: Assertion, { since }: Kept, clock: Clock): void {
  if (since === undefined) return;
  if (signedInAt === null) throw new UpstreamStale('the provider does not say when the person signed in');
  if (after(signedInAt, providerSkewS) < new Date(since)) throw new UpstreamStale('the person signed in there before');
  if (after(signedInAt, -providerSkewS) > clock.now())
    throw new UpstreamStale('the person signs in there later than now');
}
