import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  /** Opening of streams. A page opens one, and another after a reload or a lost connection. Many citizens and agents share an address. */
  stream: { address: { free: 120, windowS: 60 }, document: { free: 30, windowS: 60 } },
  room: { address: { free: 6_000, windowS: hourS } },
});
