import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  bookCall: {
    address: { free: 20, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 3, windowS: dayS },
  },
  openCall: { address: { free: 300, windowS: hourS } },
});
