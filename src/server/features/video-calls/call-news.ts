import { announce } from '../../platform/database/news.ts';
import type { Tx } from '../../platform/database/open-store.ts';

/** Topic for changes of any call. */
const callsTopic = 'calls';

export function callTopic(id: string): string {
  return `call ${id}`;
}

/** Announces a change of a call to the pages that show it or the calls of a day. */
export async function announceCall(tx: Tx, id: string): Promise<void> {
  await announce(tx, callTopic(id));
  await announce(tx, callsTopic);
}
