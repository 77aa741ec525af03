import { collect, type Both } from '../../contract/topics/collect.ts';
import type { Handlers } from '../platform/base/operation-request.ts';
import { endJourneys } from '../web/operations/end-journeys.ts';
import { guardHandlers } from '../web/operations/guard.ts';
import type { Parts } from './parts.ts';
import { topics } from './topics.ts';

type HandlersOf<Topic> = Topic extends { readonly handlers: (parts: never) => infer Own } ? Own : never;
type Collected = Both<HandlersOf<(typeof topics)[keyof typeof topics]>>;

/** The handler of every operation of the contract, behind what its row asks for. A missing one does not compile. */
export function handlersOf(parts: Parts): Handlers {
  const handlers: Handlers = collectHandlers(parts);
  return endJourneys(parts, guardHandlers(parts, handlers));
}

function collectHandlers(parts: Parts): Collected {
  const owners = Object.entries(topics).map(
    ([name, topic]) => [name, 'handlers' in topic ? topic.handlers(parts) : {}] as const,
  );
  return collect('handlers', owners) as Collected; // the same keys, by the same rule
}
