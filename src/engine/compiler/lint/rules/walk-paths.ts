import { escapePointer } from '../../../core/json-pointer.ts';
import { say } from '../../sources/say.ts';
import {
  type Finding,
  type LintedFlow,
  type Subject,
  listFlowEffects,
  groupBy,
  flowRule,
  setRule,
} from '../subject.ts';
import { findRedirectLoops, type Departure } from '../../explore/departures.ts';
import { formatPath } from '../../explore/node.ts';

/** Reports error branches that report success. Probably branches were swapped or copied. */
export const walkOutcome = flowRule('walk/outcome', 'W', (linted, { screens }) => {
  const { flow, file, pointers } = linted;
  return listFlowEffects(linted).flatMap(({ effect: { src, onError }, name }) =>
    onError.flatMap((branch) => {
      const { notice, target } = branch;
      const at = pointers.get(branch);
      const { ui, id } = screens.get(flow.states[target ?? name]?.screen ?? '') ?? {};
      if (at === undefined || !ui) return [];
      if (notice !== undefined && ui.notices?.[notice]?.intent === 'success')
        return {
          file,
          pointer: `${at}/notice`,
          message: say`"${src}" failed, and the notice "${notice}" says that it went well.`,
          hint: say`Raise a notice whose intent is "error" or "warning".`,
        };
      if (notice !== undefined || target === undefined || target === name || ui.tone !== 'success') return [];
      return {
        file,
        pointer: at,
        message: say`"${src}" failed, and "${target}" follows, whose screen "${id ?? ''}" says that it went well.`,
        hint: say`Lead to another state, or stay and raise a "notice".`,
        related: [{ file: file.path, pointer: `/states/${escapePointer(target)}` }],
      };
    }),
  );
});

/** Reports notices that are lost, because the next screen does not have them. */
export const walkNotice = flowRule('walk/notice', 'W', ({ flow, file, pointers, exploration }, { screens }) => {
  const found = new Map<string, Finding>();
  for (const node of exploration.nodes) {
    const { notice, state, rough } = node;
    const at = notice && pointers.get(notice.branch);
    const screen = flow.states[state]?.screen;
    if (!notice || at === undefined || rough || found.has(at)) continue;
    if (Object.hasOwn(screens.get(screen ?? '')?.ui.notices ?? {}, notice.name)) continue;
    const shown = screen === undefined ? say`there is no screen` : say`the screen "${screen}" has none`;
    found.set(at, {
      file,
      pointer: `${at}/notice`,
      message: say`The notice "${notice.name}" is lost: the walk ends in "${state}", and ${shown}.`,
      hint: say`Lead to a state that opens, or add the notice to its screen.`,
      walk: formatPath(node),
    });
  }
  return [...found.values()];
});

/** Reports endless loops before anything is drawn: through `always`, `requires`, `leave`, or an operation whose failure calls it again. */
export const walkCircle = setRule('walk/circle', 'E', (subject) => [
  ...subject.flows.flatMap((linted) => [...atOnce(linted), ...byFailures(linted)]),
  ...overAddresses(subject),
]);

function atOnce({ exploration, file, toSourcePointer }: LintedFlow): readonly Finding[] {
  return firstOfEach(exploration.circles).map(({ node, states }) => {
    const [first = ''] = states;
    return {
      file,
      pointer: toSourcePointer(`/states/${escapePointer(first)}`),
      message: say`The walk goes round: ${formatLoop(states)}.`,
      hint: say`Let one of these states be drawn, or lead elsewhere.`,
      walk: formatPath(node),
    };
  });
}

function byFailures({ flow, exploration, file, toSourcePointer, pointers }: LintedFlow): readonly Finding[] {
  return firstOfEach(exploration.retryLoops).map(({ node, branch, states }) => ({
    file,
    pointer: pointers.get(branch) ?? toSourcePointer(`/states/${escapePointer(node.state)}/invoke`),
    message: say`Each time that "${flow.states[node.state]?.invoke?.src ?? ''}" fails it is called again, without end: ${formatLoop(states)}.`,
    hint: say`Let this failure lead to a state where something can be pressed, or raise a "notice" here without a "target".`,
    walk: formatPath(node),
  }));
}

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
    return {
      ...first,
      message: say`The walk goes round: ${formatLoop(listPaths(circle))}.`,
      hint: say`Let one of these addresses be drawn, or leave for another one.`,
      related: others.map(({ file, pointer }) => ({ file: file.path, pointer })),
    };
  });
}

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
export const walkBack = flowRule('walk/back', 'W', ({ flow, file, toSourcePointer }) =>
  Object.entries(flow.states).flatMap(([name, { back, on = {} }]) => {
    const event = on['back'];
    const led = event && 'target' in event && event.guard === undefined ? event.target : undefined;
    const target = event ? led : back;
    const pointer = toSourcePointer(`/states/${escapePointer(name)}${event ? '/on/back' : '/back'}`);
    if (target === name)
      return {
        file,
        pointer,
        message: say`From "${name}" the way back leads to itself.`,
        hint: say`Write the state that it leads to, or remove it.`,
      };
    return (flow.progress ?? []).flatMap((steps) => {
      const [here, there] = [name, target].map((one) => steps.findIndex(({ state }) => state === one));
      if (here === undefined || there === undefined || here < 0 || there < 0) return [];
      const over = steps.slice(there + 1, here).filter(({ guard }) => guard === undefined);
      if (there < here && over.length === 0) return [];
      const before = steps[here - 1]?.state;
      return {
        file,
        pointer,
        message:
          there < here
            ? say`From "${name}" the way back leads to "${target ?? ''}", over ${over.map(({ state }) => state).join(', ')}.`
            : say`From "${name}" the way back leads on, to "${target ?? ''}".`,
        hint:
          before === undefined
            ? say`Remove it: the first step has nothing before it.`
            : say`Remove it: without it the way back leads to the step before, "${before}".`,
        fix: [{ file: file.path, pointer }],
      };
    });
  }),
);
