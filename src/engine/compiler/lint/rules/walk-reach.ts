import type { Flow, Logic } from '../../../core/definition.ts';
import { listVariables } from '../../../core/logic.ts';
import { listStateBranches } from '../../flow/flow-parts.ts';
import { branchesIn, groupBy } from '../subject.ts';
import { flowRule, reportAt } from '../rule.ts';
import type { Localized } from '../../localized.ts';
import { explain, say } from '../../sources/say.ts';
import { isUnconditional } from '../../flow/written-flow.ts';
import { findSteps } from '../../explore/entry-points.ts';

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
