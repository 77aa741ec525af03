import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  contact: {
    address: { free: 20, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 3, windowS: dayS },
  },
  feedback: { address: { free: 60, windowS: hourS } },
});
