import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  checkCard: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: dayS } },
});
