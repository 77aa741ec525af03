import type {
  Flow,
  StateDefinition,
  LogicTemplate,
  OperationInvocation,
  JourneyStep,
} from '../../../core/flow-and-screen-types.ts';
import { escapePointer, splitPointer, findByPointer, walkJson } from '../../../core/json-pointer.ts';
import {
  listStateBranches,
  isDeclaredInContext,
  listVariablesReadByFlow,
  listFlowExpressions,
  listStateInvocations,
} from '../../flow/flow-queries.ts';
import { type LintedFlow, type LintInput, listFlowBranches, listFlowInvocations, groupBy } from '../lint-input.ts';
import type { LintOptions } from '../lint-options.ts';
import {
  type LintFinding,
  createFlowLintRule,
  createFindingAt,
  createDefinitionsLintRule,
  createStateLintRule,
} from '../lint-rule.ts';
import { explain, listNearNames, suggestSimilarName, findNearestName } from '../../sources/localized-text.ts';
import { listPathsReadByLogic, isJsonLogicOperation } from '../../../core/json-logic.ts';
import { listPathsReadByUi } from '../../explore/screen-index.ts';
import { asObject, isObject, type Json } from '../../../core/json.ts';
import { variablePathPattern } from '../../flow/unexpanded-flow-types.ts';
import { listShapeProperties, findShapeAtPath } from '../../explore/value-shapes.ts';
import { listNormalizedWords } from '../wording/words.ts';
import type { CheckedScreen } from '../../intermediate-representation.ts';
import { isFieldWithin } from '../../../core/field-path.ts';
import { readFieldUi } from '../../../core/screen-ui-queries.ts';
import { builtInWidgets } from '../../../core/built-in-widgets.ts';
import { readSchemaProperties, buildFieldPointer, flattenFields, listAllFields } from '../../screen/schema-fields.ts';

const dataDropped = createStateLintRule('data/dropped', 'W', ({ name, state, screen, linted, locate }, subject) => {
  const { flow } = linted;
  const file = screen?.files.schema;
  if (!screen?.schema || !file || state.block !== undefined) return null;
  const sending = listSendingEffects(flow, name);
  const read = [...listFormReads(flow, state), ...listRuleReads(screen, subject)];
  const isRead = (field: string) =>
    read.some((path) => path === '' || isFieldWithin(field, path) || isFieldWithin(path, field));
  return Object.keys(readSchemaProperties(screen.schema))
    .filter((field) => isFilledIn(screen, state, field) && !isRead(field))
    .flatMap((field) => {
      const deaf = sending.filter(({ src }) => !isAccepted(subject, src, field));
      if (deaf.length < sending.length) return [];
      const [first] = deaf;
      const related = [{ file: linted.file.path, pointer: locate('on').pointer }];
      const report = createFindingAt({ file, pointer: buildFieldPointer(field), related });
      if (first)
        return report(explain`The operation ${first.src} does not store "${field}": the input is lost.
          Remove the field, or ask a developer to let the operation read it.`);
      return report(explain`
        In "${name}" of the flow "${flow.id}", nothing sends or reads "${field}": the input is lost.
        Add it to "input" of the operation, read it in a rule, or remove the field.`);
    });
});

/** Reports fields of list items that the operations of a state discard, because the item schema in the request body has no such property. */
const dataItems = createStateLintRule('data/dropped', 'W', ({ name, state, screen, linted, locate }, { contract }) => {
  const file = screen?.files.schema;
  if (!screen?.schema || !file) return null;
  const bodies = listSendingEffects(linted.flow, name).flatMap(({ src }) => contract.operations[src] ?? []);
  const mapped = listEventEffects(state).flatMap(({ src, input }) =>
    Object.entries(asObject(input)).map(([key, template]) => ({ key, template, body: contract.operations[src]?.body })),
  );
  const takes = (list: string, item: string): boolean => {
    const own = mapped.filter(({ template }) => listPathsReadByLogic(template).includes(`form.${list}`));
    const inBodies = [
      ...own.map(({ key, body }) => [key, body] as const),
      ...bodies.map(({ body }) => [list, body] as const),
    ];
    const known = inBodies.flatMap(([key, body]) =>
      body ? [findByPointer(body, `/properties/${key}/items/properties`)] : [],
    );
    const listed = known.flatMap((properties) => (isObject(properties) ? [properties] : []));
    return listed.length === 0 || listed.some((properties) => Object.hasOwn(properties, item));
  };
  return listAllFields(screen.schema).flatMap(([field, , , pointer]) => {
    const [list = '', item = ''] = field.split('.items.');
    if (item === '' || item.includes('.') || takes(list, item)) return [];
    const related = [{ file: linted.file.path, pointer: locate('on').pointer }];
    return createFindingAt({ file, pointer, related })(explain`No operation stores "${field}": the input is lost.
      Remove the field, or ask a developer to let the operation read it.`);
  });
});

/** Whether users fill in a field. The widget of a plugin may only display initial values or variables. */
function isFilledIn({ ui }: CheckedScreen, { prefill = {} }: StateDefinition, field: string): boolean {
  const { 'ui:widget': widget, 'ui:readonly': isFixed, 'ui:options': options = null } = readFieldUi(ui, field);
  const isKnown =
    Object.hasOwn(prefill, field) || listPathsReadByLogic(options).some((path) => path.startsWith('context.'));
  const isShown = isKnown && typeof widget === 'string' && !Object.hasOwn(builtInWidgets, widget);
  return widget !== 'hidden' && isFixed !== true && !isShown;
}

/** Returns the operations that receive the form of a state: operations of the state itself, or of later states in its journey. */
function listSendingEffects({ states, progress = [] }: Flow, name: string): readonly OperationInvocation[] {
  const own = listEventEffects(states[name]).filter(({ input, progress: whole }) => whole || input === undefined);
  const later = progress.flatMap((steps) => {
    const here = steps.findIndex(({ state }) => isStepOrAlternative(states, state, name));
    return here < 0
      ? []
      : steps
          .slice(here)
          .flatMap(({ state }: JourneyStep) => listEventEffects(states[state]).filter(({ progress: whole }) => whole));
  });
  return [...own, ...later];
}

// Whether a state is the given step, or another state with the screen of this step.
function isStepOrAlternative(states: Flow['states'], step: string, name: string): boolean {
  return step === name || (states[step]?.screen !== undefined && states[step].screen === states[name]?.screen);
}

function listEventEffects(state: StateDefinition | undefined): readonly OperationInvocation[] {
  return state ? listStateInvocations({ on: state.on ?? {} }) : [];
}

function isAccepted({ contract }: LintInput, operation: string, field: string): boolean {
  const shape = contract.operations[operation];
  if (!shape) return true;
  if (!shape.isPost) return false;
  return shape.reads?.includes(field) ?? true;
}

/** Returns the form paths that a state reads, without the prefix `form.`. An empty path stands for the complete form. */
function listFormReads({ id, initial }: Flow, state: StateDefinition): readonly string[] {
  return listFlowExpressions({ id, initial, states: { own: state } })
    .flatMap((template) => listPathsReadByLogic(template))
    .flatMap((path) => (path === 'form' ? [''] : path.startsWith('form.') ? [path.slice(5)] : []));
}

/** Returns the fields that the screen's own rules read, required consents, and repetitions of other fields. */
function listRuleReads({ schema, files, ui }: CheckedScreen, { set: { plugins } }: LintInput): readonly string[] {
  const own = schema ?? {};
  const rules = [files.ui?.value ?? null, own['computed'] ?? null, ...Object.values(ui.visible ?? {})];
  const confirming = Object.entries(flattenFields(own)).flatMap(([name, field]) => {
    const repeats = Object.entries(field).some(
      ([keyword, parameters]) => (plugins.rules.get(keyword)?.rule.reads?.(parameters as never) ?? []).length > 0, // cast: each rule has its own parameter type, which `checkPluginRuleKeyword` has validated
    );
    return field['const'] !== undefined || repeats ? [name] : [];
  });
  return [...rules.flatMap(listLogicVariables), ...confirming];
}

function listLogicVariables(part: Json): readonly string[] {
  return listPathsReadByLogic(part).flatMap((path) => (path.startsWith('form.') ? [path.slice(5)] : []));
}

const dataTwice = createFlowLintRule('data/twice', 'W', (linted, { contract }) =>
  listTables(linted).flatMap((table) => findTwins(table, linted, contract)),
);

interface TemplateTable {
  readonly at: string;
  /**
   * Whether the values are the input of an operation. A repeated value is suspicious in an input, but not in the variables of a branch.
   */
  readonly isSent?: true;
  readonly values: Readonly<Record<string, LogicTemplate>>;
}

function listTables(linted: LintedFlow): readonly TemplateTable[] {
  const ofStates = Object.entries(linted.flow.states).flatMap(([name, { prefill = {}, carry = {} }]) => [
    { at: linted.locate('states', name, 'prefill').pointer, values: prefill },
    { at: linted.locate('states', name, 'carry').pointer, values: carry },
  ]);
  const ofEffects = listFlowInvocations(linted).flatMap(({ effect: { params = {}, input }, at }) => {
    const sent = isObject(input) && !isJsonLogicOperation(input) ? (input as TemplateTable['values']) : {};
    return [
      { at: `${at}/params`, isSent: true as const, values: params },
      { at: `${at}/input`, isSent: true as const, values: sent },
    ];
  });
  const ofBranches = listFlowBranches(linted).map(([{ assign = {} }, at]) => ({ at: `${at}/assign`, values: assign }));
  return [...ofStates, ...ofEffects, ...ofBranches];
}

function findTwins(
  { at, values, isSent }: TemplateTable,
  { file }: LintedFlow,
  contract: LintOptions,
): readonly LintFinding[] {
  const read = Object.entries(values).flatMap(([name, value]) => {
    const path = isJsonLogicOperation(value) && Object.keys(value).length === 1 ? value['var'] : undefined;
    return typeof path === 'string' ? [{ name, path }] : [];
  });
  return [...groupBy(read, ({ path }) => path).values()].flatMap((same): readonly LintFinding[] => {
    const own = same.find(({ name, path }) => containsAllWords(path, name)) ?? same[0];
    if (same.length < 2 || !own) return [];
    const isOwn = containsAllWords(own.path, own.name);
    return same
      .filter((one) => one !== own && !containsAllWords(own.name, one.name))
      .filter(({ name, path }) => hasSibling(path, name, contract) || (isOwn && (isSent ?? sharesWord(name, own.name))))
      .map(({ name, path }) =>
        createFindingAt({ file, pointer: `${at}/${escapePointer(name)}` })(explain`
          "${name}" and "${own.name}" get the same value, "${path}".
          Give "${name}" its own value.`),
      );
  });
}

function splitName(name: string): readonly string[] {
  return listNormalizedWords(
    (name.split('.').at(-1) ?? '').replaceAll(/[_-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'),
  );
}

/** Whether the last segment of a path contains every word of a name. */
function containsAllWords(path: string, name: string): boolean {
  const said = splitName(path);
  return splitName(name).every((word) => said.includes(word));
}

/** Whether the value at a path has a sibling property with this name. */
export function hasSibling(path: string, name: string, { factShapes = {} }: LintOptions): boolean {
  const [root = '', ...steps] = path.split('.');
  const schema = factShapes[root];
  const around = schema && findShapeAtPath({ schema, optional: true }, steps.slice(0, -1));
  return (around && listShapeProperties(around)?.includes(name)) ?? false;
}

function sharesWord(one: string, other: string): boolean {
  return splitName(one).some((word) => splitName(other).includes(word));
}

const dataFact = createDefinitionsLintRule('data/fact', 'E', ({ screens, set, contract: { factShapes = {} } }) => {
  const uis = [...screens.values()].map(({ files }) => files.ui);
  return [...set.flows, ...uis].flatMap((file) => {
    const find = (path: string, pointer: string, isKey: boolean): readonly LintFinding[] => {
      const [root = '', ...steps] = path.split('.');
      const schema = factShapes[root];
      const last = steps.at(-1);
      if (
        !schema ||
        last === undefined ||
        !(variablePathPattern.test(path) || /\/var(?:\/0)?$/.test(pointer)) ||
        findShapeAtPath({ schema, optional: true }, steps)
      )
        return [];
      const holder = findShapeAtPath({ schema, optional: true }, steps.slice(0, -1));
      const names = (holder && listShapeProperties(holder)) ?? [];
      const near = isKey ? undefined : findNearestName(last, names);
      const value = near === undefined ? undefined : [root, ...steps.slice(0, -1), near].join('.');
      return [
        createFindingAt({ file, pointer, value })(explain`"${path}" does not exist.
          ${suggestSimilarName(last, names)}There is: ${listNearNames(last, names)}.`),
      ];
    };
    return [...walkJson(file.value)].flatMap(([pointer, part]) => [
      ...find(splitPointer(pointer).at(-1) ?? '', pointer, true),
      ...(typeof part === 'string' ? find(part, pointer, false) : []),
    ]);
  });
});

const dataUnsaved = createFlowLintRule('data/unsaved', 'E', function* ({ flow, file, pointers }, { screens }) {
  for (const journey of flow.save ? (flow.progress ?? []) : [])
    for (const [index, step] of journey.entries()) {
      const before = journey.slice(0, index).flatMap(({ state }) => listAssignedVariables(flow.states[state] ?? {}));
      const { [step.state]: state = {} } = flow.states;
      const ui = screens.get(state.screen ?? '')?.ui;
      const own = listFlowExpressions({ id: flow.id, initial: step.state, states: { [step.state]: state } });
      const read = [...(ui ? listPathsReadByUi(ui) : []), ...own.flatMap(listPathsReadByLogic)];
      for (const name of new Set(read.flatMap((path) => /^context\.(\w+)/.exec(path)?.[1] ?? [])))
        if (before.includes(name) && !flow.context?.[name]?.saved)
          yield createFindingAt({ file, pointer: pointers.get(step) ?? '/progress' })(explain`
            The step "${step.state}" reads "${name}", which an earlier step assigns but which is not saved: it is missing when the flow is resumed.
            Write "${name}" in "saved" of "context".`);
    }
});

function listAssignedVariables(state: StateDefinition): readonly string[] {
  return listStateBranches(state).flatMap(({ assign = {} }) => Object.keys(assign));
}

const dataUnread = createFlowLintRule('data/unread', 'W', (linted, subject) => findUnread(linted, subject, true));

const dataAssigned = createFlowLintRule('data/assigned', 'E', (linted, subject) => findUnread(linted, subject, false));

function findUnread({ flow, locate }: LintedFlow, subject: LintInput, ofDeclared: boolean): readonly LintFinding[] {
  const read = findReadVariables(flow, subject);
  const unread = Object.entries(flow.context ?? {}).filter(
    ([name, variable]) => read && isDeclaredInContext(variable) === ofDeclared && !read.has(name),
  );
  return unread.map(([name]) => {
    const place = locate('context', name);
    const text = [...walkJson(place.file.value)].find(
      ([pointer, part]) => part === name && /\/(?:inputs?|params|carry|prefill|assigns?)\//.test(pointer),
    );
    if (text)
      return createFindingAt({ file: place.file, pointer: text[0], value: `context.${name}` })(explain`
        "${name}" is a text here, not the variable.
        Write "${`context.${name}`}".`);
    return createFindingAt(place)(explain`Nothing reads the variable "${name}".
      Remove it and its assignments.`);
  });
}

const dataUnset = createFlowLintRule('data/unset', 'E', function* ({ flow, locate }, subject) {
  const read = findReadVariables(flow, subject);
  const assigns = Object.values(flow.states)
    .flatMap(listStateBranches)
    .map(({ assign = {} }) => assign);
  for (const [name, variable] of Object.entries(flow.context ?? {})) {
    const isGiven = ['query', 'path'].includes(variable.from) || variable.default !== undefined;
    if (isGiven || !read?.has(name) || assigns.some((own) => (own[name] ?? null) !== null)) continue;
    yield createFindingAt(locate('context', name))(explain`"${name}" is read, but nothing sets it.
      Assign it in a branch, or remove it.`);
  }
});

/** Returns the variables that a flow, its screens and its blocks read. Returns `null` if a block may read any. */
function findReadVariables(flow: Flow, { screens, contract }: LintInput): ReadonlySet<string> | null {
  const ofBlocks = Object.values(flow.states).flatMap(({ block }) =>
    block === undefined ? [] : [contract.blocks[block]?.reads],
  );
  if (ofBlocks.includes(null)) return null;
  return new Set([
    ...listVariablesReadByFlow(flow, (screen) => screens.get(screen)?.ui),
    ...ofBlocks.flatMap((reads) => reads ?? []),
  ]);
}

export const variableLintRules = [
  dataUnread,
  dataAssigned,
  dataUnset,
  dataUnsaved,
  dataDropped,
  dataItems,
  dataFact,
  dataTwice,
];
