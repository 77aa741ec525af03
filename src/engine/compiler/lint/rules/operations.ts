import type { TransitionBranch, OperationInvocation } from '../../../core/flow-and-screen-types.ts';
import { isObject } from '../../../core/json.ts';
import {
  findNearestName,
  localize,
  listNearNames,
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  formatAlternatives,
  type ProblemExplanation,
  explain,
} from '../../sources/localized-text.ts';
import {
  listFlowInvocations,
  listOutcomes,
  listResponseShapes,
  type LocatedInvocation,
  type LintInput,
} from '../lint-input.ts';
import {
  checkEachFlowWith,
  checkEachScreenWith,
  createFlowLintRule,
  createStateLintRule,
  createFindingAt,
  createDefinitionsLintRule,
  createLocalLintRule,
} from '../lint-rule.ts';
import { formatNodePath, type OperationShape } from '../../explore/state-space.ts';
import { listPathsReadByLogic, isJsonLogicOperation } from '../../../core/json-logic.ts';
import { selectDefaultWidget } from '../../../core/built-in-widgets.ts';
import {
  listShapeProperties,
  findShapeAtPath,
  listRequiredShapeProperties,
  resolveChildShape,
  unknownValueShape,
} from '../../explore/value-shapes.ts';
import { listGuardOutcomes } from '../../explore/evaluate-rules.ts';
import type { AbstractAssignment } from '../../explore/abstract-assignment.ts';
import { findChoiceSourceParams, evaluateUiOptions, findFieldUiText } from '../../../core/screen-ui-queries.ts';
import { readSchemaProperties, flattenFields, listVisibilityRules } from '../../screen/schema-fields.ts';
import type { LintOptions } from '../lint-options.ts';
import { buildUiPointer } from '../../../core/field-path.ts';

const sourceInputs = checkEachScreenWith(function* ({ ui, schema, files }, { contract }) {
  const { operations, choiceKeys } = contract;
  for (const [field, own] of Object.entries(flattenFields(schema ?? {}))) {
    const { source } = evaluateUiOptions(ui, field, {});
    const params = findChoiceSourceParams(ui, field);
    const shape = typeof source === 'string' ? operations[source] : undefined;
    if (!shape) continue;
    const at = `${buildUiPointer(field)}/ui:options`;
    const item = resolveChildShape({ schema: shape.answer, optional: false }, '0');
    const properties = item ? listShapeProperties(item) : [];
    const widget = findFieldUiText(ui, field, 'ui:widget') ?? selectDefaultWidget(own);
    if (widget === 'select' && choiceKeys && properties && !properties.some((name) => choiceKeys.includes(name)))
      yield createFindingAt({ file: files.ui, pointer: `${at}/source` })(explain`
        The operation ${String(source)} returns no choices, so the field stays empty.
        Use an operation that returns a list whose items have ${formatAlternatives(choiceKeys)}.`);
    if (!params) continue;
    for (const [part, problem] of checkParams({ src: String(source), params }, shape))
      yield createFindingAt({ file: files.ui, pointer: at + (part || '/params') })(problem);
  }
});

const effectInputs = checkEachFlowWith(function* (linted, subject) {
  for (const placed of listFlowInvocations(linted)) {
    const shape = subject.contract.operations[placed.effect.src];
    if (!shape) continue;
    const faults = [...checkParams(placed.effect, shape), ...checkOperationBody(placed, shape, subject)];
    for (const [part, problem] of faults)
      yield createFindingAt({ file: linted.file, pointer: placed.at + part })(problem);
  }
});

const operationInput = createDefinitionsLintRule('operation/input', 'E', sourceInputs, effectInputs);

type Fault = readonly [part: string, problem: ProblemExplanation];

function checkParams(
  { src, params = {} }: Pick<OperationInvocation, 'src' | 'params'>,
  shape: OperationShape,
): readonly Fault[] {
  const missing = omitMisspelt(
    shape.params.filter((name) => !Object.hasOwn(params, name)),
    Object.keys(params).filter((name) => !shape.params.includes(name)),
  );
  const problems = missing.map(
    (name) => explain`The operation ${src} needs ":${name}".
      Give it "params": { "${name}": … }.`,
  );
  return [
    ...problems.map((problem): Fault => ['', problem]),
    ...explainUnknownNames(src, Object.keys(params), [...shape.params, ...shape.query], '/params'),
  ];
}

/** Omits the names that one of the unknown names probably means, because the unknown name is reported with its correction. */
function omitMisspelt(missing: readonly string[], unknown: readonly string[]): readonly string[] {
  const meant = unknown.map((name) => findNearestName(name, missing));
  return missing.filter((name) => !meant.includes(name));
}

function explainUnknownNames(
  src: string,
  given: readonly string[],
  known: readonly string[],
  at: string,
): readonly Fault[] {
  const others = given.filter((name) => !known.includes(name));
  return others.map((name) => [
    at && `${at}/${name}`,
    explain`The operation ${src} does not read "${name}".
      ${suggestSimilarName(name, known)}It reads: ${listNearNames(name, known)}.`,
  ]);
}

function checkOperationBody(
  { effect, state: { screen = '', block } }: LocatedInvocation,
  shape: OperationShape,
  { screens }: LintInput,
): readonly Fault[] {
  const { input, src } = effect;
  const refuse = (at: string) => (problem: ProblemExplanation) => [[at, problem] as const];
  if (!shape.isPost && input !== undefined)
    return refuse('/input')(explain`The operation ${src} has no body.
      ${isObject(input) && Object.keys(input).every((name) => shape.params.includes(name)) ? localize`Write "params" in place of "input".` : localize`Remove "input".`}`);
  if (!shape.isPost || effect.progress) return [];
  const listFieldNames = (id: string) => Object.keys(readSchemaProperties(screens.get(id)?.schema ?? {}));
  const body = shape.body && { schema: shape.body, optional: false };
  const acceptedFields = body ? listShapeProperties(body) : shape.screens.flatMap(listFieldNames);
  if (input === undefined && block !== undefined) return []; // the code of a block builds the body, so it cannot be checked
  if (input === undefined && !body && shape.screens.length > 0 && !shape.screens.includes(screen))
    return refuse('')(explain`
      The operation ${src} expects the form of ${shape.screens.join(', ')}, not that of "${screen || '–'}".
      Write its fields in "input".`);
  if (isJsonLogicOperation(input) || (input !== undefined && !isObject(input)) || acceptedFields === null) return [];
  const sent = input === undefined ? listFieldNames(screen) : Object.keys(input);
  const at = input === undefined ? '' : '/input';
  const lacking = omitMisspelt(
    (body ? listRequiredShapeProperties(body) : []).filter((name) => !sent.includes(name)),
    sent.filter((name) => !acceptedFields.includes(name)),
  );
  const problems = lacking.map(
    (name) => explain`The operation ${src} lacks "${name}".
      Add it to "input".`,
  );
  return [...explainUnknownNames(src, sent, acceptedFields, at), ...problems.map((problem): Fault => [at, problem])];
}

const operationResult = createFlowLintRule('operation/result', 'E', function* (linted, { contract: { operations } }) {
  for (const { at, branch, sources } of listOutcomes(linted, 'onDone')) {
    const shapes = listResponseShapes(sources, operations);
    const find = (steps: readonly string[]) => shapes.flatMap((shape) => findShapeAtPath(shape, steps) ?? []);
    for (const [pointer, path] of listResultReads(branch)) {
      const steps = path.split('.').slice(1);
      if (shapes.length === 0 || find(steps).length > 0) continue; // skip a path that exists in the response of any operation of the branch
      const depth = steps.findIndex((_, index) => find(steps.slice(0, index + 1)).length === 0);
      const known = find(steps.slice(0, depth)).flatMap((shape) => listShapeProperties(shape) ?? []);
      yield createFindingAt({ file: linted.file, pointer: at + pointer })(explain`
        "${path}" is not part of the response of ${sources.join(', ')}.
        ${suggestSimilarName(steps[depth] ?? '', known)}It has: ${listNearNames(steps[depth] ?? '', known)}.`);
    }
  }
});

function listResultReads({ guard, assign = {}, challenge, leave }: TransitionBranch) {
  const assigned = Object.entries(assign).map(([name, template]) => [`assign/${name}`, template] as const);
  const parts = [...Object.entries({ guard, challenge, leave }), ...assigned];
  return parts.flatMap(([part, template = null]) =>
    listPathsReadByLogic(template).flatMap((path) => (path.startsWith('result.') ? [[`/${part}`, path] as const] : [])),
  );
}

const restrictedOperations = checkEachFlowWith(function* (linted, { contract }) {
  const { operations, signedIn = [] } = contract;
  const places = new Map(listFlowInvocations(linted).map(({ effect, at }) => [effect, at]));
  const found = new Set<string>();
  for (const { node, effect, assignment } of linted.exploration.operations) {
    const pointer = places.get(effect);
    const isOpen =
      operations[effect.src]?.allowsAnonymous !== false || node.isOverApproximated || assignment.isForSignedIn;
    if (isOpen || pointer === undefined || found.has(pointer)) continue;
    found.add(pointer);
    yield createFindingAt({ file: linted.file, pointer, path: formatNodePath(node) })(explain`
      The operation ${effect.src} requires a signed-in user, but "${node.state}" is open to everyone.
      Give the state "access": ${formatSignedInAccess(contract)}, or require { "var": "${signedIn.at(-1) ?? ''}" }.`);
  }
});

function formatSignedInAccess({ factsByAccess = {}, signedInAccess = Object.keys(factsByAccess) }: LintOptions) {
  return formatAlternatives(signedInAccess.map((word) => `"${word}"`));
}

/** Reports fields with choices of an operation that anonymous users cannot call, although they see the field. */
const restrictedChoices = checkEachFlowWith(function* ({ flow, exploration }, { contract, screens }) {
  const found = new Set<string>();
  const isSignedIn = (assignment: AbstractAssignment) =>
    (contract.signedIn ?? []).some((fact) => assignment.isTruthy(assignment.findValueAt(fact)) === true);
  for (const node of exploration.nodes) {
    const screen = screens.get(flow.states[node.state]?.screen ?? '');
    if (!screen || !node.isOperationDone || node.isOverApproximated || node.assignment.isForSignedIn) continue;
    const assignment = node.assignment.replaceRoots([['form', unknownValueShape]]);
    for (const field of Object.keys(flattenFields(screen.schema ?? {}))) {
      const { source } = evaluateUiOptions(screen.ui, field, {});
      if (typeof source !== 'string' || contract.operations[source]?.allowsAnonymous !== false) continue;
      const isShown = listGuardOutcomes({ and: listVisibilityRules(screen.ui, field) }, assignment).some(
        (outcome) => outcome.holds && !isSignedIn(outcome.assignment),
      );
      if (!isShown || found.has(`${screen.id} ${field}`)) continue;
      found.add(`${screen.id} ${field}`);
      const pointer = `${buildUiPointer(field)}/ui:options/source`;
      yield createFindingAt({ file: screen.files.ui, pointer, path: formatNodePath(node) })(explain`
        The operation ${source} requires a signed-in user, but "${node.state}" is open to everyone.
        Use an operation that everyone may call, or give the state "access": ${formatSignedInAccess(contract)}.`);
    }
  }
});

export const operationAccessLintRule = createLocalLintRule(
  'operation/access',
  'E',
  restrictedOperations,
  restrictedChoices,
);

/** Reports a permission of a state that no operation requires: nobody has it. */
const operationPermission = createStateLintRule('operation/permission', 'E', ({ state, locate }, { contract }) => {
  const known = Object.values(contract.operations).flatMap(({ permissions = [] }) => permissions);
  if (known.length === 0) return null;
  return (state.permissions ?? []).flatMap(([resource, action], index) => {
    const actions = known.flatMap(([other, name]) => (other === resource ? [name] : []));
    if (actions.includes(action)) return [];
    const isKnown = actions.length > 0;
    const { file, pointer } = locate('permissions');
    return createFindingAt({ file, pointer: `${pointer}/${index}/${isKnown ? 1 : 0}` })(explain`
      No operation requires the permission "${resource}", "${action}".
      ${isKnown ? suggestSimilarOrKnownNames(action, new Set(actions)) : suggestSimilarOrKnownNames(resource, new Set(known.map(([name]) => name)))}`);
  });
});

export const operationLintRules = [operationResult, operationInput, operationPermission];
