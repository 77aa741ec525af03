import { escapePointer } from '../../../core/json-pointer.ts';
import { explain, localize, type LocalizedText } from '../../sources/localized-text.ts';
import { listFlowInvocations, listFlowBranches } from '../lint-input.ts';
import {
  checkEachFlowWith,
  createFlowLintRule,
  createFindingAt,
  createLocalLintRule,
  createStateLintRule,
  createScreenLintRule,
} from '../lint-rule.ts';
import { circleLintRule } from './circles.ts';
import { formatNodePath, listJourneyStateNames } from '../../explore/state-space.ts';
import { listPlaceholders } from '../../../core/messages.ts';
import { listNoticeTexts, listScreenElements } from '../../explore/screen-index.ts';
import { evaluateRuleAbstractly } from '../../explore/evaluate-rules.ts';
import { isTruthyJson } from '../../explore/abstract-assignment.ts';
import { unknownValueShape } from '../../explore/value-shapes.ts';
import type { Flow, JsonLogic } from '../../../core/flow-and-screen-types.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';
import { listStateBranches } from '../../flow/flow-queries.ts';
import { isUnconditionalBranch } from '../../flow/unexpanded-flow-types.ts';
import { groupBy } from '../../../core/json.ts';

const stuckStates = checkEachFlowWith(function* ({ flow, locate, exploration }, { screens }) {
  const found = new Set<string>();
  for (const node of exploration.nodes) {
    const state = flow.states[node.state];
    const ui = screens.get(state?.screen ?? '')?.ui;
    if (!state || !ui || !node.isOperationDone || node.isOverApproximated || state.block !== undefined || state.after)
      continue;
    const navigationElements = listScreenElements(ui).filter(({ leads }) => leads);
    const assignment = node.assignment.replaceRoots([['form', unknownValueShape]]);
    const notice = ui.notices?.[node.notice?.name ?? ''];
    // skip a state without controls, because another rule requires it to be "final"
    if (navigationElements.length === 0 || found.has(node.state) || notice?.link) continue;
    if (navigationElements.some(({ visible }) => evaluateRuleAbstractly(visible, assignment) !== false)) continue;
    found.add(node.state);
    yield createFindingAt({ ...locate('states', node.state), path: formatNodePath(node) })(explain`
      "${node.state}" has no visible button or link.
      Leave a button or a link visible in each case.`);
  }
});

const blankStates = checkEachFlowWith(function* ({ locate, exploration }) {
  for (const [name, [first]] of groupBy(exploration.nodesWithoutScreen, ({ node }) => node.state)) {
    if (!first) continue;
    const walk =
      first.transitionLabel === ''
        ? formatNodePath(first.node)
        : `${formatNodePath(first.node)} ${first.transitionLabel}→`;
    yield createFindingAt({ ...locate('states', name), path: walk })(explain`
      The path stops in "${name}", which shows nothing.
      Give each case a target or an address.`);
  }
});

const walkStuck = createLocalLintRule('walk/stuck', 'E', stuckStates, blankStates);

const walkConstantVisibility = createScreenLintRule('walk/part', 'W', function* ({ id, ui, files }, { flows }) {
  const ofParts = listScreenElements(ui).flatMap(({ pointer, visible }) =>
    visible === undefined ? [] : [[`${pointer}/visible`, visible] as const],
  );
  const visibility = Object.entries(ui.visible ?? {}).map(([name, rule]) => [`/visible/${name}`, rule] as const);
  if (flows.some(({ exploration }) => exploration.isCapped)) return;
  const [first, ...others] = flows.flatMap(({ flow, exploration }) =>
    exploration.nodes
      .filter(
        ({ state, isOperationDone }) =>
          flow.states[state]?.screen === id && (isOperationDone || flow.states[state].block),
      )
      .map(({ assignment }) => assignment.replaceRoots([['form', unknownValueShape]])),
  );
  for (const [pointer, rule] of [...ofParts, ...visibility]) {
    const only = first && evaluateRuleAbstractly(rule, first);
    if (typeof only !== 'boolean' || others.some((other) => evaluateRuleAbstractly(rule, other) !== only)) continue;
    if (only)
      yield createFindingAt({ file: files.ui, pointer, remove: true })(explain`
        This rule is always true.
        Remove "visible".`);
    else
      yield createFindingAt({ file: files.ui, pointer })(explain`This part is never shown.
        Correct the rule or the assignment of its variable, or remove the part.`);
  }
});

const walkEmpty = createFlowLintRule('walk/empty', 'W', function* ({ flow, exploration }, { screens }) {
  const found = new Set<string>();
  for (const node of exploration.nodes) {
    const { screen: id = '', block } = flow.states[node.state] ?? {};
    const screen = screens.get(id);
    if (!screen || !node.isOperationDone || node.isOverApproximated) continue;
    const parts = block === undefined ? listScreenElements(screen.ui) : [];
    const drawn = parts.filter(({ visible }) => evaluateRuleAbstractly(visible, node.assignment) === true);
    const notice = node.notice ? listNoticeTexts(screen.ui, node.notice.name) : [];
    for (const [pointer, text] of [...drawn.flatMap(({ texts }) => texts), ...notice])
      for (const name of listPlaceholders(text)) {
        const value = flow.context?.[name] ? node.assignment.findValueAt(`context.${name}`) : null;
        const key = `${id} ${pointer} ${name}`;
        if (!value || !('constant' in value) || isTruthyJson(value.constant) || value.constant === 0 || found.has(key))
          continue;
        found.add(key);
        yield createFindingAt({ file: screen.files.ui, pointer, path: `${flow.id}: ${formatNodePath(node)}` })(explain`
          "{${name}}" is empty when this text is drawn.
          Assign "${name}" before, or give the text "visible": { "var": "context.${name}" }.`);
      }
  }
});

const walkEntry = createFlowLintRule('walk/entry', 'N', ({ flow, locate, exploration }) => {
  if (exploration.isCapped) return [];
  const opened = new Set(exploration.nodes.flatMap(({ state, predecessor }) => (predecessor === null ? [state] : [])));
  return Object.entries(flow.states).flatMap(([name, { path, screen, block, requires, always = [] }]) => {
    if (
      path === undefined ||
      (screen ?? block) === undefined ||
      opened.has(name) ||
      !exploration.enteredStates.has(name)
    )
      return [];
    if (listJourneyStateNames(flow, name).indexOf(name) > 0) return []; // skip a later step, because its URL opens the first earlier step with fields
    const led = [...(requires ? [requires.else] : []), ...always.flatMap(({ target }) => target ?? [])];
    return createFindingAt(locate('states', name, 'path'))(explain`
      The address ${path} never opens "${name}": it always leads to "${led.join(', ')}".
      This is fine for a page that only follows another one. Otherwise keep what it requires in the address or in the tab ("persist").`);
  });
});

const walkCap = createFlowLintRule('walk/cap', 'N', ({ file, exploration }) => {
  if (!exploration.isCapped) return null;
  return createFindingAt({ file, pointer: '' })(explain`The flow has too many paths: not all of them were checked.
    Split the flow, or remove variables that no state reads.`);
});

const walkBranch = createFlowLintRule('walk/branch', 'E', (linted) => {
  const { exploration, file, pointers } = linted;
  if (exploration.isCapped) return [];
  const byPlace = groupBy(listFlowBranches(linted), ([, at]) => at);
  return [...byPlace].flatMap(([pointer, placed]) => {
    const branches = placed.map(([branch]) => branch).filter((branch) => exploration.candidateBranches.has(branch));
    // Never reports an unconditional branch: it is required, even if the earlier branches cover all cases.
    if (
      branches.length === 0 ||
      branches.some((branch) => isUnconditionalBranch(branch) || exploration.taken.has(branch))
    )
      return [];
    const takers = branches.flatMap((branch) => [...(exploration.takenInstead.get(branch) ?? [])]);
    const earlier = [...new Set(takers.flatMap((branch) => pointers.get(branch) ?? []))];
    const { guard } = branches[0] ?? {};
    const names = guard === undefined ? '' : listPathsReadByLogic(guard).join(', ');
    const why = branches.some((branch) => exploration.evaluatedBranches.has(branch))
      ? localize`its guard (${names}) is never true`
      : localize`an earlier branch (${earlier.join(', ')}) takes all these cases`;
    const related = earlier.map((at) => ({ file: file.path, pointer: at }));
    return createFindingAt({ file, pointer, related })(explain`This branch is never taken: ${why}.
      Put the narrower guard before the wider one, or remove the branch.`);
  });
});

const walkState = createFlowLintRule('walk/state', 'E', ({ flow, locate, exploration }) => {
  if (exploration.isCapped) return [];
  const stood = exploration.admittedStates;
  return Object.entries(flow.states).flatMap(([name, { requires }]) => {
    if (stood.has(name) || (!exploration.enteredStates.has(name) && !hasReachablePredecessor(flow, name, stood)))
      return [];
    const why = requires && exploration.enteredStates.has(name) ? formatReason(flow, requires.guard) : nothingLeads;
    return createFindingAt(locate('states', name))(explain`No path reaches "${name}": ${why}.
      Fulfil that condition in an earlier state, or remove this state.`);
  });
});

/** Reports branches whose target always redirects, e.g. because its `requires` excludes their guard. */
const walkTarget = createFlowLintRule('walk/target', 'W', (linted) => {
  const { exploration, file, flow, locate } = linted;
  if (exploration.isCapped) return [];
  const byPlace = groupBy(listFlowBranches(linted), ([, at]) => at);
  const misled = [...byPlace].flatMap(([pointer, placed]) => {
    const taken = placed.map(([branch]) => branch).filter((branch) => exploration.taken.has(branch));
    const { target } = taken[0] ?? {};
    if (target === undefined || taken.some((branch) => exploration.openingBranches.has(branch))) return [];
    // skip an event that stays in its state, and the redirect of a former address
    const isExpected = pointer.startsWith(`${locate('states', target).pointer}/`) || pointer.endsWith('/always');
    return isExpected ? [] : { pointer, target };
  });
  // one finding per list of branches: if a guard is reversed, the branch after it is wrong as well
  const byList = groupBy(misled, ({ pointer }) => pointer.replace(/\/\d+$/, ''));
  return [...byList.values()].flatMap(([first]) => {
    if (!first) return [];
    const { access, requires } = flow.states[first.target] ?? {};
    const conditions = [
      ...(access === undefined ? [] : [`"access": "${access}"`]),
      ...(requires ? listPathsReadByLogic(requires.guard) : []),
    ];
    return createFindingAt({ file, pointer: first.pointer })(explain`
      After this branch, "${first.target}" never opens: its own conditions (${conditions.join(', ') || '"always"'}) lead elsewhere.
      Reverse the guard of the branch, or target the state that fits it.`);
  });
});

const nothingLeads = localize`the branches that target it are never taken`;

function formatReason(flow: Flow, guard: JsonLogic): LocalizedText {
  const assigned = new Set(
    Object.values(flow.states).flatMap((state) =>
      listStateBranches(state).flatMap(({ assign }) =>
        Object.entries(assign ?? {}).flatMap(([name, value]) => (value === null ? [] : [`context.${name}`])),
      ),
    ),
  );
  const never = listPathsReadByLogic(guard).filter((path) => path.startsWith('context.') && !assigned.has(path));
  if (never.length === 0) return localize`its requirement is never true`;
  return localize`nothing sets ${never.join(', ')}`;
}

// Whether a reachable state has a transition to the state `name`. If not, the fault is in an unreachable state before it, which is reported instead.
function hasReachablePredecessor(flow: Flow, name: string, stood: ReadonlySet<string>): boolean {
  return Object.entries(flow.states).some(
    ([from, state]) => stood.has(from) && listStateBranches(state).some(({ target }) => target === name),
  );
}

/** Outcomes of an operation, each with the tone of a screen that contradicts it. */
const contradictions = [
  { kind: 'onError', contrary: 'success', happened: localize`failed`, reported: localize`success` },
  { kind: 'onDone', contrary: 'error', happened: localize`succeeded`, reported: localize`an error` },
] as const;

const walkOutcome = createFlowLintRule('walk/outcome', 'W', function* (linted, { screens }) {
  const { flow, file, pointers } = linted;
  for (const { effect, name } of listFlowInvocations(linted))
    for (const { kind, contrary, happened, reported } of contradictions)
      for (const branch of effect[kind]) {
        const { notice, target } = branch;
        const at = pointers.get(branch);
        const { ui, id, files } = screens.get(flow.states[target ?? name]?.screen ?? '') ?? {};
        if (at === undefined || !ui || !files) continue;
        if (kind === 'onError' && notice !== undefined && ui.notices?.[notice]?.intent === contrary) {
          const related = [{ file: files.ui.path, pointer: `/notices/${escapePointer(notice)}` }];
          yield createFindingAt({ file, pointer: `${at}/notice`, related })(explain`
            "${effect.src}" failed, but the notice "${notice}" reports success.
            Raise a notice with the intent "error" or "warning".`);
        }
        if (notice !== undefined || target === undefined || target === name || ui.tone !== contrary) continue;
        const related = [{ file: file.path, pointer: `/states/${escapePointer(target)}` }];
        yield createFindingAt({ file, pointer: at, related })(explain`
          "${effect.src}" ${happened}, but the next state "${target}" has the screen "${id ?? ''}", which reports ${reported}.
          Target another state, or stay and raise a "notice".`);
      }
});

const walkNotice = createFlowLintRule('walk/notice', 'W', function* (linted, { screens }) {
  const { flow, file, pointers, exploration } = linted;
  const found = new Set<string>();
  for (const node of exploration.nodes) {
    const { notice, state, isOverApproximated } = node;
    const at = notice && pointers.get(notice.branch);
    const screen = flow.states[state]?.screen;
    if (!notice || at === undefined || isOverApproximated || found.has(at)) continue;
    if (Object.hasOwn(screens.get(screen ?? '')?.ui.notices ?? {}, notice.name)) continue;
    found.add(at);
    yield createFindingAt({ file, pointer: `${at}/notice`, path: formatNodePath(node) })(explain`
      The notice "${notice.name}" is lost: the path ends in "${state}", and ${screen === undefined ? localize`there is no screen` : localize`the screen "${screen}" has none`}.
      Target a state that opens, or add the notice to its screen.`);
  }
});

const walkBack = createStateLintRule('walk/back', 'W', ({ name, state: { back, on = {} }, linted, locate }) => {
  const event = on['back'];
  const led = event && 'target' in event && event.guard === undefined ? event.target : undefined;
  const target = event ? led : back;
  const place = event ? locate('on', 'back') : locate('back');
  if (target === name)
    return createFindingAt(place)(explain`"back" of the state "${name}" targets the same state.
      Write another target, or remove it.`);
  return (linted.flow.progress ?? []).flatMap((steps) => {
    const [here = -1, there = -1] = [name, target].map((one) => steps.findIndex(({ state }) => state === one));
    const over = steps.slice(there + 1, here).filter(({ guard }) => guard === undefined);
    if (here < 0 || there < 0 || (there < here && over.length === 0)) return [];
    const before = steps[here - 1]?.state;
    return createFindingAt({ ...place, remove: true })({
      message:
        there < here
          ? localize`"back" of the state "${name}" leads to "${target ?? ''}" and skips ${over.map(({ state }) => state).join(', ')}.`
          : localize`"back" of the state "${name}" leads forward, to "${target ?? ''}".`,
      hint:
        before === undefined
          ? localize`Remove it: the first step has nothing before it.`
          : localize`Remove it: "back" then leads to the previous step, "${before}".`,
    });
  });
});

export const stateSpaceLintRules = [
  walkState,
  walkBranch,
  walkTarget,
  circleLintRule,
  walkStuck,
  walkEntry,
  walkNotice,
  walkEmpty,
  walkConstantVisibility,
  walkBack,
  walkOutcome,
  walkCap,
];
