import { escapePointer } from '../../../core/json-pointer.ts';
import { explain, say } from '../../sources/say.ts';
import { type LintedFlow, type Subject, listFlowEffects, groupBy } from '../subject.ts';
import { eachFlow, type Finding, flowRule, reportAt, setRule, stateRule } from '../rule.ts';
import { findRedirectLoops, type Departure } from '../../explore/departures.ts';
import { formatPath } from '../../explore/node.ts';

/** Reports error branches that report success. Probably branches were swapped or copied. */
export const walkOutcome = flowRule('walk/outcome', 'W', function* (linted, { screens }) {
  const { flow, file, pointers } = linted;
  for (const { effect, name } of listFlowEffects(linted))
    for (const branch of effect.onError) {
      const { notice, target } = branch;
      const at = pointers.get(branch);
      const { ui, id } = screens.get(flow.states[target ?? name]?.screen ?? '') ?? {};
      if (at === undefined || !ui) continue;
      if (notice !== undefined && ui.notices?.[notice]?.intent === 'success')
        yield reportAt({ file, pointer: `${at}/notice` })(explain`
          "${effect.src}" failed, and the notice "${notice}" says that it went well.
          Raise a notice whose intent is "error" or "warning".`);
      if (notice !== undefined || target === undefined || target === name || ui.tone !== 'success') continue;
      const related = [{ file: file.path, pointer: `/states/${escapePointer(target)}` }];
      yield reportAt({ file, pointer: at, related })(explain`
        "${effect.src}" failed, and "${target}" follows, whose screen "${id ?? ''}" says that it went well.
        Lead to another state, or stay and raise a "notice".`);
    }
});

/** Reports notices that are lost, because the next screen does not have them. */
export const walkNotice = flowRule('walk/notice', 'W', function* ({ flow, file, pointers, exploration }, { screens }) {
  const found = new Set<string>();
  for (const node of exploration.nodes) {
    const { notice, state, rough } = node;
    const at = notice && pointers.get(notice.branch);
    const screen = flow.states[state]?.screen;
    if (!notice || at === undefined || rough || found.has(at)) continue;
    if (Object.hasOwn(screens.get(screen ?? '')?.ui.notices ?? {}, notice.name)) continue;
    found.add(at);
    yield reportAt({ file, pointer: `${at}/notice`, walk: formatPath(node) })(explain`
      The notice "${notice.name}" is lost: the walk ends in "${state}", and ${screen === undefined ? say`there is no screen` : say`the screen "${screen}" has none`}.
      Lead to a state that opens, or add the notice to its screen.`);
  }
});

const inFlows = eachFlow(({ flow, exploration, file, locate, pointers }) => [
  ...firstOfEach(exploration.circles).map(({ node, states }) =>
    reportAt({ ...locate('states', states[0] ?? ''), walk: formatPath(node) })(explain`
      The walk goes round: ${formatLoop(states)}.
      Let one of these states be drawn, or lead elsewhere.`),
  ),
  ...firstOfEach(exploration.retryLoops).map(({ node, branch, states }) => {
    const pointer = pointers.get(branch) ?? locate('states', node.state, 'invoke').pointer;
    return reportAt({ file, pointer, walk: formatPath(node) })(explain`
      Each time that "${flow.states[node.state]?.invoke?.src ?? ''}" fails it is called again, without end: ${formatLoop(states)}.
      Let this failure lead to a state where something can be pressed, or raise a "notice" here without a "target".`);
  }),
]);

function overAddresses({ flows, screens, contract }: Subject): readonly Finding[] {
  const circles = findRedirectLoops(
    flows.map(({ flow }) => flow),
    { ...contract, screens },
  );
  const byStates = groupBy(circles.map(fromFirst), (circle) => listPaths(circle).sort().join(' '));
  return [...byStates.values()].flatMap(([circle = []]) => {
    const [first, ...others] = circle.flatMap(({ branch }) => {
      const owner = flows.find(({ pointers }) => pointers.has(branch));
      return owner ? [{ file: owner.file, pointer: `${owner.pointers.get(branch) ?? ''}/leave` }] : [];
    });
    if (!first) return [];
    return reportAt({ ...first, related: others.map(({ file, pointer }) => ({ file: file.path, pointer })) })(explain`
      The walk goes round: ${formatLoop(listPaths(circle))}.
      Let one of these addresses be drawn, or leave for another one.`);
  });
}

/** Reports endless loops before anything is drawn: through `always`, `requires`, `leave`, or an operation whose failure calls it again. */
export const walkCircle = setRule('walk/circle', 'E', inFlows, overAddresses);

function listPaths(circle: readonly Departure[]): string[] {
  return circle.map(({ from: { flow, state } }) => flow.states[state]?.path ?? state);
}

/** Rotates a cycle to a canonical start, so that equal cycles compare equal. */
function fromFirst(circle: readonly Departure[]): readonly Departure[] {
  const paths = listPaths(circle);
  const start = paths.indexOf([...paths].sort()[0] ?? '');
  return [...circle.slice(start), ...circle.slice(0, start)];
}

function formatLoop(states: readonly string[]): string {
  return [...states, states[0] ?? ''].join(' → ');
}

/** Returns one finding per set of states, without over-approximated nodes. */
function firstOfEach<One extends Pick<LintedFlow['exploration']['retryLoops'][number], 'node' | 'states'>>(
  all: readonly One[],
): readonly One[] {
  const sure = all.filter(({ node }) => !node.rough);
  return [...groupBy(sure, ({ states }) => [...states].sort().join(' ')).values()].flatMap(([first]) => first ?? []);
}

/** Reports targets of `back` that skip steps, are later steps, or are the state itself. */
export const walkBack = stateRule('walk/back', 'W', ({ name, state: { back, on = {} }, linted, locate }) => {
  const event = on['back'];
  const led = event && 'target' in event && event.guard === undefined ? event.target : undefined;
  const target = event ? led : back;
  const place = event ? locate('on', 'back') : locate('back');
  if (target === name)
    return reportAt(place)(explain`From "${name}" the way back leads to itself.
      Write the state that it leads to, or remove it.`);
  return (linted.flow.progress ?? []).flatMap((steps) => {
    const [here = -1, there = -1] = [name, target].map((one) => steps.findIndex(({ state }) => state === one));
    const over = steps.slice(there + 1, here).filter(({ guard }) => guard === undefined);
    if (here < 0 || there < 0 || (there < here && over.length === 0)) return [];
    const before = steps[here - 1]?.state;
    return reportAt({ ...place, remove: true })({
      message:
        there < here
          ? say`From "${name}" the way back leads to "${target ?? ''}", over ${over.map(({ state }) => state).join(', ')}.`
          : say`From "${name}" the way back leads on, to "${target ?? ''}".`,
      hint:
        before === undefined
          ? say`Remove it: the first step has nothing before it.`
          : say`Remove it: without it the way back leads to the step before, "${before}".`,
    });
  });
});
