import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
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

export const topic = {
  handlers: { checkCard, bookElevation, cancelElevation, acceptElevation },
  texts,
  limits,
  tables,
} as const satisfies Topic;
