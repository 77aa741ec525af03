import type { Ui } from './definition.ts';
import { isObject, type JsonObject } from './json.ts';

/** The uiSchema of a field; empty when it has none. */
export function uiOf(ui: Ui, name: string): JsonObject {
  const entry = ui.fields?.[name];
  return isObject(entry) ? (entry as JsonObject) : {};
}

/** The `ui:options` of a field; empty when it has none. */
export function uiOptions(ui: Ui, name: string): JsonObject {
  const options = uiOf(ui, name)['ui:options'];
  return isObject(options) ? (options as JsonObject) : {};
}

/** A text of a field's uiSchema. */
export function uiText(ui: Ui, name: string, key: 'ui:title' | 'ui:help' | 'ui:placeholder' | 'ui:autocomplete' | 'ui:widget'): string | undefined {
  const text = uiOf(ui, name)[key];
  return typeof text === 'string' ? text : undefined;
}
