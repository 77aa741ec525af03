import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

/** Tries that this module leaves. */
export const limits = limitsOf({
  /** Streams that open: a page opens one, and opens it again when it is loaded again or the connection breaks. Many citizens and agents share an address. */
  stream: { address: { free: 120, windowS: 60 }, document: { free: 30, windowS: 60 } },
  room: { address: { free: 6_000, windowS: hourS } },
});
