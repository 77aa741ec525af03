import { underLease } from '../../platform/jobs/lease.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import { mails } from './mails/mails.ts';
import { tables } from './tables.ts';
import texts from './texts.json' with { type: 'json' };
import { watchCalls, type WatchNeeds } from './watch-calls.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { bookSupportCall } from './book-support-call.ts';
import type { CallMails } from './call-mails.ts';
import { getSupportCall } from './get-support-call.ts';
import { cancelSupportCall, confirmSupportCall } from './support-acts.ts';
import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

const limits = limitsOf({
  bookCall: {
    address: { free: 20, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 3, windowS: dayS },
  },
  openCall: { address: { free: 300, windowS: hourS } },
});

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

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, 'agenda' | 'jitsi' | 'flags'>;
  readonly callMails: CallMails;
}

function videoCallHandlers(
  needs: Needs,
): Pick<Handlers, 'bookSupportCall' | 'getSupportCall' | 'confirmSupportCall' | 'cancelSupportCall'> {
  return {
    bookSupportCall: bookSupportCall(needs),
    getSupportCall: getSupportCall(needs),
    confirmSupportCall: confirmSupportCall(needs),
    cancelSupportCall: cancelSupportCall(needs),
  };
}
