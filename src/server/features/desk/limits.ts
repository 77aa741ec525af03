import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  /** Look-ups per agent. Acts have a separate limit, because they also reveal whether an account exists. */
  lookUp: { document: { free: 60, windowS: hourS } },
  deskAct: { document: { free: 60, windowS: hourS } },
});
