import type { ScreenUi } from '../../../core/flow-and-screen-types.ts';
import { isFieldWithin, joinItemFieldName, buildUiPointer } from '../../../core/field-path.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import {
  flattenFields,
  isListSchema,
  listAllFields,
  listFieldGroupSchemasWithItems,
  listFieldsOfEarlierSteps,
  normalizeItemSchema,
  readSchemaProperties,
  pickStandardKeywords,
} from '../../screen/schema-fields.ts';
import type { PluginIndex } from '../../files/index-plugins.ts';
import type { ReadableVariables } from '../check-json-logic.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import { listTextKeys } from '../../../core/list-fields.ts';
import {
  noCopyMessageKey,
  optionGoneMessageKey,
  noOptionsMessageKey,
  listPlaceholders,
} from '../../../core/messages.ts';
import { mayDisableCopying, findChoiceSourceParams, readFieldUi } from '../../../core/screen-ui-queries.ts';
import {
  explain,
  findNearestName,
  localize,
  suggestSimilarName,
  type LocalizedText,
} from '../../sources/localized-text.ts';
import { indexTextsByPointer } from '../../shared/translation.ts';

/** Names of the variables of each flow that shows a screen. */
export type FlowVariables = Readonly<Record<string, readonly string[]>>;

/** Lists the flows that lack a variable, in quotes. */
export function listFlowsWithout(name: string, variables: FlowVariables): string {
  const lacking = Object.keys(variables).filter((flow) => !variables[flow]?.includes(name));
  return lacking.map((flow) => `"${flow}"`).join(', ') || '–';
}

export interface UiCheckOptions {
  readonly schema: JsonObject;
  readonly plugins: PluginIndex;
  readonly operations: readonly string[];
  /** Widgets of the page's theme. */
  readonly widgets: readonly string[];
  readonly facts: readonly string[];
  /** Facts that the server has when it validates the fields. `null` if the server does not validate the fields. */
  readonly validated: readonly string[] | null;
  /** Variables of every flow that shows the screen. */
  readonly context: ReadonlySet<string>;
  readonly variables: FlowVariables;
  readonly paths: ReadonlySet<string>;
  /** Fields that only the ui still has, with the screen of the same flow whose schema has them. `isDrawn` is whether that screen's ui has them too. */
  readonly movedFields: Readonly<Record<string, { readonly screen: string; readonly isDrawn: boolean }>>;
  /** Fields whose ui is still in another screen of the same flow. */
  readonly receivedFields: readonly string[];
}

export type UiCheckContext = ReturnType<typeof createUiCheckContext>;

export function createUiCheckContext(ui: ScreenUi, around: UiCheckOptions, report: ProblemReporter) {
  const { schema, context, facts } = around;
  /** Fields of the schema by name, including fields of list items ("telefonos.items.numero"). */
  const fields: Readonly<Record<string, JsonObject>> = Object.fromEntries(
    listAllFields(schema).map(([name, field]) => [name, field]),
  );
  const groups = listFieldGroupSchemasWithItems(schema);
  const lists = Object.keys(fields).filter((name) => isListSchema(fields[name] ?? {}));
  /** Values that a rule may read when the form opens. The form has no values yet. */
  const settled: ReadableVariables = { form: new Set(), context, facts };
  /** Values that a rule may read while the user fills in the form. */
  const readable: ReadableVariables = {
    ...settled,
    form: new Set([...Object.keys(flattenFields(schema)), ...listFieldsOfEarlierSteps(schema)]),
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
      Object.keys(readSchemaProperties(group === null ? schema : (groups[group] ?? {}))),
    /** Whether an unknown key of `fields` is probably the misspelled name of a field that has no other entry in `fields`. */
    isMisspelt: (name: string): boolean =>
      !Object.hasOwn(ui.fields ?? {}, name) &&
      Object.keys(ui.fields ?? {}).some(
        (key) => !Object.hasOwn(fields, key) && !Object.hasOwn(groups, key) && findNearestName(key, [name]) === name,
      ),
    isItem: (name: string): boolean => lists.some((list) => name === joinItemFieldName(list, '')),
    /** Returns the values that the rule of a field may read. In a list item, the rule reads the fields of that item. */
    readableFor(name: string): ReadableVariables {
      const list = lists.findLast((one) => isFieldWithin(name, joinItemFieldName(one, ''))); // last match: the innermost list
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
export function listFieldMessageKeys(
  ui: ScreenUi,
  { name, field, needed }: { readonly name: string; readonly field: JsonObject; readonly needed: boolean },
  { rules }: PluginIndex,
  ofForm: readonly string[] = [],
): readonly string[] {
  return [
    ...(needed ? ['required'] : []),
    ...Object.keys(pickStandardKeywords(field)),
    ...Object.keys(field).filter((keyword) => rules.has(keyword)),
    ...ofForm,
    ...(isListSchema(field) ? listTextKeys : []),
    ...(mayDisableCopying(ui, name) ? [noCopyMessageKey] : []),
    ...(findChoiceSourceParams(ui, name) ? [noOptionsMessageKey, optionGoneMessageKey] : []),
  ];
}

/** Returns the event of a button that was probably meant to be "submit". Returns `undefined` if there is none, or if the screen needs no such event. */
export function findMisspeltSubmitEvent(ui: ScreenUi, schema: JsonObject): string | undefined {
  const events = (ui.actions ?? []).map(({ event }) => event);
  const primary = ui.actions?.find((action) => action.primary === true);
  return lacksSubmitButton(ui, schema) ? (findNearestName('submit', events) ?? primary?.event) : undefined;
}

/** Whether a screen asks for values, but has no button that submits them. */
export function lacksSubmitButton(ui: ScreenUi, schema: JsonObject): boolean {
  const isAsked = listAllFields(schema).some(([name]) => readFieldUi(ui, name)['ui:readonly'] !== true);
  return isAsked && !(ui.actions ?? []).some(({ event }) => event === 'submit');
}

export function checkFieldMessages(
  { schema, plugins, language }: Pick<UiCheckOptions, 'schema' | 'plugins'> & { readonly language: string },
  messages: Readonly<Record<string, string>>,
  ui: ScreenUi,
  report: ProblemReporter,
): void {
  const missing = (keyword: string, own: Readonly<Record<string, string>>) =>
    ![own, messages].some((table) =>
      Object.keys(table).some((key) => key === keyword || key.startsWith(`${keyword}.`)),
    );
  const reported = new Set<string>();
  const checkMessage = (keyword: string, pointer: string, own: Readonly<Record<string, string>> = {}) => {
    if (!missing(keyword, own) || reported.has(keyword)) return;
    reported.add(keyword);
    report(pointer)(explain`The rule "${keyword}" has no message in "${language}".
        Add it to schemas/_shared/messages, to the plugin’s texts.json or to "messages" here.`);
  };
  for (const keyword of ['required', 'type', 'additionalProperties']) checkMessage(keyword, '');
  for (const [name, field, needed] of listAllFields(schema)) {
    for (const keyword of listFieldMessageKeys(ui, { name, field, needed }, plugins))
      if (keyword !== 'items') checkMessage(keyword, buildUiPointer(name), ui.messages?.[name]);
  }
  for (const keyword of Object.keys(schema)) if (plugins.rules.has(keyword)) checkMessage(keyword, '');
}

/** Suggests the variable of the original that a translation lacks. Returns `undefined` if it lacks none. */
function suggestOriginalVariable(text: string, original = ''): LocalizedText | undefined {
  const lost = listPlaceholders(original).find((name) => !listPlaceholders(text).includes(name));
  return lost === undefined ? undefined : localize`Variables are not translated: write {${lost}}, as in the original.`;
}

/** Checks that placeholders are only in texts where the engine replaces them, and only name flow variables and facts. */
export function checkPlaceholders(
  ui: ScreenUi,
  {
    context,
    variables,
    facts,
    declared,
    original,
    reportOfScreen,
  }: Pick<UiCheckOptions, 'context' | 'variables' | 'facts'> & {
    /** Variables of all flows. If a shared notice uses a variable of another flow, the screen is reported, because the notice is correct. */
    readonly declared: ReadonlySet<string>;
    /** The same ui in the base language, for a translation. */
    readonly original?: ScreenUi;
    readonly reportOfScreen: ProblemReporter;
  },
  report: ProblemReporter,
): void {
  const originals = original ? indexTextsByPointer(original as unknown as Json) : new Map<string, string>(); // cast: an interface is not assignable to `Json`
  for (const [pointer, text] of indexTextsByPointer(ui as unknown as Json)) {
    if (pointer.startsWith('/messages/')) continue; // skip messages, because rules fill in their placeholders
    for (const name of listPlaceholders(text)) {
      if (/^\/(fields|sections)\//.test(pointer))
        report(pointer)(explain`
          The texts of a field or a section are displayed as written: {${name}} would appear with its braces.
          Remove the variable. Only the title of the screen, its intro and its notices can have variables.`);
      else if (!context.has(name) && !facts.includes(name)) {
        const isOther = declared.has(name);
        (isOther ? reportOfScreen : report)(pointer)({
          message: isOther
            ? localize`The text uses {${name}}, which is not a variable of the flow ${listFlowsWithout(name, variables)}.`
            : localize`The text uses {${name}}, which no flow that shows it declares or assigns.`,
          hint:
            suggestOriginalVariable(text, originals.get(pointer)) ??
            localize`${suggestSimilarName(name, [...context, ...facts])}Declare it in "context" of the flow, or assign it in an earlier branch.`,
        });
      }
    }
  }
}
