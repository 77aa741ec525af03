import { groupBy } from '../../group.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { circlesOfDepartures, type Departure } from '../../../explore/departures.ts';
import { formatPath } from '../../../explore/node.ts';
import { say } from '../../../sources/say.ts';

/** States that send a walk round before anything is drawn: `always`, by what they require, by the addresses that they leave for, or by an operation whose failure calls it again. */
export const walkCircle: LintRule<Subject> = {
  id: 'walk/circle',
  severity: 'E',
  find: (subject) => [
    ...subject.flows.flatMap((linted) => [...atOnce(linted), ...byFailures(linted)]),
    ...overAddresses(subject),
  ],
};

function atOnce({ exploration, file, placeOf }: LintedFlow): readonly Finding[] {
  return firstOfEach(exploration.circles).map(({ node, states }) => {
    const [first = ''] = states;
    return {
      file,
      pointer: placeOf(`/states/${escapePointer(first)}`),
      message: say`The walk goes round: ${roundOf(states)}.`,
      hint: say`Let one of these states be drawn, or lead elsewhere.`,
      walk: formatPath(node),
    };
  });
}

function byFailures({ flow, exploration, file, placeOf, pointers }: LintedFlow): readonly Finding[] {
  return firstOfEach(exploration.retryLoops).map(({ node, branch, states }) => ({
    file,
    pointer: pointers.get(branch) ?? placeOf(`/states/${escapePointer(node.state)}/invoke`),
    message: say`Each time that "${flow.states[node.state]?.invoke?.src ?? ''}" fails it is called again, without end: ${roundOf(states)}.`,
    hint: say`Let this failure lead to a state where something can be pressed, or raise a "notice" here without a "target".`,
    walk: formatPath(node),
  }));
}

function overAddresses({ flows, screens, contract }: Subject): readonly Finding[] {
  const circles = circlesOfDepartures(
    flows.map(({ flow }) => flow),
    { ...contract, screens },
  );
  const byStates = groupBy(circles.map(fromFirst), (circle) => pathsOf(circle).sort().join(' '));
  return [...byStates.values()].flatMap(([circle = []]): readonly Finding[] => {
    const [first, ...others] = circle.flatMap(({ branch }) => {
      const owner = flows.find(({ pointers }) => pointers.has(branch));
      return owner ? [{ file: owner.file, pointer: `${owner.pointers.get(branch) ?? ''}/leave` }] : [];
    });
    if (!first) return [];
    return [
      {
        ...first,
        message: say`The walk goes round: ${roundOf(pathsOf(circle))}.`,
        hint: say`Let one of these addresses be drawn, or leave for another one.`,
        related: others.map(({ file, pointer }) => ({ file: file.path, pointer })),
      },
    ];
  });
}

function pathsOf(circle: readonly Departure[]): string[] {
  return circle.map(({ from: { flow, state } }) => flow.states[state]?.path ?? state);
}

/** The same circle from its first path on, wherever a walk came into it. */
function fromFirst(circle: readonly Departure[]): readonly Departure[] {
  const paths = pathsOf(circle);
  const start = paths.indexOf([...paths].sort()[0] ?? '');
  return [...circle.slice(start), ...circle.slice(0, start)];
}

function roundOf(states: readonly string[]): string {
  return [...states, states[0] ?? ''].join(' → ');
}

/** One for the same states; none of nodes to which maybe no walk leads. */
function firstOfEach<One extends Pick<LintedFlow['exploration']['retryLoops'][number], 'node' | 'states'>>(
  all: readonly One[],
): readonly One[] {
  const sure = all.filter(({ node }) => !node.rough);
  return [...groupBy(sure, ({ states }) => [...states].sort().join(' ')).values()].flatMap(([first]) => first ?? []);
}
