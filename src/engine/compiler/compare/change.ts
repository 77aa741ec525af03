import type { Ui } from '../../core/definition.ts';
import type { Localized } from '../localized.ts';

/** One difference between two versions of a set. */
export interface Change {
  /** It may refuse what was accepted, or lose an address, a field or a way in. */
  readonly breaking: boolean;
  /** The screen or the flow. */
  readonly where: string;
  /** Of a text: where in the screen it stands. Whoever shows the change names the place as people see it. */
  readonly place?: { readonly pointer: string; readonly ui: Ui };
  readonly text: Localized;
}
