import { hourS } from '../../../platform/base/periods.ts';
import { nameLimits } from '../../../platform/topics/limit.ts';

export const limits = nameLimits({
  /** Pending authorization requests. Each counts only while it is pending. */
  request: { address: { free: 1_000, windowS: hourS } },
  logoutMessage: { address: { free: 1_000, windowS: hourS } },
});
