import type { Ui } from '../../../core/definition.ts';
import { isWithin, nameInItems } from '../../../core/field-path.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import {
  flattenFields,
  isList,
  listAllFields,
  listAllGroups,
  listEarlierFields,
  normalizeItemSchema,
  readProperties,
  pickStandardKeywords,
  buildUiPointer,
} from '../../screen/fields.ts';
import type { Plugins } from '../../files/index-plugins.ts';
import type { ReadableNames } from '../logic.ts';
import type { Report } from '../../sources/source-file.ts';
import { listTextKeys } from '../../../core/lists.ts';
import { noCopyMessageKey, optionsGone, optionsNone, listPlaceholders } from '../../../core/messages.ts';
import { mayDisableCopying, findSourceParams } from '../../../core/ui.ts';
import { explain, suggestName } from '../../sources/say.ts';
import { indexTexts } from '../../shared/texts.ts';

export interface UiCheckContext {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  readonly operations: readonly string[];
  /** Widgets of the page's theme. */
  readonly widgets: readonly string[];
  readonly facts: readonly string[];
  /** Facts that the server has when it validates the fields. `null` if the server does not validate the fields. */
  readonly validated: readonly string[] | null;
  readonly context: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

export type UiCheck = ReturnType<typeof createUiCheck>;

export function createUiCheck(ui: Ui, around: UiCheckContext, report: Report) {
  const { schema, context, facts } = around;
  /** Fields of the schema by name, including fields of list items ("telefonos.items.numero"). */
  const fields: Readonly<Record<string, JsonObject>> = Object.fromEntries(
    listAllFields(schema).map(([name, field]) => [name, field]),
  );
  const groups = listAllGroups(schema);
  const lists = Object.keys(fields).filter((name) => isList(fields[name] ?? {}));
  /** Values that a rule may read when the form opens. The form has no values yet. */
  const settled: ReadableNames = { form: new Set(), context, facts };
  /** Values that a rule may read while the user fills in the form. */
  const readable: ReadableNames = {
    ...settled,
    form: new Set([...Object.keys(flattenFields(schema)), ...listEarlierFields(schema)]),
  };
  return {
    ui,
    around,
    report,
    fields,
    groups,
    lists,
    settled,
    readable,
    stepsIn: (group: string | null): readonly string[] =>
      Object.keys(readProperties(group === null ? schema : (groups[group] ?? {}))),
    isItem: (name: string): boolean => lists.some((list) => name === nameInItems(list, '')),
    /** Returns the values that the rule of a field may read. In a list item, the rule reads the fields of that item. */
    readableFor(name: string): ReadableNames {
      const list = lists.findLast((one) => isWithin(name, nameInItems(one, ''))); // last match: the innermost list
      if (list === undefined) return readable;
      const names = Object.keys(flattenFields(normalizeItemSchema(fields[list] ?? {})));
      return { ...settled, item: new Set(names) };
    },
  };
}

/**
 * Returns the keys of all messages that a field may show: keywords that may reject its value, and texts of its control. `ofForm` has the form-level
 * rules that report at the field.
 */
export function listMessageKeys(
  ui: Ui,
  { name, field, needed }: { readonly name: string; readonly field: JsonObject; readonly needed: boolean },
  { rules }: Plugins,
  ofForm: readonly string[] = [],
): readonly string[] {
  return [
    ...(needed ? ['required'] : []),
    ...Object.keys(pickStandardKeywords(field)),
    ...Object.keys(field).filter((keyword) => rules.has(keyword)),
    ...ofForm,
    ...(isList(field) ? listTextKeys : []),
    ...(mayDisableCopying(ui, name) ? [noCopyMessageKey] : []),
    ...(findSourceParams(ui, name) ? [optionsNone, optionsGone] : []),
  ];
}

export function checkMessages(
  { schema, plugins, language }: Pick<UiCheckContext, 'schema' | 'plugins'> & { readonly language: string },
  messages: Readonly<Record<string, string>>,
  ui: Ui,
  report: Report,
): void {
  const missing = (keyword: string, own: Readonly<Record<string, string>>) =>
    ![own, messages].some((table) =>
      Object.keys(table).some((key) => key === keyword || key.startsWith(`${keyword}.`)),
    );
  const checkMessage = (keyword: string, pointer: string, own: Readonly<Record<string, string>> = {}) => {
    if (missing(keyword, own))
      report(pointer)(explain`The rule "${keyword}" has no message in "${language}".
        Add it to schemas/_shared/messages, to the plugin’s texts.json or to "messages" here.`);
  };
  for (const keyword of ['required', 'type', 'additionalProperties']) checkMessage(keyword, '');
  for (const [name, field, needed] of listAllFields(schema)) {
    for (const keyword of listMessageKeys(ui, { name, field, needed }, plugins))
      if (keyword !== 'items') checkMessage(keyword, buildUiPointer(name), ui.messages?.[name]);
  }
  for (const keyword of Object.keys(schema)) if (plugins.rules.has(keyword)) checkMessage(keyword, '');
}

/** Checks that placeholders are only in texts where the engine replaces them, and only name flow variables and facts. */
export function checkPlaceholders(
  ui: Ui,
  { context, facts }: Pick<UiCheckContext, 'context' | 'facts'>,
  report: Report,
): void {
  for (const [pointer, text] of indexTexts(ui as unknown as Json)) {
    if (pointer.startsWith('/messages/')) continue; // rules fill in the placeholders of messages
    for (const name of listPlaceholders(text)) {
      if (/^\/(fields|sections)\//.test(pointer))
        report(pointer)(explain`
          The texts of a field or a section are displayed as written: {${name}} would appear with its braces.
          Remove the variable. Only the title of the screen, its intro and its notices can have variables.`);
      else if (!context.has(name) && !facts.includes(name)) {
        report(pointer)(explain`The text uses {${name}}, which no flow of this screen declares.
          ${suggestName(name, [...context, ...facts])}Declare it in the "context" of the flow.`);
      }
    }
  }
}
