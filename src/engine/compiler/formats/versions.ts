import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';

/** A format that names its version in the address of its JSON Schema: flow.4.schema.json; without a number it is the first. */
interface Version {
  readonly version: number;
  /** Words of earlier versions, with those that stand in their place. */
  readonly renamed: Readonly<Record<string, string>>;
  /** What else changed, in a sentence; empty where nothing did. */
  readonly changes: Localized;
}

/** The version of each format that is read, and what an older file has to change. */
export const versions = {
  flow: {
    version: 4,
    renamed: {
      entry: 'requires',
      invoke: 'src',
      $comment: 'description',
      steps: 'challenges',
      step: 'challenge',
      calls: 'operations',
      call: 'operation',
    },
    changes: say`The time of "after" stands in "delays" of the flow, under a name. "context" lists variables by where they come from: query, path, history, storage.`,
  },
  screen: { version: 1, renamed: {}, changes: say`` },
  ui: { version: 1, renamed: { groups: 'sections' }, changes: say`` },
} as const satisfies Readonly<Record<string, Version>>;
