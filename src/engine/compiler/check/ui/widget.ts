import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { ownWidgets, type OwnWidget } from '../../../core/widgets.ts';
import type { UiCheck } from './ui-check.ts';
import { say } from '../../sources/say.ts';
import type { Localized } from '../../localized.ts';

const rows = say`Rows that are known are an object of fields with the same choices and "ui:widget": "matrix"; rows that people add are a list of objects.`;

const instead: Readonly<Record<string, Localized>> = {
  matrix: rows,
  datagrid: rows,
  ranking: say`Use a list of objects that begins with every choice, without "addable" and "removable": people change its order.`,
  rating: say`Use "radio" and an "enum" of the steps.`,
};

export function checkWidget(
  { around: { plugins, widgets }, report }: UiCheck,
  at: string,
  widget: string,
  { field, options }: { readonly field: JsonObject; readonly options: JsonObject },
): void {
  if (plugins.byName.get(widget)?.hasWidget || widgets.includes(widget)) return;
  const types: readonly string[] | undefined = Object.hasOwn(ownWidgets, widget)
    ? ownWidgets[widget as OwnWidget]
    : undefined;
  if (!types) {
    const known = [
      ...Object.keys(ownWidgets),
      ...[...plugins.byName.values()].filter((plugin) => plugin.hasWidget).map((plugin) => plugin.name),
      ...widgets,
    ];
    const hint = Object.hasOwn(instead, widget) ? instead[widget] : undefined;
    return report(at, say`Unknown widget "${widget}".`, hint ?? say`Known: ${known.join(', ')}.`);
  }
  const { type } = field;
  if (typeof type === 'string' && !types.includes(type))
    return report(
      at,
      say`The widget "${widget}" cannot hold a field of type ${type}.`,
      say`It is for ${types.join(', ')}; without "ui:widget" the type decides.`,
    );
  const fromCall = widget === 'select' && options.source !== undefined;
  if (['select', 'radio'].includes(widget) && !choicesOf(field) && !fromCall) {
    report(
      at,
      say`The widget "${widget}" has no choices.`,
      say`Give the field an "enum" in schema.json, or a select a "source" in "ui:options".`,
    );
  }
}

export function choicesOf(field: JsonObject): readonly Json[] | null {
  const list = field.enum ?? (isObject(field.items) ? (field.items as JsonObject).enum : undefined);
  return Array.isArray(list) ? list : null;
}
