import type { Language } from '../contract/portal-config.ts';
import { fillPlaceholders } from '../engine/core/messages.ts';
import decisions from './decisions.json';
import es from '../../schemas/_shared/texts/room.json';
import pt from '../../schemas/_shared/texts/room.pt.json';

const texts = { es, pt };

export type RoomTextKey = keyof typeof es;
export type RoomTranslateFunction = (key: RoomTextKey, values?: Readonly<Record<string, string>>) => string;

/** Returns the translate function of the room. Its texts are bundled with the script, because no other page uses them. */
export function createRoomTranslate(language: Language): RoomTranslateFunction {
  return (key, values = {}) => fillPlaceholders(texts[language][key], values);
}

/** Returns the text key of the decision on a call. Returns `undefined` if the call is still in progress. */
export function findCallDecisionTextKey(callState: string): RoomTextKey | undefined {
  const known: Readonly<Record<string, string>> = decisions;
  return known[callState] as RoomTextKey | undefined; // the cast is safe, because each value is a key of the texts
}
