import type { Language } from '../contract/portal-config.ts';
import { fill } from '../engine/core/messages.ts';
import decisions from './decisions.json';
import es from '../../schemas/_shared/texts/room.json';
import pt from '../../schemas/_shared/texts/room.pt.json';

const texts = { es, pt };

export type RoomText = keyof typeof es;
export type RoomTranslate = (key: RoomText, values?: Readonly<Record<string, string>>) => string;

/** Returns the texts of the room, which are bundled with its script because no other page uses them. */
export function roomTexts(language: Language): RoomTranslate {
  return (key, values = {}) => fill(texts[language][key], values);
}

/** Returns the text for a decided call. Returns `undefined` if the call is still in progress. */
export function decisionText(callState: string): RoomText | undefined {
  const known: Readonly<Record<string, string>> = decisions;
  return known[callState] as RoomText | undefined; // each value is a key of the texts
}
