import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';

/** A format with its version in the name of its JSON Schema: flow.4.schema.json. Without a number it is version 1. */
interface Version {
  readonly version: number;
  /** Keywords of earlier versions, with their replacements. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Other changes, in a sentence. May be empty. */
  readonly changes: Localized;
}

/** Current version of each format, and the changes for older files. */
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
