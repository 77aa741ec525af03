import { placeholders } from '../../../core/messages.ts';
import { eachFlow, flowRule, reportAt, screenRule, setRule } from '../rule.ts';
import { listNoticeTexts, listParts } from '../../explore/screens.ts';
import { decide } from '../../explore/evaluate-rules.ts';
import { isTrue } from '../../explore/assignment.ts';
import { formatPath } from '../../explore/node.ts';
import { explain, say } from '../../sources/say.ts';
import type { Localized } from '../../localized.ts';
import { anything } from '../../explore/shapes.ts';
import type { Flow, Logic } from '../../../core/definition.ts';
import { listVariables } from '../../../core/logic.ts';
import { listStateBranches } from '../../flow/flow-parts.ts';
import { branchesIn, groupBy } from '../subject.ts';
import { isUnconditional } from '../../flow/written-flow.ts';
import { findSteps } from '../../explore/entry-points.ts';

const stuck = eachFlow(function* ({ flow, locate, exploration }, { screens }) {
  const found = new Set<string>();
  for (const node of exploration.nodes) {
    const state = flow.states[node.state];
    const ui = screens.get(state?.screen ?? '')?.ui;
    if (!state || !ui || !node.open || node.rough || state.block !== undefined || state.after) continue;
    const ways = listParts(ui).filter(({ leads }) => leads);
    const assignment = node.assignment.enterRoots([['form', anything]]);
    const notice = ui.notices?.[node.notice?.name ?? ''];
    if (ways.length === 0 || found.has(node.state) || notice?.link) continue; // a screen without controls has to be "final"
    if (ways.some(({ visible }) => decide(visible, assignment) !== false)) continue;
    found.add(node.state);
    yield reportAt({ ...locate('states', node.state), walk: formatPath(node) })(explain`
      Nothing can be pressed in "${node.state}": all of it is hidden.
      Leave a button or a link visible in each case.`);
  }
});

const blank = eachFlow(function* ({ locate, exploration }) {
  for (const [name, [first]] of groupBy(exploration.blank, ({ node }) => node.state)) {
    if (!first) continue;
    const walk = first.by === '' ? formatPath(first.node) : `${formatPath(first.node)} ${first.by}→`;
    yield reportAt({ ...locate('states', name), walk })(explain`
      The walk stays in "${name}", which draws nothing.
      Give each case a target or an address.`);
  }
});

/** Reports nodes without any usable control, or without any view. */
export const walkStuck = setRule('walk/stuck', 'E', stuck, blank);

/** Reports visibility rules that are always or never true at the nodes that show the screen. */
export const walkConstantVisibility = screenRule('walk/part', 'W', function* ({ id, ui, files }, { flows }) {
  const file = files.ui;
  const ofParts = listParts(ui).flatMap(({ pointer, visible }) =>
    visible === undefined ? [] : [[`${pointer}/visible`, visible] as const],
  );
  const ofFields = Object.entries(ui.visible ?? {}).map(([name, rule]) => [`/visible/${name}`, rule] as const);
  if (flows.some(({ exploration }) => exploration.capped)) return;
  const [first, ...others] = flows.flatMap(({ flow, exploration }) =>
    exploration.nodes
      .filter(({ state, open }) => flow.states[state]?.screen === id && (open || flow.states[state].block))
      .map(({ assignment }) => assignment.enterRoots([['form', anything]])),
  );
  for (const [pointer, rule] of [...ofParts, ...ofFields]) {
    const only = first && decide(rule, first);
    if (typeof only !== 'boolean' || others.some((assignment) => decide(rule, assignment) !== only)) continue;
    if (only)
      yield reportAt({ file, pointer, remove: true })(explain`
        This rule always holds.
        Remove "visible".`);
    else
      yield reportAt({ file, pointer })(explain`This part is never shown.
        Mend the rule, or what assigns its variable, or remove the part.`);
  }
});

/** Reports texts that are drawn while one of their variables is empty. */
export const walkEmpty = flowRule('walk/empty', 'W', function* ({ flow, exploration }, { screens }) {
  const found = new Set<string>();
  for (const node of exploration.nodes) {
    const { screen: id = '', block } = flow.states[node.state] ?? {};
    const screen = screens.get(id);
    if (!screen || !node.open || node.rough) continue;
    const parts = block === undefined ? listParts(screen.ui) : [];
    const drawn = parts.filter(({ visible }) => decide(visible, node.assignment) === true);
    const notice = node.notice ? listNoticeTexts(screen.ui, node.notice.name) : [];
    for (const [pointer, text] of [...drawn.flatMap(({ texts }) => texts), ...notice])
      for (const name of placeholders(text)) {
        const value = flow.context?.[name] ? node.assignment.at(`context.${name}`) : null;
        const key = `${id} ${pointer} ${name}`;
        if (!value || !('constant' in value) || isTrue(value.constant) || value.constant === 0 || found.has(key))
          continue;
        found.add(key);
        yield reportAt({ file: screen.files.ui, pointer, walk: `${flow.id}: ${formatPath(node)}` })(explain`
          "{${name}}" is empty when this text is drawn.
          Assign "${name}" before, or give the text "visible": { "var": "context.${name}" }.`);
      }
  }
});

/** Reports addresses that always redirect, so that links and reloads never show their page. */
export const walkEntry = flowRule('walk/entry', 'N', ({ flow, locate, exploration }) => {
  if (exploration.capped) return [];
  const opened = new Set(exploration.nodes.flatMap(({ state, before }) => (before === null ? [state] : [])));
  return Object.entries(flow.states).flatMap(([name, { path, screen, block, requires, always = [] }]) => {
    if (path === undefined || (screen ?? block) === undefined || opened.has(name) || !exploration.tried.has(name))
      return [];
    if (findSteps(flow, name).indexOf(name) > 0) return []; // a step opens the first step before it with fields
    const led = [...(requires ? [requires.else] : []), ...always.flatMap(({ target }) => target ?? [])];
    return reportAt(locate('states', name, 'path'))(explain`
      The address ${path} never opens "${name}": it leads to "${led.join(', ')}".
      Right where a page only follows another one; else keep what it requires in the address or in the tab ("persist").`);
  });
});

/** Reports flows that could not be explored completely. */
export const walkCap = flowRule('walk/cap', 'N', ({ file, exploration }) => {
  if (!exploration.capped) return null;
  return reportAt({ file, pointer: '' })(explain`It has too many walks: not all were seen.
    Split the flow, or remove variables that no state reads.`);
});

/** Reports branches that are never taken, because their guard is never true or earlier branches cover all cases. */
export const walkBranch = flowRule('walk/branch', 'E', (linted) => {
  const { exploration, file, pointers } = linted;
  if (exploration.capped) return [];
  const byPlace = groupBy(branchesIn(linted), ([, at]) => at);
  return [...byPlace].flatMap(([pointer, placed]) => {
    const branches = placed.map(([branch]) => branch).filter((branch) => exploration.asked.has(branch));
    // An unconditional last branch is required, even if earlier branches cover all cases.
    if (branches.length === 0 || branches.some((branch) => isUnconditional(branch) || exploration.taken.has(branch)))
      return [];
    const takers = branches.flatMap((branch) => [...(exploration.takenInstead.get(branch) ?? [])]);
    const earlier = [...new Set(takers.flatMap((branch) => pointers.get(branch) ?? []))];
    const { guard } = branches[0] ?? {};
    const names = guard === undefined ? '' : listVariables(guard).join(', ');
    const why = branches.some((branch) => exploration.open.has(branch))
      ? say`its guard (${names}) never holds`
      : say`${earlier.join(', ')} takes every such case`;
    const related = earlier.map((at) => ({ file: file.path, pointer: at }));
    return reportAt({ file, pointer, related })(explain`This branch is never taken: ${why}.
      Put the narrower guard before the wider one, or remove the branch.`);
  });
});

/** Reports unreachable states. */
export const walkState = flowRule('walk/state', 'E', ({ flow, locate, exploration }) => {
  if (exploration.capped) return [];
  const stood = exploration.passed;
  return Object.entries(flow.states).flatMap(([name, { requires }]) => {
    if (stood.has(name) || (!exploration.tried.has(name) && !isLedTo(flow, name, stood))) return [];
    const why = requires && exploration.tried.has(name) ? formatReason(flow, requires.guard) : nothingLeads;
    return reportAt(locate('states', name))(explain`No walk reaches "${name}": ${why}.
      Let something before it make that hold, or remove the state.`);
  });
});

const nothingLeads = say`the branches that lead there are never taken`;

function formatReason(flow: Flow, guard: Logic): Localized {
  const assigned = new Set(
    Object.values(flow.states).flatMap((state) =>
      listStateBranches(state).flatMap(({ assign }) =>
        Object.entries(assign ?? {}).flatMap(([name, value]) => (value === null ? [] : [`context.${name}`])),
      ),
    ),
  );
  const never = listVariables(guard).filter((path) => path.startsWith('context.') && !assigned.has(path));
  if (never.length === 0) return say`what it requires never holds`;
  return say`nothing sets ${never.join(', ')}`;
}

// A state to which only unreachable states lead is not reported, because those are.
function isLedTo(flow: Flow, name: string, stood: ReadonlySet<string>): boolean {
  return Object.entries(flow.states).some(
    ([from, state]) => stood.has(from) && listStateBranches(state).some(({ target }) => target === name),
  );
}
