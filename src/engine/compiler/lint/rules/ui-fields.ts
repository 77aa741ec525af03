import { findFieldUiText, readFieldUi } from '../../../core/screen-ui-queries.ts';
import { flattenFields, listVisibilityRules, listAllFields } from '../../screen/schema-fields.ts';
import { listNearNames, suggestSimilarName, explain, localize } from '../../sources/localized-text.ts';
import {
  checkEachFieldWith,
  createFieldLintRule,
  createFindingAt,
  createLocalLintRule,
  listLintedFields,
  listScreenFields,
  listScreenTexts,
  createScreenLintRule,
  createStateLintRule,
  type LintFinding,
} from '../lint-rule.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { listNormalizedWords, createWordFinder } from '../wording/words.ts';
import { parseFieldPointer, splitFieldName } from '../../../core/field-path.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { builtInWidgets } from '../../../core/built-in-widgets.ts';
import { listGuardOutcomes } from '../../explore/evaluate-rules.ts';
import { AbstractAssignment } from '../../explore/abstract-assignment.ts';
import { createFactShapes } from '../../explore/value-shapes.ts';
import type { LintInput } from '../lint-input.ts';
import { autocompleteLintRule } from './autocomplete.ts';
import { fieldLabelLintRules } from './field-labels.ts';
import { uiUnused } from './unused-definitions.ts';

const uiCircle = createScreenLintRule('ui/circle', 'E', ({ id, files, schema, ui }, { flows, contract }) => {
  const file = files.ui;
  if (!schema || ui.visible === undefined) return [];
  const fields = flattenFields(schema);
  const filled = flows.flatMap(({ flow }) =>
    Object.values(flow.states).flatMap(({ screen, prefill = {} }) => (screen === id ? Object.keys(prefill) : [])),
  );
  const ruled = Object.keys(fields).filter((name) => listVisibilityRules(ui, name).length > 0);
  const open = new Set([...Object.keys(fields).filter((name) => !ruled.includes(name)), ...filled]);
  const facts = createFactShapes(contract.factShapes);
  const canShow = (name: string, answered: ReadonlySet<string>): boolean => {
    const form = { schema: buildFormSchema(fields, answered), optional: false };
    const assignment = new AbstractAssignment({ facts, roots: new Map([['form', form]]) });
    return listGuardOutcomes({ and: listVisibilityRules(ui, name) }, assignment).some(({ holds }) => holds);
  };
  for (let before = -1; before < open.size;) {
    before = open.size;
    for (const name of ruled) if (!open.has(name) && canShow(name, open)) open.add(name);
  }
  return ruled
    .filter((name) => !open.has(name) && canShow(name, new Set(Object.keys(fields)))) // skip rules that are never true, which rule/constant reports
    .map((name) =>
      createFindingAt({ file, pointer: `/visible/${escapePointer(name)}` })(explain`
        "${name}" is never shown: its visibility depends on its own value, or on a field that waits for it.
        Read a field that is shown earlier, or remove the rule.`),
    );
});

/** Returns a form schema in which all fields are empty except `answered`. */
function buildFormSchema(fields: Readonly<Record<string, JsonObject>>, answered: ReadonlySet<string>): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const [name, field] of Object.entries(fields)) {
    const [step = '', ...inner] = splitFieldName(name);
    if (inner.length > 0) properties[step] = { type: 'object', additionalProperties: true };
    else properties[step] = answered.has(name) ? field : { enum: [] }; // no possible value: the field is always absent
  }
  return { type: 'object', properties, additionalProperties: false };
}

const uiSecret = createFieldLintRule('ui/secret', 'E', ({ name, screen, locateUi }) => {
  const widget = findFieldUiText(screen.ui, name, 'ui:widget');
  const isPassword = /password$/.test(findFieldUiText(screen.ui, name, 'ui:autocomplete') ?? '');
  const place = locateUi('ui:widget');
  if (!isPassword || widget === undefined || widget === 'hidden' || !Object.hasOwn(builtInWidgets, widget)) return null;
  return createFindingAt({
    ...place,
    value: 'password',
  })(explain`"${name}" is a password, but "${widget}" shows the input.
    Write "ui:widget": "password".`);
});

const fieldTextKeys = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

const uiOptional = createLocalLintRule('ui/optional', 'W', reportFieldsCalledRequired, function* (subject) {
  for (const [language, { optional = [] }] of Object.entries(subject.contract.wording ?? {})) {
    const findOptionalWords = createWordFinder(optional);
    for (const { name, needed, screen, locateUi } of listLintedFields(subject)) {
      const ui = screen.uis.get(language);
      for (const key of needed && ui ? fieldTextKeys : []) {
        const [found] = findOptionalWords(findFieldUiText(ui ?? screen.ui, name, key) ?? '');
        if (found)
          yield createFindingAt(locateUi(key, language))(explain`This says "${found.word}", but "${name}" is required.
            Remove the word, or take "${name}" out of "required".`);
      }
    }
    for (const screen of subject.screens.values()) {
      const fields = listScreenFields(screen, subject);
      const names = fields.map(({ name }) => `"${name}"`).join(', ');
      if (fields.length === 0 || !fields.every(({ needed }) => needed)) continue;
      for (const { pointer, text, locate } of listScreenTexts(screen, subject).filter(
        (own) => own.language === language,
      )) {
        const [found] = pointer.startsWith('/intro') ? findOptionalWords(text) : [];
        if (found)
          yield createFindingAt(locate())(explain`
            This says "${found.word}", but the screen requires all its fields: ${names}.
            Remove the word, or take the field out of "required".`);
      }
    }
  }
});

/** Reports fields whose text calls them required, although nothing in the schema requires them. */
function* reportFieldsCalledRequired(subject: LintInput): Iterable<LintFinding> {
  const finders = Object.entries(subject.contract.wording ?? {}).map(([language, { required = [], optional = [] }]) => {
    return { language, findRequiredWords: createWordFinder(required, optional) };
  });
  for (const { name, needed, screen, locateUi } of listLintedFields(subject)) {
    const conditions = JSON.stringify({ ...screen.schema, properties: undefined });
    if (needed || name.includes('.') || conditions.includes(`"${name}"`)) continue;
    const [found] = finders.flatMap(({ language, findRequiredWords }) =>
      fieldTextKeys.flatMap((key) =>
        findRequiredWords(findFieldUiText(screen.uis.get(language) ?? screen.ui, name, key) ?? '').map(({ word }) => {
          return { word, place: locateUi(key, language) };
        }),
      ),
    );
    if (found)
      yield createFindingAt(found.place)(explain`This says "${found.word}", but "${name}" is not required.
        Add "${name}" to "required", or remove the word.`);
  }
}

const uiClear = createStateLintRule('ui/clear', 'E', function* ({ state, screen, locate }) {
  const fields = Object.keys(flattenFields(screen?.schema ?? {}));
  for (const [index, pointer] of (state.block === undefined ? (state.clear ?? []) : []).entries()) {
    const field = parseFieldPointer(pointer);
    if (!fields.includes(field))
      yield createFindingAt(
        locate('clear', String(index)),
      )(explain`The screen "${state.screen ?? ''}" has no field "${field}".
        ${suggestSimilarName(field, fields)}Fields: ${listNearNames(field, fields)}.`);
  }
});

const uiHidden = createStateLintRule('ui/hidden', 'E', ({ state: { block, prefill = {} }, screen, locate }) => {
  const { schema, ui } = screen ?? {};
  if (!schema || !ui || block !== undefined) return null;
  return listAllFields(schema)
    .filter(([field]) => !Object.hasOwn(prefill, splitFieldName(field)[0] ?? ''))
    .flatMap(([field, { minItems = 0, maxItems }, needed]) => {
      const { 'ui:options': options, ...own } = readFieldUi(ui, field);
      if (maxItems === 0 || (isObject(options) && options['addable'] === false))
        return [localize`The list "${field}" stays empty: people cannot add items, and nothing fills it.`];
      if (!needed && Number(minItems) === 0) return [];
      if (own['ui:widget'] === 'hidden') return [localize`"${field}" is required but hidden, and nothing fills it in.`];
      const isFixed = own['ui:readonly'] === true || own['ui:disabled'] === true;
      return isFixed ? [localize`"${field}" is required but read-only, and nothing fills it in.`] : [];
    })
    .map((message) =>
      createFindingAt(locate('screen'))(explain`${message}
        Give it a value in "prefill".`),
    );
});

/** Reports the names of a yes-no question whose first one, which stands for true, is the negative one. */
const exchangedBooleanLabels = checkEachFieldWith(({ name, schema: { type }, screen, locateUi }, { contract, set }) => {
  const names = readFieldUi(screen.ui, name)['ui:enumNames'];
  const [negation] = contract.wording?.[set.baseLanguage]?.negations ?? [];
  if (type !== 'boolean' || !Array.isArray(names) || names.length !== 2 || negation === undefined) return null;
  const [first, second] = names.map((own) => listNormalizedWords(String(own))[0] === negation);
  if (!first || second) return null;
  return createFindingAt({ ...locateUi('ui:enumNames'), value: names.toReversed() })(explain`
    "${String(names[0])}" is the name of true, which comes first: people who choose it get the other.
    Write the name of true first, in each language.`);
});

const exchangedLabels = checkEachFieldWith(({ name, schema: { enum: keys }, screen, locateUi }) => {
  const names = readFieldUi(screen.ui, name)['ui:enumNames'];
  const place = locateUi('ui:enumNames');
  if (!Array.isArray(keys) || !Array.isArray(names)) return null;
  const order = orderByKeys(keys.map(String), names.map(String));
  const misplaced = order?.findIndex((from, at) => from !== at) ?? -1;
  if (!order || misplaced < 0) return null;
  return createFindingAt({ ...place, value: order.map((from) => String(names[from])) })(explain`
    "${String(names[misplaced])}" is in the position of "${String(keys[misplaced])}": people who choose one get the other.
    Write the names in the order of "enum".`);
});

/** Pattern of typical keys, e.g. "no_verificada" or "uy". */
const slug = /^[a-z\d]+(?:[_.-][a-z\d]+)*$/;

/** Reports a choice value that looks like a displayed text, if most other values of the field look like keys. */
const namesAsKeys = checkEachFieldWith(({ schema: { enum: own, items }, locate }) => {
  const keys = own ?? (isObject(items) ? items['enum'] : undefined);
  if (!Array.isArray(keys) || keys.length < 2) return null;
  const odd = keys.flatMap((key: Json, at) => (typeof key !== 'string' || slug.test(key) ? [] : [{ key, at }]));
  if (odd.length > keys.length / 2) return null;
  return odd.map(({ key, at }) =>
    createFindingAt(locate(`${own === undefined ? 'items/' : ''}enum/${at}`))(explain`
      "${key}" looks like a text, but the other choices are keys: a rule that expects a key never matches it.
      Write the key, e.g. "${listNormalizedWords(key).join('_')}". The displayed text belongs in "ui:enumNames".`),
  );
});

const uiChoices = createLocalLintRule('ui/choices', 'W', exchangedLabels, exchangedBooleanLabels, namesAsKeys);

/** Returns the label order that matches the keys. Returns `null` if the keys do not determine an order, or the order is already correct. */
function orderByKeys(keys: readonly string[], names: readonly string[]): readonly number[] | null {
  if (keys.length !== names.length) return null;
  const says = keys.map((key) => names.flatMap((name, at) => (isLabelOfKey(key, name) ? [at] : [])));
  const isWrong = (places: readonly number[] | undefined, at: number) => places?.length === 1 && places[0] !== at;
  const wrong = says.flatMap((places, at) => (isWrong(places, at) ? [at] : []));
  if (wrong.length < 2) return null;
  const matchedPositions = new Set(wrong.flatMap((at) => says[at] ?? []));
  // the misplaced labels cannot be corrected by exchanging them with each other
  if (matchedPositions.size !== wrong.length || !wrong.every((at) => matchedPositions.has(at))) return null;
  return keys.map((_, at) => (wrong.includes(at) ? (says[at]?.[0] ?? at) : at));
}

/** Whether a label contains each word of its key, or the beginning of each word. */
function isLabelOfKey(key: string, name: string): boolean {
  const own = listNormalizedWords(name);
  const keyWords = listNormalizedWords(key.replaceAll('_', ' '));
  return (
    keyWords.length > 0 &&
    keyWords.every((word) =>
      own.some(
        (said) => said === word || (word.length > 3 && said.startsWith(word.slice(0, Math.max(4, word.length - 2)))),
      ),
    )
  );
}

export const uiFieldLintRules = [
  uiClear,
  uiHidden,
  uiUnused,
  uiSecret,
  ...fieldLabelLintRules,
  uiOptional,
  uiCircle,
  autocompleteLintRule,
  uiChoices,
];
