import type {
  TransitionBranch,
  JsonLogic,
  StateDefinition,
  JourneyStep,
  LogicTemplate,
  ScreenUi,
} from '../../../core/flow-and-screen-types.ts';
import { type JsonObject, isObject, type Json } from '../../../core/json.ts';
import type { CompileProjectOptions } from '../../definitions.ts';
import type { ExpandedFlow } from '../../flow/expand-flow.ts';
import { listPluginOperators, listPathsReadByLogic } from '../../../core/json-logic.ts';
import { checkRuleCondition, checkJsonLogic, checkLogicTemplate, type ReadableVariables } from '../check-json-logic.ts';
import {
  findRenamed,
  formatAlternatives,
  listNearNames,
  suggestSimilarName,
  explain,
  localize,
  type LocalizedText,
  type ProblemExplanation,
} from '../../sources/localized-text.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import { flattenFields } from '../../screen/schema-fields.ts';
import { parseFieldPointer, parseFieldVariable } from '../../../core/field-path.ts';
import { escapePointer, splitPointer } from '../../../core/json-pointer.ts';
import { isUnconditionalBranch } from '../../flow/unexpanded-flow-types.ts';
import { matchPath } from '../../../core/route.ts';

export type FlowCheckOptions = CompileProjectOptions & {
  readonly paths: ReadonlySet<string>;
  /** Names of all screens, for suggestions. */
  readonly screenNames?: readonly string[];
  /** Schema and ui by screen id. The schema is `null` for a screen without fields. */
  readonly screens: ReadonlyMap<string, { readonly schema: JsonObject | null; readonly ui: ScreenUi }>;
  /** Reports at the ui.json of a screen, and the keys of `actions` in its translations. */
  readonly uiFiles?: ReadonlyMap<
    string,
    { readonly report: ProblemReporter; readonly translatedEvents: readonly string[] }
  >;
  /** Shared notices, those that may have been renamed (`unused`), those that have a translation, and the reporter of their file. */
  readonly sharedNotices?: {
    readonly names: readonly string[];
    readonly unused: readonly string[];
    readonly translated: readonly string[];
    readonly report: ProblemReporter;
  };
};

/** Names of the form fields that rules may read. `null` for a block, whose fields are unknown. */
type Fields = ReadonlySet<string> | null;

export type FlowCheckContext = ReturnType<typeof createFlowCheckContext>;

/** Creates the context that all checks of a flow share: the flow, the other definitions, and helpers to check rules, targets and operations. */
export function createFlowCheckContext(
  { flow, pointers, inheritedParts, locateVariable }: ExpandedFlow,
  around: FlowCheckOptions,
  report: ProblemReporter,
) {
  const context = new Set(Object.keys(flow.context ?? {}));
  const missingNotices = new Set<string>();
  const unknownVariables = new Set<string>();
  const locateUnknown = (pointer: string, path: string): string => {
    unknownVariables.add(path);
    return locateVariable(pointer, path);
  };
  const listFields = ({ block, screen }: StateDefinition): Fields => {
    if (block !== undefined) return null;
    if (screen !== undefined && around.screenNames?.includes(screen) === false) return null; // an unknown screen is reported where it is named
    return new Set(Object.keys(flattenFields(around.screens.get(screen ?? '')?.schema ?? {})));
  };
  // Reports operators of plugins. A flow cannot use them, because plugin code is only loaded with screens.
  const checkOperators = (pointer: string, logic: LogicTemplate): void => {
    for (const name of listPluginOperators(logic))
      report(pointer)(explain`The operator "${name}" belongs to a plugin, and flows cannot use plugins.
        Use the operators of JSON-logic here. Those of plugins work only in the rules of a screen.`);
  };
  return {
    flow,
    around,
    report,
    /** Whether a rule reads an unknown variable. If so, rules are not compared with each other, because the mistake would cause further problems. */
    hasUnknownVariable: () => unknownVariables.size > 0,
    /** Returns the position of a branch or step in its file. Returns `undefined` for branches that the compiler adds. */
    findPointer: (part: TransitionBranch | JourneyStep): string | undefined => pointers.get(part),
    /** Returns the position of a part of a branch, which may be in the group of the branch. */
    locatePart: (branch: TransitionBranch, part: keyof TransitionBranch, at: string): string =>
      inheritedParts.get(branch)?.[part] ?? `${at}/${part}`,
    listFields,
    /** Lists the states whose screens have a field. */
    listStatesWithField: (field: string) =>
      Object.entries(flow.states).filter(([, state]) => listFields(state)?.has(field)),
    /** Returns the names that a rule may read. `form` has the fields of the form, `more` additional facts. */
    readable: (form: Fields, more: readonly string[] = []): ReadableVariables => {
      return { form, context, facts: [...around.facts, ...more], locateUnknown };
    },
    condition(pointer: string, logic: JsonLogic, readable: ReadableVariables): void {
      checkRuleCondition(report, pointer, logic, readable);
      checkOperators(pointer, logic);
    },
    logic(pointer: string, logic: JsonLogic, readable: ReadableVariables): void {
      checkJsonLogic(report, pointer, logic, readable);
      checkOperators(pointer, logic);
    },
    template(pointer: string, template: LogicTemplate, readable: ReadableVariables): void {
      checkLogicTemplate(report, pointer, template, readable);
      checkOperators(pointer, template);
    },
    target(pointer: string, target: string): void {
      const states = Object.keys(flow.states);
      if (!states.includes(target))
        report(pointer)(explain`There is no state "${target}".
          ${suggestSimilarName(target, states)}States: ${listNearNames(target, states)}.`);
    },
    /** Reports a notice that a screen lacks, once for all screens: at the renamed shared notice, or else at the flow. */
    missingNotice(pointer: string, notice: string, problem: ProblemExplanation): void {
      const { unused = [], translated = [], report: reportShared = report } = around.sharedNotices ?? {};
      const renamed = translated.includes(notice) ? findRenamed(notice, unused) : undefined;
      const key = `${pointer} ${notice}`;
      if (missingNotices.has(key)) return;
      missingNotices.add(key);
      if (renamed === undefined) return report(pointer)(problem);
      reportShared(
        `/$defs/${escapePointer(renamed)}`,
      )(explain`No flow shows "${renamed}", but a flow shows "${notice}", which does not exist.
        Write the same name here and in the flow.`);
    },
    operation(pointer: string, operation: string, isGet = false): void {
      const suggestion = suggestSimilarName(operation, around.operations);
      if (!around.operations.includes(operation))
        report(pointer)({
          message: localize`There is no operation "${operation}".`,
          hint: isGet
            ? localize`${suggestion}Name a GET operation of the contract.`
            : localize`${suggestion}Name an operation of the contract.`,
        });
    },
  };
}

/** Context of a list of branches: its state, and the names that their rules may read. */
interface BranchContext {
  readonly state: StateDefinition;
  readonly readable: ReadableVariables;
  /** Whether the list needs an unconditional last branch. Defaults to true. */
  readonly mustEndUnconditionally?: boolean;
}

/** Checks a list of branches. Only the last branch may be unconditional, and with `mustEndUnconditionally` it must be. */
export function checkTransitionBranches(
  check: FlowCheckContext,
  at: string,
  branches: readonly TransitionBranch[],
  { mustEndUnconditionally = true, ...place }: BranchContext,
): void {
  const isEnded = branches.slice(0, -1).some(isUnconditionalBranch);
  branches.forEach((branch, index) => {
    const pointer = check.findPointer(branch) ?? at;
    const next = branches[index + 1];
    checkBranch(check, pointer, branch, place);
    if (!next && !isUnconditionalBranch(branch) && mustEndUnconditionally && !isEnded)
      check.report(pointer)(explain`The last branch has a condition.
        Add a last branch without "guard" for all other cases.`);
    if (!next || !isUnconditionalBranch(branch)) return;
    const nextPointer = check.findPointer(next) ?? at;
    const [root = '', name = ''] = splitPointer(nextPointer);
    if (root !== 'branches' || pointer.startsWith(`/branches/${escapePointer(name)}/`))
      check.report(nextPointer)(explain`This branch is never taken: the one before it has no guard.
        Put the branch without a condition last.`);
    // the named branches are right: the list that uses them has the wrong order
    else
      check.report(pointer.startsWith('/branches/') ? at : pointer)(explain`
        The branches "${name}" are never taken: a branch before them has no guard.
        Put the branch without a condition last.`);
  });
}

function checkClear({ report }: FlowCheckContext, at: string, pointers: readonly string[], fields: Fields): void {
  pointers.forEach((pointer, index) => {
    const name = parseFieldPointer(pointer);
    if (fields && !fields.has(name))
      report(`${at}/${index}`)(explain`The screen has no field "${name}".
        ${suggestSimilarName(name, fields)}Name a field of the screen.`);
  });
}

function checkBranch(
  check: FlowCheckContext,
  at: string,
  branch: TransitionBranch,
  { state, readable }: BranchContext,
): void {
  const { report, flow, around } = check;
  const locate = (part: keyof TransitionBranch) => check.locatePart(branch, part, at);
  if (branch.guard !== undefined) check.condition(locate('guard'), branch.guard, readable);
  for (const part of ['challenge', 'leave'] as const) {
    const template = branch[part];
    if (template !== undefined) check.template(locate(part), template, readable);
  }
  for (const address of branch.leave === undefined ? [] : findBrokenAddresses(branch.leave, around.paths))
    report(locate('leave'))({
      message: localize`No flow has the path "${address}".`,
      hint: Object.hasOwn(flow.states, address)
        ? localize`"${address}" is a state: write "target" in place of "leave".`
        : localize`${suggestSimilarName(address, around.paths)}Leave to a path of flows/, or to a whole address.`,
    });
  for (const [name, template] of Object.entries(branch.assign ?? {})) {
    const pointer = `${at}/assign/${escapePointer(name)}`;
    check.template(pointer, template, readable);
    if (flow.context?.[name]?.persist || flow.context?.[name]?.saved)
      reportStoredSecrets(check, pointer, template, state);
  }
  if (branch.target !== undefined) check.target(locate('target'), branch.target);
  if (branch.challenge !== undefined && !flow.challenges)
    report(locate('challenge'))(explain`The flow has no "challenges".
      Map each challenge name to a state in "challenges".`);
  const next = branch.target === undefined ? undefined : flow.states[branch.target];
  const nextFields = next ? check.listFields(next) : new Set<string>();
  const fields = readable.form && nextFields && new Set([...readable.form, ...nextFields]);
  checkClear(check, locate('clear'), branch.clear ?? [], fields);
  if (branch.notice !== undefined) checkNotice(check, locate('notice'), branch, state);
}

export function reportStoredSecrets(
  { around, report }: FlowCheckContext,
  pointer: string,
  template: LogicTemplate,
  { screen }: StateDefinition,
): void {
  const fields = flattenFields(around.screens.get(screen ?? '')?.schema ?? {});
  for (const path of listPathsReadByLogic(template)) {
    const field = fields[parseFieldVariable(path) ?? ''];
    if (field?.writeOnly === true || path === 'form')
      report(pointer)(explain`The secret "${path}" would be stored.
        Do not keep the variable in "context", or do not assign the secret.`);
  }
}

/** Names the states whose screens have the notice of a branch, if the branch targets another state. */
function suggestOtherTarget(
  { flow, around }: FlowCheckContext,
  { target, notice = '' }: TransitionBranch,
): LocalizedText {
  const holders = Object.entries(flow.states).flatMap(([name, { screen = '' }]) =>
    Object.hasOwn(around.screens.get(screen)?.ui.notices ?? {}, notice) ? name : [],
  );
  return target === undefined || holders.length === 0
    ? localize``
    : localize`The screen of ${formatAlternatives(holders.map((name) => `"${name}"`))} has it: correct "target". Or: `;
}

function checkNotice(check: FlowCheckContext, pointer: string, branch: TransitionBranch, state: StateDefinition): void {
  const { flow, around, report } = check;
  const { target, notice = '' } = branch;
  const shown = (target === undefined ? state : flow.states[target])?.screen;
  const { ui, schema = {} } = around.screens.get(shown ?? '') ?? {};
  if (ui && !Object.hasOwn(ui.notices ?? {}, notice))
    check.missingNotice(
      pointer,
      notice,
      explain`The screen "${shown ?? ''}" has no notice "${notice}".
      ${suggestSimilarName(notice, [...Object.keys(ui.notices ?? {}), ...(around.sharedNotices?.names ?? [])])}${suggestOtherTarget(check, branch)}Add it to "notices" of its ui.json, or for several screens to schemas/_shared/notices.json.`,
    );
  const { field } = ui?.notices?.[notice] ?? {};
  if (field === undefined || Object.hasOwn(flattenFields(schema ?? {}), field)) return;
  const [[, { screen = '' }] = ['', {}]] = check.listStatesWithField(field);
  report(pointer)(
    screen === ''
      ? explain`The notice "${notice}" rejects "${field}", which is not a field of the screen "${shown ?? ''}".
          Name a field of its schema.json in "field" of the notice.`
      : explain`The notice "${notice}" rejects "${field}", which is in the screen "${screen}" and not in "${shown ?? ''}".
          Remove "field" from the notice, or move the notice to that screen and go there with "target".`,
  );
}

/** Returns the literal paths of a `leave` that belong to no state. Computed paths and external URLs are only checked at run time. */
function findBrokenAddresses(leave: Json, paths: ReadonlySet<string>): readonly string[] {
  if (isObject(leave) && 'to' in leave) return 'host' in leave ? [] : findBrokenAddresses(leave.to as Json, paths);
  return listLiteralTexts(leave).filter(
    (address) =>
      !/^https?:\/\//.test(address) &&
      ![...paths].some((path) => matchPath(path, address.replace(/[?#].*$/, '')) !== null),
  );
}

// Returns the literal addresses that a rule may return. The first operand of a `cat` counts only if it contains the complete path, i.e. has a `?` or
// `#`.
function listLiteralTexts(rule: Json): readonly string[] {
  if (typeof rule === 'string') return [rule];
  if (!isObject(rule)) return [];
  const [operator = '', operand = null] = Object.entries(rule as Record<string, Json>)[0] ?? [];
  const operands: readonly Json[] = Array.isArray(operand) ? operand : [operand];
  if (operator === 'or' || operator === 'and') return operands.flatMap(listLiteralTexts);
  if (operator === 'if' || operator === '?:')
    return operands.filter((_, index) => index % 2 === 1 || index === operands.length - 1).flatMap(listLiteralTexts);
  const [first] = operands;
  return operator === 'cat' && typeof first === 'string' && /[?#]/.test(first) ? [first] : [];
}
