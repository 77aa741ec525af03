import { underLease } from '../../platform/jobs/lease.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import { videoCallHandlers } from './handlers.ts';
import { limits } from './limits.ts';
import { mails } from './mails/mails.ts';
import { tables } from './tables.ts';
import texts from './texts.json' with { type: 'json' };
import { watchCalls, type WatchNeeds } from './watch-calls.ts';

export const topic = {
  handlers: videoCallHandlers,
  texts,
  mails,
  limits,
  tables,
  jobs: (parts: WatchNeeds) => [
    {
      name: 'watch video calls',
      everyMs: 20_000,
      run: () => underLease(parts.store, 'video-calls', (renew) => watchCalls(parts, parts.clock.now(), renew)),
    },
  ],
} as const satisfies Topic;
