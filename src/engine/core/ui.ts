import type { FieldUi, LinkText, Paragraph, Ui } from './definition.ts';
import { valueAt } from './field-path.ts';
import { isObject, type Json, type JsonObject, type Values } from './json.ts';
import { holds, render } from './logic.ts';

/** The uiSchema of a field; empty when it has none. */
export function uiOf(ui: Ui, name: string): JsonObject {
  const entry = valueAt(ui.fields ?? {}, name);
  return isObject(entry) ? (entry as JsonObject) : {};
}

/** The `ui:options` of a field, JSON-logic in their values replaced by its results on `facts`, but for `params`, which follow the form; empty when it has none. */
export function uiOptions(ui: Ui, name: string, facts: Values): JsonObject {
  const options = uiOf(ui, name)['ui:options'];
  if (!isObject(options)) return {};
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      (key === 'params' ? value : render(value as Json, facts)) as Json, // logic on JSON answers JSON
    ]),
  );
}

/** What the source of a field's choices is asked with; null where it is asked with nothing. */
export function sourceParams(ui: Ui, name: string): JsonObject | null {
  const options = uiOf(ui, name)['ui:options'];
  return isObject(options) && isObject(options.params) ? (options.params as JsonObject) : null;
}

/** Whether a field is, or by a rule may be, one that cannot be copied. */
export function mayRefuseCopies(ui: Ui, name: string): boolean {
  const options = uiOf(ui, name)['ui:options'];
  return isObject(options) && options.copy !== undefined && options.copy !== true;
}

/** The links below the control of a field. */
export function linksOfField(ui: FieldUi): readonly LinkText[] {
  const links = ui['ui:links'];
  return Array.isArray(links) ? (links as unknown as readonly LinkText[]) : []; // ui.json passed its format
}

/** A text of a field's uiSchema. */
export function uiText(
  ui: Ui,
  name: string,
  key: 'ui:title' | 'ui:help' | 'ui:placeholder' | 'ui:autocomplete' | 'ui:widget',
): string | undefined {
  const text = uiOf(ui, name)[key];
  return typeof text === 'string' ? text : undefined;
}

/** The heading of a screen: the first whose rule holds on `scope`; where none does, the last. */
export function titleOf({ title }: Ui, scope: Values): string {
  const titles: readonly Paragraph[] = typeof title === 'string' ? [{ text: title }] : title;
  return (titles.find(({ visible }) => holds(visible, scope)) ?? titles.at(-1))?.text ?? '';
}

/** The paragraphs below the heading of a screen whose rule holds on `scope`. */
export function introOf({ intro = [] }: Ui, scope: Values): readonly Paragraph[] {
  const paragraphs: readonly Paragraph[] = typeof intro === 'string' ? [{ text: intro }] : intro;
  return paragraphs.filter(({ visible }) => holds(visible, scope));
}
