import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  reset: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  confirmReset: { address: { free: 300, windowS: hourS } },
  /** `checks` as in `signIn`. */
  verifyIdentity: {
    address: { free: 60, windowS: hourS },
    document: { free: 10, windowS: dayS },
    checks: { free: 240, windowS: hourS },
  },
});
