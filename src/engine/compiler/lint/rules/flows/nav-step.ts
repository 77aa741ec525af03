import type { Flow, State } from '../../../../core/definition.ts';
import { findRoute } from '../../../../core/route.ts';
import { branchesOf, effectOf } from '../../../../core/transition.ts';
import { routesOf } from '../../../flow/routes.ts';
import { linksOf } from '../../../screen/links-of-ui.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { findSteps } from '../../../explore/entry-points.ts';

/** A link to the address of the next or the previous step, where an event leads there: what the event checks, sends and assigns is left out. */
export const navStep: LintRule<Subject> = {
  id: 'nav/step',
  severity: 'W',
  find: ({ flows, screens }) =>
    [...screens.values()].flatMap(({ id, ui, files }) => {
      const file = files.ui;
      const uses = flows.flatMap((linted) => usesOf(linted, id));
      if (!file || uses.length === 0) return [];
      return linksOf(ui).flatMap(([pointer, { to, newTab }]): readonly Finding[] => {
        if (to === undefined || newTab === true) return [];
        const events = new Set(uses.map((use) => eventTo(use, to)));
        const [event] = events;
        if (event === undefined || events.size > 1) return []; // elsewhere the screen has to lead by an address
        return [
          {
            file,
            pointer: `${pointer}/to`,
            message: say`"${to}" is the step to which "${event}" leads: a link to its address leaves out what the event does.`,
            hint: say`Write "event": "${event}" in the place of "to".`,
          },
        ];
      });
    }),
};

interface Use {
  readonly flow: Flow;
  readonly name: string;
  readonly state: State;
}

function usesOf({ flow }: LintedFlow, screen: string): readonly Use[] {
  return Object.entries(flow.states).flatMap(([name, state]) =>
    state.screen === screen ? [{ flow, name, state }] : [],
  );
}

/** The event that leads from a step to its neighbour with this address. */
function eventTo({ flow, name, state }: Use, to: string): string | undefined {
  const way = findSteps(flow, name);
  const here = way.indexOf(name);
  const target = findRoute(routesOf(flow), to.normalize('NFC'))?.route.state; // one with a query says more than the event
  if (target === undefined || here < 0 || (target !== way[here - 1] && target !== way[here + 1])) return undefined;
  const [led] = Object.entries(state.on ?? {}).find(([, transition]) => {
    const effect = effectOf(transition);
    return (effect?.onDone ?? branchesOf(transition)).some((branch) => branch.target === target);
  }) ?? [target === (state.back ?? way[here - 1]) ? 'back' : undefined];
  return led;
}
