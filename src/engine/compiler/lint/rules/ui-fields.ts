import { escapePointer } from '../../../core/json-pointer.ts';
import { listAllFields, flattenFields } from '../../screen/fields-of-schema.ts';
import { guess } from '../../sources/near.ts';
import { parseFieldPointer, splitFieldName } from '../../../core/field-path.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { readFieldUi, uiText } from '../../../core/ui.ts';
import { type Finding, type Subject, screenRule, flowRule, setRule } from '../subject.ts';
import { say } from '../../sources/say.ts';
import { locateFieldText } from '../places.ts';
import { wordFinder } from '../wording/own-words.ts';
import { ownWidgets } from '../../../core/widgets.ts';
import { visibleRules } from '../../screen/fields-of-ui.ts';
import { evaluateGuard } from '../../explore/evaluate-rules.ts';
import { Assignment } from '../../explore/assignment.ts';
import { listSaveNotices, savedScreens } from '../../flow/saved-screens.ts';
import { listStateBranches } from '../../flow/flow-parts.ts';

/** Reports notices that no flow raises, and shared definitions that nothing uses. */
export const uiUnused = setRule('ui/unused', 'W', (subject) => [
  ...checkScreenNotices(subject),
  ...checkSharedDefinitions(subject),
]);

function checkScreenNotices({ flows, screens }: Subject): readonly Finding[] {
  const raisedOn = noticesByScreen(flows);
  return [...screens.values()].flatMap(({ id, files }) => {
    const file = files.ui;
    const own = isObject(file?.value) ? file.value['notices'] : undefined;
    const raised = raisedOn.get(id) ?? new Set();
    if (!file) return [];
    return Object.keys(isObject(own) ? own : {})
      .filter((name) => !raised.has(name))
      .map((name) => ({
        file,
        pointer: `/notices/${escapePointer(name)}`,
        message: say`No flow raises the notice "${name}" on this screen.`,
        hint: say`Remove it, or name it in a branch ("notice").`,
        fix: [{ file: file.path, pointer: `/notices/${escapePointer(name)}` }],
      }));
  });
}

function checkSharedDefinitions({ set, flows, screens }: Subject): readonly Finding[] {
  const texts = [
    ...set.screens.flatMap(({ schema }) => schema?.text ?? []),
    ...[...set.shared.values()].map(({ text }) => text),
  ].join('\n');
  const raisedOn = noticesByScreen(flows);
  const raised = new Set([...screens.keys()].flatMap((id) => [...(raisedOn.get(id) ?? [])]));
  return [...set.shared].flatMap(([name, file]) => {
    const defs = isObject(file.value) && isObject(file.value['$defs']) ? Object.keys(file.value['$defs']) : [];
    const isUsed = name.startsWith('notices.')
      ? (own: string) => raised.has(own)
      : (own: string) => texts.includes(`#/$defs/${own}"`);
    return defs
      .filter((own) => !isUsed(own))
      .map((own) => ({
        file,
        pointer: `/$defs/${escapePointer(own)}`,
        message: say`Nothing uses "${own}".`,
        hint: say`Remove what nothing uses.`,
        fix: [{ file: file.path, pointer: `/$defs/${escapePointer(own)}` }],
      }));
  });
}

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
        else add(notice, challengeScreens(flow));
      }
    for (const notice of listSaveNotices(flow)) add(notice, savedScreens(flow));
  }
  return raised;
}

function challengeScreens({
  challenges = {},
  states,
}: Subject['flows'][number]['flow']): readonly (string | undefined)[] {
  return Object.values(challenges).map((name) => states[name]?.screen);
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
  const facts = Object.entries(contract.factShapes ?? {}).map(([root, own]) => [root, { schema: own, optional: true }]);
  const mayShow = (name: string, answered: ReadonlySet<string>): boolean => {
    const assignment = new Assignment(new Map(), Object.fromEntries(facts)).enterRoots([
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
    .map((name) => ({
      file,
      pointer: `/visible/${escapePointer(name)}`,
      message: say`"${name}" is seen once it is filled in itself, or another field that waits for it: nobody ever sees it.`,
      hint: say`Let it read a field that is seen before it, or remove the rule.`,
    }));
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
export const uiSecret = screenRule('ui/secret', 'E', (screen, subject) =>
  listAllFields(screen.schema ?? {}).flatMap(([field, , , pointer]) => {
    const widget = uiText(screen.ui, field, 'ui:widget');
    const isPassword = /password$/.test(uiText(screen.ui, field, 'ui:autocomplete') ?? '');
    if (!isPassword || widget === undefined || widget === 'hidden' || !Object.hasOwn(ownWidgets, widget)) return [];
    const { baseLanguage: language } = subject.set;
    const place = locateFieldText(subject, screen, { field, pointer, part: 'ui', key: 'ui:widget', language });
    return place
      ? {
          ...place,
          message: say`"${field}" is a password, and "${widget}" shows what is typed.`,
          hint: say`Write "ui:widget": "password".`,
          fix: [{ file: place.file.path, pointer: place.pointer, value: 'password' }],
        }
      : [];
  }),
);

/** Reports required fields whose text says that they are optional. */
export const uiOptional = setRule('ui/optional', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { optional = [] }]) => {
    const saidIn = wordFinder(optional);
    return [...subject.screens.values()].flatMap((screen) =>
      listAllFields(screen.schema ?? {}).flatMap(([field, , needed, pointer]): readonly Finding[] => {
        const ui = screen.uis.get(language);
        if (!needed || !ui) return [];
        return (['ui:title', 'ui:help', 'ui:placeholder'] as const).flatMap((key) => {
          const [said] = saidIn(uiText(ui, field, key) ?? '');
          const place = said && locateFieldText(subject, screen, { field, pointer, part: 'ui', key, language });
          if (!place) return [];
          return {
            ...place,
            message: say`This says "${said.word}", and "${field}" is required.`,
            hint: say`Remove the word, or take "${field}" out of "required".`,
          };
        });
      }),
    );
  }),
);

/** Reports `clear` pointers that are not fields of the screen. */
export const uiClear = flowRule('ui/clear', 'E', ({ flow, file, toSourcePointer }, { screens }) =>
  Object.entries(flow.states).flatMap(([name, { clear = [], screen, block }]): readonly Finding[] => {
    const fields = Object.keys(flattenFields(screens.get(screen ?? '')?.schema ?? {}));
    return clear.flatMap((pointer, index) => {
      const field = parseFieldPointer(pointer);
      if (block !== undefined || fields.includes(field)) return [];
      const near = guess(field, fields);
      return {
        file,
        pointer: toSourcePointer(`/states/${escapePointer(name)}/clear/${index}`),
        message: say`The screen "${screen ?? ''}" has no field "${field}".`,
        hint: say`${near}Fields: ${fields.join(', ') || '–'}.`,
      };
    });
  }),
);

/** Reports required fields that cannot be filled in: hidden, fixed, or a list without additions, and without `prefill`. */
export const uiHidden = flowRule('ui/hidden', 'E', ({ flow, file, toSourcePointer }, { screens }) =>
  Object.entries(flow.states).flatMap(([name, { screen, block, prefill }]): readonly Finding[] => {
    const { schema, ui } = screens.get(screen ?? '') ?? {};
    if (!schema || !ui || block !== undefined) return [];
    return listAllFields(schema)
      .filter(([field]) => !Object.hasOwn(prefill ?? {}, splitFieldName(field)[0] ?? ''))
      .flatMap(([field, { minItems = 0, maxItems }, needed]) => {
        const { 'ui:options': options, ...own } = readFieldUi(ui, field);
        if (maxItems === 0 || (isObject(options) && options['addable'] === false))
          return [say`Nobody can add anything to the list "${field}", and nothing fills it.`];
        if (!needed && Number(minItems) === 0) return [];
        if (own['ui:widget'] === 'hidden') return [say`"${field}" must be filled in, is hidden, and nothing fills it.`];
        const isFixed = own['ui:readonly'] === true || own['ui:disabled'] === true;
        return isFixed ? [say`"${field}" must be filled in, cannot be changed, and nothing fills it.`] : [];
      })
      .map((message) => ({
        file,
        pointer: toSourcePointer(`/states/${escapePointer(name)}/screen`),
        message,
        hint: say`Give it a value in "prefill".`,
      }));
  }),
);
