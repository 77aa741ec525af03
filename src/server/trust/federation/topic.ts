import type { Topic } from '../../platform/topics/topic.ts';
import type { TellEnds } from '../sessions/session-ends.ts';
import { brokerHandlers } from './broker/handlers.ts';
import { limits } from './clients/limits.ts';
import { consentHandlers } from './consents/handlers.ts';
import { tables } from './tables.ts';
import texts from './texts.json' with { type: 'json' };

type Needs = Parameters<typeof brokerHandlers>[0] & Parameters<typeof consentHandlers>[0];

export const topic = {
  handlers: (parts: Needs) => ({ ...brokerHandlers(parts), ...consentHandlers(parts) }),
  texts,
  limits,
  tables,
  jobs: ({ tellEnds }: { tellEnds: TellEnds }) => [
    { name: 'tell applications of ended sessions', everyMs: 2_000, run: () => tellEnds() },
  ],
} as const satisfies Topic;
