import { collect } from '../../contract/topics/collect.ts';
import { allTexts, type Catalogue, type TextOf } from '../platform/base/texts.ts';
import type { Topic } from '../platform/topics/topic.ts';
import { topics } from './topics.ts';

const owners: readonly (readonly [string, Topic])[] = Object.entries(topics);

/** The texts of all topics, by code. */
export const catalogue: Catalogue = {
  es: collect(
    'texts',
    owners.map(([topic, { texts }]) => [topic, texts?.es ?? {}]),
  ),
  pt: collect(
    'texts',
    owners.map(([topic, { texts }]) => [topic, texts?.pt ?? {}]),
  ),
};

/** The text of any topic. */
export const texts: TextOf = allTexts(catalogue);
