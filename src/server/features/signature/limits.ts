import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

/** Tries that this module leaves. */
export const limits = limitsOf({
  signature: { address: { free: 60, windowS: hourS }, document: { free: 20, windowS: hourS } },
});
