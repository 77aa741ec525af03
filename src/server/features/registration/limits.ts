import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  register: {
    address: { free: 60, windowS: hourS },
    document: { free: 10, windowS: hourS },
    email: { free: 30, windowS: dayS },
  },
  resend: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  correct: {
    address: { free: 60, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 30, windowS: dayS },
  },
  activate: { address: { free: 300, windowS: hourS } },
});
