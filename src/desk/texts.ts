import { fill } from '../engine/core/messages.ts';
import texts from '../../schemas/_shared/texts/desk.json' with { type: 'json' };

export type DeskTextKey = keyof typeof texts;

/** A sentence of the desk, which speaks Spanish alone. */
export function deskText(key: DeskTextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(texts[key], values);
}

/** The sentence of a name that the server tells, such as a state; the name itself where there is none. */
export function deskName(prefix: string, name: string): string {
  const known: Readonly<Record<string, string>> = texts;
  return known[`${prefix}.${name}`] ?? name;
}
