import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  /** `checks` also counts right passwords. Each costs a hash, and a script of one account must not keep all threads busy. */
  signIn: {
    address: { free: 60, windowS: hourS },
    document: { free: 10, windowS: dayS },
    checks: { free: 1_200, windowS: hourS },
  },
  secondFactor: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: dayS } },
  passkey: { address: { free: 60, windowS: hourS } },
  mailedCode: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
});
