import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  signIn: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: dayS } },
  secondFactor: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: dayS } },
  passkey: { address: { free: 60, windowS: hourS } },
  mailedCode: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
});
