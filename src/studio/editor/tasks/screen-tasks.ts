import type { Logic } from '../../../engine/core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioSet } from '../../studio-data.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { valueIn } from '../pending.ts';

/** A text in both languages. */
export interface Both {
  readonly es: string;
  readonly pt: string;
}

/** The files of a screen. */
export function filesOf(screen: string) {
  const path = (name: string) => `schemas/${screen}/${name}.json`;
  return { schema: path('schema'), ui: path('ui'), pt: path('ui.pt') };
}

/** The fields of a screen in the order of its schema, each with its own schema. */
export function fieldsOf(set: StudioSet, screen: string): Readonly<Record<string, JsonObject>> {
  const properties = valueIn(set, filesOf(screen).schema, '/properties');
  return isObject(properties) ? (properties as Readonly<Record<string, JsonObject>>) : {};
}

/** Gives a field a rule of when it is shown; undefined: always. */
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

/** Events that the engine raises or asks for itself. */
export const ownEvents: readonly string[] = ['submit', 'back', 'restart'];

/** The events of a screen's buttons and links that have a name of its own. */
export function eventsOf(set: StudioSet, screen: string): readonly string[] {
  const within = (value: Json | undefined): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item: Json) => within(item));
    if (!isObject(value)) return [];
    const { event, ...others } = value as JsonObject;
    return [...(typeof event === 'string' ? [event] : []), ...Object.values(others).flatMap((own) => within(own))];
  };
  return [...new Set(within(valueIn(set, filesOf(screen).ui)))].filter((name) => !ownEvents.includes(name));
}
