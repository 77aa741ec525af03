import type { Ui } from '../../core/definition.ts';
import type { Localized } from '../localized.ts';

export interface Change {
  /** The change may refuse data that was valid, or removes an address, a field or an entry point. */
  readonly breaking: boolean;
  readonly where: string;
  /** Location of a changed text in its screen. The caller describes it in terms that users see. */
  readonly place?: { readonly pointer: string; readonly ui: Ui };
  readonly text: Localized;
}

export function compareSets(
  before: Iterable<string>,
  after: Iterable<string>,
): { readonly gone: readonly string[]; readonly come: readonly string[]; readonly both: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    gone: [...old].filter((name) => !now.has(name)),
    come: [...now].filter((name) => !old.has(name)),
    both: [...now].filter((name) => old.has(name)),
  };
}
