import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

/** Tries that this module leaves. */
export const limits = limitsOf({
  room: { address: { free: 6_000, windowS: hourS } },
});
