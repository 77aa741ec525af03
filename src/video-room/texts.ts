import type { Language } from '../contract/portal-config.ts';
import { fill } from '../engine/core/messages.ts';
import decisions from './decisions.json';
import es from '../../schemas/_shared/texts/room.json';
import pt from '../../schemas/_shared/texts/room.pt.json';

const texts = { es, pt };

export type RoomText = keyof typeof es;
/** Says the sentences of the room. */
export type SayRoom = (key: RoomText, values?: Readonly<Record<string, string>>) => string;

/** The sentences of the room in one language; they come with its script, since no other page reads them. */
export function roomTexts(language: Language): SayRoom {
  return (key, values = {}) => fill(texts[language][key], values);
}

/** What the state of a call says to the citizen; undefined: that it goes on says the room. */
export function decisionText(callState: string): RoomText | undefined {
  const known: Readonly<Record<string, string>> = decisions;
  return known[callState] as RoomText | undefined; // each is a sentence of the texts
}
