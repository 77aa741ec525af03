import type { Place } from '../place.ts';
import type { Entry } from '../search.ts';

/** Where an entry is edited; what edits and shows it stays what it is where that fits. */
export function placeOf({ kind, name }: Entry, { editor }: Place): Partial<Place> {
  const none = { screen: '', flow: '', common: '' };
  if (kind === 'common') return { ...none, common: name };
  return kind === 'screen'
    ? { ...none, screen: name, editor: editor === 'flow' ? 'texts' : editor }
    : { ...none, flow: name, editor: editor === 'json' ? 'json' : 'flow' };
}
