import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

/** Tries that this module leaves. */
export const limits = limitsOf({
  /** At the desk, by agent: looking takes nothing from acting, which tells of an account as well. */
  lookUp: { document: { free: 60, windowS: hourS } },
  deskAct: { document: { free: 60, windowS: hourS } },
});
