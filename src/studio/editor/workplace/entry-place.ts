import type { Place } from '../place.ts';
import type { Entry } from '../search.ts';

/** Returns the place of an entry. Keeps the current editor if it fits. */
export function placeOf({ kind, name }: Entry, { editor }: Place): Partial<Place> {
  const none = { screen: '', flow: '', common: '' };
  if (kind === 'common') return { ...none, common: name };
  return kind === 'screen'
    ? { ...none, screen: name, editor: editor === 'flow' ? 'texts' : editor }
    : { ...none, flow: name, editor: editor === 'json' ? 'json' : 'flow' };
}
