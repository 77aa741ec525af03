import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  export: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  changeAccount: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: hourS } },
});
