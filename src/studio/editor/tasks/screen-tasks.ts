import type { Logic } from '../../../engine/core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioSet } from '../../studio-data.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { valueIn } from '../pending.ts';

export interface Both {
  readonly es: string;
  readonly pt: string;
}

export function filesOf(screen: string) {
  const path = (name: string) => `schemas/${screen}/${name}.json`;
  return { schema: path('schema'), ui: path('ui'), pt: path('ui.pt') };
}

/** Returns the top-level fields of a screen with their schemas. */
export function fieldsOf(set: StudioSet, screen: string): Readonly<Record<string, JsonObject>> {
  const properties = valueIn(set, filesOf(screen).schema, '/properties');
  return isObject(properties) ? (properties as Readonly<Record<string, JsonObject>>) : {};
}

/** Change that sets the `visible` rule of a field. `undefined` removes it. */
export function visibleChange(set: StudioSet, screen: string, name: string, logic: Logic | undefined): FileChange {
  const { ui } = filesOf(screen);
  const rules = valueIn(set, ui, '/visible');
  const isOnly = isObject(rules) && Object.keys(rules).length === 1 && Object.hasOwn(rules, name);
  const pointer = logic === undefined && isOnly ? '/visible' : `/visible/${escapePointer(name)}`;
  return {
    file: ui,
    base: set.files[ui]?.version ?? null,
    edits: [logic === undefined ? { pointer } : { pointer, value: logic }],
  };
}

/** Events that the engine itself raises or handles. */
export const ownEvents: readonly string[] = ['submit', 'back', 'restart'];

/** Returns the custom events of a screen's buttons and links. */
export function eventsOf(set: StudioSet, screen: string): readonly string[] {
  const within = (value: Json | undefined): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item: Json) => within(item));
    if (!isObject(value)) return [];
    const { event, ...others } = value as JsonObject;
    return [...(typeof event === 'string' ? [event] : []), ...Object.values(others).flatMap((own) => within(own))];
  };
  return [...new Set(within(valueIn(set, filesOf(screen).ui)))].filter((name) => !ownEvents.includes(name));
}
