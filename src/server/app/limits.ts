import type { LimitName } from '../../contract/contract.ts';
import { collect, type Both } from '../../contract/topics/collect.ts';
import type { Limit } from '../platform/topics/limit.ts';
import { topics } from './topics.ts';

type LimitsOf<Topic> = Topic extends { readonly limits: infer Own } ? Own : never;

/** The limits of all topics. One that a row of the contract names and no topic has does not compile. */
export const limits: Readonly<Record<LimitName, Limit>> = collect(
  'limits',
  Object.entries(topics).map(([name, topic]) => [name, 'limits' in topic ? topic.limits : {}]),
) as Both<LimitsOf<(typeof topics)[keyof typeof topics]>>; // the same keys, by the same rule
