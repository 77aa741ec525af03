import { announce } from '../../platform/database/news.ts';
import type { Tx } from '../../platform/database/open-store.ts';

/** The topic of every call: one was booked, or went on. */
const callsTopic = 'calls';

/** The topic of one call and its room. */
export function callTopic(id: string): string {
  return `call ${id}`;
}

/** Tells who looks at a call, or at the calls of a day, that it went on. */
export async function announceCall(tx: Tx, id: string): Promise<void> {
  await announce(tx, callTopic(id));
  await announce(tx, callsTopic);
}
