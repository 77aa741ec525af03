import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { placesIn } from '../titles.ts';
import { filesOf, type Both } from '../tasks/screen-tasks.ts';

/** A button or a link of a screen as it is written. */
export interface WrittenButton {
  readonly pointer: string;
  /** Where people see it. */
  readonly place: string;
  readonly text: Both;
  /** Where its text stands in the translation. */
  readonly address: string;
  /** Where a link leads; empty of what raises an event. */
  readonly to: string;
  readonly primary: boolean;
}

/** The buttons and links of a screen. */
export function buttonsOf(set: StudioSet, screen: string): readonly WrittenButton[] {
  const { ui } = filesOf(screen);
  const placeOf = placesIn(set, ui);
  return ['/actions', '/links'].flatMap((list) => {
    const entries = valueIn(set, ui, list);
    return (Array.isArray(entries) ? entries : []).flatMap((entry: Json, index) => {
      if (!isObject(entry)) return [];
      const pointer = `${list}/${index}`;
      const own = set.texts[screen]?.find((text) => text.pointer === `${pointer}/text`);
      const { to, primary } = entry as JsonObject;
      return {
        pointer,
        place: `${placeOf(pointer)}: ${own?.texts['es'] ?? ''}`,
        text: { es: own?.texts['es'] ?? '', pt: own?.texts['pt'] ?? '' },
        address: own?.address ?? '',
        to: typeof to === 'string' ? to : '',
        primary: primary === true,
      };
    });
  });
}

/** What another text, address or weight of a button changes in both languages. */
export function buttonChanges(
  set: StudioSet,
  screen: string,
  before: WrittenButton,
  now: Pick<WrittenButton, 'text' | 'to' | 'primary'>,
): readonly FileChange[] {
  const { ui, pt } = filesOf(screen);
  const own: readonly StudioEdit[] = [
    ...(now.text.es === before.text.es ? [] : [{ pointer: `${before.pointer}/text`, value: now.text.es }]),
    ...(now.to === before.to ? [] : [{ pointer: `${before.pointer}/to`, value: now.to }]),
    ...(now.primary === before.primary
      ? []
      : [
          now.primary
            ? { pointer: `${before.pointer}/primary`, value: true }
            : { pointer: `${before.pointer}/primary` },
        ]),
  ];
  // A translation has a link by its address.
  const isMoved = now.to !== before.to && before.address === `/links/${escapePointer(before.to)}`;
  const address = isMoved ? `/links/${escapePointer(now.to)}` : before.address;
  const translated: readonly StudioEdit[] = [
    ...(isMoved ? [{ pointer: before.address }] : []),
    ...(isMoved || now.text.pt !== before.text.pt ? [{ pointer: address, value: now.text.pt }] : []),
  ];
  const change = (file: string, edits: readonly StudioEdit[]): readonly FileChange[] =>
    edits.length === 0 ? [] : [{ file, base: set.files[file]?.version ?? null, edits }];
  return [...change(ui, own), ...change(pt, translated)];
}
