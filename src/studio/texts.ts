import { flagDefaults, type FlagName } from '../contract/flags.ts';
import { fill } from '../engine/core/messages.ts';
import texts from './texts.json' with { type: 'json' };

/** A sentence of the gallery, a tool of the team that speaks the team's language. */
export function t(key: keyof typeof texts.es, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(texts.es[key], values);
}

/** What people call a feature flag; its name where the portal has no such flag. */
export function flagTitle(name: string): string {
  return Object.hasOwn(flagDefaults, name) ? t(`flag-${name as FlagName}`) : name;
}
