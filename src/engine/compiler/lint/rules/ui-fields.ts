import { listAllFields, flattenFields, visibleRules } from '../../screen/fields.ts';
import { guess, explain, say } from '../../sources/say.ts';
import { parseFieldPointer, splitFieldName } from '../../../core/field-path.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { escapePointer, valueAt } from '../../../core/json-pointer.ts';
import { readFieldUi, uiText } from '../../../core/ui.ts';
import type { Subject } from '../subject.ts';
import { fieldRule, type Finding, listFields, reportAt, screenRule, setRule, stateRule } from '../rule.ts';
import { wordFinder } from '../wording/own-words.ts';
import { ownWidgets } from '../../../core/widgets.ts';
import { evaluateGuard } from '../../explore/evaluate-rules.ts';
import { Assignment } from '../../explore/assignment.ts';
import { shapeFacts } from '../../explore/shapes.ts';
import { indexNotices } from '../../flow/flow-parts.ts';

function* screenNotices({ flows, screens }: Subject): Iterable<Finding> {
  const raisedOn = indexNotices(flows);
  for (const {
    id,
    files: { ui: file },
  } of screens.values()) {
    const own = valueAt(file.value, '/notices');
    for (const name of Object.keys(isObject(own) ? own : {}).filter((one) => !raisedOn.get(id)?.has(one)))
      yield reportAt({ file, pointer: `/notices/${escapePointer(name)}`, remove: true })(explain`
        No flow raises the notice "${name}" on this screen.
        Remove it, or name it in a branch ("notice").`);
  }
}

function* sharedDefinitions({ set, flows, screens }: Subject): Iterable<Finding> {
  const files = [...set.screens.flatMap(({ schema }) => schema ?? []), ...set.shared.values()];
  const texts = files.map(({ text }) => text).join('\n');
  const raisedOn = indexNotices(flows);
  const raised = [...screens.keys()].flatMap((id) => [...(raisedOn.get(id) ?? [])]);
  for (const [name, file] of set.shared) {
    const defs = valueAt(file.value, '/$defs');
    const isUsed = (own: string) =>
      name.startsWith('notices.') ? raised.includes(own) : texts.includes(`#/$defs/${own}"`);
    for (const own of Object.keys(isObject(defs) ? defs : {}).filter((one) => !isUsed(one)))
      yield reportAt({ file, pointer: `/$defs/${escapePointer(own)}`, remove: true })(explain`Nothing uses "${own}".
        Remove what nothing uses.`);
  }
}

const uiUnused = setRule('ui/unused', 'W', screenNotices, sharedDefinitions);

const uiCircle = screenRule('ui/circle', 'E', ({ id, files, schema, ui }, { flows, contract }) => {
  const file = files.ui;
  if (!schema || ui.visible === undefined) return [];
  const fields = flattenFields(schema);
  const filled = flows.flatMap(({ flow }) =>
    Object.values(flow.states).flatMap(({ screen, prefill = {} }) => (screen === id ? Object.keys(prefill) : [])),
  );
  const ruled = Object.keys(fields).filter((name) => visibleRules(ui, name).length > 0);
  const open = new Set([...Object.keys(fields).filter((name) => !ruled.includes(name)), ...filled]);
  const facts = shapeFacts(contract.factShapes);
  const mayShow = (name: string, answered: ReadonlySet<string>): boolean => {
    const form = { schema: buildFormSchema(fields, answered), optional: false };
    const assignment = new Assignment({ facts, roots: new Map([['form', form]]) });
    return evaluateGuard({ and: visibleRules(ui, name) }, assignment).some(({ holds }) => holds);
  };
  for (let before = -1; before < open.size;) {
    before = open.size;
    for (const name of ruled) if (!open.has(name) && mayShow(name, open)) open.add(name);
  }
  return ruled
    .filter((name) => !open.has(name) && mayShow(name, new Set(Object.keys(fields)))) // otherwise rule/constant explains it
    .map((name) =>
      reportAt({ file, pointer: `/visible/${escapePointer(name)}` })(explain`
        "${name}" is seen once it is filled in itself, or another field that waits for it: nobody ever sees it.
        Let it read a field that is seen before it, or remove the rule.`),
    );
});

/** Returns a form schema in which all other fields are empty. */
function buildFormSchema(fields: Readonly<Record<string, JsonObject>>, answered: ReadonlySet<string>): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const [name, field] of Object.entries(fields)) {
    const [step = '', ...inner] = splitFieldName(name);
    if (inner.length > 0) properties[step] = { type: 'object', additionalProperties: true };
    else properties[step] = answered.has(name) ? field : { enum: [] }; // always absent
  }
  return { type: 'object', properties, additionalProperties: false };
}

const uiSecret = fieldRule('ui/secret', 'E', ({ name, screen, locateUi }) => {
  const widget = uiText(screen.ui, name, 'ui:widget');
  const isPassword = /password$/.test(uiText(screen.ui, name, 'ui:autocomplete') ?? '');
  const place = locateUi('ui:widget');
  if (!isPassword || widget === undefined || widget === 'hidden' || !Object.hasOwn(ownWidgets, widget)) return null;
  return reportAt({ ...place, value: 'password' })(explain`"${name}" is a password, and "${widget}" shows what is typed.
    Write "ui:widget": "password".`);
});

const uiOptional = setRule('ui/optional', 'W', function* (subject) {
  for (const [language, { optional = [] }] of Object.entries(subject.contract.wording ?? {})) {
    const saidIn = wordFinder(optional);
    for (const { name, needed, screen, locateUi } of listFields(subject)) {
      const ui = screen.uis.get(language);
      for (const key of needed && ui ? (['ui:title', 'ui:help', 'ui:placeholder'] as const) : []) {
        const [said] = saidIn(uiText(ui ?? screen.ui, name, key) ?? '');
        if (said)
          yield reportAt(locateUi(key, language))(explain`This says "${said.word}", and "${name}" is required.
            Remove the word, or take "${name}" out of "required".`);
      }
    }
  }
});

const uiClear = stateRule('ui/clear', 'E', function* ({ state, screen, locate }) {
  const fields = Object.keys(flattenFields(screen?.schema ?? {}));
  for (const [index, pointer] of (state.block === undefined ? (state.clear ?? []) : []).entries()) {
    const field = parseFieldPointer(pointer);
    if (!fields.includes(field))
      yield reportAt(locate('clear', String(index)))(explain`The screen "${state.screen ?? ''}" has no field "${field}".
        ${guess(field, fields)}Fields: ${fields.join(', ') || '–'}.`);
  }
});

const uiHidden = stateRule('ui/hidden', 'E', ({ state: { block, prefill = {} }, screen, locate }) => {
  const { schema, ui } = screen ?? {};
  if (!schema || !ui || block !== undefined) return null;
  return listAllFields(schema)
    .filter(([field]) => !Object.hasOwn(prefill, splitFieldName(field)[0] ?? ''))
    .flatMap(([field, { minItems = 0, maxItems }, needed]) => {
      const { 'ui:options': options, ...own } = readFieldUi(ui, field);
      if (maxItems === 0 || (isObject(options) && options['addable'] === false))
        return [say`Nobody can add anything to the list "${field}", and nothing fills it.`];
      if (!needed && Number(minItems) === 0) return [];
      if (own['ui:widget'] === 'hidden') return [say`"${field}" must be filled in, is hidden, and nothing fills it.`];
      const isFixed = own['ui:readonly'] === true || own['ui:disabled'] === true;
      return isFixed ? [say`"${field}" must be filled in, cannot be changed, and nothing fills it.`] : [];
    })
    .map((message) =>
      reportAt(locate('screen'))(explain`${message}
        Give it a value in "prefill".`),
    );
});

export const uiFieldsRules = [uiClear, uiHidden, uiUnused, uiSecret, uiOptional, uiCircle];
