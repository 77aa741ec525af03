import { fillPlaceholders } from '../engine/core/messages.ts';
import texts from '../../schemas/_shared/texts/desk.json' with { type: 'json' };

type DeskTextKey = keyof typeof texts;

/** Returns a text of the desk. The desk exists only in Spanish. */
export function getDeskText(key: DeskTextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fillPlaceholders(texts[key], values);
}

export function findDeskLabel(prefix: string, name: string): string {
  const known: Readonly<Record<string, string>> = texts;
  return known[`${prefix}.${name}`] ?? name;
}
