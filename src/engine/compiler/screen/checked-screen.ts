import type { Ui } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import { baseLanguage } from '../files/read-set.ts';

/** A screen whose files were read, in every language. */
export interface CheckedScreen {
  readonly id: string;
  readonly schema: JsonObject | null;
  readonly uis: ReadonlyMap<string, Ui>;
}

/** The ui of a screen in the language that its files are written in. */
export function baseUi(screen: CheckedScreen): Ui {
  return screen.uis.get(baseLanguage) ?? { title: screen.id };
}
