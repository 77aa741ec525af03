import type { Flow, StateDefinition, LogicTemplate } from '../../../core/flow-and-screen-types.ts';
import { escapePointer, splitPointer, walkJson } from '../../../core/json-pointer.ts';
import {
  listStateBranches,
  isDeclaredInContext,
  listVariablesReadByFlow,
  listFlowExpressions,
} from '../../flow/flow-queries.ts';
import { type LintedFlow, type LintInput, listFlowBranches, listFlowInvocations } from '../lint-input.ts';
import type { LintOptions } from '../lint-options.ts';
import { type LintFinding, createFlowLintRule, createFindingAt, createLocalLintRule } from '../lint-rule.ts';
import { explain, listNearNames, localize, suggestSimilarName, findNearestName } from '../../sources/localized-text.ts';
import { listPathsReadByLogic, isJsonLogicOperation } from '../../../core/json-logic.ts';
import { listPathsReadByUi } from '../../explore/screen-index.ts';
import { isObject, groupBy } from '../../../core/json.ts';
import { variablePathPattern } from '../../flow/unexpanded-flow-types.ts';
import { listShapeProperties, findShapeAtPath } from '../../explore/value-shapes.ts';
import { listNameWords } from '../wording/words.ts';

const dataTwice = createFlowLintRule('data/twice', 'W', (linted, { contract }) =>
  listTables(linted).flatMap((table) => findTwins(table, linted, contract)),
);

interface TemplateTable {
  readonly at: string;
  /** Receiver of the values. A repeated value is suspicious in fields and in an input, but not in the variables of a branch. */
  readonly target?: 'fields' | 'input';
  readonly values: Readonly<Record<string, LogicTemplate>>;
}

function listTables(linted: LintedFlow): readonly TemplateTable[] {
  const ofStates = Object.entries(linted.flow.states).flatMap(([name, { prefill = {}, carry = {} }]) => [
    { at: linted.locate('states', name, 'prefill').pointer, target: 'fields' as const, values: prefill },
    { at: linted.locate('states', name, 'carry').pointer, values: carry },
  ]);
  const ofEffects = listFlowInvocations(linted).flatMap(({ effect: { params = {}, input }, at }) => {
    const sent = isObject(input) && !isJsonLogicOperation(input) ? (input as TemplateTable['values']) : {};
    return [
      { at: `${at}/params`, target: 'input' as const, values: params },
      { at: `${at}/input`, target: 'input' as const, values: sent },
    ];
  });
  const ofBranches = listFlowBranches(linted).map(([{ assign = {} }, at]) => ({ at: `${at}/assign`, values: assign }));
  return [...ofStates, ...ofEffects, ...ofBranches];
}

function findTwins(
  { at, values, target }: TemplateTable,
  { file }: LintedFlow,
  contract: LintOptions,
): readonly LintFinding[] {
  const read = Object.entries(values).flatMap(([name, value]) => {
    const path = isJsonLogicOperation(value) && Object.keys(value).length === 1 ? value['var'] : undefined;
    return typeof path === 'string' ? [{ name, path }] : [];
  });
  return [...groupBy(read, ({ path }) => path).values()].flatMap((same): readonly LintFinding[] => {
    const own =
      same.find(({ name, path }) => containsAllWords(path, name)) ??
      same.find(({ name, path }) => sharesWord(name, path)) ??
      same[0];
    if (same.length < 2 || !own) return [];
    const isOwn = containsAllWords(own.path, own.name);
    return same
      .filter((one) => one !== own && !containsAllWords(own.name, one.name))
      .filter(
        ({ name, path }) =>
          target === 'fields' ||
          hasSibling(path, name, contract) ||
          (isOwn && (target === 'input' || sharesWord(name, own.name))),
      )
      .map(({ name, path }) =>
        createFindingAt({ file, pointer: `${at}/${escapePointer(name)}` })(explain`
          "${name}" and "${own.name}" get the same value, "${path}".
          Give "${name}" its own value.`),
      );
  });
}

/** Whether the last segment of a path contains every word of a name. */
function containsAllWords(path: string, name: string): boolean {
  const pathWords = listNameWords(path.split('.').at(-1) ?? '');
  return listNameWords(name.split('.').at(-1) ?? '').every((word) => pathWords.includes(word));
}

/** Whether the value at a path has a sibling property with this name. */
export function hasSibling(path: string, name: string, { factShapes = {} }: LintOptions): boolean {
  const [root = '', ...steps] = path.split('.');
  const schema = factShapes[root];
  const around = schema && findShapeAtPath({ schema, optional: true }, steps.slice(0, -1));
  return (around && listShapeProperties(around)?.includes(name)) ?? false;
}

function sharesWord(one: string, other: string): boolean {
  return listNameWords(one).some((word) => listNameWords(other).includes(word));
}

const dataFact = createLocalLintRule('data/fact', 'E', ({ flows, screens, contract: { factShapes = {} } }) => {
  const uis = [...screens.values()].map(({ files }) => files.ui);
  return [...flows.map(({ file }) => file), ...uis].flatMap((file) => {
    const find = (path: string, pointer: string, isKey: boolean): readonly LintFinding[] => {
      const [root = '', ...steps] = path.split('.');
      const schema = factShapes[root];
      const at = { schema, optional: true };
      const before = steps.findIndex((_, index) => !findShapeAtPath(at, steps.slice(0, index + 1)));
      const wrong = steps[before];
      if (!schema || wrong === undefined || !(variablePathPattern.test(path) || /\/var(?:\/0)?$/.test(pointer)))
        return [];
      const holder = findShapeAtPath(at, steps.slice(0, before));
      const names = (holder && listShapeProperties(holder)) ?? [];
      const [containing, ...others] = names.filter((name) => listNameWords(name).includes(wrong));
      const near = findNearestName(wrong, names) ?? (others.length === 0 ? containing : undefined);
      const value =
        isKey || near === undefined
          ? undefined
          : [root, ...steps.slice(0, before), near, ...steps.slice(before + 1)].join('.');
      return [
        createFindingAt({ file, pointer, value })(explain`"${path}" does not exist.
          ${near === undefined ? '' : localize`Did you mean "${near}"? `}There is: ${listNearNames(wrong, names)}.`),
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
    const others = [...Object.keys(flow.context ?? {}), ...(read ?? [])].filter((other) => other !== name);
    return createFindingAt(place)(explain`Nothing reads the variable "${name}".
      ${suggestSimilarName(name, others)}Correct the name, or remove it and its assignments.`);
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
    const unread = assigns.flatMap((own) => Object.keys(own)).filter((other) => !read.has(other));
    yield createFindingAt(locate('context', name))(explain`"${name}" is read, but nothing sets it.
      ${suggestSimilarName(name, unread)}Assign it in a branch, or remove it.`);
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

export const variableLintRules = [dataUnread, dataAssigned, dataUnset, dataUnsaved, dataFact, dataTwice];
