import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { bookSupportCall } from './book-support-call.ts';
import type { CallMails } from './call-mails.ts';
import { getSupportCall } from './get-support-call.ts';
import { cancelSupportCall, confirmSupportCall } from './support-acts.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, 'agenda' | 'jitsi' | 'flags'>;
  readonly callMails: CallMails;
}

export function videoCallHandlers(
  needs: Needs,
): Pick<Handlers, 'bookSupportCall' | 'getSupportCall' | 'confirmSupportCall' | 'cancelSupportCall'> {
  return {
    bookSupportCall: bookSupportCall(needs),
    getSupportCall: getSupportCall(needs),
    confirmSupportCall: confirmSupportCall(needs),
    cancelSupportCall: cancelSupportCall(needs),
  };
}
