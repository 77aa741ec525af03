import type { Localized } from '../localized.ts';

/** One difference between two versions of a set. */
export interface Change {
  /** It may refuse what was accepted, or lose an address, a field or a way in. */
  readonly breaking: boolean;
  /** The screen or the flow. */
  readonly where: string;
  readonly text: Localized;
}
