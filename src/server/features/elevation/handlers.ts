import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Registry } from '../../trust/identity/registry/registry.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import type { CallMails } from '../video-calls/call-mails.ts';
import { bookElevation } from './book-elevation.ts';
import { checkCard } from './check-card.ts';
import { acceptElevation, cancelElevation } from './elevation-acts.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly config: Pick<Config, 'agenda'>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly callMails: CallMails;
}

export function elevationHandlers(
  needs: Needs,
): Pick<Handlers, 'checkCard' | 'bookElevation' | 'cancelElevation' | 'acceptElevation'> {
  return {
    checkCard: checkCard(needs),
    bookElevation: bookElevation(needs),
    cancelElevation: cancelElevation(needs),
    acceptElevation: acceptElevation(needs),
  };
}
