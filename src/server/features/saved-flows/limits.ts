import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  saveFlow: { address: { free: 1_200, windowS: hourS }, document: { free: 240, windowS: hourS } },
});
