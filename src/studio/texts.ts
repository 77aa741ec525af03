import { fill } from '../engine/core/messages.ts';
import texts from './texts.json' with { type: 'json' };

/** A sentence of the gallery, a tool of the team that speaks the team's language. */
export function t(key: keyof typeof texts.es, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(texts.es[key], values);
}
