import { once } from 'node:events';
import type { Handler } from '../parts.ts';

/** Topic for changes of calls, announced by a database trigger. */
const topic = 'desk';

export const watchDesk: Handler<'watchDesk'> = async ({ store }) => ({
  body: { numero: 0 },
  events: async (emit, signal) => {
    let number = 0;
    const stop = await store.news.hear(topic, () => emit({ numero: (number += 1) }));
    emit({ numero: number }); // makes the desk read the changes that it missed before it listened
    if (!signal.aborted) await once(signal, 'abort');
    stop();
  },
});
