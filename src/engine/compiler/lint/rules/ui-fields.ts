import { listAllFields, flattenFields } from '../../screen/fields-of-schema.ts';
import { guess } from '../../sources/suggest-name.ts';
import { parseFieldPointer, splitFieldName } from '../../../core/field-path.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { readFieldUi, uiText } from '../../../core/ui.ts';
import type { Subject } from '../subject.ts';
import { fieldRule, type Finding, listFields, reportAt, screenRule, setRule, stateRule } from '../rule.ts';
import { explain, say } from '../../sources/say.ts';
import { wordFinder } from '../wording/own-words.ts';
import { ownWidgets } from '../../../core/widgets.ts';
import { visibleRules } from '../../screen/fields-of-ui.ts';
import { evaluateGuard } from '../../explore/evaluate-rules.ts';
import { Assignment } from '../../explore/assignment.ts';
import { shapeFacts } from '../../explore/shapes.ts';
import { listStateBranches } from '../../flow/flow-parts.ts';
import { listSaveNotices, savedScreens } from '../../flow/saved-screens.ts';

function screenNotices({ flows, screens }: Subject): readonly Finding[] {
  const raisedOn = noticesByScreen(flows);
  return [...screens.values()].flatMap(({ id, files }) => {
    const file = files.ui;
    const own = isObject(file?.value) ? file.value['notices'] : undefined;
    if (!file || !isObject(own)) return [];
    return Object.keys(own)
      .filter((name) => !raisedOn.get(id)?.has(name))
      .map((name) =>
        reportAt({ file, pointer: `/notices/${escapePointer(name)}`, remove: true })(explain`
          No flow raises the notice "${name}" on this screen.
          Remove it, or name it in a branch ("notice").`),
      );
  });
}

function sharedDefinitions({ set, flows, screens }: Subject): readonly Finding[] {
  const texts = [
    ...set.screens.flatMap(({ schema }) => schema?.text ?? []),
    ...[...set.shared.values()].map(({ text }) => text),
  ].join('\n');
  const raisedOn = noticesByScreen(flows);
  const raised = new Set([...screens.keys()].flatMap((id) => [...(raisedOn.get(id) ?? [])]));
  return [...set.shared].flatMap(([name, file]) => {
    const defs = isObject(file.value) && isObject(file.value['$defs']) ? Object.keys(file.value['$defs']) : [];
    return defs
      .filter((own) => !(name.startsWith('notices.') ? raised.has(own) : texts.includes(`#/$defs/${own}"`)))
      .map((own) =>
        reportAt({ file, pointer: `/$defs/${escapePointer(own)}`, remove: true })(explain`Nothing uses "${own}".
          Remove what nothing uses.`),
      );
  });
}

/** Reports notices that no flow raises, and shared definitions that nothing uses. */
export const uiUnused = setRule('ui/unused', 'W', screenNotices, sharedDefinitions);

function noticesByScreen(flows: Subject['flows']): ReadonlyMap<string, ReadonlySet<string>> {
  const raised = new Map<string, Set<string>>();
  const add = (notice: string, shown: Iterable<string | undefined>): void => {
    for (const screen of shown)
      if (screen !== undefined) raised.set(screen, (raised.get(screen) ?? new Set()).add(notice));
  };
  for (const { flow } of flows) {
    for (const state of Object.values(flow.states))
      for (const { notice, target, challenge } of listStateBranches(state)) {
        if (notice === undefined) continue;
        if (challenge === undefined) add(notice, [(target === undefined ? state : flow.states[target])?.screen]);
        else
          add(
            notice,
            Object.values(flow.challenges ?? {}).map((name) => flow.states[name]?.screen),
          );
      }
    for (const notice of listSaveNotices(flow)) add(notice, savedScreens(flow));
  }
  return raised;
}

/** Reports fields that can never appear, because each is visible only after itself or another of them is filled in. */
export const uiCircle = screenRule('ui/circle', 'E', ({ id, files, schema, ui }, { flows, contract }) => {
  const file = files.ui;
  if (!file || !schema || ui.visible === undefined) return [];
  const fields = flattenFields(schema);
  const filled = flows.flatMap(({ flow }) =>
    Object.values(flow.states).flatMap(({ screen, prefill = {} }) => (screen === id ? Object.keys(prefill) : [])),
  );
  const ruled = Object.keys(fields).filter((name) => visibleRules(ui, name).length > 0);
  const open = new Set([...Object.keys(fields).filter((name) => !ruled.includes(name)), ...filled]);
  const mayShow = (name: string, answered: ReadonlySet<string>): boolean => {
    const assignment = new Assignment(new Map(), shapeFacts(contract.factShapes)).enterRoots([
      ['form', { schema: buildFormSchema(fields, answered), optional: false }],
    ]);
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

/** Reports password fields with a widget that shows the input. */
export const uiSecret = fieldRule('ui/secret', 'E', ({ name, screen, locateUi }) => {
  const widget = uiText(screen.ui, name, 'ui:widget');
  const isPassword = /password$/.test(uiText(screen.ui, name, 'ui:autocomplete') ?? '');
  const place = locateUi('ui:widget');
  if (!isPassword || widget === undefined || widget === 'hidden' || !Object.hasOwn(ownWidgets, widget) || !place)
    return null;
  return reportAt({ ...place, value: 'password' })(explain`"${name}" is a password, and "${widget}" shows what is typed.
    Write "ui:widget": "password".`);
});

/** Reports required fields whose text says that they are optional. */
export const uiOptional = setRule('ui/optional', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { optional = [] }]) => {
    const saidIn = wordFinder(optional);
    return listFields(subject).flatMap(({ name, needed, screen, locateUi }) => {
      const ui = screen.uis.get(language);
      if (!needed || !ui) return [];
      return (['ui:title', 'ui:help', 'ui:placeholder'] as const).flatMap((key) => {
        const [said] = saidIn(uiText(ui, name, key) ?? '');
        const place = said && locateUi(key, language);
        if (!place) return [];
        return reportAt(place)(explain`This says "${said.word}", and "${name}" is required.
          Remove the word, or take "${name}" out of "required".`);
      });
    });
  }),
);

/** Reports `clear` pointers that are not fields of the screen. */
export const uiClear = stateRule(
  'ui/clear',
  'E',
  ({ state: { clear = [], screen: id = '', block }, screen, locate }) => {
    const fields = Object.keys(flattenFields(screen?.schema ?? {}));
    return clear.flatMap((pointer, index) => {
      const field = parseFieldPointer(pointer);
      if (block !== undefined || fields.includes(field)) return [];
      return reportAt(locate('clear', String(index)))(explain`The screen "${id}" has no field "${field}".
        ${guess(field, fields)}Fields: ${fields.join(', ') || '–'}.`);
    });
  },
);

/** Reports required fields that cannot be filled in: hidden, fixed, or a list without additions, and without `prefill`. */
export const uiHidden = stateRule('ui/hidden', 'E', ({ state: { block, prefill = {} }, screen, locate }) => {
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
