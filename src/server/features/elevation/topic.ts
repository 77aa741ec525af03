import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
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
import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';
import type { StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    card_checks: { session_id: string; passed_at: Date };
  }
}

const tables = {
  card_checks: {
    data: 'That a session passed the check of the identity card',
    why: 'Raising the level',
    readers: [],
    kept: 'as long as its session is remembered',
  },
} as const satisfies Readonly<Record<string, StoredTable>>;

const limits = limitsOf({
  checkCard: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: dayS } },
});

export const topic = { handlers: elevationHandlers, texts, limits, tables } as const satisfies Topic;

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly config: Pick<Config, 'agenda'>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly callMails: CallMails;
}

function elevationHandlers(
  needs: Needs,
): Pick<Handlers, 'checkCard' | 'bookElevation' | 'cancelElevation' | 'acceptElevation'> {
  return {
    checkCard: checkCard(needs),
    bookElevation: bookElevation(needs),
    cancelElevation: cancelElevation(needs),
    acceptElevation: acceptElevation(needs),
  };
}
