import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  signature: { address: { free: 60, windowS: hourS }, document: { free: 20, windowS: hourS } },
});
