import { explain } from '../../sources/localized-text.ts';
import { findRedirectLoops, type AutomaticRedirect } from '../../explore/redirect-loops.ts';
import { formatNodePath } from '../../explore/state-space.ts';
import type { LintedFlow, LintInput } from '../lint-input.ts';
import { createDefinitionsLintRule, createFindingAt, createFlowLintRule, type LintFinding } from '../lint-rule.ts';
import { groupBy } from '../../../core/json.ts';

export const circleLintRule = createFlowLintRule(
  'walk/circle',
  'E',
  ({ flow, exploration, file, locate, pointers }) => [
    ...keepFirstPerStates(exploration.transientCycles).map(({ node, states }) =>
      createFindingAt({ ...locate('states', states[0] ?? ''), path: formatNodePath(node) })(explain`
      This path loops without end: ${formatLoop(states)}.
      Make one of these states show a screen, or target another state.`),
    ),
    ...keepFirstPerStates(exploration.retryLoops).map(({ node, branch, states }) => {
      const pointer = pointers.get(branch) ?? locate('states', node.state, 'invoke').pointer;
      return createFindingAt({ file, pointer, path: formatNodePath(node) })(explain`
      "${flow.states[node.state]?.invoke?.src ?? ''}" is called again forever if it keeps failing: ${formatLoop(states)}.
      Target a state with a button or a link, or raise a "notice" here without a "target".`);
    }),
  ],
);

function findRedirectLoopFindings({ flows, screens, contract }: LintInput): readonly LintFinding[] {
  const circles = findRedirectLoops(
    flows.map(({ flow }) => flow),
    { ...contract, screens },
  );
  const byStates = groupBy(circles.map(rotateToFirst), (circle) => listPaths(circle).sort().join(' '));
  return [...byStates.values()].flatMap(([circle = []]) => {
    const [first, ...others] = circle.flatMap(({ branch }) => {
      const owner = flows.find(({ pointers }) => pointers.has(branch));
      return owner ? [{ file: owner.file, pointer: `${owner.pointers.get(branch) ?? ''}/leave` }] : [];
    });
    if (!first) return [];
    return createFindingAt({
      ...first,
      related: others.map(({ file, pointer }) => ({ file: file.path, pointer })),
    })(explain`
      This path loops without end: ${formatLoop(listPaths(circle))}.
      Make one of these addresses show a screen, or leave for another address.`);
  });
}

export const redirectLoopLintRule = createDefinitionsLintRule('walk/circle', 'E', findRedirectLoopFindings);

function listPaths(circle: readonly AutomaticRedirect[]): string[] {
  return circle.map(({ from: { flow, state } }) => flow.states[state]?.path ?? state);
}

/** Rotates a cycle to a canonical start, so that equal cycles compare equal. */
function rotateToFirst(circle: readonly AutomaticRedirect[]): readonly AutomaticRedirect[] {
  const paths = listPaths(circle);
  const start = paths.indexOf([...paths].sort()[0] ?? '');
  return [...circle.slice(start), ...circle.slice(0, start)];
}

function formatLoop(states: readonly string[]): string {
  return [...states, states[0] ?? ''].join(' → ');
}

/** Returns one finding per set of states. Omits over-approximated nodes. */
function keepFirstPerStates<One extends Pick<LintedFlow['exploration']['retryLoops'][number], 'node' | 'states'>>(
  all: readonly One[],
): readonly One[] {
  const sure = all.filter(({ node }) => !node.isOverApproximated);
  return [...groupBy(sure, ({ states }) => [...states].sort().join(' ')).values()].flatMap(([first]) => first ?? []);
}
