import type { LinkText, Logic, Paragraph, Ui } from '../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { copyKeyword, placeholders } from '../core/messages.ts';
import { matchPath } from '../core/route.ts';
import { linksOfField, mayRefuseCopies, transformNames, uiOf } from '../core/ui.ts';
import { checkLogic, checkTemplate, type Readable } from './check/logic.ts';
import { reportOf } from './check/report.ts';
import { propertiesOf, requiredOf } from './check-schema.ts';
import { textsOf } from './check-texts.ts';
import { standardPart } from './check-value.ts';
import type { Plugins } from './plugins.ts';
import { escapePointer, type Problems, type SourceFile } from './source-file.ts';

/** Widgets that the engine brings itself, and the types of fields whose values each can hold. */
const ownWidgets: Readonly<Record<string, readonly string[]>> = {
  text: ['string'],
  email: ['string'],
  tel: ['string'],
  textarea: ['string'],
  date: ['string'],
  number: ['number', 'integer'],
  checkbox: ['boolean'],
  select: ['string', 'number', 'integer'],
  radio: ['string', 'number', 'integer'],
  checkboxes: ['array'],
  hidden: ['string', 'number', 'integer', 'boolean', 'array'],
};

/** What the ui of a screen is checked against. */
export interface UiSurroundings {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  readonly calls: readonly string[];
  readonly facts: readonly string[];
  /** Context variables that every flow with this screen declares. */
  readonly context: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** Checks ui.json against its schema and its surroundings. */
export function checkUi(file: SourceFile, ui: Ui, around: UiSurroundings, problems: Problems): void {
  const properties = propertiesOf(around.schema);
  const readable: Readable = { form: new Set(Object.keys(properties)), context: around.context, facts: around.facts };
  for (const name of Object.keys(properties)) checkFieldUi(file, ui, name, properties[name] ?? {}, around, problems);
  checkNames(file, ui, properties, problems);
  for (const [name, logic] of Object.entries(ui.visible ?? {}))
    checkLogic(reportOf(file, problems), `/visible/${escapePointer(name)}`, logic, readable);
  checkParts(file, ui, readable, around, problems);
  if (Object.keys(properties).length > 0 && !(ui.actions ?? []).some(({ event }) => event === 'submit')) {
    problems.add(
      file,
      '/actions',
      'A screen with fields has no button with the event "submit".',
      'Add one to "actions".',
    );
  }
}

/** Checks that the texts of a ui, or of its translation, name variables of the flow alone. */
export function checkPlaceholders(
  file: SourceFile,
  ui: Ui,
  { context, facts }: Pick<UiSurroundings, 'context' | 'facts'>,
  problems: Problems,
): void {
  for (const [pointer, text] of textsOf(ui as unknown as Json)) {
    // it comes from files
    if (pointer.startsWith('/messages/')) continue; // a rule fills them
    for (const name of placeholders(text)) {
      if (!context.has(name) && !facts.includes(name)) {
        problems.add(
          file,
          pointer,
          `The text names {${name}}, which no flow of this screen declares.`,
          'Declare it in the "context" of the flow.',
        );
      }
    }
  }
}

function checkFieldUi(
  file: SourceFile,
  ui: Ui,
  name: string,
  field: JsonObject,
  around: UiSurroundings,
  problems: Problems,
): void {
  const at = `/fields/${escapePointer(name)}`;
  const fieldUi = uiOf(ui, name);
  const widget = fieldUi['ui:widget'];
  const options = isObject(fieldUi['ui:options']) ? fieldUi['ui:options'] : {};
  if (fieldUi['ui:title'] === undefined && widget !== 'hidden') {
    problems.add(file, at, `The field "${name}" has no "ui:title".`, 'Every field has a label.');
  }
  if (typeof widget === 'string') checkWidget(file, `${at}/ui:widget`, widget, field, options, around, problems);
  // Options are settled when the form opens: they may ask for facts, not for what is typed later.
  const settled: Readable = { form: new Set(), context: around.context, facts: around.facts };
  for (const [option, value] of Object.entries(options)) {
    checkTemplate(reportOf(file, problems), `${at}/ui:options/${escapePointer(option)}`, value as Json, settled);
  }
  if (typeof options.source === 'string' && !around.calls.includes(options.source)) {
    problems.add(file, `${at}/ui:options/source`, `Unknown call "${options.source}".`, 'Name a call of the contract.');
  }
  if (options.transform !== undefined && !transformNames.includes(String(options.transform))) {
    problems.add(
      file,
      `${at}/ui:options/transform`,
      `Unknown transform ${JSON.stringify(options.transform)}.`,
      `Known: ${transformNames.join(', ')}.`,
    );
  }
  const choices = choicesOf(field);
  const names = fieldUi['ui:enumNames'];
  if (choices && !options.source && widget !== 'hidden' && (!Array.isArray(names) || names.length !== choices.length)) {
    problems.add(
      file,
      at,
      `"${name}" has ${choices.length} choices and not as many "ui:enumNames".`,
      'Write one text for each value of "enum", in the same order.',
    );
  }
  if (/password|one-time-code/.test(String(fieldUi['ui:autocomplete'] ?? '')) && field.writeOnly !== true) {
    problems.add(
      file,
      `${at}/ui:autocomplete`,
      `The secret "${name}" would be stored.`,
      'Write "writeOnly": true into its schema.',
    );
  }
}

function choicesOf(field: JsonObject): readonly Json[] | null {
  const list = field.enum ?? (isObject(field.items) ? (field.items as JsonObject).enum : undefined);
  return Array.isArray(list) ? list : null;
}

function checkWidget(
  file: SourceFile,
  at: string,
  widget: string,
  field: JsonObject,
  options: JsonObject,
  around: UiSurroundings,
  problems: Problems,
): void {
  if (around.plugins.byName.get(widget)?.hasWidget) return;
  const types = Object.hasOwn(ownWidgets, widget) ? ownWidgets[widget] : undefined;
  if (!types) {
    const known = [
      ...Object.keys(ownWidgets),
      ...[...around.plugins.byName.values()].filter((plugin) => plugin.hasWidget).map((plugin) => plugin.name),
    ];
    return problems.add(file, at, `Unknown widget "${widget}".`, `Known: ${known.join(', ')}.`);
  }
  const { type } = field; // without one the schema is told
  if (typeof type === 'string' && !types.includes(type))
    problems.add(
      file,
      at,
      `The widget "${widget}" cannot hold a field of type ${type}.`,
      `It is for ${types.join(', ')}; without "ui:widget" the type decides.`,
    );
  const fromCall = widget === 'select' && options.source !== undefined;
  if (['select', 'radio'].includes(widget) && !choicesOf(field) && !fromCall) {
    problems.add(
      file,
      at,
      `The widget "${widget}" has no choices.`,
      'Give the field an "enum" in schema.json, or a select a "source" in "ui:options".',
    );
  }
}

function checkNames(
  file: SourceFile,
  ui: Ui,
  properties: Readonly<Record<string, JsonObject>>,
  problems: Problems,
): void {
  const check = (name: string, pointer: string) => {
    if (!Object.hasOwn(properties, name))
      problems.add(
        file,
        pointer,
        `There is no field "${name}".`,
        `Fields of schema.json: ${Object.keys(properties).join(', ') || 'none'}.`,
      );
  };
  for (const part of ['fields', 'visible', 'messages'] as const) {
    for (const name of Object.keys(ui[part] ?? {}))
      if (name !== 'ui:order') check(name, `/${part}/${escapePointer(name)}`);
  }
  const order = ui.fields?.['ui:order'] ?? [];
  order.forEach((name, index) => {
    const pointer = `/fields/ui:order/${index}`;
    if (order.indexOf(name) < index)
      problems.add(file, pointer, `"${name}" stands twice in the order.`, 'Remove one of them.');
    else if (name !== '*') check(name, pointer);
  });
  const grouped = (ui.groups ?? []).flatMap(({ fields }, group) =>
    fields.map((name, index) => ({ name, pointer: `/groups/${group}/fields/${index}` })),
  );
  grouped.forEach(({ name, pointer }, index) => {
    if (grouped.findIndex((other) => other.name === name) < index)
      problems.add(file, pointer, `"${name}" stands twice in the groups.`, 'A field belongs to one question.');
    else check(name, pointer);
  });
}

function checkParts(file: SourceFile, ui: Ui, readable: Readable, around: UiSurroundings, problems: Problems): void {
  const links = linksOf(ui);
  const lists = {
    title: paragraphsOf(ui.title),
    intro: paragraphsOf(ui.intro),
    actions: ui.actions ?? [],
    'aside/parts': ui.aside?.parts ?? [],
  };
  const parts: readonly (readonly [pointer: string, part: { readonly visible?: Logic }])[] = [
    ...Object.entries(lists).flatMap(([list, items]) =>
      items.map((item, index) => [`/${list}/${index}`, item] as const),
    ),
    ...links,
  ];
  for (const [pointer, { visible }] of parts)
    if (visible !== undefined) checkLogic(reportOf(file, problems), `${pointer}/visible`, visible, readable);
  for (const [pointer, { to }] of links) {
    if (to !== undefined && !isOutside(to, around) && !isPath(to.replace(/[?#].*$/, ''), around)) {
      problems.add(file, `${pointer}/to`, `No flow has the path "${to}".`, 'Link to a path of flows/.');
    }
  }
}

function paragraphsOf(texts: Ui['intro']): readonly Paragraph[] {
  return typeof texts === 'object' ? texts : [];
}

/** Every link of a ui by pointer. */
export function linksOf(ui: Ui): readonly (readonly [pointer: string, link: LinkText])[] {
  const list = (links: readonly LinkText[] | undefined, pointer: string) =>
    (links ?? []).map((link, index) => [`${pointer}/${index}`, link] as const);
  return [
    ...list(ui.links, '/links'),
    ...paragraphsOf(ui.intro).flatMap(({ link }, index) => (link ? [[`/intro/${index}/link`, link] as const] : [])),
    ...Object.keys(ui.fields ?? {}).flatMap((name) =>
      list(linksOfField(uiOf(ui, name)), `/fields/${escapePointer(name)}/ui:links`),
    ),
    ...(ui.aside?.parts ?? []).flatMap(({ links }, index) => list(links, `/aside/parts/${index}/links`)),
    ...Object.entries(ui.notices ?? {}).flatMap(([name, notice]) =>
      (['link', 'other'] as const).flatMap((part) => {
        const link = notice[part];
        return link ? [[`/notices/${escapePointer(name)}/${part}`, link] as const] : [];
      }),
    ),
  ];
}

function isPath(path: string, { paths }: UiSurroundings): boolean {
  return [...paths].some((pattern) => matchPath(pattern, path) !== null);
}

/** Whether a link leads out of the portal: a variable of a flow may come from the query, so only a fact may hold the whole address. */
function isOutside(to: string, { facts }: UiSurroundings): boolean {
  const fact = /^\{(\w+)\}$/.exec(to)?.[1];
  return fact === undefined ? /^(https?:|mailto:|tel:)/.test(to) : facts.includes(fact);
}

/** Checks that every keyword of a screen has a message in a language. */
export function checkMessages(
  file: SourceFile,
  ui: Ui,
  schema: JsonObject,
  messages: Readonly<Record<string, string>>,
  plugins: Plugins,
  language: string,
  problems: Problems,
): void {
  const missing = (keyword: string, own: Readonly<Record<string, string>>) =>
    ![own, messages].some((table) =>
      Object.keys(table).some((key) => key === keyword || key.startsWith(`${keyword}.`)),
    );
  const report = (keyword: string, pointer: string, own: Readonly<Record<string, string>> = {}) => {
    if (missing(keyword, own))
      problems.add(
        file,
        pointer,
        `The rule "${keyword}" has no message in "${language}".`,
        'Add it to schemas/_shared/messages, to the plugin’s texts.json or to "messages" here.',
      );
  };
  for (const keyword of ['required', 'type', 'additionalProperties']) report(keyword, '');
  for (const [name, field] of Object.entries(propertiesOf(schema))) {
    const keywords = [
      ...Object.keys(standardPart(field)),
      ...Object.keys(field).filter((keyword) => plugins.rules.has(keyword)),
    ];
    for (const keyword of keywords)
      if (keyword !== 'items') report(keyword, `/fields/${escapePointer(name)}`, ui.messages?.[name]);
    if (requiredOf(schema).includes(name)) report('required', `/fields/${escapePointer(name)}`, ui.messages?.[name]);
    if (mayRefuseCopies(ui, name)) report(copyKeyword, `/fields/${escapePointer(name)}`, ui.messages?.[name]);
  }
  for (const keyword of Object.keys(schema)) if (plugins.rules.has(keyword)) report(keyword, '');
}
