import { once } from 'node:events';
import type { Handler } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';

/** The topic of news about calls, which the table of calls itself announces. */
const topic = 'desk';

/** Tells an open desk each time that something about a call has changed. */
export function watchDesk({ store }: { readonly store: Store }): Handler<'watchDesk'> {
  return async () => ({
    body: { numero: 0 },
    events: async (emit, signal) => {
      let number = 0;
      const stop = await store.news.hear(topic, () => emit({ numero: (number += 1) }));
      emit({ numero: number }); // what changed before it was heard is read again, too
      if (!signal.aborted) await once(signal, 'abort');
      stop();
    },
  });
}
