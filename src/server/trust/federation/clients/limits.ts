import { hourS } from '../../../platform/base/periods.ts';
import { limitsOf } from '../../../platform/topics/limit.ts';

/** Tries that this module leaves. */
export const limits = limitsOf({
  /** Requests of applications that wait for their citizen, as long as they wait. */
  request: { address: { free: 1_000, windowS: hourS } },
  /** Messages of service providers about a logout. */
  logoutMessage: { address: { free: 1_000, windowS: hourS } },
});
